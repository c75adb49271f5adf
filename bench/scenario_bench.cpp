// What the engine's side costs: decode, mutate, encode, generate.
#include <benchmark/benchmark.h>

#include <vector>

#include "harness/scenario/verbs.hpp"

namespace cqfuzz {
namespace {

constexpr std::uint32_t kOps = 30;

// A generated scenario with a program, its ops made up to `kOps`.
Scenario thirty_ops() {
    Rng rng(7);
    Scenario scenario;
    while (scenario.programs.empty()) scenario = generate(Domain::trace_replay, rng, 256);
    while (scenario.ops.size() < kOps) scenario.ops.push_back(OpEnqueue{});
    return scenario;
}

void decode_mutate_encode(benchmark::State& state) {
    const std::vector<std::byte> bytes = encode(thirty_ops());
    Rng rng(1);
    for (auto _ : state) {
        Scenario scenario = decode(bytes);
        mutate(scenario, Domain::trace_replay, rng, 256);
        benchmark::DoNotOptimize(encode(scenario));
    }
    state.counters["bytes"] = static_cast<double>(bytes.size());
}
BENCHMARK(decode_mutate_encode);

void generate_scenario(benchmark::State& state) {
    Rng rng(1);
    for (auto _ : state) benchmark::DoNotOptimize(generate(Domain::trace_replay, rng, 256));
}
BENCHMARK(generate_scenario);

}  // namespace
}  // namespace cqfuzz

BENCHMARK_MAIN();
