// Hunt: our own generate-and-mutate loop: how many scenarios and simulated moves until a fault is
// found, from nothing.
//
// Deterministic per seed; works in every build. It knows nothing of the fault: scenarios, weights
// and budgets are those of the sound run, and a finding is whatever verdict is not a pass.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>

#include "harness/base/violation.hpp"
#include "harness/run/run.hpp"
#include "harness/scenario/scenario.hpp"
#include "harness/scenario/verbs.hpp"
#include "harness/search/hunt_arm.hpp"

namespace cqfuzz {

struct HuntOptions {
    rt::FaultSet faults;
    std::uint64_t seed = 0;
    std::uint64_t scenarios_max = 100'000;
    std::uint32_t ops_max = 256;
    std::uint32_t oracles = kAllOracles;
    // Every scenario runs at this level instead of the drawn one.
    std::optional<OrderLevel> order;
    std::uint8_t relaxed = kRelaxAll;  // at O3
    HuntArm arm = HuntArm::guided;     // not `coverage`, which is another program
    // So many of the scenarios in which a faulty line ran are run on the sound runtime too.
    std::uint32_t infection_checks = 0;
    // Draw from one domain only; by default those of kHuntMix in turn.
    bool one_domain = false;
    Domain domain = Domain::trace_replay;
    // A finding of which this is true is passed over, and the hunt goes on.
    std::function<bool(const Verdict&)> is_known;
    std::function<bool(std::uint64_t scenarios)> on_progress;  // false stops
};

struct HuntTrial {
    bool found = false;
    std::uint64_t scenarios = 0;      // run, the finding included
    std::uint64_t moves = 0;          // simulated, over all of them
    std::uint64_t fault_reached = 0;  // scenarios in which a faulty line ran
    std::uint32_t infection_checked = 0;
    std::uint32_t infected = 0;  // of those checked: another event log than the sound runtime's
    std::uint32_t features = 0;  // domain features reached
    std::uint32_t features_once = 0;  // … by one scenario alone: Good–Turing's estimate
    Verdict verdict;
    Scenario scenario;  // as found
};

// The domains that a hunt draws from in turn.
inline constexpr std::array kHuntMix{Domain::trace_replay, Domain::semaphore_multicast,
                                     Domain::command_stream};

HuntTrial hunt(Runner& runner, const HuntOptions& options);

struct MinimisedFinding {
    Scenario scenario;
    Verdict verdict;
    std::uint32_t runs = 0;
    bool complete = false;  // 1-minimal within the budget
};

// The smallest scenario with the same verdict kind and signature; its schedule is in order plus as
// few deviations as do it.
MinimisedFinding minimise_finding(Runner& runner, const Scenario& scenario, const Verdict& verdict,
                                  const RunOptions& options, std::uint32_t runs_max);

}  // namespace cqfuzz
