#include "runtime_under_test/protocol/commands.hpp"

#include <array>
#include <cstring>

#include "runtime_under_test/protocol/wire.hpp"

namespace cqfuzz::rt {
namespace {

constexpr std::uint8_t kStartPageMask = 0x0f;  // RELAY_PAGED's packed_page_flags
constexpr std::uint8_t kIsDramBit = 0x10;

template <class Id>
void begin(std::byte* out, Id id) {
    std::memset(out, 0, kCommandBytes);
    put(out, 0, static_cast<std::uint8_t>(id));
}

constexpr std::array<std::string_view, static_cast<std::size_t>(PrefetchId::kCount)> kPrefetchNames{
    "ILLEGAL",
    "RELAY_LINEAR",
    "RELAY_PAGED",
    "RELAY_PAGED_PACKED",
    "RELAY_INLINE",
    "RELAY_INLINE_NOFLUSH",
    "EXEC_BUF",
    "EXEC_BUF_END",
    "STALL",
    "DEBUG",
    "TERMINATE",
    "PAGED_TO_RINGBUFFER",
    "SET_RINGBUFFER_OFFSET",
    "RELAY_RINGBUFFER"};

constexpr std::array<std::string_view, static_cast<std::size_t>(DispatchId::kCount)> kDispatchNames{
    "ILLEGAL",
    "WRITE_LINEAR",
    "WRITE_LINEAR_H",
    "WRITE_LINEAR_H_HOST",
    "WRITE_PAGED",
    "WRITE_PACKED",
    "WRITE_PACKED_LARGE",
    "WAIT",
    "GO",
    "SINK",
    "DEBUG",
    "DELAY",
    "EXEC_BUF_END",
    "SET_WRITE_OFFSET",
    "TERMINATE",
    "SEND_GO_SIGNAL",
    "NOTIFY_SUBORDINATE_GO_SIGNAL",
    "SET_NUM_WORKER_SEMS",
    "SET_GO_SIGNAL_NOC_DATA"};

template <class Id>
void encode_debug(std::byte* out, Id id, const Debug& c) {
    begin(out, id);
    put(out, 2, c.key);
    put(out, 4, c.checksum);
    put(out, 8, c.size);
    put(out, 12, c.stride);
}

}  // namespace

std::string_view name_of(PrefetchId id) {
    const auto index = static_cast<std::size_t>(id);
    return index < kPrefetchNames.size() ? kPrefetchNames[index] : "UNKNOWN";
}

std::string_view name_of(DispatchId id) {
    const auto index = static_cast<std::size_t>(id);
    return index < kDispatchNames.size() ? kDispatchNames[index] : "UNKNOWN";
}

std::uint32_t multicast_xy(std::uint8_t x_start, std::uint8_t y_start, std::uint8_t x_end,
                           std::uint8_t y_end) {
    return static_cast<std::uint32_t>(x_end) | static_cast<std::uint32_t>(y_end) << 6 |
           static_cast<std::uint32_t>(x_start) << 12 | static_cast<std::uint32_t>(y_start) << 18;
}

// --- prefetch commands
// ------------------------------------------------------------------------------------------------

void encode(std::byte* out, const RelayLinear& c) {
    begin(out, PrefetchId::relay_linear);
    put(out, 4, c.noc_xy_addr);
    put(out, 8, c.addr);
    put(out, 12, c.length);
}

void decode(const std::byte* in, RelayLinear& c) {
    take(in, 4, c.noc_xy_addr);
    take(in, 8, c.addr);
    take(in, 12, c.length);
}

void encode(std::byte* out, const RelayPaged& c) {
    begin(out, PrefetchId::relay_paged);
    const int flags = (c.start_page & kStartPageMask) | (c.is_dram ? kIsDramBit : 0);
    put(out, 1, static_cast<std::uint8_t>(flags));
    put(out, 2, c.length_adjust);
    put(out, 4, c.base_addr);
    put(out, 8, c.page_size);
    put(out, 12, c.pages);
}

void decode(const std::byte* in, RelayPaged& c) {
    std::uint8_t flags = 0;
    take(in, 1, flags);
    c.start_page = flags & kStartPageMask;
    c.is_dram = (flags & kIsDramBit) != 0;
    take(in, 2, c.length_adjust);
    take(in, 4, c.base_addr);
    take(in, 8, c.page_size);
    take(in, 12, c.pages);
}

void encode(std::byte* out, const RelayPagedPacked& c) {
    begin(out, PrefetchId::relay_paged_packed);
    put(out, 2, c.count);
    put(out, 4, c.total_length);
    put(out, 8, c.stride);
}

void decode(const std::byte* in, RelayPagedPacked& c) {
    take(in, 2, c.count);
    take(in, 4, c.total_length);
    take(in, 8, c.stride);
}

void encode(std::byte* out, const RelayPagedPackedSub& c) {
    put(out, 0, c.start_page);
    put(out, 2, c.log_page_size);
    put(out, 4, c.base_addr);
    put(out, 8, c.length);
}

void decode(const std::byte* in, RelayPagedPackedSub& c) {
    take(in, 0, c.start_page);
    take(in, 2, c.log_page_size);
    take(in, 4, c.base_addr);
    take(in, 8, c.length);
}

void encode(std::byte* out, PrefetchId inline_kind, const RelayInline& c) {
    begin(out, inline_kind);
    put(out, 1, c.dispatcher_type);
    put(out, 4, c.length);
    put(out, 8, c.stride);
}

void decode(const std::byte* in, RelayInline& c) {
    take(in, 1, c.dispatcher_type);
    take(in, 4, c.length);
    take(in, 8, c.stride);
}

void encode(std::byte* out, const ExecBuf& c) {
    begin(out, PrefetchId::exec_buf);
    put(out, 4, c.base_addr);
    put(out, 8, c.log_page_size);
    put(out, 12, c.pages);
}

void decode(const std::byte* in, ExecBuf& c) {
    take(in, 4, c.base_addr);
    take(in, 8, c.log_page_size);
    take(in, 12, c.pages);
}

void encode(std::byte* out, PrefetchId debug, const Debug& c) { encode_debug(out, debug, c); }

void encode(std::byte* out, DispatchId debug, const Debug& c) { encode_debug(out, debug, c); }

void decode(const std::byte* in, Debug& c) {
    take(in, 2, c.key);
    take(in, 4, c.checksum);
    take(in, 8, c.size);
    take(in, 12, c.stride);
}

void encode(std::byte* out, const PagedToRingbuffer& c) {
    begin(out, PrefetchId::paged_to_ringbuffer);
    put(out, 1, c.flags);
    put(out, 2, c.log2_page_size);
    put(out, 3, c.start_page);
    put(out, 4, c.wp_offset_update);
    put(out, 8, c.base_addr);
    put(out, 12, c.length);
}

void decode(const std::byte* in, PagedToRingbuffer& c) {
    take(in, 1, c.flags);
    take(in, 2, c.log2_page_size);
    take(in, 3, c.start_page);
    take(in, 4, c.wp_offset_update);
    take(in, 8, c.base_addr);
    take(in, 12, c.length);
}

void encode(std::byte* out, const SetRingbufferOffset& c) {
    begin(out, PrefetchId::set_ringbuffer_offset);
    put(out, 1, c.offset);
    put(out, 8, c.update_wp);
}

void decode(const std::byte* in, SetRingbufferOffset& c) {
    take(in, 1, c.offset);
    take(in, 8, c.update_wp);
}

void encode(std::byte* out, const RelayRingbuffer& c) {
    begin(out, PrefetchId::relay_ringbuffer);
    put(out, 2, c.count);
    put(out, 4, c.stride);
}

void decode(const std::byte* in, RelayRingbuffer& c) {
    take(in, 2, c.count);
    take(in, 4, c.stride);
}

void encode(std::byte* out, const RelayRingbufferSub& c) {
    put(out, 0, c.start);
    put(out, 4, c.length);
}

void decode(const std::byte* in, RelayRingbufferSub& c) {
    take(in, 0, c.start);
    take(in, 4, c.length);
}

void encode(std::byte* out, PrefetchId bare) { begin(out, bare); }

// --- dispatch commands
// ------------------------------------------------------------------------------------------------

void encode(std::byte* out, DispatchId linear_kind, const WriteLinear& c) {
    begin(out, linear_kind);
    put(out, 1, c.num_mcast_dests);
    put(out, 2, c.write_offset_index);
    put(out, 4, c.noc_xy_addr);
    put(out, 8, c.addr);
    put(out, 12, c.length);
}

void decode(const std::byte* in, WriteLinear& c) {
    take(in, 1, c.num_mcast_dests);
    take(in, 2, c.write_offset_index);
    take(in, 4, c.noc_xy_addr);
    take(in, 8, c.addr);
    take(in, 12, c.length);
}

void encode(std::byte* out, const WriteLinearHHost& c) {
    begin(out, DispatchId::write_linear_h_host);
    put(out, 1, c.is_event);
    put(out, 2, c.pad1);
    put(out, 4, c.pad2);
    put(out, 8, c.pad3);
    put(out, 12, c.length);
}

void decode(const std::byte* in, WriteLinearHHost& c) {
    take(in, 1, c.is_event);
    take(in, 2, c.pad1);
    take(in, 4, c.pad2);
    take(in, 8, c.pad3);
    take(in, 12, c.length);
}

void encode(std::byte* out, const WritePaged& c) {
    begin(out, DispatchId::write_paged);
    put(out, 1, c.is_dram);
    put(out, 2, c.start_page);
    put(out, 4, c.base_addr);
    put(out, 8, c.page_size);
    put(out, 12, c.pages);
}

void decode(const std::byte* in, WritePaged& c) {
    take(in, 1, c.is_dram);
    take(in, 2, c.start_page);
    take(in, 4, c.base_addr);
    take(in, 8, c.page_size);
    take(in, 12, c.pages);
}

void encode(std::byte* out, const WritePacked& c) {
    begin(out, DispatchId::write_packed);
    put(out, 1, c.flags);
    put(out, 2, c.count);
    put(out, 4, c.write_offset_index);
    put(out, 6, c.size);
    put(out, 8, c.addr);
}

void decode(const std::byte* in, WritePacked& c) {
    take(in, 1, c.flags);
    take(in, 2, c.count);
    take(in, 4, c.write_offset_index);
    take(in, 6, c.size);
    take(in, 8, c.addr);
}

void encode(std::byte* out, const PackedMulticastSub& c) {
    put(out, 0, c.noc_xy_addr);
    put(out, 4, c.num_mcast_dests);
}

void decode(const std::byte* in, PackedMulticastSub& c) {
    take(in, 0, c.noc_xy_addr);
    take(in, 4, c.num_mcast_dests);
}

void encode(std::byte* out, const WritePackedLarge& c) {
    begin(out, DispatchId::write_packed_large);
    put(out, 2, c.count);
    put(out, 4, c.alignment);
    put(out, 6, c.write_offset_index);
}

void decode(const std::byte* in, WritePackedLarge& c) {
    take(in, 2, c.count);
    take(in, 4, c.alignment);
    take(in, 6, c.write_offset_index);
}

void encode(std::byte* out, const WritePackedLargeSub& c) {
    put(out, 0, c.noc_xy_addr);
    put(out, 4, c.addr);
    put(out, 8, c.length);
    put(out, 10, c.num_mcast_dests);
    put(out, 11, c.flags);
}

void decode(const std::byte* in, WritePackedLargeSub& c) {
    take(in, 0, c.noc_xy_addr);
    take(in, 4, c.addr);
    take(in, 8, c.length);
    take(in, 10, c.num_mcast_dests);
    take(in, 11, c.flags);
}

void encode(std::byte* out, const Wait& c) {
    begin(out, DispatchId::wait);
    put(out, 1, c.barrier);
    put(out, 2, c.notify_prefetch);
    put(out, 3, c.clear_count);
    put(out, 4, c.wait);
    put(out, 8, c.addr);
    put(out, 12, c.count);
}

void decode(const std::byte* in, Wait& c) {
    take(in, 1, c.barrier);
    take(in, 2, c.notify_prefetch);
    take(in, 3, c.clear_count);
    take(in, 4, c.wait);
    take(in, 8, c.addr);
    take(in, 12, c.count);
}

void encode(std::byte* out, const Delay& c) {
    begin(out, DispatchId::delay);
    put(out, 4, c.iterations);
}

void decode(const std::byte* in, Delay& c) { take(in, 4, c.iterations); }

void encode(std::byte* out, const SetWriteOffset& c) {
    begin(out, DispatchId::set_write_offset);
    for (std::uint32_t i = 0; i < kMaxWriteOffsets; i++) put(out, 4 + 4 * i, c.offset[i]);
}

void decode(const std::byte* in, SetWriteOffset& c) {
    for (std::uint32_t i = 0; i < kMaxWriteOffsets; i++) take(in, 4 + 4 * i, c.offset[i]);
}

void encode(std::byte* out, const SendGoSignal& c) {
    begin(out, DispatchId::send_go_signal);
    put(out, 1, c.go_signal);
    put(out, 5, c.num_mcast_txns);
    put(out, 6, c.num_unicast_txns);
    put(out, 7, c.noc_data_start_index);
    put(out, 8, c.wait_count);
    put(out, 12, c.wait_addr);
}

void decode(const std::byte* in, SendGoSignal& c) {
    take(in, 1, c.go_signal);
    take(in, 5, c.num_mcast_txns);
    take(in, 6, c.num_unicast_txns);
    take(in, 7, c.noc_data_start_index);
    take(in, 8, c.wait_count);
    take(in, 12, c.wait_addr);
}

void encode(std::byte* out, const NotifySubordinateGoSignal& c) {
    begin(out, DispatchId::notify_subordinate_go_signal);
    put(out, 1, c.wait);
    put(out, 2, c.index_bitmask);
}

void decode(const std::byte* in, NotifySubordinateGoSignal& c) {
    take(in, 1, c.wait);
    take(in, 2, c.index_bitmask);
}

void encode(std::byte* out, const SetNumWorkerSems& c) {
    begin(out, DispatchId::set_num_worker_sems);
    put(out, 4, c.num_worker_sems);
}

void decode(const std::byte* in, SetNumWorkerSems& c) { take(in, 4, c.num_worker_sems); }

void encode(std::byte* out, const SetGoSignalNocData& c) {
    begin(out, DispatchId::set_go_signal_noc_data);
    put(out, 4, c.num_words);
}

void decode(const std::byte* in, SetGoSignalNocData& c) { take(in, 4, c.num_words); }

void encode(std::byte* out, DispatchId bare) { begin(out, bare); }

}  // namespace cqfuzz::rt
