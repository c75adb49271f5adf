// Ownership of what the host hands to a prefetcher: bytes of the issue region, and entries of
// prefetch_q (facts §4.8). Followed from logged PCIe and NoC events and the geometry.
//
// Bytes of the issue region are the device's from the arrival of the host's write until the read
// that fetches them has landed. An entry is the device's from the arrival of a value that is not
// zero until the prefetcher has stored zero there.
//
// Checks, at once at each event (all reported as page ownership):
//  - issue region, overwritten-while-owned (inv. 39): a host's write arrives over such bytes;
//  - issue region, read-before-ready (inv. 40): a fetch reads bytes that the host has written and
//    that have not arrived;
//  - issue region, unaligned (inv. 106): a write that is no block copy of whole 16 bytes;
//  - prefetch_q, overwritten-while-owned (inv. 40): a host's write arrives on such an entry.
//
// Does not check:
//  - what an entry says of its slot (inv. 42): the firmware and golden memory see what comes of it;
//  - host writes beside the region and the queue: golden memory and the other oracles own those.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "harness/oracle/ownership_report.hpp"
#include "harness/oracle/provenance.hpp"

namespace cqfuzz {

class HostQueueOwnership {
public:
    void reset(const MachineView& machine, const Provenance& provenance);
    // Host writes, and stores of dispatch cores.
    std::optional<Violation> observe(const LogEntry& entry);
    // A read of the hugepage samples its bytes, and lands.
    std::optional<Violation> sampled(const LogEntry& entry) const;
    void landed(const LogEntry& entry);

private:
    using Found = std::optional<Violation>;
    struct Slot {
        std::uint32_t begin = 0;
        std::uint32_t end = 0;
        std::uint32_t op = kNoOp;
        std::uint64_t step = 0;
        std::uint32_t transaction = 0;
    };
    struct Queue {
        IssueRegionView view;
        std::vector<Slot> flying;   // written by the host, not arrived
        std::vector<Slot> owned;    // arrived, not landed
        std::vector<Slot> entries;  // by number; begin == end: the host's
    };

    static bool in_region(const Queue& queue, const LogEntry& entry) {
        return entry.target == queue.view.pcie &&
               entry.target_address - queue.view.base < queue.view.size_bytes;
    }
    static bool in_queue(const Queue& queue, std::uint32_t address) {
        return address - queue.view.queue_base <
               queue.view.queue_entries * queue.view.queue_entry_bytes;
    }
    Found on_host_issue(Queue& queue, const LogEntry& entry) const;
    Found on_bytes(Queue& queue, const LogEntry& entry) const;
    Found on_entries(Queue& queue, const LogEntry& entry) const;
    static void on_store(Queue& queue, const LogEntry& entry);
    [[gnu::cold]] Violation finding(const LogEntry& entry, const char* place, const char* property,
                                    const char* invariant, TileIndex actor, const Slot& slot,
                                    std::string summary) const;

    const MachineView* machine_ = nullptr;
    const Provenance* provenance_ = nullptr;
    std::size_t queue_count_ = 0;
    std::vector<Queue> queues_;  // never shrinks
};

}  // namespace cqfuzz
