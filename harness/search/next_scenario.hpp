// Next scenario: what each arm of a hunt draws, and what it keeps to draw from.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "harness/base/violation.hpp"
#include "harness/run/reach.hpp"
#include "harness/scenario/scenario.hpp"
#include "harness/scenario/verbs.hpp"
#include "harness/search/hunt_arm.hpp"

namespace cqfuzz {

// Scenarios to mutate and to cross; past its size a new one takes the place of any.
class ScenarioPool {
public:
    bool empty() const { return entries_.empty(); }
    const Scenario& pick(Rng& rng) const {
        return entries_[rng.below(static_cast<std::uint32_t>(entries_.size()))];
    }
    void keep(const Scenario& scenario, Rng& rng);

private:
    std::vector<Scenario> entries_;
};

// Of those that reached something new. `by_features` off: one in 32, as drawn.
class Pool : public ScenarioPool {
public:
    explicit Pool(bool by_features) : by_features_(by_features) {}
    void consider(const Scenario& scenario, const std::vector<std::uint16_t>& features, Rng& rng);

private:
    bool is_new(const std::vector<std::uint16_t>& features);

    bool by_features_;
    std::array<bool, kReachFeatures> seen_{};
};

Scenario next_of_arm(HuntArm arm, const Pool& pool, Domain domain, Rng& rng, std::uint32_t ops_max);

// A faithful re-creation of what is used today to test prefetcher and dispatcher at random: two
// kinds of prefetch command, two of dispatch command, on a merged pair of the shipped geometry with
// 2 x 2 workers; destinations only march upward, so that nothing is written twice. It is better
// than what it stands for where that costs nothing: each scenario is drawn anew.
Scenario draw_baseline(Rng& rng);
// Whether a comparison of the data once at the end, or a test that does not end, would show it.
bool baseline_sees(const Verdict& verdict);

}  // namespace cqfuzz
