// The report a person reads (design §8): one sentence, the story, the order level needed, the
// deviations that matter, the op, and the command that shows it again. Ten lines unless asked for
// all of it.
#pragma once

#include <string>

#include "harness/report/finding.hpp"

namespace cqfuzz {

inline constexpr std::size_t kShortReportLines = 10;

struct TextStyle {
    bool verbose = false;
    bool colour = false;  // only for a terminal
};

// Ends with a newline. A pass is one line.
std::string text_report(const Finding& finding, const TextStyle& style);

}  // namespace cqfuzz
