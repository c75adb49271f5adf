#include "harness/search/hunt.hpp"

#include <algorithm>

#include "harness/oracle/oracles.hpp"
#include "harness/run/broken_commands.hpp"
#include "harness/scenario/minimise.hpp"
#include "harness/search/next_scenario.hpp"

namespace cqfuzz {
namespace {

// How many scenarios reached each feature.
class FeatureCounts {
public:
    void add(const std::vector<std::uint16_t>& features) {
        for (const std::uint16_t feature : features) ++scenarios_[feature];
    }
    void tell(HuntTrial& trial) const {
        for (const std::uint32_t count : scenarios_) {
            trial.features += count != 0 ? 1 : 0;
            trial.features_once += count == 1 ? 1 : 0;
        }
    }

private:
    std::array<std::uint32_t, kReachFeatures> scenarios_{};
};

bool same_failure(const Verdict& a, const Verdict& b) {
    return a.kind == b.kind && a.violation.signature() == b.violation.signature();
}

}  // namespace

HuntTrial hunt(Runner& runner, const HuntOptions& options) {
    HuntTrial trial;
    Pool pool(options.arm != HuntArm::no_features);
    const bool baseline = options.arm == HuntArm::baseline_random;
    FeatureCounts counts;
    Rng rng(options.seed);
    RunOptions run_options;
    run_options.faults = options.faults;
    run_options.oracles = options.oracles;
    if (baseline) {
        run_options.oracles = 0;
        for (const OracleId id :
             {OracleId::golden_memory, OracleId::hang, OracleId::firmware_asserts})
            run_options.oracles |= 1u << static_cast<std::uint32_t>(id);
    }
    run_options.relaxed = options.relaxed;
    if (options.order) run_options.order_max = *options.order;
    while (!trial.found && trial.scenarios < options.scenarios_max) {
        const Domain domain =
            options.one_domain ? options.domain : kHuntMix[trial.scenarios % kHuntMix.size()];
        Scenario scenario = next_of_arm(options.arm, pool, domain, rng, options.ops_max);
        if (options.order) scenario.order = *options.order;
        Verdict verdict = runner.run(scenario, run_options);
        ++trial.scenarios;
        trial.moves += runner.stats().moves;
        counts.add(runner.reach().features());
        if (options.arm != HuntArm::blind) pool.consider(scenario, runner.reach().features(), rng);
        if (runner.faults().any_reached()) {
            ++trial.fault_reached;
            if (trial.infection_checked < options.infection_checks) {
                const std::uint64_t fingerprint = runner.fingerprint();
                RunOptions sound = run_options;
                sound.faults = {};
                runner.run(scenario, sound);
                ++trial.infection_checked;
                trial.infected += runner.fingerprint() != fingerprint ? 1 : 0;
            }
        }
        const bool is_finding = verdict.bad() && !explained_by_broken_commands(scenario, verdict) &&
                                (!baseline || baseline_sees(verdict)) &&
                                !(options.is_known && options.is_known(verdict));
        if (is_finding) {
            trial.found = true;
            trial.verdict = std::move(verdict);
            trial.scenario = scenario;
        } else if (options.on_progress && !options.on_progress(trial.scenarios)) {
            break;
        }
    }
    counts.tell(trial);
    return trial;
}

MinimisedFinding minimise_finding(Runner& runner, const Scenario& scenario, const Verdict& verdict,
                                  const RunOptions& options, std::uint32_t runs_max) {
    RunOptions record = options;
    record.record = true;
    MinimisedFinding out;
    // Hosted kernels are built for one geometry, whatever the minimiser tries.
    const auto adapted = [&options](Scenario s) {
        if (options.hosted != nullptr) options.hosted->adapt(s);
        return s;
    };
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
    out.scenario = adapted(minimise(
        std::move(start),
        [&](const Scenario& s) { return same_failure(runner.run(adapted(s), options), verdict); },
        runs_max > out.runs ? runs_max - out.runs : 1, &stats));
    out.runs += stats.runs;
    out.complete = stats.complete;
    out.verdict = runner.run(out.scenario, options);
    return out;
}

}  // namespace cqfuzz
