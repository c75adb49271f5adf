#include "runtime_under_test/host/core_groups.hpp"

#include <algorithm>

namespace cqfuzz::rt {
namespace {

constexpr std::uint32_t kNoGroup = 0xffffffff;

// Which group each core still belongs to; rectangles are cut out of it.
struct Grid {
    std::uint32_t cols;
    std::uint32_t rows;
    std::vector<std::uint32_t> group;

    std::uint32_t& at(std::uint32_t x, std::uint32_t y) { return group[y * cols + x]; }
    bool row_is(std::uint32_t x0, std::uint32_t x1, std::uint32_t y, std::uint32_t wanted) {
        for (std::uint32_t x = x0; x <= x1; x++)
            if (at(x, y) != wanted) return false;
        return true;
    }
};

// The rectangle that grows from (x, y) right, then down, within one group; it leaves the grid.
CoreRange cut_rectangle(Grid& grid, std::uint32_t x, std::uint32_t y) {
    const std::uint32_t wanted = grid.at(x, y);
    std::uint32_t x1 = x;
    while (x1 + 1 < grid.cols && grid.at(x1 + 1, y) == wanted) x1++;
    std::uint32_t y1 = y;
    while (y1 + 1 < grid.rows && grid.row_is(x, x1, y1 + 1, wanted)) y1++;
    for (std::uint32_t row = y; row <= y1; row++)
        for (std::uint32_t col = x; col <= x1; col++) grid.at(col, row) = kNoGroup;
    return CoreRange{static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y),
                     static_cast<std::uint8_t>(x1), static_cast<std::uint8_t>(y1)};
}

bool covers(const CoreRange& range, std::uint32_t x, std::uint32_t y) {
    return x >= range.x0 && x <= range.x1 && y >= range.y0 && y <= range.y1;
}

}  // namespace

std::vector<CoreGroup> group_cores(std::uint32_t cols, std::uint32_t rows,
                                   std::span<const CoreRange> ranges) {
    std::vector<CoreGroup> groups;
    Grid grid{cols, rows, std::vector<std::uint32_t>(std::size_t{cols} * rows, kNoGroup)};
    std::vector<std::uint32_t> members;
    for (std::uint32_t y = 0; y < rows; y++) {
        for (std::uint32_t x = 0; x < cols; x++) {
            members.clear();
            for (std::uint32_t i = 0; i < ranges.size(); i++)
                if (covers(ranges[i], x, y)) members.push_back(i);
            if (members.empty()) continue;
            const auto found = std::find_if(
                groups.begin(), groups.end(),
                [&members](const CoreGroup& group) { return group.members == members; });
            grid.at(x, y) = static_cast<std::uint32_t>(found - groups.begin());
            if (found == groups.end()) groups.push_back(CoreGroup{members, {}});
        }
    }
    for (std::uint32_t y = 0; y < rows; y++) {
        for (std::uint32_t x = 0; x < cols; x++) {
            const std::uint32_t group = grid.at(x, y);
            if (group != kNoGroup) groups[group].rectangles.push_back(cut_rectangle(grid, x, y));
        }
    }
    return groups;
}

}  // namespace cqfuzz::rt
