// Rules that legalise makes true and illegality_of looks for, as predicates over values (ids:
// limits.hpp).
#pragma once

#include <algorithm>
#include <bitset>
#include <variant>

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

// R2: follows which traces are live, op by op.
class LiveTraces {
public:
    bool live(std::uint32_t trace) const { return live_[trace]; }

    // False, and nothing changes, when the op is not allowed here. REQUIRES: R1.
    bool accept(const Op& op) {
        if (const auto* capture = std::get_if<OpCapture>(&op)) {
            const bool allowed = !live_[capture->trace];
            live_[capture->trace] = true;
            return allowed;
        }
        if (const auto* replay = std::get_if<OpReplay>(&op)) {
            return live_[replay->trace];
        }
        if (const auto* release = std::get_if<OpRelease>(&op)) {
            const bool allowed = live_[release->trace];
            live_[release->trace] = false;
            return allowed;
        }
        return true;
    }

private:
    std::bitset<limits::kTracesMax> live_;
};

}  // namespace cqfuzz::rules
