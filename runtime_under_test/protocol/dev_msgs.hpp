// Messages between host, dispatcher and base firmware (facts §6.3).
#pragma once

#include <cstddef>
#include <cstdint>

namespace cqfuzz::rt {

inline constexpr std::uint8_t kGoInit = 0x40;
inline constexpr std::uint8_t kGoGo = 0x80;
inline constexpr std::uint8_t kGoResetReadPtr = 0xc0;
inline constexpr std::uint8_t kGoResetReadPtrFromHost = 0xe0;
inline constexpr std::uint8_t kGoDone = 0;

// 4 bytes: dispatch_message_offset, master_x, master_y, signal.
struct GoMessage {
    std::uint8_t dispatch_message_offset = 0;
    std::uint8_t master_x = 0;
    std::uint8_t master_y = 0;
    std::uint8_t signal = 0;
};
std::uint32_t encode(const GoMessage& message);
GoMessage decode_go(std::uint32_t word);

inline constexpr std::uint32_t kProcessors =
    5;  // BRISC, NCRISC, TRISC0..2; ethernet cores use the first alone

// kernel_config_msg_t, our own packing of the public fields, in this order, 80 bytes. Offsets are
// from kernel_config_base.
struct LaunchMessage {
    std::uint32_t kernel_config_base = 0;
    std::uint16_t sem_offset = 0;
    std::uint16_t local_cb_offset = 0;
    std::uint16_t rta_offset[kProcessors] = {};   // unique runtime args
    std::uint16_t crta_offset[kProcessors] = {};  // common runtime args
    std::uint32_t kernel_text_offset[kProcessors] = {};
    std::uint32_t kernel_text_bytes[kProcessors] = {};
    std::uint32_t local_cb_mask = 0;
    std::uint8_t mode = 0;     // kModeDev
    std::uint8_t enables = 0;  // bit per processor
    std::uint8_t preload = 0;
    std::uint8_t pad = 0;
    std::uint32_t host_assigned_id = 0;
};
inline constexpr std::uint32_t kLaunchMessageBytes = 96;  // padded to the L1 alignment
inline constexpr std::uint8_t kModeDev = 1;
inline constexpr std::uint32_t kLaunchEnablesOffset =
    73;  // base firmware clears enables and preload in place
inline constexpr std::uint32_t kLaunchPreloadOffset = 74;

void encode(std::byte* out, const LaunchMessage& message);  // writes kLaunchMessageBytes
void decode(const std::byte* in, LaunchMessage& message);

// One circular buffer's configuration: 4 words {addr >> 4, size >> 4, num_pages, page_size >> 4}
// (facts §6.1).
inline constexpr std::uint32_t kCircularBufferConfigBytes = 16;
inline constexpr std::uint32_t kMaxCircularBuffers = 32;
inline constexpr std::uint32_t kMaxSemaphores = 16;
inline constexpr std::uint32_t kSemaphoreBytes = 16;

}  // namespace cqfuzz::rt
