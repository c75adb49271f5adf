// Domain coverage as a table with its holes: which commands each actor has executed, in which page
// of a block they begin, and where they end.
#pragma once

#include <string>
#include <string_view>

#include "harness/run/reach.hpp"

namespace cqfuzz {

// A line for each kind of command that an actor has executed. A cell is the number of decimal
// digits of its count, so that a page shows all; a dot is a hole. Ends with what was never executed
// at all.
std::string coverage_text(const Reach& reach);
// The same as one page that needs no network, counts in the cells. `title`: what was run.
std::string coverage_html(const Reach& reach, std::string_view title);

}  // namespace cqfuzz
