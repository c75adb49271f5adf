// A case: a corpus file. Title, format version, expected verdict, options where they matter, and
// the scenario.
#pragma once

#include <string>
#include <string_view>

#include "harness/base/result.hpp"
#include "harness/scenario/scenario.hpp"

namespace cqfuzz {

inline constexpr int kCaseFormat = 1;

struct Case {
    std::string title;  // the first line of the file is "# " + title
    int format = kCaseFormat;
    std::string expected = "pass";  // verdict name; with `fault`, the verdict under that fault
    std::string fault;              // "" or a name of `cqfuzz faults`
    Scenario scenario;
};

Result<Case> case_from_toml(std::string_view text, std::string_view file_name);
std::string case_to_toml(const Case& c);

}  // namespace cqfuzz
