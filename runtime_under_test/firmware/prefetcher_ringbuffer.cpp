// The ring-buffer cache: DRAM bytes that are read once and relayed often (facts §2.3). It lies over
// the scratch halves, so a relay through scratch ends what it holds there; the host knows (inv.
// 56).
//
//      scratch_base                     write                        end
//           |###########################|............................|
//            ^ offset: sub-commands count from here
#include <algorithm>

#include "harness/device_api/dataflow_api.h"
#include "runtime_under_test/firmware/prefetcher.hpp"

namespace cqfuzz::fw {

// Never wraps by itself: the host says when the next load begins at the start again.
void Prefetcher::paged_to_ringbuffer() {
    std::byte bytes[rt::kCommandBytes];
    load_command(bytes);
    rt::PagedToRingbuffer command;
    rt::decode(bytes, command);
    if ((command.flags & rt::kRingbufferResetToStart) != 0) ringbuffer_write_ = self_.scratch_base;
    const std::uint32_t room = ringbuffer_end() - ringbuffer_write_;
    FIRMWARE_ASSERT(command.length % rt::DispatchGeometry::kDramAlignment == 0 &&
                    command.length <= room);
    FIRMWARE_ASSERT(command.wp_offset_update <= room);
    FIRMWARE_ASSERT(command.log2_page_size >= 5 && command.log2_page_size <= 16);
    FIRMWARE_ASSERT(command.start_page < config_.geometry.dram_banks);
    stream_.take(rt::kCommandBytes);
    device::waypoint("ring buffer: flush before a load");
    // Earlier relays may still take bytes from where this load goes.
    noc_async_writes_flushed(kDataNoc);
    const std::uint32_t page_bytes = 1u << command.log2_page_size;
    std::uint32_t page = command.start_page;
    for (std::uint32_t done = 0; done < command.length; ++page) {
        const std::uint32_t n = std::min(command.length - done, page_bytes);
        read_interleaved(page, command.base_addr, page_bytes, 0, ringbuffer_write_ + done, n);
        done += n;
    }
    ringbuffer_write_ += command.wp_offset_update;
    device::waypoint("ring buffer: waits for a load");
    noc_async_read_barrier(kDataNoc);
    stream_.finish_command(rt::kBareMinBytes);
}

void Prefetcher::set_ringbuffer_offset() {
    std::byte bytes[rt::kCommandBytes];
    load_command(bytes);
    rt::SetRingbufferOffset command;
    rt::decode(bytes, command);
    FIRMWARE_ASSERT(command.offset <= config_.geometry.ringbuffer_bytes);
    if (command.update_wp != 0) {
        ringbuffer_write_ = self_.scratch_base + command.offset;
    } else {
        ringbuffer_offset_ = command.offset;
    }
    stream_.take(rt::kCommandBytes);
    stream_.finish_command(rt::kBareMinBytes);
}

// In parts of at most half the scratch: more pages at once could be more than the dispatcher gives
// back (inv. 10). With the last one (round 1) goes the page that NOFLUSH took.
void Prefetcher::push_range(std::uint32_t source, std::uint32_t length, std::uint32_t round) {
    const std::uint32_t most = config_.geometry.scratch_bytes / 2;
    for (; length > most; source += most, length -= most)
        downstream_.hand_over(push(source, most, 0));
    downstream_.hand_over(push(source, length, round) + round);
}

// The writes may depart later: whoever fills these bytes again flushes first.
void Prefetcher::relay_ringbuffer() {
    constexpr std::uint32_t kSubWords = 2;
    std::byte bytes[rt::kCommandBytes];
    load_command(bytes);
    rt::RelayRingbuffer command;
    rt::decode(bytes, command);
    FIRMWARE_ASSERT(command.count != 0 && command.count <= rt::kMaxRingbufferSubCommands);
    stream_.take(rt::kCommandBytes);
    load_sub_commands(command.count * kSubWords);
    stream_.finish_command(command.stride);
    // The NOFLUSH head lies in cmddat_q, where the next fetch may go (inv. 36). What is relayed from
    // here on does not.
    device::waypoint("ring buffer: flush of the head");
    if (!faults_.on(rt::Fault::head_of_cache_relay_not_flushed)) noc_async_writes_flushed(kDataNoc);
    const std::uint32_t room = config_.geometry.ringbuffer_bytes - ringbuffer_offset_;
    for (std::uint32_t i = 0; i < command.count; ++i) {
        const std::uint32_t start = sub_commands_.load(i * kSubWords);
        const std::uint32_t length = sub_commands_.load(i * kSubWords + 1);
        FIRMWARE_ASSERT(length != 0 && start <= room && length <= room - start);
        push_range(self_.scratch_base + ringbuffer_offset_ + start, length,
                   i + 1 == command.count ? 1 : 0);
    }
    downstream_.round_up_to_page();
}

}  // namespace cqfuzz::fw
