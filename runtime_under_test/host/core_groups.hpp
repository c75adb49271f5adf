// Core groups: cores that are covered by the same ranges, and the rectangles that multicasts can
// name.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime_under_test/host/program.hpp"

namespace cqfuzz::rt {

struct CoreGroup {
    std::vector<std::uint32_t> members;  // indices of the ranges that cover these cores, rising
    std::vector<CoreRange> rectangles;   // disjoint; together exactly these cores
};

// Every core of the cols x rows grid that a range covers is in exactly one group. Groups in the
// order of their first core, row by row. REQUIRES: the ranges lie in the grid.
std::vector<CoreGroup> group_cores(std::uint32_t cols, std::uint32_t rows,
                                   std::span<const CoreRange> ranges);

}  // namespace cqfuzz::rt
