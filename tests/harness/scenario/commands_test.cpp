// Command streams as values: drawn ones are legal, and every verb keeps them so.
#include <gtest/gtest.h>

#include "harness/scenario/command_rules.hpp"
#include "harness/scenario/minimise.hpp"
#include "harness/scenario/verbs.hpp"
#include "tests/harness/scenario/wild.hpp"

namespace cqfuzz {
namespace {

constexpr std::uint32_t kOpsMax = 256;
constexpr Domain kDomains[] = {Domain::command_stream, Domain::malformed_stream};

Scenario drawn(std::uint64_t seed) {
    Rng rng(seed);
    return generate(kDomains[seed % 2], rng, kOpsMax);
}

TEST(CommandsTest, DrawnOnesAreLegalAndSurviveBothForms) {
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
        const Scenario scenario = drawn(seed);
        ASSERT_FALSE(scenario.commands.empty());
        ASSERT_EQ(illegality_of(scenario), "") << "seed " << seed;
        ASSERT_TRUE(equal(decode(encode(scenario)), scenario)) << "seed " << seed;
        const std::string text = scenario_to_toml(scenario);
        const Result<Scenario> read = scenario_from_toml(text, "drawn.toml");
        ASSERT_TRUE(read) << read.message();
        ASSERT_TRUE(equal(read.value(), scenario)) << text;
    }
}

TEST(CommandsTest, MutantsAndChildrenAreLegalAndHaveCommands) {
    Rng rng(5);
    Scenario scenario = drawn(2);
    for (std::uint32_t i = 0; i < 2000; ++i) {
        if (i % 50 == 0) scenario = drawn(i);
        mutate(scenario, kDomains[i % 2], rng, kOpsMax);
        ASSERT_EQ(illegality_of(scenario), "") << "mutation " << i;
        ASSERT_FALSE(scenario.commands.empty());
        if (i % 10 != 0) continue;
        const Scenario other = i % 20 == 0 ? drawn(i + 1) : generate(Domain::trace_replay, rng, 8);
        ASSERT_EQ(illegality_of(crossover(scenario, other, rng, kOpsMax)), "") << i;
        ASSERT_EQ(illegality_of(crossover(other, scenario, rng, kOpsMax)), "") << i;
    }
}

TEST(CommandsTest, WildOnesAreSettledOnceAndForAll) {
    Rng rng(11);
    std::uint32_t streams = 0;
    for (std::uint32_t i = 0; i < 400; ++i) {
        Scenario scenario = wild::scenario(rng);
        legalise(scenario);
        ASSERT_EQ(illegality_of(scenario), "") << i;
        const Scenario once = scenario;
        legalise(scenario);
        ASSERT_TRUE(equal(scenario, once)) << i;
        streams += scenario.commands.empty() ? 0 : 1;
    }
    EXPECT_GT(streams, 0u);
}

TEST(CommandsTest, TellsWhichCommandIsNotWellFormed) {
    Scenario scenario;
    CommandWritePacked packed;
    packed.count = 64;
    packed.multicast = true;
    scenario.commands = {CommandDelay{}, packed};
    EXPECT_NE(illegality_of(scenario).find("command[1]"), std::string::npos);
    EXPECT_NE(illegality_of(scenario).find("C5"), std::string::npos) << illegality_of(scenario);
    scenario.commands = {CommandExecBuf{2}};
    EXPECT_NE(illegality_of(scenario).find("R1"), std::string::npos) << illegality_of(scenario);
    scenario.commands = {CommandDelay{}};
    scenario.ops = {OpFinish{}};
    EXPECT_NE(illegality_of(scenario).find("C1"), std::string::npos) << illegality_of(scenario);
}

TEST(CommandsTest, RelaysFromTheCacheOnlyWhatLoadsHaveBrought) {
    Scenario scenario;
    CommandWriteLinear relayed;
    relayed.length = 64;
    relayed.from.feed = Feed::cache;
    CommandCacheLoad load;
    load.length = 64;
    scenario.commands = {load, relayed};
    EXPECT_EQ(illegality_of(scenario), "");
    scenario.commands = {relayed};
    legalise(scenario);
    EXPECT_EQ(std::get<CommandWriteLinear>(scenario.commands[0]).from.feed, Feed::in_line);
    // A relay through scratch takes the cache's bytes (inv. 56).
    CommandWriteLinear through_scratch = relayed;
    through_scratch.from.feed = Feed::linear;
    scenario.commands = {load, through_scratch, relayed};
    EXPECT_NE(illegality_of(scenario), "");
}

TEST(CommandsTest, AreMinimisedToTheOneThatMatters) {
    const auto has_large = [](const Scenario& s) {
        for (const Command& command : s.commands)
            if (const auto* large = std::get_if<CommandWriteLarge>(&command))
                if (large->parts.size() >= 2) return true;
        return false;
    };
    std::uint32_t tried = 0;
    for (std::uint64_t seed = 1; seed <= 200 && tried < 10; ++seed) {
        const Scenario scenario = drawn(seed);
        if (!has_large(scenario)) continue;
        ++tried;
        MinimiseStats stats;
        const Scenario small = minimise(scenario, has_large, 4000, &stats);
        EXPECT_TRUE(stats.complete);
        EXPECT_EQ(small.commands.size(), 1u) << scenario_to_toml(small);
        EXPECT_TRUE(small.bodies.empty());
        EXPECT_EQ(std::get<CommandWriteLarge>(small.commands[0]).parts.size(), 2u);
    }
    EXPECT_EQ(tried, 10u);
}

}  // namespace
}  // namespace cqfuzz
