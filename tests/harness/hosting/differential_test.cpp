// Streams of commands on hosted kernels, and the same on both firmwares: alike when the kernels are
// sound, told apart by the byte when one of their arguments is wrong.
#include "harness/hosting/differential.hpp"

#include "harness/hosting/dialect.hpp"
#include "tests/harness/hosting/test_kernels.hpp"

namespace cqfuzz::hosting {
namespace {

Scenario stream_for(const HostedKernels& kernels, Rng& rng) {
    Scenario scenario = generate(Domain::command_stream, rng, 32);
    kernels.adapt(scenario);
    return scenario;
}

std::string all_of(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
}

TEST(DifferentialTest, TheSampleDoesWhatTheBuiltInDispatcherDoes) {
    const auto kernels = made(late_manifest());
    ASSERT_NE(kernels, nullptr);
    Rng rng(11);
    for (int i = 0; i < 40; ++i) {
        const Difference difference = compare(shared_runner(), *kernels, stream_for(*kernels, rng));
        ASSERT_FALSE(difference.built_in.bad()) << difference.built_in.violation.summary;
        ASSERT_FALSE(difference.hosted.bad()) << difference.hosted.violation.summary;
        ASSERT_TRUE(difference.lines.empty()) << all_of(difference.lines);
    }
}

TEST(DifferentialTest, PagesInTheWrongBanksAreTold) {
    Manifest manifest = late_manifest();
    for (std::string& arg : manifest.roles.front().args)
        if (arg == "dram.banks") arg = "dram.banks - 1";
    const auto kernels = made(manifest);
    ASSERT_NE(kernels, nullptr);
    Rng rng(11);
    std::vector<std::string> lines;
    for (int i = 0; i < 40 && lines.empty(); ++i)
        lines = compare(shared_runner(), *kernels, stream_for(*kernels, rng), 0).lines;
    EXPECT_NE(all_of(lines).find("dram bank"), std::string::npos) << all_of(lines);
}

TEST(DialectTest, WhatAGenerationDoesNotKnowIsNotSent) {
    const rt::Generation mid = rt::mid_2024();
    std::uint32_t dropped = 0;
    Rng rng(3);
    for (int i = 0; i < 200; ++i) {
        Scenario scenario = generate(Domain::command_stream, rng, 64);
        const std::size_t before = scenario.commands.size();
        keep_to(mid, scenario);
        legalise(scenario);
        dropped += scenario.commands.size() < before ? 1 : 0;
        ASSERT_FALSE(scenario.commands.empty());
        for (const Command& command : scenario.commands) {
            EXPECT_FALSE(std::holds_alternative<CommandSetWriteOffset>(command));
            EXPECT_FALSE(std::holds_alternative<CommandGo>(command));
            EXPECT_FALSE(std::holds_alternative<CommandBare>(command));
            EXPECT_FALSE(std::holds_alternative<CommandCacheLoad>(command));
            const auto* linear = std::get_if<CommandWriteLinear>(&command);
            if (linear == nullptr) continue;
            EXPECT_EQ(linear->offset_index, 0u);
            EXPECT_NE(linear->from.feed, Feed::cache);
        }
        // It is a fixed point.
        Scenario again = scenario;
        keep_to(mid, again);
        EXPECT_TRUE(equal(again, scenario));
    }
    EXPECT_GT(dropped, 50u);
}

}  // namespace
}  // namespace cqfuzz::hosting
