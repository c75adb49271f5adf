// The finding in formats that other tools read: SARIF 2.1.0 for code scanning, JUnit XML for CI,
// and Chrome's trace format for Perfetto (ui.perfetto.dev).
#pragma once

#include <string>

#include "harness/report/finding.hpp"
#include "harness/report/recording.hpp"

namespace cqfuzz {

// One run with no result, or one. `version` of the tool.
std::string sarif_report(const Finding& finding, const std::string& version);
// One suite of one case; a bad verdict is a failure, of the harness an error.
std::string junit_report(const Finding& finding, double seconds);
// A thread per core: commands, kernels and transactions by step (a step is a microsecond there); a
// counter per ring: pages that are the consumer's.
std::string perfetto_trace(const Recording& recording);

}  // namespace cqfuzz
