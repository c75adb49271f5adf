// The command line as values, and mistakes in it.
#include "harness/cli/arguments.hpp"

#include <gtest/gtest.h>

#include <initializer_list>

namespace cqfuzz::cli {
namespace {

Arguments parse(std::initializer_list<const char*> words) {
    std::vector<const char*> argv{"cqfuzz"};
    argv.insert(argv.end(), words);
    return parse_arguments(static_cast<int>(argv.size()), argv.data());
}

int exit_code(const Arguments& arguments) {
    const Leave* leave = std::get_if<Leave>(&arguments);
    return leave == nullptr ? -1 : leave->exit_code;
}

TEST(ArgumentsTest, RunTakesEveryFlag) {
    const Arguments parsed =
        parse({"run", "a.toml", "--fault", "x", "--order", "O1", "--twice", "--schedule-seeds",
               "100", "--without-oracle", "hang", "--without-oracle", "noc-rules", "--verbose"});
    const RunArguments* run = std::get_if<RunArguments>(&parsed);
    ASSERT_NE(run, nullptr);
    EXPECT_EQ(run->file, "a.toml");
    EXPECT_EQ(run->fault, "x");
    EXPECT_EQ(run->order, OrderLevel::o1);
    EXPECT_TRUE(run->twice);
    EXPECT_EQ(run->schedule_seeds, 100u);
    EXPECT_EQ(run->without_oracles, (std::vector<std::string>{"hang", "noc-rules"}));
    EXPECT_TRUE(run->verbose);
    EXPECT_FALSE(run->json);
}

TEST(ArgumentsTest, EachCommandHasItsDefaults) {
    const Arguments stress = parse({"stress", "llama-decode"});
    EXPECT_EQ(std::get<StressArguments>(stress).layers, 80u);
    const Arguments hunt = parse({"hunt", "late-orphan-write", "--trials", "20"});
    EXPECT_EQ(std::get<HuntArguments>(hunt).trials, 20u);
    EXPECT_EQ(std::get<HuntArguments>(hunt).ops_max, 256u);
    const Arguments faults = parse({"faults", "--markdown"});
    EXPECT_TRUE(std::get<FaultsArguments>(faults).markdown);
}

TEST(ArgumentsTest, MistakesEndWithTwo) {
    EXPECT_EQ(exit_code(parse({})), 2);
    EXPECT_EQ(exit_code(parse({"dance"})), 2);
    EXPECT_EQ(exit_code(parse({"run"})), 2);
    EXPECT_EQ(exit_code(parse({"run", "a.toml", "--order", "O9"})), 2);
    EXPECT_EQ(exit_code(parse({"run", "a.toml", "--schedule-seeds", "many"})), 2);
    EXPECT_EQ(exit_code(parse({"stress", "llama-decode", "--chips", "3"})), 2);
    EXPECT_EQ(exit_code(parse({"stress", "resnet"})), 2);
    const Arguments relaxed = parse({"run", "F", "--order", "O3", "--relax", "sent,kinds"});
    EXPECT_EQ(std::get<RunArguments>(relaxed).order, OrderLevel::o3);
    EXPECT_EQ(std::get<RunArguments>(relaxed).relaxed, kRelaxSent | kRelaxKinds);
    EXPECT_EQ(exit_code(parse({"stress", "llama-decode", "--schedule", "pct"})), 2);
    const Arguments walk = parse({"stress", "llama-decode", "--schedule", "random_walk"});
    EXPECT_EQ(std::get<StressArguments>(walk).schedule, "random_walk");
    EXPECT_EQ(exit_code(parse({"hunt", "x", "--target", "nothing"})), 2);
    EXPECT_EQ(exit_code(parse({"minimize", "a.toml"})), 2);
    EXPECT_EQ(exit_code(parse({"faults", "--json", "--markdown"})), 2);
}

TEST(ArgumentsTest, NumbersAreDigitsInTheirRange) {
    for (const char* number :
         {"-1", "+1", "18446744073709551616", "99999999999999999999999", "1e3", "0x10", " 1", ""}) {
        EXPECT_EQ(exit_code(parse({"hunt", "x", "--seed", number})), 2) << number;
        EXPECT_EQ(exit_code(parse({"hunt", "x", "--scenarios-max", number})), 2) << number;
        EXPECT_EQ(exit_code(parse({"run", "x", "--moves-max", number})), 2) << number;
        EXPECT_EQ(exit_code(parse({"hunt", "x", "--trials", number})), 2) << number;
    }
    EXPECT_EQ(exit_code(parse({"hunt", "x", "--trials", "4294967297"})), 2);
    const Arguments most = parse({"hunt", "x", "--seed", "18446744073709551615"});
    ASSERT_TRUE(std::holds_alternative<HuntArguments>(most));
    EXPECT_EQ(std::get<HuntArguments>(most).seed, 18446744073709551615u);
}

TEST(ArgumentsTest, UnknownCommandIsNamed) {
    testing::internal::CaptureStderr();
    EXPECT_EQ(exit_code(parse({"dance"})), 2);
    EXPECT_NE(testing::internal::GetCapturedStderr().find("\"dance\""), std::string::npos);
}

TEST(ArgumentsTest, HelpAndVersionEndWithZero) {
    testing::internal::CaptureStdout();
    EXPECT_EQ(exit_code(parse({"--help"})), 0);
    EXPECT_EQ(exit_code(parse({"run", "--help"})), 0);
    EXPECT_EQ(exit_code(parse({"--version"})), 0);
    EXPECT_NE(testing::internal::GetCapturedStdout().find("cqfuzz "), std::string::npos);
}

}  // namespace
}  // namespace cqfuzz::cli
