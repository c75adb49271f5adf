// The order level that a finding needs, by running it again at each weaker one.
#pragma once

#include <optional>

#include "harness/run/run.hpp"

namespace cqfuzz::cli {

// The weakest level at which the same thing is found, from O0 up to the one of the run. Nullopt
// when interrupted.
std::optional<OrderLevel> order_needed(Runner& runner, const Scenario& scenario,
                                       const RunOptions& options, const Verdict& verdict);

}  // namespace cqfuzz::cli
