// CompletionQueue: the host's reader of the completion region (facts §1.4, §4.8).
//
// Invariants:
//  1. Completions are read in the order of issue; each starts with its own command's 16 bytes (inv.
//  85).
//  2. A page is given back, by the read pointer written to the device, only after its bytes were
//  copied out (inv. 81).
//  3. The toggle flips exactly when the read pointer wraps (inv. 84).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "runtime_under_test/faults/faults.hpp"
#include "runtime_under_test/host/cluster.hpp"

namespace cqfuzz::rt {

class CompletionQueue {
public:
    CompletionQueue(Cluster& cluster, const DeviceConfig& config, FaultSet& faults);

    // The pointer word that both sides start with.
    static std::uint32_t initial_word(const DeviceConfig& config) {
        return config.host.completion_base >> 4;
    }

    // An event is about to be enqueued; its id. Blocks while the region holds nothing but events
    // that were not read yet, so that the dispatcher never waits for room (nobody may come to
    // read).
    std::uint32_t record_event();
    // Blocks until event `id` is complete. Throws DeviceLost when the queue holds something else.
    // REQUIRES: it was recorded.
    void wait_event(std::uint32_t id);
    // Whether it is complete, as far as the device has told. REQUIRES: it was recorded.
    bool event_complete(std::uint32_t id);
    bool recorded(std::uint32_t id) const {
        return static_cast<std::int32_t>(recorded_ - id) >= 0 &&
               id - config_.geometry.semaphore_start - 1 <
                   recorded_ - config_.geometry.semaphore_start;
    }
    // Blocks until the next completion, a read, has come; `data` takes what follows its command.
    void wait_read(std::span<std::byte> data);
    // DeviceLost was thrown: nothing that the queue holds means anything any more.
    bool lost() const { return lost_; }

private:
    bool complete(std::uint32_t id) const {
        return static_cast<std::int32_t>(completed_ - id) >= 0;
    }
    void pop_event();
    std::uint32_t pages_available() const;
    [[noreturn, gnu::cold]] void lose(const std::string& expected, const std::string& found);
    void pop(bool is_event, std::span<std::byte> data);
    std::uint32_t wait_pages();
    void release(std::uint32_t pages);

    Cluster& cluster_;
    const DeviceConfig& config_;
    FaultSet& faults_;
    std::uint32_t read_ptr_;  // hugepage offset
    std::uint32_t toggle_ = 0;
    std::uint32_t write_word_seen_;  // the device's pointer word as last read
    // Ids of events: each is the one before plus one, from the geometry's start value on.
    std::uint32_t recorded_;
    std::uint32_t completed_;
    bool lost_ = false;
};

}  // namespace cqfuzz::rt
