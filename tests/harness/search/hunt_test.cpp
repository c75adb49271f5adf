// Goal: every fault can be found, from nothing, and a finding can be made small without losing what
// it shows. Method: one pinned seed a fault with a generous cap; `cqfuzz hunt` tells the figures.
// Faults that are not found yet stand in a list, each with its reason, and the list is held to be
// true.
#include "harness/search/hunt.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "harness/scenario/verbs.hpp"

namespace cqfuzz {
namespace {

constexpr std::uint64_t kScenariosMax = 40'000;

struct NotSeenYet {
    std::string_view name;
    std::string_view reason;
};

// Their faulty line runs, and no oracle says anything. Take a line out as soon as its fault is
// found.
constexpr NotSeenYet kNotSeenYet[] = {
    {"one-block-per-release",
     "a waiting dispatcher releases in its wait loop too, so the lag costs time and no liveness"},
    {"no-flush-before-upstream-return",
     "RELAY_INLINE and the relays flush by themselves, so nothing sourced from the batch is left "
     "in flight"},
    {"issue-bytes-before-free-entry",
     "G7 keeps room for two slots more than prefetch_q has entries; the mistake needs one"},
    {"head-of-cache-relay-not-flushed",
     "the ring of commands has to come round to the head before its write departs; none of 180,000 "
     "command streams did that"},
};
// So many scenarios must reach the line of one that is not seen yet, and not find it.
constexpr std::uint64_t kNotSeenScenarios = 300;

std::vector<std::string_view> seen_faults() {
    std::vector<std::string_view> names;
    for (const std::string_view name : rt::fault_names())
        if (std::none_of(std::begin(kNotSeenYet), std::end(kNotSeenYet),
                         [name](const NotSeenYet& entry) { return entry.name == name; }))
            names.push_back(name);
    return names;
}

class HuntEveryFaultTest : public testing::TestWithParam<std::string_view> {};

TEST_P(HuntEveryFaultTest, FindsItFromNothing) {
    Runner runner;
    HuntOptions options;
    options.faults = *rt::faults_named(GetParam());
    options.seed = 1;
    options.scenarios_max = kScenariosMax;
    const HuntTrial trial = hunt(runner, options);
    EXPECT_GT(trial.fault_reached, 0u) << "the faulty line never ran";
    ASSERT_TRUE(trial.found) << "reached in " << trial.fault_reached << " of " << trial.scenarios
                             << " scenarios";
    // The finding is the fault's: without it the same scenario passes.
    EXPECT_EQ(runner.run(trial.scenario, RunOptions{}).kind, VerdictKind::pass);
}

std::string test_name(const testing::TestParamInfo<std::string_view>& info) {
    std::string name(info.param);
    for (char& c : name)
        if (c == '-') c = '_';
    return name;
}

INSTANTIATE_TEST_SUITE_P(Faults, HuntEveryFaultTest, testing::ValuesIn(seen_faults()), test_name);

class HuntNotSeenYetTest : public testing::TestWithParam<NotSeenYet> {};

TEST_P(HuntNotSeenYetTest, IsReachedAndNotFound) {
    ASSERT_TRUE(rt::faults_named(GetParam().name).has_value()) << GetParam().name;
    EXPECT_FALSE(GetParam().reason.empty());
    Runner runner;
    HuntOptions options;
    options.faults = *rt::faults_named(GetParam().name);
    options.seed = 1;
    options.scenarios_max = kNotSeenScenarios;
    const HuntTrial trial = hunt(runner, options);
    EXPECT_GT(trial.fault_reached, 0u) << "the faulty line never ran";
    EXPECT_FALSE(trial.found) << "it is seen now, take it out of the list: "
                              << trial.verdict.violation.summary;
}

std::string entry_name(const testing::TestParamInfo<NotSeenYet>& entry) {
    return test_name({entry.param.name, entry.index});
}

INSTANTIATE_TEST_SUITE_P(Faults, HuntNotSeenYetTest, testing::ValuesIn(kNotSeenYet), entry_name);

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
    const MinimisedFinding small =
        minimise_finding(runner, trial.scenario, trial.verdict, run_options, 3000);
    EXPECT_EQ(small.verdict.violation.signature(), trial.verdict.violation.signature());
    EXPECT_LE(op_weight(small.scenario), op_weight(trial.scenario));
    EXPECT_LE(small.scenario.ops.size(), 6u);
    EXPECT_LE(small.scenario.schedule.deviations.size(), 3u);
}

}  // namespace
}  // namespace cqfuzz
