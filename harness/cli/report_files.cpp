#include "harness/cli/report_files.hpp"

#include <chrono>

#include "harness/cli/file_bytes.hpp"
#include "harness/report/command_listing.hpp"
#include "harness/report/html_report.hpp"
#include "harness/report/machine_reports.hpp"

namespace cqfuzz::cli {

std::string write_report_files(const ReportFiles& files, const Finding& finding,
                               std::string_view toml, Runner& runner, RunOptions options) {
    if (!files.any()) return "";
    Recording recording(*finding.view);
    CommandListing listing(*finding.view);
    options.on_entry = [&](const LogEntry& entry) {
        recording.observe(entry);
        listing.observe(entry);
    };
    const auto begin = std::chrono::steady_clock::now();
    runner.run(*finding.scenario, options);
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    std::string mistake;
    const auto write = [&mistake](const std::string& path, auto&& make) {
        if (mistake.empty() && !path.empty()) mistake = write_file(path, make());
    };
    write(files.html, [&] { return html_report(finding, recording, toml); });
    write(files.perfetto, [&] { return perfetto_trace(recording); });
    write(files.sarif, [&] { return sarif_report(finding, CQFUZZ_VERSION); });
    write(files.junit, [&] { return junit_report(finding, seconds); });
    write(files.commands, [&] { return listing.text(); });
    return mistake;
}

}  // namespace cqfuzz::cli
