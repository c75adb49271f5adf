// What a run costs, shadow and all oracles on: no ops, a small scenario, the default mix of each
// target, and a load's arrivals a second.
#include <benchmark/benchmark.h>

#include "harness/loads/llama.hpp"
#include "harness/run/run.hpp"
#include "harness/scenario/verbs.hpp"

namespace cqfuzz {
namespace {

constexpr std::uint32_t kOpsMax = 256;

void count(benchmark::State& state, std::uint64_t moves, std::uint64_t transactions,
           std::uint64_t arrivals) {
    const auto rate = benchmark::Counter::kIsRate;
    state.counters["moves/s"] = benchmark::Counter(static_cast<double>(moves), rate);
    state.counters["transactions/s"] = benchmark::Counter(static_cast<double>(transactions), rate);
    state.counters["arrivals/s"] = benchmark::Counter(static_cast<double>(arrivals), rate);
}

void run_again_and_again(benchmark::State& state, const Scenario& scenario, std::uint32_t oracles) {
    Runner runner;
    RunOptions options;
    options.oracles = oracles;
    std::uint64_t moves = 0, transactions = 0, arrivals = 0;
    for (auto _ : state) {
        if (runner.run(scenario, options).bad()) state.SkipWithError("the sound runtime failed");
        moves += runner.stats().moves;
        transactions += runner.stats().transactions;
        arrivals += runner.stats().arrivals;
    }
    state.counters["commands"] = static_cast<double>(runner.stats().dispatched_commands);
    count(state, moves, transactions, arrivals);
}

// A device opened, all roles booted, closed.
void no_ops(benchmark::State& state) { run_again_and_again(state, Scenario{}, kAllOracles); }
BENCHMARK(no_ops);

// Four workers, one program with a semaphore and arguments, enqueued a few times: about 32
// commands.
Scenario small_scenario() {
    Scenario scenario;
    Program program;
    Kernel kernel;
    kernel.cores = {0, 0, 1, 1};
    kernel.args_words = 4;
    program.kernels.push_back(kernel);
    SemaphoreInit semaphore;
    semaphore.cores = {0, 0, 1, 1};
    program.semaphores.push_back(semaphore);
    scenario.programs.push_back(program);
    scenario.ops.push_back(OpEnqueue{0, 3});
    scenario.ops.push_back(OpFinish{});
    legalise(scenario);
    return scenario;
}

void small(benchmark::State& state) { run_again_and_again(state, small_scenario(), kAllOracles); }
BENCHMARK(small);

void small_without_oracles(benchmark::State& state) {
    run_again_and_again(state, small_scenario(), 0);
}
BENCHMARK(small_without_oracles);

void default_mix(benchmark::State& state, Domain domain) {
    Runner runner;
    const RunOptions options;
    Rng rng(1);
    std::uint64_t moves = 0, transactions = 0, arrivals = 0;
    for (auto _ : state) {
        state.PauseTiming();
        const Scenario scenario = generate(domain, rng, kOpsMax);
        state.ResumeTiming();
        if (runner.run(scenario, options).bad()) state.SkipWithError("the sound runtime failed");
        moves += runner.stats().moves;
        transactions += runner.stats().transactions;
        arrivals += runner.stats().arrivals;
    }
    count(state, moves, transactions, arrivals);
}
BENCHMARK_CAPTURE(default_mix, trace_replay, Domain::trace_replay);
BENCHMARK_CAPTURE(default_mix, semaphore_multicast, Domain::semaphore_multicast);
BENCHMARK_CAPTURE(default_mix, multi_chip, Domain::multi_chip);

// By layers, iterations and chips: the time grows with their product, and no faster.
void llama(benchmark::State& state) {
    const auto arg = [&state](std::size_t i) { return static_cast<std::uint32_t>(state.range(i)); };
    run_again_and_again(state, llama_decode(arg(0), arg(1), arg(2)), kAllOracles);
}
BENCHMARK(llama)
    ->ArgNames({"layers", "iterations", "chips"})
    ->Args({1, 1, 1})
    ->Args({4, 1, 1})
    ->Args({1, 4, 1})
    ->Args({1, 1, 2})
    ->Args({1, 1, 8})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace cqfuzz
