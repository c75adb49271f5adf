#include "harness/search/hunt.hpp"

#include <algorithm>

#include "harness/run/broken_commands.hpp"
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

// Havoc: a few changes to bytes whose meaning it does not know.
std::vector<std::byte> havoc(std::vector<std::byte> bytes, const std::vector<std::byte>& other,
                             Rng& rng) {
    const std::uint32_t changes = 1u << rng.below(4);
    for (std::uint32_t i = 0; i < changes; ++i) {
        const auto size = static_cast<std::uint32_t>(bytes.size());
        const std::uint32_t at = rng.below(size);
        const auto place = bytes.begin() + static_cast<std::ptrdiff_t>(at);
        const std::uint32_t way = size == 0 ? 2 : rng.below(5);
        if (way == 0) {
            bytes[at] = static_cast<std::byte>(rng.below(256));
        } else if (way == 1) {
            bytes[at] ^= static_cast<std::byte>(1u << rng.below(8));
        } else if (way == 2) {
            bytes.insert(place, static_cast<std::byte>(rng.below(256)));
        } else if (way == 3) {
            const std::uint32_t count = std::min(size - at, 1 + rng.below(16));
            bytes.erase(place, place + static_cast<std::ptrdiff_t>(count));
        } else if (!other.empty()) {
            const std::uint32_t from = rng.below(static_cast<std::uint32_t>(other.size()));
            bytes.erase(place, bytes.end());
            bytes.insert(bytes.end(), other.begin() + static_cast<std::ptrdiff_t>(from),
                         other.end());
        }
    }
    return bytes;
}

Scenario next_of_bytes(const Pool& pool, Rng& rng) {
    if (pool.empty()) {
        std::vector<std::byte> bytes(1 + rng.below(64));
        for (std::byte& b : bytes) b = static_cast<std::byte>(rng.below(256));
        return decode(bytes);
    }
    const Scenario& first = pool.pick(rng);
    const Scenario& second = pool.pick(rng);
    return decode(havoc(encode(first), encode(second), rng));
}

Scenario next_of_arm(HuntArm arm, const Pool& pool, Domain domain, Rng& rng,
                     std::uint32_t ops_max) {
    if (arm == HuntArm::blind) return generate(domain, rng, ops_max);
    if (arm == HuntArm::bytes) return next_of_bytes(pool, rng);
    Scenario scenario = next_scenario(pool, domain, rng, ops_max);
    if (arm == HuntArm::in_order) scenario.schedule = Schedule{};
    return scenario;
}

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
    Pool pool;
    FeatureCounts counts;
    Rng rng(options.seed);
    RunOptions run_options;
    run_options.faults = options.faults;
    run_options.oracles = options.oracles;
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
        const bool counts = verdict.bad() && !explained_by_broken_commands(scenario, verdict) &&
                            !(options.is_known && options.is_known(verdict));
        if (counts) {
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
