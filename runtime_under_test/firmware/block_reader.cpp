#include "runtime_under_test/firmware/block_reader.hpp"

#include <algorithm>

#include "harness/device_api/dataflow_api.h"
#include "runtime_under_test/firmware/page_link.hpp"
#include "runtime_under_test/firmware/cb_writer.hpp"

namespace cqfuzz::fw {
namespace {

using device::HardwareCounter;
using device::SoftwareCounter;

std::uint32_t writes_issued() {
    return device::software_counter(kDataNoc, SoftwareCounter::nonposted_writes_num_issued);
}

}  // namespace

BlockReader::BlockReader(const rt::DispatchCoreLayout& self, const rt::RingGeometry& ring,
                         rt::Coord producer, const rt::DispatchCoreLayout& producer_layout,
                         const rt::DispatchGeometry& geometry, rt::FaultSet& faults,
                         const char* waypoint)
    : base_(self.ring_base),
      end_(self.ring_base + ring.size_bytes()),
      page_(ring.page_size_bytes()),
      pages_per_block_(ring.pages_per_block()),
      blocks_(ring.blocks),
      accounting_(geometry.block_accounting),
      ready_address_(self.semaphore(rt::Semaphore::upstream_ready)),
      producer_xy_(producer.noc_xy()),
      credits_address_(producer_layout.semaphore(!faults.on(rt::Fault::credits_to_wrong_semaphore)
                                                     ? rt::Semaphore::downstream_credits
                                                     : rt::Semaphore::downstream_sync)),
      faults_(faults),
      waypoint_(waypoint),
      fence_(self.ring_base),
      block_end_(self.ring_base + ring.pages_per_block() * ring.page_size_bytes()),
      local_count_(geometry.semaphore_start) {
    FIRMWARE_ASSERT(ring.blocks <= kBlocksMax);
    target_[0] = writes_issued() + 1;
}

bool BlockReader::pages_ready() {
    if (available_ == 0) {
        const std::uint32_t ready = device::poll_l1(ready_address_);
        available_ = ready - local_count_;
        if (faults_.on(rt::Fault::ready_compared_by_value) && ready < local_count_) available_ = 0;
    }
    return available_ != 0;
}

void BlockReader::acquire_pages() {
    device::waypoint(waypoint_);
    while (!pages_ready()) {
        // The pages we wait for may be those we hold back ourselves: blocks can become free
        // meanwhile.
        if (accounting_ == rt::BlockAccounting::write_counts && oldest_ != current_ &&
            !faults_.on(rt::Fault::no_release_while_waiting) &&
            oldest_has_departed(
                device::poll_hardware_counter(kDataNoc, HardwareCounter::nonposted_wr_req_sent)))
            release_completed();
    }
    const std::uint32_t usable = !faults_.on(rt::Fault::fence_past_block_end)
                                     ? std::min(available_, (block_end_ - fence_) / page_)
                                     : available_;
    if (!faults_.on(rt::Fault::pages_claimed_twice)) available_ -= usable;
    local_count_ += usable;
    fence_ += usable * page_;
}

void BlockReader::send_release(std::uint32_t pages) {
    noc_semaphore_inc(get_noc_addr_helper(producer_xy_, credits_address_), pages, kUpstreamNoc);
}

void BlockReader::release_completed() {
    if (accounting_ != rt::BlockAccounting::write_counts) return;
    target_[current_] += late_count_;
    late_count_ = 0;
    const std::uint32_t sent =
        device::read_hardware_counter(kDataNoc, HardwareCounter::nonposted_wr_req_sent);
    // Twice, or a reader that is a block behind stays so for ever (inv. 26).
    for (int i = 0; i < 2; ++i) {
        if (!oldest_has_departed(sent)) return;
        if (i == 1 && faults_.on(rt::Fault::one_block_per_release)) return;
        send_release(pages_per_block_);
        oldest_ = (oldest_ + 1) % blocks_;
    }
}

void BlockReader::move_to_next_block(std::uint32_t& pointer) {
    const std::uint32_t next = (current_ + 1) % blocks_;
    if (accounting_ == rt::BlockAccounting::write_counts) {
        // A lap behind: the next block is still the oldest unreleased one and its target must not
        // be lost.
        device::waypoint("waits for the departure of a whole lap");
        while (next == oldest_) {
            if (oldest_has_departed(device::poll_hardware_counter(
                    kDataNoc, HardwareCounter::nonposted_wr_req_sent)))
                release_completed();
        }
        const std::uint32_t running = target_[current_];
        target_[current_] = running - 1;
        target_[next] = running;
    } else {
        if (finished_held_) {
            device::waypoint("waits for the departure of a finished block");
            while (!faults_.on(rt::Fault::release_before_departure) &&
                   static_cast<std::int32_t>(device::poll_hardware_counter(
                                                 kDataNoc, HardwareCounter::nonposted_wr_req_sent) -
                                             snapshot_) < 0) {
            }
            send_release(pages_per_block_);
        }
        finished_held_ = true;
        snapshot_ = writes_issued();
    }
    current_ = next;
    if (fence_ == end_) {
        fence_ = base_;
        pointer = base_;
    }
    block_end_ = fence_ + pages_per_block_ * page_;
}

void BlockReader::wait_command(std::uint32_t& pointer) {
    if (pointer != fence_) return;
    if (at_block_end()) move_to_next_block(pointer);
    acquire_pages();
}

std::uint32_t BlockReader::next_piece(std::uint32_t& pointer, std::uint32_t wanted,
                                      rt::Fault late_orphan, Release release) {
    const std::uint32_t piece = std::min(wanted, page_);
    orphan_out_ = false;
    if (pointer + piece <= fence_) return piece;
    if (at_block_end()) {
        const bool straddles = pointer < fence_;
        // At the ring's end even the mistake cuts: a write cannot wrap (inv. 29).
        if (straddles && (fence_ == end_ || !faults_.on(late_orphan))) {
            orphan_out_ = true;
            return fence_ - pointer;
        }
        move_to_next_block(pointer);
    }
    acquire_pages();
    if (release == Release::after_acquire) release_completed();
    return piece;
}

std::uint32_t BlockReader::next_chunk(std::uint32_t& pointer, std::uint32_t wanted) {
    wait_command(pointer);
    return std::min(wanted, fence_ - pointer);
}

void BlockReader::skip(std::uint32_t& pointer, std::uint32_t length) {
    while (length != 0) {
        const std::uint32_t n = next_chunk(pointer, length);
        pointer += n;
        length -= n;
    }
}

void BlockReader::count_packet() {
    if (orphan_out_ && faults_.on(rt::Fault::one_orphan_count_missing)) [[unlikely]]
        return;
    if (accounting_ == rt::BlockAccounting::write_counts &&
        faults_.on(rt::Fault::batched_count_after_move)) {
        ++late_count_;
        return;
    }
    target_[current_] += orphan_out_ && faults_.on(rt::Fault::orphan_counted_twice) ? 2 : 1;
}

// The current block's target is one more than its writes, so that it is never reached (inv. 22).
bool BlockReader::oldest_has_departed(std::uint32_t sent) const {
    std::uint32_t target = target_[oldest_];
    if (oldest_ == current_ && faults_.on(rt::Fault::no_plus_one_on_current)) --target;
    return static_cast<std::int32_t>(sent - target) >= 0;
}

void BlockReader::release_all(std::uint32_t pointer) {
    if (accounting_ == rt::BlockAccounting::write_counts) {
        for (; oldest_ != current_; oldest_ = (oldest_ + 1) % blocks_)
            send_release(pages_per_block_);
    } else if (finished_held_) {
        send_release(pages_per_block_);
    }
    const std::uint32_t rest = pages_per_block_ - (block_end_ - pointer) / page_;
    if (rest != 0 && !faults_.on(rt::Fault::partial_block_not_returned)) send_release(rest);
    device::waypoint("waits for the last pages to be accounted for");
    while (device::poll_l1(ready_address_) != local_count_) {
    }
}

void BlockReader::close() { send_release(kTeardownMark); }

}  // namespace cqfuzz::fw
