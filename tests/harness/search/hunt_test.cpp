// Goal: every fault can be found, from nothing, and a finding can be made small without losing what it shows.
// Method: one pinned seed a fault with a generous cap; `cqfuzz hunt` tells the figures.
#include "harness/search/hunt.hpp"

#include <gtest/gtest.h>

#include "harness/scenario/verbs.hpp"

namespace cqfuzz {
namespace {

constexpr std::uint64_t kScenariosMax = 40'000;

class HuntEveryFaultTest : public testing::TestWithParam<std::string_view> {};

TEST_P(HuntEveryFaultTest, FindsItFromNothing) {
    Runner runner;
    HuntOptions options;
    options.faults = *rt::faults_named(GetParam());
    options.seed = 1;
    options.scenarios_max = kScenariosMax;
    const HuntTrial trial = hunt(runner, options);
    EXPECT_GT(trial.fault_reached, 0u) << "the faulty line never ran";
    ASSERT_TRUE(trial.found) << "reached in " << trial.fault_reached << " of " << trial.scenarios << " scenarios";
    // The finding is the fault's: without it the same scenario passes.
    EXPECT_EQ(runner.run(trial.scenario, RunOptions{}).kind, VerdictKind::pass);
}

std::string test_name(const testing::TestParamInfo<std::string_view>& info) {
    std::string name(info.param);
    for (char& c : name)
        if (c == '-') c = '_';
    return name;
}

INSTANTIATE_TEST_SUITE_P(Faults, HuntEveryFaultTest,
                         testing::ValuesIn(rt::fault_names().begin(), rt::fault_names().end()), test_name);

TEST(HuntTest, SameSeedSameTrial) {
    Runner runner;
    HuntOptions options;
    options.faults = *rt::faults_named("late-orphan-write");
    options.seed = 7;
    const HuntTrial first = hunt(runner, options);
    const HuntTrial second = hunt(runner, options);
    EXPECT_EQ(first.scenarios, second.scenarios);
    EXPECT_EQ(first.moves, second.moves);
    EXPECT_TRUE(equal(first.scenario, second.scenario));
}

TEST(HuntTest, SoundRuntimeStaysSilent) {
    Runner runner;
    HuntOptions options;
    options.seed = 3;
    options.scenarios_max = 500;
    EXPECT_FALSE(hunt(runner, options).found);
}

TEST(HuntTest, MinimisedFindingIsSmallAndTheSameFailure) {
    Runner runner;
    HuntOptions options;
    options.faults = *rt::faults_named("late-orphan-write");
    options.seed = 11;
    const HuntTrial trial = hunt(runner, options);
    ASSERT_TRUE(trial.found);
    RunOptions run_options;
    run_options.faults = options.faults;
    const MinimisedFinding small = minimise_finding(runner, trial.scenario, trial.verdict, run_options, 3000);
    EXPECT_EQ(small.verdict.violation.signature(), trial.verdict.violation.signature());
    EXPECT_LE(op_weight(small.scenario), op_weight(trial.scenario));
    EXPECT_LE(small.scenario.ops.size(), 6u);
    EXPECT_LE(small.scenario.schedule.deviations.size(), 3u);
}

}  // namespace
}  // namespace cqfuzz
