#include "runtime_under_test/firmware/fetch_queue.hpp"

#include "harness/device_api/dataflow_api.h"
#include "runtime_under_test/firmware/cb_writer.hpp"

namespace cqfuzz::fw {

FetchQueue::FetchQueue(const rt::DeviceConfig& config, std::uint32_t header_bytes,
                       rt::FaultSet& faults)
    : faults_(faults),
      header_bytes_(header_bytes),
      base_(config.prefetch.cmddat_q_base),
      end_(config.prefetch.cmddat_q_base + config.geometry.cmddat_q_bytes),
      queue_base_(config.prefetch.prefetch_q_base),
      queue_end_(config.prefetch.prefetch_q_base +
                 config.geometry.prefetch_q_entries * kEntryBytes),
      queue_at_(config.prefetch.prefetch_q_base),
      published_pointer_word_(config.prefetch.prefetch_q_rd_ptr),
      published_pcie_word_(config.prefetch.prefetch_q_pcie_rd_ptr),
      pointer_base_(config.chip.prefetch_pointer_base),
      pcie_xy_(config.chip.pcie.noc_xy()),
      issue_base_(config.host.issue_base),
      issue_end_(config.host.issue_base + config.geometry.issue_region_bytes),
      issue_at_(config.host.issue_base),
      command_(config.prefetch.cmddat_q_base),
      fence_(config.prefetch.cmddat_q_base) {}

bool FetchQueue::entry_has_stall_flag() const { return (entry_ & kStallFlag) != 0; }

bool FetchQueue::issue(std::uint32_t header_bytes) {
    const std::uint32_t size = (entry_ & ~kStallFlag & 0xffffu) << 4;
    if (fence_ + header_bytes + size > end_) {
        if (command_ != fence_) return false;
        command_ = base_;
        fence_ = base_;
    }
    // The same rule as the host's, with the same size (inv. 41).
    if (issue_at_ + size > issue_end_) issue_at_ = issue_base_;
    noc_async_read(get_noc_addr_helper(pcie_xy_, issue_at_), fence_ + header_bytes, size, kDataNoc);
    issue_at_ += size;
    pending_bytes_ = header_bytes + size;

    const std::uint16_t empty = 0;
    device::l1_store(queue_at_, &empty, sizeof empty);
    queue_at_ += kEntryBytes;
    if (queue_at_ == queue_end_) queue_at_ = queue_base_;
    device::l1_store_u32(published_pcie_word_, issue_at_);
    device::l1_store_u32(published_pointer_word_, queue_at_ + pointer_base_);
    entry_ = 0;
    return true;
}

void FetchQueue::land_pending() {
    device::waypoint("waits for a fetch from the host");
    noc_async_read_barrier(kDataNoc);
    fence_ += pending_bytes_;
    pending_bytes_ = 0;
}

// A slot with the stall flag is waited for at once, so that nothing is in flight when its EXEC_BUF
// runs. The stall begins only if the read went out: a refused one has fetched nothing yet.
void FetchQueue::issue_and_settle(std::uint32_t header_bytes) {
    const bool stall = entry_has_stall_flag();
    if (!issue(header_bytes) || !stall) return;
    land_pending();
    stalled_ = true;
}

void FetchQueue::look_at_entry() {
    if (entry_ == 0) entry_ = device::poll_l1_u16(queue_at_);
}

void FetchQueue::fetch() {
    device::waypoint("waits for prefetch_q");
    for (;;) {
        const bool ready = command_ != fence_;
        if (stalled_) {
            FIRMWARE_ASSERT(ready);
            if (faults_.on(rt::Fault::fetch_while_stalled) && !read_pending()) {
                look_at_entry();
                if (entry_ != 0) issue(header_bytes_);
            }
            return;
        }
        if (ready && read_pending()) return;
        look_at_entry();
        if (ready) {
            if (entry_ != 0) issue_and_settle(header_bytes_);
            return;
        }
        if (!read_pending()) {
            if (entry_ == 0) continue;
            issue_and_settle(header_bytes_);
            if (read_pending()) land_pending();
            return;
        }
        land_pending();
        // A stalled slot is joined to the batch in front, under that batch's header.
        if (entry_ == 0) return;
        issue_and_settle(entry_has_stall_flag() ? 0 : header_bytes_);
        return;
    }
}

}  // namespace cqfuzz::fw
