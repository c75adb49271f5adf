// The table of a hunting campaign, as Markdown: per fault whether it was reached, infected and
// detected, and how soon, per arm; then what the sound runtime had to say.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/search/hunt_results.hpp"

namespace cqfuzz {

// A fault's trials under one arm.
struct HuntCell {
    std::uint32_t trials = 0;
    std::uint32_t found = 0;
    std::uint64_t cap = 0;                           // the largest of its trials
    std::optional<std::uint64_t> median, low, high;  // scenarios, Kaplan–Meier
    std::uint64_t worst = 0;                         // of those found
    double median_seconds = 0;                       // of those found
};

HuntCell cell_of(const std::vector<HuntResult>& results, std::string_view fault,
                 std::string_view arm);

// REQUIRES: all results are of one build. `faults` in the order of the table.
std::string hunt_table(const std::vector<HuntResult>& results,
                       const std::vector<std::string>& faults);

}  // namespace cqfuzz
