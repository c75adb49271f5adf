#include "runtime_under_test/protocol/dev_msgs.hpp"

#include <cstring>

#include "runtime_under_test/protocol/wire.hpp"

namespace cqfuzz::rt {
namespace {

// Offsets of the launch message's fields:
//   0 kernel_config_base | 4 sem_offset | 6 local_cb_offset | 8 rta_offset[5] | 18 crta_offset[5] |
//   28 kernel_text_offset[5] | 48 kernel_text_bytes[5] | 68 local_cb_mask | 72 mode | 73 enables |
//   74 preload | 75 pad | 76 host_assigned_id | 80 … 95 zero
constexpr std::size_t kRtaAt = 8;
constexpr std::size_t kCrtaAt = kRtaAt + 2 * kProcessors;
constexpr std::size_t kTextOffsetAt = kCrtaAt + 2 * kProcessors;
constexpr std::size_t kTextBytesAt = kTextOffsetAt + 4 * kProcessors;
constexpr std::size_t kCbMaskAt = kTextBytesAt + 4 * kProcessors;
constexpr std::size_t kModeAt = kCbMaskAt + 4;
constexpr std::size_t kIdAt = kModeAt + 4;
static_assert(kModeAt + 1 == kLaunchEnablesOffset && kModeAt + 2 == kLaunchPreloadOffset);
static_assert(kIdAt + 4 <= kLaunchMessageBytes);

}  // namespace

std::uint32_t encode(const GoMessage& message) {
    return static_cast<std::uint32_t>(message.dispatch_message_offset) |
           static_cast<std::uint32_t>(message.master_x) << 8 |
           static_cast<std::uint32_t>(message.master_y) << 16 |
           static_cast<std::uint32_t>(message.signal) << 24;
}

GoMessage decode_go(std::uint32_t word) {
    GoMessage message;
    message.dispatch_message_offset = static_cast<std::uint8_t>(word);
    message.master_x = static_cast<std::uint8_t>(word >> 8);
    message.master_y = static_cast<std::uint8_t>(word >> 16);
    message.signal = static_cast<std::uint8_t>(word >> 24);
    return message;
}

void encode(std::byte* out, const LaunchMessage& m) {
    std::memset(out, 0, kLaunchMessageBytes);
    put(out, 0, m.kernel_config_base);
    put(out, 4, m.sem_offset);
    put(out, 6, m.local_cb_offset);
    for (std::uint32_t p = 0; p < kProcessors; p++) {
        put(out, kRtaAt + 2 * p, m.rta_offset[p]);
        put(out, kCrtaAt + 2 * p, m.crta_offset[p]);
        put(out, kTextOffsetAt + 4 * p, m.kernel_text_offset[p]);
        put(out, kTextBytesAt + 4 * p, m.kernel_text_bytes[p]);
    }
    put(out, kCbMaskAt, m.local_cb_mask);
    put(out, kModeAt, m.mode);
    put(out, kModeAt + 1, m.enables);
    put(out, kModeAt + 2, m.preload);
    put(out, kModeAt + 3, m.pad);
    put(out, kIdAt, m.host_assigned_id);
}

void decode(const std::byte* in, LaunchMessage& m) {
    take(in, 0, m.kernel_config_base);
    take(in, 4, m.sem_offset);
    take(in, 6, m.local_cb_offset);
    for (std::uint32_t p = 0; p < kProcessors; p++) {
        take(in, kRtaAt + 2 * p, m.rta_offset[p]);
        take(in, kCrtaAt + 2 * p, m.crta_offset[p]);
        take(in, kTextOffsetAt + 4 * p, m.kernel_text_offset[p]);
        take(in, kTextBytesAt + 4 * p, m.kernel_text_bytes[p]);
    }
    take(in, kCbMaskAt, m.local_cb_mask);
    take(in, kModeAt, m.mode);
    take(in, kModeAt + 1, m.enables);
    take(in, kModeAt + 2, m.preload);
    take(in, kModeAt + 3, m.pad);
    take(in, kIdAt, m.host_assigned_id);
}

}  // namespace cqfuzz::rt
