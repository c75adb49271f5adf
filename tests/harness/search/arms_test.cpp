// Goal: the baseline is what it says it is, and finds what it can; each ablation leaves out what it
// names. Method: draws with pinned seeds.
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/search/hunt.hpp"
#include "harness/search/next_scenario.hpp"

namespace cqfuzz {
namespace {

constexpr std::uint32_t kOpsMax = 64;

TEST(BaselineTest, DrawsTwoKindsInOrderToPlacesThatOnlyRise) {
    Rng rng(1);
    for (int i = 0; i < 50; ++i) {
        const Scenario scenario = draw_baseline(rng);
        ASSERT_EQ(illegality_of(scenario), "");
        ASSERT_GT(scenario.commands.size(), 4u);
        EXPECT_EQ(scenario.schedule.strategy, Strategy::in_order);
        EXPECT_TRUE(scenario.schedule.deviations.empty());
        Scenario bare = scenario;
        bare.commands.clear();
        EXPECT_TRUE(equal(bare, Scenario{})) << "geometry, counters and behaviour are the default";
        std::uint32_t ends[2][2] = {};
        for (const Command& command : scenario.commands) {
            if (const auto* write = std::get_if<CommandWriteLinear>(&command)) {
                EXPECT_FALSE(write->multicast);
                EXPECT_TRUE(write->from.feed == Feed::in_line || write->from.feed == Feed::paged);
                std::uint32_t& end = ends[write->to.cores.y0][write->to.cores.x0];
                EXPECT_GE(write->to.offset, end);
                end = write->to.offset + write->length;
                continue;
            }
            const auto* packed = std::get_if<CommandWritePacked>(&command);
            ASSERT_NE(packed, nullptr);
            EXPECT_FALSE(packed->multicast);
            for (std::uint32_t y = packed->to.cores.y0; y <= packed->to.cores.y1; ++y)
                for (std::uint32_t x = packed->to.cores.x0; x <= packed->to.cores.x1; ++x) {
                    EXPECT_GE(packed->to.offset, ends[y][x]);
                    ends[y][x] = packed->to.offset + packed->size;
                }
        }
    }
}

TEST(BaselineTest, FindsAWrongReceiverAndBlamesNobodyElse) {
    Runner runner;
    HuntOptions options;
    options.arm = HuntArm::baseline_random;
    options.scenarios_max = 60;
    options.seed = 1;
    EXPECT_FALSE(hunt(runner, options).found) << "the sound runtime";
    options.faults = *rt::faults_named("stale-write-coordinates");
    EXPECT_TRUE(hunt(runner, options).found);
    options.faults = *rt::faults_named("hand-over-on-other-noc");
    EXPECT_FALSE(hunt(runner, options).found) << "in order it leaves no wrong byte";
}

TEST(BaselineTest, SeesDataAtTheEndAndWhatDoesNotEnd) {
    Verdict verdict;
    EXPECT_FALSE(baseline_sees(verdict));
    verdict.kind = VerdictKind::hang;
    EXPECT_TRUE(baseline_sees(verdict));
    verdict.kind = VerdictKind::violation;
    verdict.violation.property = "golden-memory/stray-write";
    EXPECT_FALSE(baseline_sees(verdict));
    verdict.violation.property = "golden-memory/wrong-at-end";
    EXPECT_TRUE(baseline_sees(verdict));
}

TEST(ArmsTest, AStrategyArmHasThatStrategyAlone) {
    Rng rng(2);
    const Pool pool(true);
    for (int i = 0; i < 40; ++i) {
        const auto of = [&](HuntArm arm) {
            return next_of_arm(arm, pool, Domain::trace_replay, rng, kOpsMax).schedule.strategy;
        };
        EXPECT_EQ(of(HuntArm::random_walk), Strategy::random_walk);
        EXPECT_EQ(of(HuntArm::pct), Strategy::pct);
        EXPECT_EQ(of(HuntArm::producer_at_once), Strategy::producer_at_once);
        EXPECT_EQ(of(HuntArm::in_order), Strategy::in_order);
    }
}

TEST(ArmsTest, EditsThatAreOffChangeNothing) {
    Rng rng(3);
    for (const Domain domain : {Domain::trace_replay, Domain::command_stream}) {
        for (int i = 0; i < 40; ++i) {
            const Scenario before = generate(domain, rng, kOpsMax);
            DrawChoices choices;
            choices.edits = kEditSchedule;  // with order level and behaviour
            Scenario after = before;
            mutate(after, domain, rng, kOpsMax, choices);
            after.schedule = before.schedule;
            after.order = before.order;
            after.behaviour = before.behaviour;
            EXPECT_TRUE(equal(after, before));
        }
    }
}

TEST(ArmsTest, WithoutFeaturesThePoolKeepsAFewOfAll) {
    Rng rng(4);
    Pool by_features(true), at_random(false);
    const std::vector<std::uint16_t> same{7};
    by_features.consider(Scenario{}, {}, rng);
    EXPECT_TRUE(by_features.empty());
    by_features.consider(Scenario{}, same, rng);
    EXPECT_FALSE(by_features.empty());
    for (int i = 0; i < 400; ++i) at_random.consider(Scenario{}, {}, rng);
    EXPECT_FALSE(at_random.empty());
}

TEST(ArmsTest, EveryArmHasItsName) {
    for (const HuntArmName& arm : kHuntArms) {
        EXPECT_EQ(hunt_arm_named(name_of(arm.arm)), arm.arm);
        EXPECT_FALSE(arm.sentence.empty());
    }
}

}  // namespace
}  // namespace cqfuzz
