// generate, mutate, crossover: always legal, the same for the same seed, and at the limits as often
// as promised.
#include <gtest/gtest.h>

#include <array>
#include <set>
#include <vector>

#include "harness/scenario/draw.hpp"
#include "harness/scenario/limits.hpp"
#include "harness/scenario/verbs.hpp"

namespace cqfuzz {
namespace {

constexpr std::array<Domain, 2> kDomains{Domain::trace_replay, Domain::semaphore_multicast};
constexpr std::uint32_t kOpsMax = 256;

std::uint32_t binary_parts(const Program& program, const Geometry& geometry) {
    const std::uint32_t half = geometry.scratch / 2;
    std::uint32_t parts = 0;
    for (const Kernel& kernel : program.kernels) {
        parts += kernel.on_ethernet ? 0 : (kernel.binary_bytes + half - 1) / half;
    }
    return parts;
}

std::uint64_t hash_of(const std::vector<std::byte>& bytes, std::uint64_t hash) {
    for (const std::byte byte : bytes) {
        hash = (hash ^ static_cast<std::uint64_t>(byte)) * 0x100000001b3u;
    }
    return hash;
}

// Everything that 1000 seeds draw, as a number; it is printed so that builds can be compared (none
// is written down here).
std::uint64_t hash_of_drawn(Domain domain) {
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        Rng rng(seed);
        Scenario scenario = generate(domain, rng, kOpsMax);
        hash = hash_of(encode(scenario), hash);
        mutate(scenario, domain, rng, kOpsMax);
        const Scenario other = generate(domain, rng, kOpsMax);
        hash = hash_of(encode(crossover(scenario, other, rng, kOpsMax)), hash);
    }
    return hash;
}

TEST(GenerateTest, DrawsTheSameForTheSameSeed) {
    for (const Domain domain : kDomains) {
        const std::uint64_t hash = hash_of_drawn(domain);
        EXPECT_EQ(hash, hash_of_drawn(domain));
        RecordProperty(domain == Domain::trace_replay ? "trace_replay" : "semaphore_multicast",
                       std::to_string(hash));
    }
    EXPECT_NE(hash_of_drawn(kDomains[0]), hash_of_drawn(kDomains[1]));
}

TEST(GenerateTest, DrawsLegalScenariosWithinTheBounds) {
    for (const Domain domain : kDomains) {
        Rng rng(31);
        for (int i = 0; i < 5'000; ++i) {
            const std::uint32_t ops_max = 1 + rng.below(kOpsMax);
            const Scenario scenario = generate(domain, rng, ops_max);
            ASSERT_EQ(illegality_of(scenario), "") << i;
            ASSERT_LE(op_weight(scenario), ops_max) << i;
            ASSERT_FALSE(scenario.ops.empty()) << i;
            ASSERT_NE(scenario.order, OrderLevel::o3);
        }
    }
}

TEST(GenerateTest, ReachesSubCommandAndChunkLimitsInAQuarterOfTheDraws) {
    for (const Domain domain : kDomains) {
        Rng rng(32);
        constexpr std::uint32_t kDraws = 4'000;
        std::uint32_t many = 0;
        std::uint32_t traces = 0;
        std::uint32_t long_traces = 0;
        for (std::uint32_t i = 0; i < kDraws; ++i) {
            const Scenario s = generate(domain, rng, kOpsMax);
            bool any = false;
            for (const Program& program : s.programs) {
                any = any || binary_parts(program, s.geometry) >= 35;
            }
            many += any ? 1 : 0;
            for (const Trace& trace : s.traces) {
                std::uint32_t bytes = 0;
                for (const TraceStep& step : trace.steps) {
                    bytes += step.times * limits::trace_bytes_estimate(s.programs[step.program]);
                }
                ++traces;
                long_traces += bytes > limits::chunk_bytes(s.geometry) ? 1 : 0;
            }
        }
        EXPECT_GE(many * 4, kDraws);
        EXPECT_GE(long_traces * 4, traces);
    }
}

TEST(GenerateTest, DrawsEveryStrategyOrderStyleAndOpKind) {
    Rng rng(33);
    std::array<std::uint32_t, 5> strategies{};
    std::array<std::uint32_t, 4> orders{};
    std::array<std::uint32_t, 2> accountings{};
    std::array<std::uint32_t, 2> styles{};
    std::array<std::uint32_t, 2> splits{};
    std::array<std::uint32_t, std::variant_size_v<Op>> kinds{};
    std::set<std::uint32_t> undeparted;
    constexpr std::uint32_t kDraws = 2'000;
    for (std::uint32_t i = 0; i < kDraws; ++i) {
        const Scenario s = generate(kDomains[i % 2], rng, kOpsMax);
        ++strategies[static_cast<std::size_t>(s.schedule.strategy)];
        ++orders[static_cast<std::size_t>(s.order)];
        ++accountings[static_cast<std::size_t>(s.geometry.block_accounting)];
        ++styles[static_cast<std::size_t>(s.geometry.config_style)];
        ++splits[s.topology.split ? 1 : 0];
        undeparted.insert(s.geometry.noc_undeparted_max);
        for (const Op& op : s.ops) {
            ++kinds[op.index()];
        }
    }
    for (const std::uint32_t count : strategies) {
        EXPECT_GT(count, kDraws / 20);
    }
    EXPECT_GT(orders[1], orders[2]);
    EXPECT_GT(orders[2], orders[0]);
    EXPECT_GT(orders[0], 0u);
    for (const std::uint32_t count :
         {accountings[0], accountings[1], styles[0], styles[1], splits[0], splits[1]}) {
        EXPECT_GT(count, kDraws / 5);
    }
    for (const std::uint32_t count : kinds) {
        EXPECT_GT(count, kDraws / 100);
    }
    EXPECT_EQ(undeparted, (std::set<std::uint32_t>{0, 1, 2, 4, 16}));
}

TEST(MutateTest, KeepsMutantsLegalAndWithinTheBounds) {
    std::uint32_t unchanged = 0;
    constexpr std::uint32_t kMutants = 100'000;
    Rng rng(34);
    Scenario scenario;
    for (std::uint32_t i = 0; i < kMutants; ++i) {
        const Domain domain = kDomains[i / 100 % 2];
        if (i % 100 == 0) {
            scenario = generate(domain, rng, kOpsMax);
        }
        const std::vector<std::byte> before =
            i % 10 == 0 ? encode(scenario) : std::vector<std::byte>();
        mutate(scenario, domain, rng, kOpsMax);
        ASSERT_EQ(illegality_of(scenario), "") << i;
        ASSERT_LE(op_weight(scenario), kOpsMax) << i;
        unchanged += i % 10 == 0 && encode(scenario) == before ? 1 : 0;
    }
    EXPECT_LT(unchanged, kMutants / 10'000);
}

TEST(MutateTest, MakesSomethingOfTheEmptyScenario) {
    Rng rng(35);
    Scenario scenario;
    for (int i = 0; i < 200; ++i) {
        mutate(scenario, Domain::trace_replay, rng, kOpsMax);
    }
    EXPECT_FALSE(scenario.ops.empty());
    EXPECT_FALSE(scenario.programs.empty());
}

// What the engine's own minimiser does with a custom mutator: keeps the smaller of those that still
// show the property.
TEST(MutateTest, ShrinksByItself) {
    Rng rng(36);
    Scenario scenario;
    while (scenario.ops.size() < 6) {
        scenario = generate(Domain::trace_replay, rng, kOpsMax);
    }
    std::size_t size = encode(scenario).size();
    for (int i = 0; i < 20'000; ++i) {
        Scenario mutant = scenario;
        mutate(mutant, Domain::trace_replay, rng, kOpsMax);
        const std::size_t mutant_size = encode(mutant).size();
        bool replays = false;
        for (const Op& op : mutant.ops) {
            replays = replays || std::holds_alternative<OpReplay>(op);
        }
        if (replays && mutant_size < size) {
            scenario = mutant;
            size = mutant_size;
        }
    }
    EXPECT_LE(size, 24u) << print(scenario.ops[0], 0);
}

TEST(CrossoverTest, KeepsChildrenLegalAndTakesFromBoth) {
    Rng rng(37);
    std::uint32_t mixed = 0;
    constexpr std::uint32_t kChildren = 5'000;
    for (std::uint32_t i = 0; i < kChildren; ++i) {
        const Scenario a = generate(kDomains[0], rng, kOpsMax);
        const Scenario b = generate(kDomains[1], rng, kOpsMax);
        const Scenario child = crossover(a, b, rng, kOpsMax);
        ASSERT_EQ(illegality_of(child), "") << i;
        ASSERT_LE(op_weight(child), kOpsMax) << i;
        mixed += !equal(child, a) && !equal(child, b) ? 1 : 0;
    }
    EXPECT_GT(mixed, kChildren * 9 / 10);
}

TEST(FitTest, ReducesRepeatsBeforeItCutsOps) {
    Scenario s;
    s.programs.resize(1);
    s.programs[0].kernels.resize(1);
    s.ops = {OpEnqueue{0, 4}, OpEnqueue{0, 16}, OpFinish{}};
    fit(s, 6, 1000);
    ASSERT_EQ(s.ops.size(), 2u);
    EXPECT_EQ(std::get<OpEnqueue>(s.ops[1]).times, 2u);
    fit(s, 6, 1);
    ASSERT_EQ(s.ops.size(), 1u);
    EXPECT_EQ(std::get<OpEnqueue>(s.ops[0]).times, 1u) << "one run stays whatever it costs";
}

}  // namespace
}  // namespace cqfuzz
