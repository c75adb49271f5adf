// The first difference of two logs.
#include "harness/cli/event_log.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace cqfuzz::cli {
namespace {

EventLog log_of_steps(std::initializer_list<std::uint64_t> steps) {
    EventLog log;
    for (const std::uint64_t step : steps) {
        KeptEntry kept;
        kept.entry.step = step;
        log.entries.push_back(kept);
    }
    return log;
}

std::optional<std::string> difference_of(const EventLog& a, const EventLog& b) {
    LogComparison comparison(a);
    for (const KeptEntry& entry : b.entries) comparison.add(entry);
    return comparison.difference(b.run, "a", "b");
}

TEST(EventLogTest, EqualLogsHaveNoDifference) {
    EXPECT_FALSE(difference_of(log_of_steps({1, 2, 3}), log_of_steps({1, 2, 3})));
    EXPECT_FALSE(difference_of(log_of_steps({}), log_of_steps({})));
}

TEST(EventLogTest, FirstEntryThatDiffersIsShownWithWhatCameBefore) {
    const auto difference = difference_of(log_of_steps({1, 2, 3}), log_of_steps({1, 2, 4}));
    ASSERT_TRUE(difference);
    EXPECT_NE(difference->find("log entry 2 is the first that differs"), std::string::npos)
        << *difference;
    EXPECT_NE(difference->find("    step 2"), std::string::npos) << *difference;
    EXPECT_NE(difference->find("  < step 3"), std::string::npos) << *difference;
    EXPECT_NE(difference->find("  > step 4"), std::string::npos) << *difference;
}

TEST(EventLogTest, ShorterLogIsSaidToBeOver) {
    const auto difference = difference_of(log_of_steps({1}), log_of_steps({1, 2}));
    ASSERT_TRUE(difference);
    EXPECT_NE(difference->find("(the run is over)   (a)"), std::string::npos) << *difference;
}

TEST(EventLogTest, LongerSecondLogShowsWhatComesAfterTheFirst) {
    const auto difference = difference_of(log_of_steps({1, 2}), log_of_steps({1}));
    ASSERT_TRUE(difference);
    EXPECT_NE(difference->find("  < step 2"), std::string::npos) << *difference;
    EXPECT_NE(difference->find("(the run is over)   (b)"), std::string::npos) << *difference;
}

TEST(EventLogTest, WhatIsNotKeptIsComparedByFingerprint) {
    EventLog a = log_of_steps({1});
    a.run.fingerprint = 7;
    const auto difference = difference_of(a, log_of_steps({1}));
    ASSERT_TRUE(difference);
    EXPECT_NE(difference->find("what follows is not"), std::string::npos) << *difference;
}

TEST(EventLogTest, BytesThatDifferAreADifference) {
    EventLog a = log_of_steps({1});
    EventLog b = log_of_steps({1});
    b.entries[0].bytes = 5;
    const auto difference = difference_of(a, b);
    ASSERT_TRUE(difference);
    EXPECT_NE(difference->find("the bytes that moved differ"), std::string::npos) << *difference;
}

}  // namespace
}  // namespace cqfuzz::cli
