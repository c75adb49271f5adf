// Goal: a run is a function of scenario and options alone, the sound runtime passes, and what one
// room draws the next accepts. Method: generated scenarios of both domains, pinned seeds.
#include "harness/run/run.hpp"

#include <gtest/gtest.h>

#include "harness/run/translate.hpp"
#include "harness/scenario/verbs.hpp"

namespace cqfuzz {
namespace {

constexpr std::uint32_t kOpsMax = 64;
constexpr Domain kDomains[] = {Domain::trace_replay, Domain::semaphore_multicast};

Scenario drawn(Domain domain, std::uint64_t seed) {
    Rng rng(seed);
    return generate(domain, rng, kOpsMax);
}

std::string told(const Verdict& verdict) {
    std::string text(name_of(verdict.kind));
    text += ": " + verdict.violation.signature() + "\n" + verdict.violation.summary;
    for (const std::string& line : verdict.violation.story) text += "\n  " + line;
    return text;
}

TEST(RunTest, DefaultScenarioPassesAndMovesNothingForLong) {
    Runner runner;
    const Verdict verdict = runner.run(Scenario{}, RunOptions{});
    EXPECT_EQ(verdict.kind, VerdictKind::pass) << told(verdict);
    EXPECT_GT(runner.stats().transactions, 0u);
}

TEST(RunTest, SoundRuntimePassesWhatIsGenerated) {
    Runner runner;
    for (const Domain domain : kDomains) {
        for (std::uint64_t seed = 1; seed <= 200; ++seed) {
            const Verdict verdict = runner.run(drawn(domain, seed), RunOptions{});
            ASSERT_EQ(verdict.kind, VerdictKind::pass) << "seed " << seed << ": " << told(verdict);
        }
    }
    EXPECT_GT(runner.reach().commands(), 400u * 8u);
}

TEST(RunTest, SameScenarioHasTheSameFingerprintWhateverRanBefore) {
    Runner runner;
    Runner* const fresh = &runner;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const Scenario a = drawn(Domain::trace_replay, seed);
        const Scenario b = drawn(Domain::semaphore_multicast, seed + 1000);
        fresh->run(a, RunOptions{});
        const std::uint64_t first = fresh->fingerprint();
        fresh->run(b, RunOptions{});
        EXPECT_NE(fresh->fingerprint(), first);
        fresh->run(a, RunOptions{});
        EXPECT_EQ(fresh->fingerprint(), first) << "seed " << seed;
    }
}

TEST(RunTest, OraclesDoNotChangeTheRun) {
    Runner runner;
    RunOptions without;
    without.oracles = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const Scenario scenario = drawn(Domain::trace_replay, seed);
        runner.run(scenario, RunOptions{});
        const std::uint64_t with = runner.fingerprint();
        runner.run(scenario, without);
        EXPECT_EQ(runner.fingerprint(), with) << "seed " << seed;
    }
}

TEST(RunTest, RecordedScheduleMakesTheSameMovesInOrder) {
    Runner runner;
    RunOptions record;
    record.record = true;
    std::uint32_t compared = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        Scenario scenario = drawn(Domain::trace_replay, seed);
        if (scenario.schedule.strategy == Strategy::in_order) continue;
        runner.run(scenario, record);
        const std::uint64_t fingerprint = runner.fingerprint();
        bool complete = false;
        const Scenario named = with_recorded_schedule(scenario, runner, &complete);
        if (!complete) continue;
        const Verdict verdict = runner.run(named, RunOptions{});
        EXPECT_EQ(verdict.kind, VerdictKind::pass) << told(verdict);
        EXPECT_EQ(runner.fingerprint(), fingerprint)
            << "seed " << seed << ", strategy " << static_cast<int>(scenario.schedule.strategy);
        ++compared;
    }
    EXPECT_GT(compared, 20u);
}

TEST(RunTest, EveryLegalGeometryIsAcceptedByTheRuntime) {
    for (const Domain domain : kDomains) {
        for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
            const Scenario scenario = drawn(domain, seed);
            ASSERT_EQ(illegality_of(scenario), "");
            EXPECT_EQ(rt::refusal_of(runtime_geometry_of(scenario)), "") << "seed " << seed;
        }
    }
}

TEST(RunTest, IllegalGeometryIsRefusedWithTheRuleNamed) {
    Scenario scenario;
    scenario.geometry.cmddat_q = 4096;
    Runner runner;
    const Verdict verdict = runner.run(scenario, RunOptions{});
    EXPECT_EQ(verdict.kind, VerdictKind::refused);
    EXPECT_NE(verdict.violation.summary.find("cmddat_q"), std::string::npos)
        << verdict.violation.summary;
}

// Without the oracles the host itself is the first to see that its completion queue is out of step.
TEST(RunTest, ALostDeviceIsARefusalThatSaysSo) {
    Scenario scenario;
    scenario.geometry.completion_pages = 2;
    scenario.ops.assign(6, OpFinish{});
    RunOptions options;
    options.oracles = 0;
    options.faults.enable(rt::Fault::toggle_not_flipped);
    Runner runner;
    const Verdict verdict = runner.run(scenario, options);
    EXPECT_EQ(verdict.kind, VerdictKind::refused) << told(verdict);
    EXPECT_NE(
        verdict.violation.summary.find("the device is lost: its completion queue is out of step"),
        std::string::npos)
        << verdict.violation.summary;
    EXPECT_LT(verdict.violation.op_index, 6u);
    EXPECT_EQ(runner.run(Scenario{}, RunOptions{}).kind,
              VerdictKind::pass);  // the machine is as good as new
}

TEST(RunTest, MoveBudgetEndsARunWithoutAVerdict) {
    Runner runner;
    RunOptions options;
    options.moves_max = 50;
    const Verdict verdict = runner.run(drawn(Domain::trace_replay, 3), options);
    EXPECT_EQ(verdict.kind, VerdictKind::pass) << told(verdict);
    EXPECT_TRUE(runner.stats().truncated);
}

// inv. 17: bases on a page, whole blocks, a power of two of them, whatever the geometry.
TEST(RunTest, RingsOfEveryGeometryLieOnPages) {
    Runner runner;
    for (const Domain domain : {Domain::cb_geometry, Domain::multi_chip}) {
        Rng rng(17);
        for (int i = 0; i < 40; ++i) {
            Scenario scenario = generate(domain, rng, 1);
            scenario.ops.clear();
            runner.run(scenario, RunOptions{});
            for (const RingView& ring : runner.view().rings) {
                EXPECT_EQ(ring.base % ring.page_size_bytes, 0u) << ring.name;
                ASSERT_EQ(ring.page_count % ring.pages_per_block, 0u) << ring.name;
                const std::uint32_t blocks = ring.page_count / ring.pages_per_block;
                if (ring.name.find("dispatch") != std::string::npos) {
                    EXPECT_EQ(blocks & (blocks - 1), 0u) << ring.name;
                }
            }
        }
    }
}

}  // namespace
}  // namespace cqfuzz
