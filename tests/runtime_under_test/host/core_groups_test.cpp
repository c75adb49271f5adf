// Goal: groups are exactly the sets of cores with equal cover, cut into disjoint rectangles.
// Method: random ranges against a core-by-core model.
#include "runtime_under_test/host/core_groups.hpp"

#include <gtest/gtest.h>

#include <map>

#include "harness/base/rng.hpp"

namespace cqfuzz::rt {
namespace {

using Members = std::vector<std::uint32_t>;

std::map<std::pair<int, int>, Members> model_of(std::uint32_t cols, std::uint32_t rows,
                                                const std::vector<CoreRange>& ranges) {
    std::map<std::pair<int, int>, Members> cores;
    for (std::uint32_t i = 0; i < ranges.size(); i++)
        for (int y = ranges[i].y0; y <= ranges[i].y1 && y < static_cast<int>(rows); y++)
            for (int x = ranges[i].x0; x <= ranges[i].x1 && x < static_cast<int>(cols); x++)
                cores[{x, y}].push_back(i);
    return cores;
}

TEST(CoreGroupsTest, OneRangeIsOneGroupOfOneRectangle) {
    const std::vector<CoreRange> ranges{{1, 0, 3, 2}};
    const std::vector<CoreGroup> groups = group_cores(4, 4, ranges);
    ASSERT_EQ(groups.size(), 1u);
    ASSERT_EQ(groups[0].rectangles.size(), 1u);
    EXPECT_EQ(groups[0].rectangles[0], ranges[0]);
}

TEST(CoreGroupsTest, AHoleMakesFourRectangles) {
    const std::vector<CoreRange> ranges{{0, 0, 2, 2}, {1, 1, 1, 1}};
    const std::vector<CoreGroup> groups = group_cores(3, 3, ranges);
    ASSERT_EQ(groups.size(), 2u);
    EXPECT_EQ(groups[0].members, Members{0});
    EXPECT_EQ(groups[0].rectangles.size(), 4u);
    EXPECT_EQ(groups[1].members, (Members{0, 1}));
    EXPECT_EQ(groups[1].rectangles.size(), 1u);
}

TEST(CoreGroupsTest, RandomRangesMatchTheModel) {
    Rng rng(1);
    for (int round = 0; round < 500; round++) {
        const std::uint32_t cols = 1 + rng.below(8);
        const std::uint32_t rows = 1 + rng.below(8);
        std::vector<CoreRange> ranges(rng.below(6));
        for (CoreRange& range : ranges) {
            range.x0 = static_cast<std::uint8_t>(rng.below(cols));
            range.y0 = static_cast<std::uint8_t>(rng.below(rows));
            range.x1 = static_cast<std::uint8_t>(range.x0 + rng.below(cols - range.x0));
            range.y1 = static_cast<std::uint8_t>(range.y0 + rng.below(rows - range.y0));
        }
        auto cores = model_of(cols, rows, ranges);
        for (const CoreGroup& group : group_cores(cols, rows, ranges)) {
            for (const CoreRange& r : group.rectangles) {
                for (int y = r.y0; y <= r.y1; y++) {
                    for (int x = r.x0; x <= r.x1; x++) {
                        const auto found = cores.find({x, y});
                        ASSERT_TRUE(found != cores.end());  // also: no core twice
                        ASSERT_EQ(found->second, group.members);
                        cores.erase(found);
                    }
                }
            }
        }
        ASSERT_TRUE(cores.empty());
    }
}

}  // namespace
}  // namespace cqfuzz::rt
