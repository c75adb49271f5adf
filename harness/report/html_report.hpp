// The report as one self-contained page: story, rings over time, cores and channels, scenario, and
// the command that replays it. No network, no framework; its parts lie in harness/report/html/.
#pragma once

#include <string>
#include <string_view>

#include "harness/report/finding.hpp"
#include "harness/report/recording.hpp"

namespace cqfuzz {

// `scenario_toml`: the case as text; the op that the violation names is marked in it.
std::string html_report(const Finding& finding, const Recording& recording,
                        std::string_view scenario_toml);

// Lines [first, behind) of the n-th [[op]] or [[command]] of a case's text; both 0 when there is none.
struct LineRange {
    std::size_t first = 0;
    std::size_t behind = 0;
};
LineRange lines_of_op(std::string_view toml, std::uint32_t op);

}  // namespace cqfuzz
