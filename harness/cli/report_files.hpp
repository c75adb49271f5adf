// The files that a command writes beside its text: page, Perfetto trace, SARIF, JUnit, command
// words. They need every event, so the scenario is run again.
#pragma once

#include <string>
#include <string_view>

#include "harness/report/finding.hpp"
#include "harness/run/run.hpp"

namespace cqfuzz::cli {

// Paths; empty: not asked for.
struct ReportFiles {
    std::string html, perfetto, sarif, junit, commands;

    bool any() const {
        return !(html.empty() && perfetto.empty() && sarif.empty() && junit.empty() &&
                 commands.empty());
    }
};

// Empty, or what could not be written. `toml` is the case as text. The runner keeps the second run.
std::string write_report_files(const ReportFiles& files, const Finding& finding,
                               std::string_view toml, Runner& runner, RunOptions options);

}  // namespace cqfuzz::cli
