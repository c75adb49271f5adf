// FetchQueue: how prefetch_h and prefetch_hd get command slots from the host (facts §4.6–4.8): one
// entry of prefetch_q a slot, one PCIe read at a time, into the byte ring cmddat_q.
//
//      base        command (unread from here)     fence              end
//       |              |##########################|....pending.......|
//
// Invariants:
//  1. At most one fetch is outstanding; its target is free space behind the fence (inv. 36).
//  2. The ring wraps only when nothing in it is unread (inv. 37).
//  3. The entry is zeroed before the read pointer is published (inv. 40).
//  4. A slot with the stall flag is followed by no fetch until resume() (inv. 57, 58).
#pragma once

#include <cstdint>

#include "runtime_under_test/faults/faults.hpp"
#include "runtime_under_test/protocol/layout.hpp"

namespace cqfuzz::fw {

class FetchQueue {
public:
    // `header_bytes` are left free in front of each slot (prefetch_h); a slot joined to an earlier
    // one has none.
    FetchQueue(const rt::DeviceConfig& config, std::uint32_t header_bytes, rt::FaultSet& faults);

    // Returns when [command, fence) is not empty; fetches ahead when it can (facts §4.7).
    void fetch();

    std::uint32_t command() const { return command_; }
    std::uint32_t fence() const { return fence_; }
    void advance(std::uint32_t bytes) { command_ += bytes; }
    bool stalled() const { return stalled_; }
    void resume() { stalled_ = false; }
    bool read_pending() const { return pending_bytes_ != 0; }

private:
    static constexpr std::uint32_t kEntryBytes = 2;
    static constexpr std::uint32_t kStallFlag = 0x8000;

    bool entry_has_stall_flag() const;
    // Starts the read of the slot at the queue's head; false when it would wrap over unread bytes.
    bool issue(std::uint32_t header_bytes);
    void land_pending();
    void issue_and_settle(std::uint32_t header_bytes);
    void look_at_entry();

    rt::FaultSet& faults_;
    std::uint32_t header_bytes_;
    std::uint32_t base_;
    std::uint32_t end_;
    std::uint32_t queue_base_;
    std::uint32_t queue_end_;
    std::uint32_t queue_at_;
    std::uint32_t published_pointer_word_;
    std::uint32_t published_pcie_word_;
    std::uint32_t pointer_base_;  // of published pointers
    std::uint32_t pcie_xy_;
    std::uint32_t issue_base_;
    std::uint32_t issue_end_;
    std::uint32_t issue_at_;

    std::uint32_t command_;
    std::uint32_t fence_;
    std::uint32_t pending_bytes_ = 0;  // header included
    std::uint16_t entry_ = 0;          // head of the queue as last seen; 0 = not seen
    bool stalled_ = false;
};

}  // namespace cqfuzz::fw
