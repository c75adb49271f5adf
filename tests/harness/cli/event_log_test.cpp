// The first difference of two logs.
#include "harness/cli/event_log.hpp"

#include <gtest/gtest.h>

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

TEST(EventLogTest, EqualLogsHaveNoDifference) {
    EXPECT_FALSE(first_difference(log_of_steps({1, 2, 3}), log_of_steps({1, 2, 3}), "a", "b"));
    EXPECT_FALSE(first_difference(log_of_steps({}), log_of_steps({}), "a", "b"));
}

TEST(EventLogTest, FirstEntryThatDiffersIsShownWithWhatCameBefore) {
    const auto difference = first_difference(log_of_steps({1, 2, 3}), log_of_steps({1, 2, 4}), "a", "b");
    ASSERT_TRUE(difference);
    EXPECT_NE(difference->find("log entry 2 is the first that differs"), std::string::npos) << *difference;
    EXPECT_NE(difference->find("    step 2"), std::string::npos) << *difference;
    EXPECT_NE(difference->find("  < step 3"), std::string::npos) << *difference;
    EXPECT_NE(difference->find("  > step 4"), std::string::npos) << *difference;
}

TEST(EventLogTest, ShorterLogIsSaidToBeOver) {
    const auto difference = first_difference(log_of_steps({1}), log_of_steps({1, 2}), "a", "b");
    ASSERT_TRUE(difference);
    EXPECT_NE(difference->find("(the run is over)   (a)"), std::string::npos) << *difference;
}

TEST(EventLogTest, BytesThatDifferAreADifference) {
    EventLog a = log_of_steps({1});
    EventLog b = log_of_steps({1});
    b.entries[0].bytes = 5;
    const auto difference = first_difference(a, b, "a", "b");
    ASSERT_TRUE(difference);
    EXPECT_NE(difference->find("the bytes that moved differ"), std::string::npos) << *difference;
}

}  // namespace
}  // namespace cqfuzz::cli
