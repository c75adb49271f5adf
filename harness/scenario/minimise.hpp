// Minimise: the smallest scenario that still fails in the same way.
#pragma once

#include <cstdint>
#include <functional>

#include "harness/scenario/scenario.hpp"

namespace cqfuzz {

struct MinimiseStats {
    std::uint32_t runs = 0;
    bool complete = false;  // a fixed point was reached within the budget: no single removal or
                            // shrink step remains
};

// Ops, then programs' parts, then sizes, then geometry, then deviations, again and again to a fixed
// point. `still_fails` must be deterministic; it is called at most `runs_max` times, on legal
// scenarios only. REQUIRES: still_fails(scenario).
Scenario minimise(Scenario scenario, const std::function<bool(const Scenario&)>& still_fails,
                  std::uint32_t runs_max, MinimiseStats* stats);

}  // namespace cqfuzz
