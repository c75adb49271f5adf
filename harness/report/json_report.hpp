// Reports for machines. nlohmann/json stays inside json_report.cpp, in a library that fuzz targets
// do not link.
//
// Every document has "cqfuzz" (the format, 1) and "command". Keys are only ever added.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/report/finding.hpp"

namespace cqfuzz {

inline constexpr int kJsonFormat = 1;

std::string run_json(const Finding& finding);

struct StressFigures {
    std::string load;
    std::uint32_t layers = 0;
    std::uint32_t iterations = 0;
    std::uint32_t iterations_done = 0;
    double seconds = 0;
};
std::string stress_json(const Finding& finding, const StressFigures& figures);

struct HuntRow {
    std::uint64_t seed = 0;
    bool found = false;
    std::uint64_t scenarios = 0;
    std::uint64_t moves = 0;
    std::uint64_t fault_reached = 0;
    std::string verdict;
    std::string signature;
    std::string path;          // of the scenario, if it was kept
    bool interrupted = false;  // before it found anything; its verdict is "interrupted"
};
std::string hunt_json(std::string_view fault, std::span<const HuntRow> rows,
                      bool interrupted = false);

struct FaultRow {
    std::string_view name, sentence, source, invariant, place;
};
struct FaultGroupRow {
    std::string_view name;
    std::vector<std::string_view> members;
};
std::string faults_json(std::span<const FaultRow> rows, std::span<const FaultGroupRow> groups);

}  // namespace cqfuzz
