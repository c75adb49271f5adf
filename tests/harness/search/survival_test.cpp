#include "harness/search/survival.hpp"

#include <gtest/gtest.h>

namespace cqfuzz {
namespace {

TEST(SurvivalTest, WithoutCensoringItIsTheMedian) {
    const MedianEstimate e =
        median_of({{40, true}, {10, true}, {30, true}, {20, true}, {50, true}});
    EXPECT_EQ(e.median, 30u);
    ASSERT_TRUE(e.low.has_value());
    EXPECT_LE(*e.low, 30u);
    EXPECT_TRUE(!e.high.has_value() || *e.high >= 30u);
}

TEST(SurvivalTest, CensoredTrialsCountWhileTheyLast) {
    // Survival falls to 4/5 at 1, to 4/5 · 2/3 at 3, to 0 at 5. Dropping the censored would say 3.
    const MedianEstimate e = median_of({{1, true}, {2, false}, {3, true}, {4, false}, {5, true}});
    EXPECT_EQ(e.median, 5u);
}

TEST(SurvivalTest, FoundByFewerThanHalfHasNoMedian) {
    const MedianEstimate e = median_of({{7, true}, {100, false}, {100, false}, {100, false}});
    EXPECT_FALSE(e.median.has_value());
    EXPECT_FALSE(e.high.has_value());
}

TEST(SurvivalTest, NoTrialsHaveNoMedian) { EXPECT_FALSE(median_of({}).median.has_value()); }

TEST(SurvivalTest, MoreTrialsNarrowTheInterval) {
    std::vector<Observation> few, many;
    for (std::uint64_t i = 1; i <= 10; ++i) few.push_back({i * 100, true});
    for (std::uint64_t i = 1; i <= 100; ++i) many.push_back({i * 10, true});
    const MedianEstimate a = median_of(few);
    const MedianEstimate b = median_of(many);
    ASSERT_TRUE(a.low && a.high && b.low && b.high);
    EXPECT_LT(*b.high - *b.low, *a.high - *a.low);
}

}  // namespace
}  // namespace cqfuzz
