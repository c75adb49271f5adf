// QueueOrder: which of two host actions on a device's command queues comes first, told by the host
// calls alone: vector clocks with an entry per queue (inv. 85 to 88).
//
// What is enqueued on one queue is done in that order. Actions on two queues are ordered only by
// events that one waits for, or by the host, which waited for one before it enqueued the other.
// Programs are ordered beyond this, since they share the workers; nobody is asked to rely on it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "harness/base/host_call.hpp"

namespace cqfuzz {

class QueueOrder {
public:
    static constexpr std::size_t kQueuesMax = 2;
    using Clock = std::array<std::uint64_t, kQueuesMax>;  // of each queue, how many actions

    struct Action {
        std::uint32_t queue = 0;
        std::uint64_t number = 0;  // 1, 2, … on its queue
        Clock after{};             // what comes before it
    };

    void reset(std::uint32_t queues) { *this = QueueOrder{queues}; }
    explicit QueueOrder(std::uint32_t queues = 1) : queues_(queues) {}

    static bool before(const Action& a, const Action& b) { return b.after[a.queue] >= a.number; }
    // Whatever is enqueued from now on comes after it.
    bool before_all_to_come(const Action& a) const {
        for (std::uint32_t q = 0; q < queues_; ++q)
            if (std::max(known_[q][a.queue], host_[a.queue]) < a.number) return false;
        return true;
    }
    // An action that comes after everything: the end.
    Action end() const { return {0, 0, count_}; }

    Action enqueue(std::uint32_t queue) {
        const Clock after = clock_of(queue);
        known_[queue] = after;
        known_[queue][queue] = ++count_[queue];
        return {queue, count_[queue], after};
    }
    // A call that says something of the order has succeeded.
    void observe(const HostCall& call) {
        switch (call.kind) {
            case HostCallKind::record_event:
                if (events_.size() <= call.event) events_.resize(call.event + 1u);
                events_[call.event] = clock_of(call.queue);
                break;
            case HostCallKind::wait_event:
                if (call.event < events_.size()) merge(known_[call.queue], events_[call.event]);
                break;
            case HostCallKind::query_event:
                if (!call.complete) break;
                [[fallthrough]];
            case HostCallKind::sync_event:
                if (call.event < events_.size()) merge(host_, events_[call.event]);
                break;
            case HostCallKind::finish:
            case HostCallKind::read_buffer:
            case HostCallKind::capture_trace: merge(host_, clock_of(call.queue)); break;
            case HostCallKind::close_device: merge(host_, count_); break;
            default: break;
        }
    }

private:
    static void merge(Clock& into, const Clock& other) {
        for (std::size_t q = 0; q < kQueuesMax; ++q) into[q] = std::max(into[q], other[q]);
    }
    Clock clock_of(std::uint32_t queue) const {
        Clock clock = known_[queue];
        merge(clock, host_);
        return clock;
    }

    std::uint32_t queues_;
    Clock count_{};                          // enqueued
    std::array<Clock, kQueuesMax> known_{};  // what comes before the next action of a queue
    Clock host_{};                           // what the host knows to be done
    std::vector<Clock> events_;              // what comes before
};

}  // namespace cqfuzz
