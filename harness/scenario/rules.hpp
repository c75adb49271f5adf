// Rules that legalise makes true and illegality_of looks for, as predicates over values (ids:
// limits.hpp).
#pragma once

#include <algorithm>
#include <bitset>
#include <variant>

#include "harness/scenario/domains.hpp"
#include "harness/scenario/limits.hpp"
#include "harness/scenario/scenario.hpp"

namespace cqfuzz::rules {

// P3
inline bool conflict(const Kernel& a, const Kernel& b) {
    return a.on_ethernet == b.on_ethernet && a.processor == b.processor &&
           limits::overlap(a.cores, b.cores);
}
inline bool conflict(const SemaphoreInit& a, const SemaphoreInit& b) {
    return a.on_ethernet == b.on_ethernet && a.id == b.id && limits::overlap(a.cores, b.cores);
}
inline bool conflict(const CircularBuffer& a, const CircularBuffer& b) {
    return a.index == b.index && limits::overlap(a.cores, b.cores);
}

// P4
inline bool has_kernel(const Program& program, bool on_ethernet) {
    return std::any_of(
        program.kernels.begin(), program.kernels.end(),
        [on_ethernet](const Kernel& kernel) { return kernel.on_ethernet == on_ethernet; });
}

// X1
inline std::uint32_t exchange_max(const Kernel& kernel, const Topology& topology) {
    return kernel.on_ethernet && topology.chips != 1 ? kernel.binary_bytes / 16 * 16 : 0;
}

// X2: every host action is made on each chip in turn, and none waits for what the next chip has not
// been told yet; and whoever waits has somebody who sends: cores 0 and 1 are linked in a ring.
bool in_step(const Scenario& scenario);

// K2
inline std::uint32_t device_of(const Op& op) {
    return std::visit([](const auto& of) { return of.device; }, op);
}

// R3: the event that must have been recorded; nullptr when there is none.
inline const std::uint32_t* awaited_event(const Op& op) {
    if (const auto* wait = std::get_if<OpWaitEvent>(&op)) return &wait->event;
    if (const auto* sync = std::get_if<OpSyncEvent>(&op)) return &sync->event;
    if (const auto* query = std::get_if<OpQueryEvent>(&op)) return &query->event;
    return nullptr;
}

// R2, R3: follows which traces are live and which events were recorded on which device, op by op.
class LiveThings {
public:
    bool recorded(std::uint32_t event, std::uint32_t device) const {
        return recorded_[event_place(event, device)];
    }
    bool live(std::uint32_t trace, std::uint32_t device) const {
        return live_[place(trace, device)];
    }

    // False, and nothing changes, when the op is not allowed here. REQUIRES: R1.
    bool accept(const Op& op) {
        if (const auto* capture = std::get_if<OpCapture>(&op)) {
            const bool allowed = !live_[place(capture->trace, capture->device)];
            live_[place(capture->trace, capture->device)] = true;
            return allowed;
        }
        if (const auto* replay = std::get_if<OpReplay>(&op)) {
            return live_[place(replay->trace, replay->device)];
        }
        if (const auto* release = std::get_if<OpRelease>(&op)) {
            const bool allowed = live_[place(release->trace, release->device)];
            live_[place(release->trace, release->device)] = false;
            return allowed;
        }
        if (const auto* record = std::get_if<OpRecordEvent>(&op)) {
            recorded_[event_place(record->event, record->device)] = true;
        }
        const std::uint32_t* event = awaited_event(op);
        return event == nullptr || recorded(*event, device_of(op));
    }

private:
    static std::size_t place(std::uint32_t trace, std::uint32_t device) {
        return device * limits::kTracesMax + trace;
    }

    static std::size_t event_place(std::uint32_t event, std::uint32_t device) {
        return device * limits::kEventsMax + event;
    }

    std::bitset<limits::kTracesMax*(domains::kDevice.max + 1)> live_;
    std::bitset<limits::kEventsMax*(domains::kDevice.max + 1)> recorded_;
};

// Q1: the queue that an op names; nullptr when it names none.
inline std::uint32_t* queue_of(Op& op) {
    return std::visit(
        [](auto& o) -> std::uint32_t* {
            if constexpr (requires { o.queue; }) {
                return &o.queue;
            } else {
                return nullptr;
            }
        },
        op);
}

}  // namespace cqfuzz::rules
