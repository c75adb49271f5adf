#include "harness/search/hunt.hpp"

#include <algorithm>

#include "harness/scenario/minimise.hpp"

namespace cqfuzz {
namespace {

constexpr std::size_t kPoolMax = 256;
constexpr std::uint32_t kMutationsMax = 4;

// Scenarios that reached something new, to mutate and to cross.
class Pool {
public:
    bool empty() const { return entries_.empty(); }
    const Scenario& pick(Rng& rng) const {
        return entries_[rng.below(static_cast<std::uint32_t>(entries_.size()))];
    }

    void consider(const Scenario& scenario, const std::vector<std::uint16_t>& features, Rng& rng) {
        bool is_new = false;
        for (const std::uint16_t feature : features) {
            if (seen_[feature]) continue;
            seen_[feature] = true;
            is_new = true;
        }
        if (!is_new) return;
        if (entries_.size() < kPoolMax) {
            entries_.push_back(scenario);
        } else {
            entries_[rng.below(static_cast<std::uint32_t>(kPoolMax))] = scenario;
        }
    }

private:
    std::vector<Scenario> entries_;
    std::array<bool, kReachFeatures> seen_{};
};

Scenario next_scenario(const Pool& pool, Domain domain, Rng& rng, std::uint32_t ops_max) {
    const std::uint32_t way = rng.below(8);
    if (pool.empty() || way < 4) return generate(domain, rng, ops_max);
    if (way == 4) {
        const Scenario& a = pool.pick(rng);
        const Scenario& b = pool.pick(rng);
        return crossover(a, b, rng, ops_max);
    }
    Scenario scenario = pool.pick(rng);
    const std::uint32_t count = 1 + rng.below(kMutationsMax);
    for (std::uint32_t i = 0; i < count; ++i) mutate(scenario, domain, rng, ops_max);
    return scenario;
}

bool same_failure(const Verdict& a, const Verdict& b) {
    return a.kind == b.kind && a.violation.signature() == b.violation.signature();
}

}  // namespace

HuntTrial hunt(Runner& runner, const HuntOptions& options) {
    HuntTrial trial;
    Pool pool;
    Rng rng(options.seed);
    RunOptions run_options;
    run_options.faults = options.faults;
    run_options.oracles = options.oracles;
    while (trial.scenarios < options.scenarios_max) {
        Domain domain = options.domain;
        if (!options.one_domain)
            domain = trial.scenarios % 2 == 0 ? Domain::trace_replay : Domain::semaphore_multicast;
        const Scenario scenario = next_scenario(pool, domain, rng, options.ops_max);
        const Verdict verdict = runner.run(scenario, run_options);
        ++trial.scenarios;
        trial.moves += runner.stats().moves;
        if (runner.faults().any_reached()) ++trial.fault_reached;
        if (verdict.bad()) {
            trial.found = true;
            trial.verdict = verdict;
            trial.scenario = scenario;
            return trial;
        }
        pool.consider(scenario, runner.reach().features(), rng);
        if (options.on_progress && !options.on_progress(trial.scenarios)) return trial;
    }
    return trial;
}

MinimisedFinding minimise_finding(Runner& runner, const Scenario& scenario, const Verdict& verdict,
                                  const RunOptions& options, std::uint32_t runs_max) {
    RunOptions record = options;
    record.record = true;
    MinimisedFinding out;
    // The failing schedule as deviations from the in-order one, so that it can be shrunk piece by
    // piece.
    Scenario start = scenario;
    if (scenario.schedule.strategy != Strategy::in_order) {
        runner.run(scenario, record);
        bool complete = false;
        Scenario named = with_recorded_schedule(scenario, runner, &complete);
        ++out.runs;
        if (complete && same_failure(runner.run(named, options), verdict)) start = std::move(named);
        ++out.runs;
    }
    MinimiseStats stats;
    out.scenario = minimise(
        std::move(start),
        [&](const Scenario& s) { return same_failure(runner.run(s, options), verdict); },
        runs_max > out.runs ? runs_max - out.runs : 1, &stats);
    out.runs += stats.runs;
    out.complete = stats.complete;
    out.verdict = runner.run(out.scenario, options);
    return out;
}

}  // namespace cqfuzz
