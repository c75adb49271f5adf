// Results of hunts as JSON lines: one trial a line, appended as it ends, so that a campaign can be
// interrupted and taken up again. nlohmann/json stays inside hunt_results.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/result.hpp"

namespace cqfuzz {

struct HuntResult {
    std::string build;  // of the program that ran it; results of others are not mixed in
    std::string fault;  // "none": the sound runtime
    std::string arm;
    std::uint64_t seed = 0;
    std::uint64_t cap = 0;  // scenarios after which it was given up
    bool found = false;
    std::uint64_t scenarios = 0;
    std::uint64_t moves = 0;
    double seconds = 0;
    std::uint64_t reached = 0;  // scenarios in which the faulty line ran; 0 also where unknown
    std::uint32_t infection_checked = 0;
    std::uint32_t infected = 0;
    std::uint32_t features = 0;
    std::uint32_t features_once = 0;
    std::string property;  // of the finding: which oracle
    std::string signature;
    std::string strategy;  // of the scenario that found it
};

std::string to_json_line(const HuntResult& result);
// Every line of the text; a last line that was cut off is left out. The error names the line.
Result<std::vector<HuntResult>> hunt_results_of(std::string_view text, std::string_view file_name);

}  // namespace cqfuzz
