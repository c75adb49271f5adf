// What the oracles cost: the same scenarios with oracles and without, in one process, taking turns,
// so that both see the same caches, clock and neighbours. Prints the ratio, not a time: the median
// over pairs, and over the sums.
//
//     build/release/bin/cqfuzz_bench --benchmark_filter=oracle_cost
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "harness/loads/llama.hpp"
#include "harness/oracle/oracles.hpp"
#include "harness/run/run.hpp"
#include "harness/scenario/verbs.hpp"

namespace cqfuzz {
namespace {

constexpr std::uint32_t kOpsMax = 256;
constexpr std::uint32_t kScenarios = 200;
constexpr int kRounds = 5;  // the best of so many runs counts

constexpr std::uint32_t bit(OracleId id) { return 1u << static_cast<unsigned>(id); }
// Those of the cost that the design promises: ownership, golden memory, hang and NoC rules.
constexpr std::uint32_t kMainOracles = bit(OracleId::page_ownership) |
                                       bit(OracleId::golden_memory) | bit(OracleId::hang) |
                                       bit(OracleId::noc_rules);

class Pair {
public:
    explicit Pair(std::uint32_t oracles) { with_.oracles = oracles, without_.oracles = 0; }

    // Seconds of both, the one that goes first changing from pair to pair.
    bool run(const Scenario& scenario) {
        const bool ok = first_
                            ? time(with_, with_s, scenario) && time(without_, without_s, scenario)
                            : time(without_, without_s, scenario) && time(with_, with_s, scenario);
        first_ = !first_;
        return ok;
    }

    double with_s = 0;
    double without_s = 0;

private:
    bool time(const RunOptions& options, double& seconds, const Scenario& scenario) {
        const auto begin = std::chrono::steady_clock::now();
        const bool bad = runner_.run(scenario, options).bad();
        seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        return !bad;
    }

    Runner runner_;
    RunOptions with_, without_;
    bool first_ = false;
};

void compare(benchmark::State& state, const std::vector<Scenario>& scenarios,
             std::uint32_t oracles) {
    Pair pair(oracles);
    double with_sum = 0, without_sum = 0;
    std::vector<double> ratios;
    for (auto _ : state) {
        for (const Scenario& scenario : scenarios) {
            double with_best = 1e9, without_best = 1e9;
            for (int round = 0; round < kRounds; ++round) {
                if (!pair.run(scenario)) return state.SkipWithError("the sound runtime failed");
                with_best = std::min(with_best, pair.with_s);
                without_best = std::min(without_best, pair.without_s);
            }
            with_sum += with_best;
            without_sum += without_best;
            ratios.push_back(with_best / without_best);
        }
    }
    std::nth_element(ratios.begin(),
                     ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2), ratios.end());
    state.counters["median"] = ratios[ratios.size() / 2];
    state.counters["of_sums"] = with_sum / without_sum;
}

void oracle_cost(benchmark::State& state, Domain domain, std::uint32_t oracles) {
    Rng rng(1);
    std::vector<Scenario> scenarios;
    for (std::uint32_t i = 0; i < kScenarios; ++i)
        scenarios.push_back(generate(domain, rng, kOpsMax));
    compare(state, scenarios, oracles);
}
#define ORACLE_COST(domain)                                                                     \
    BENCHMARK_CAPTURE(oracle_cost, domain##_main, Domain::domain, kMainOracles)->Iterations(1); \
    BENCHMARK_CAPTURE(oracle_cost, domain##_all, Domain::domain, kAllOracles)->Iterations(1)
ORACLE_COST(program_sequence);
ORACLE_COST(trace_replay);
ORACLE_COST(semaphore_multicast);
ORACLE_COST(multi_chip);
#undef ORACLE_COST

void oracle_cost_llama(benchmark::State& state, std::uint32_t oracles) {
    compare(state, {llama_decode(1, 4, 1)}, oracles);
}
BENCHMARK_CAPTURE(oracle_cost_llama, main, kMainOracles)->Iterations(1);
BENCHMARK_CAPTURE(oracle_cost_llama, all, kAllOracles)->Iterations(1);

}  // namespace
}  // namespace cqfuzz
