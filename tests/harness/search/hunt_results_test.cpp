#include "harness/search/hunt_results.hpp"

#include <gtest/gtest.h>

#include "harness/search/hunt_table.hpp"

namespace cqfuzz {
namespace {

HuntResult result_of(std::string fault, std::uint64_t seed, bool found, std::uint64_t scenarios) {
    HuntResult r;
    r.build = "b";
    r.fault = std::move(fault);
    r.arm = "guided";
    r.seed = seed;
    r.cap = 1000;
    r.found = found;
    r.scenarios = scenarios;
    r.reached = 1;
    if (found) r.property = "page-ownership/used-after-release";
    return r;
}

TEST(HuntResultsTest, ALineGivesTheResultBack) {
    HuntResult before = result_of("late-orphan-write", 7, true, 12);
    before.signature = "a \"quoted\" one";
    before.seconds = 0.5;
    const Result<std::vector<HuntResult>> read = hunt_results_of(to_json_line(before), "r");
    ASSERT_TRUE(read.ok()) << read.message();
    ASSERT_EQ(read.value().size(), 1u);
    const HuntResult& after = read.value().front();
    EXPECT_EQ(after.fault, before.fault);
    EXPECT_EQ(after.seed, 7u);
    EXPECT_TRUE(after.found);
    EXPECT_EQ(after.signature, before.signature);
    EXPECT_EQ(after.seconds, 0.5);
}

TEST(HuntResultsTest, ALineThatWasCutOffIsLeftOut) {
    std::string text =
        to_json_line(result_of("x", 1, true, 1)) + to_json_line(result_of("x", 2, true, 2));
    text.resize(text.size() - 5);
    const Result<std::vector<HuntResult>> read = hunt_results_of(text, "r");
    ASSERT_TRUE(read.ok()) << read.message();
    EXPECT_EQ(read.value().size(), 1u);
}

TEST(HuntResultsTest, WhatIsNoResultIsToldWithItsLine) {
    const Result<std::vector<HuntResult>> read =
        hunt_results_of(to_json_line(result_of("x", 1, true, 1)) + "{\"fault\": 3}\n", "r.jsonl");
    ASSERT_FALSE(read.ok());
    EXPECT_NE(read.message().find("r.jsonl:2"), std::string::npos) << read.message();
}

TEST(HuntTableTest, TellsWhatWasFoundAndWhatWasNot) {
    const std::string table =
        hunt_table({result_of("easy", 1, true, 10), result_of("easy", 2, true, 30),
                    result_of("hard", 1, false, 1000), result_of("none", 1, false, 1000)},
                   {"easy", "hard"});
    EXPECT_NE(table.find("| `easy` | yes | 0/0 | page-ownership/used-after-release | 2/2 | 10 |"),
              std::string::npos)
        << table;
    EXPECT_NE(table.find("## Not found\n\n- `hard`"), std::string::npos) << table;
    EXPECT_NE(table.find("1000 scenarios, 0 findings"), std::string::npos) << table;
    EXPECT_NE(table.find("3.0e-03"), std::string::npos) << table;
}

TEST(HuntTableTest, AFalseAlarmIsCounted) {
    const std::string table = hunt_table({result_of("none", 1, true, 10)}, {});
    EXPECT_NE(table.find("10 scenarios, 1 findings."), std::string::npos) << table;
    EXPECT_EQ(table.find("3/n"), std::string::npos) << table;
}

}  // namespace
}  // namespace cqfuzz
