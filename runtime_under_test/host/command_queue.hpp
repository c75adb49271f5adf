// CommandQueue: the host's end of one command queue: what it sends and what it reads back (facts
// §1.1, §1.4). A device has one or two; each has prefetcher, dispatcher and host regions of its
// own.
#pragma once

#include "runtime_under_test/host/command_sequence.hpp"
#include "runtime_under_test/host/completion_queue.hpp"
#include "runtime_under_test/host/issue_queue.hpp"

namespace cqfuzz::rt {

struct CommandQueue {
    CommandQueue(Cluster& cluster, DeviceConfig queue_config, FaultSet& faults)
        : config(std::move(queue_config)),
          issue(cluster, config, faults),
          completions(cluster, config, faults) {}
    CommandQueue(const CommandQueue&) = delete;
    CommandQueue& operator=(const CommandQueue&) = delete;

    std::uint32_t number() const { return config.queue; }
    // Sends what was added to `sequence` and empties it.
    void submit(FetchStall stall = FetchStall::no) {
        issue.submit(sequence, stall);
        sequence.clear();
    }

    const DeviceConfig config;
    IssueQueue issue;
    CompletionQueue completions;
    CommandSequence sequence;  // scratch, kept for its memory
};

}  // namespace cqfuzz::rt
