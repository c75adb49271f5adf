// coverage: what scenarios of a target, or the inputs of a corpus, reach, as a table with its
// holes.
#include <fmt/core.h>

#include <algorithm>

#include "harness/cli/case_file.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/file_bytes.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/report/coverage_report.hpp"
#include "harness/scenario/verbs.hpp"

namespace cqfuzz::cli {

namespace {

constexpr std::uint32_t kOpsMax = 64;

RunOptions run_options() {
    RunOptions options;
    options.on_progress = [](std::uint32_t) { return !interrupted(); };
    return options;
}

void run_drawn(Runner& runner, Domain domain, const CoverageArguments& arguments) {
    Rng rng(arguments.seed);
    ProgressLine progress;
    for (std::uint64_t i = 0; i < arguments.scenarios && !interrupted(); ++i) {
        progress.show("coverage of " + arguments.what, i, arguments.scenarios);
        runner.run(generate(domain, rng, kOpsMax), run_options());
    }
}

std::string run_inputs(Runner& runner, const std::string& path) {
    const Result<std::vector<std::string>> files = input_files(path);
    if (!files) return files.message();
    ProgressLine progress;
    std::size_t done = 0;
    for (const std::string& file : files.value()) {
        progress.show("coverage", done++, files.value().size());
        const Result<Case> content = load_case(file);
        if (!content) return content.message();
        runner.run(content.value().scenario, run_options());
        if (interrupted()) break;
    }
    return "";
}

}  // namespace

int command_coverage(const CoverageArguments& arguments) {
    Runner runner;
    if (const std::optional<Domain> domain = domain_named(arguments.what)) {
        run_drawn(runner, *domain, arguments);
    } else if (const std::string mistake = run_inputs(runner, arguments.what); !mistake.empty()) {
        return bad_input(mistake);
    }
    if (interrupted()) return told_interrupted();
    fmt::print("{}", coverage_text(runner.reach()));
    if (arguments.html.empty()) return kExitPass;
    const std::string mistake =
        write_file(arguments.html, coverage_html(runner.reach(), arguments.what));
    return mistake.empty() ? kExitPass : bad_input(mistake);
}

}  // namespace cqfuzz::cli
