// Completion queue: what a dispatcher writes to the host's hugepage, its pointer words, and what an
// event promises (facts §9.6). Followed from logged events and the geometry alone.
//
// Checks, at once at each event:
//  - overwritten-before-pop (inv. 81): a write is issued into a page that the host has not popped;
//  - pointer-before-data (inv. 82): the write pointer arrives at the host before bytes of a page
//    that it hands over;
//  - pointer-changed-in-flight (inv. 83): the writer changes its copy of the pointer while a write
//    of it has not departed;
//  - toggle (inv. 84): a pointer word of either side has not the toggle of its lap;
//  - popped-before-push (inv. 84): the host's pointer passes the writer's;
//  - event-before-acknowledgements (inv. 86): a dispatcher begins an event's command while a write
//    of its own, to memory or to one core, has not been acknowledged.
//  - terminated-out-of-order (inv. 98): dispatch_h begins TERMINATE before the dispatch_d that
//  feeds
//    it has.
//
// Does not check:
//  - multicasts at an event: they go to programs, whose go has a barrier of its own (golden
//  memory);
//  - which completion is which: the host's runtime declares a device lost that is out of step.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "harness/base/violation.hpp"
#include "harness/oracle/provenance.hpp"

namespace cqfuzz {

class CompletionQueueOrder {
public:
    void reset(const MachineView& machine, const MemoryView& memory, const Provenance& provenance);
    // Everything but arrivals over a NoC and acknowledgements, which have calls of their own.
    std::optional<Violation> observe(const LogEntry& entry);
    std::optional<Violation> arrived(const LogEntry& entry);
    void acknowledged(const LogEntry& entry);

private:
    using Found = std::optional<Violation>;
    struct Flight {
        std::uint32_t transaction = 0;
        std::uint64_t page = 0;
    };
    // Pages are counted without end; page k lies at k mod page_count.
    struct Queue {
        CompletionRegionView view;
        std::uint64_t pushed = 0;  // by the pointer words that have departed
        std::uint64_t popped = 0;  // by the host's pointer words that have arrived
        std::uint32_t pointers_undeparted = 0;
        std::vector<Flight> data;  // issued, not arrived
    };

    Queue* queue_of(TileIndex writer) {
        return queue_index_[writer] < 0 ? nullptr
                                        : &queues_[static_cast<std::size_t>(queue_index_[writer])];
    }
    // Is this write one that an event has to wait for?
    bool awaited_by_event(const LogEntry& entry) const;
    Found on_issue(const LogEntry& entry);
    Found on_depart(const LogEntry& entry);
    Found on_store(const LogEntry& entry);
    Found on_host_write(const LogEntry& entry);
    Found on_command(const LogEntry& entry);
    Found on_terminate(const LogEntry& entry);
    // The count that a pointer word stands for: the next one at or behind `count` with its address.
    static std::optional<std::uint64_t> count_of(const Queue& queue, std::uint32_t word,
                                                 std::uint64_t count);
    [[gnu::cold]] Violation broken(const LogEntry& entry, TileIndex actor, const char* property,
                                   const char* invariant, std::string sentence) const;

    const MachineView* machine_ = nullptr;
    const MemoryView* memory_ = nullptr;
    const Provenance* provenance_ = nullptr;
    std::size_t queue_count_ = 0;
    std::vector<Queue> queues_;                  // never shrinks
    std::vector<std::int8_t> queue_index_;       // by tile
    std::vector<std::uint32_t> unacknowledged_;  // by tile: writes that an event waits for
    std::vector<bool> terminated_;               // by tile: a dispatcher has begun TERMINATE
};

}  // namespace cqfuzz
