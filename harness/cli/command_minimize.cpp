#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "harness/cli/case_file.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/file_bytes.hpp"
#include "harness/cli/order_needed.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/report/printable.hpp"
#include "harness/report/text_report.hpp"
#include "harness/scenario/verbs.hpp"
#include "harness/search/hunt.hpp"

namespace cqfuzz::cli {

namespace {

// A title that was made (from what was found, or from a file's name) tells of the new finding; a
// person's is kept.
void retitle(Case& content, const std::string& file, const Verdict& before, const Verdict& after) {
    const std::string name = std::filesystem::path(file).filename().string();
    const bool made =
        content.title.empty() || content.title == name || content.title == before.violation.summary;
    if (made) content.title = after.violation.summary;
}

// A test to paste: the case as text, run, and held to its verdict.
std::string gtest_of(const Case& content) {
    return fmt::format(R"test(#include <gtest/gtest.h>

#include "harness/run/run.hpp"
#include "harness/scenario/case.hpp"

// {title}
TEST(RegressionTest, Reproduces) {{
    const auto read = cqfuzz::case_from_toml(R"toml({toml})toml", "embedded");
    ASSERT_TRUE(read.ok()) << read.message();
    cqfuzz::Runner runner;
    cqfuzz::RunOptions options;
    if (!read.value().fault.empty())
        options.faults = *cqfuzz::rt::faults_named(read.value().fault);
    const cqfuzz::Verdict verdict = runner.run(read.value().scenario, options);
    EXPECT_EQ(cqfuzz::name_of(verdict.kind), read.value().expected) << verdict.violation.summary;
}}
)test",
                       fmt::arg("title", content.title), fmt::arg("toml", case_to_toml(content)));
}

}  // namespace

int command_minimize(const MinimizeArguments& arguments) {
    Result<Case> read = load_case(arguments.file);
    if (!read) return bad_input(read.message());
    Case content = read.take();
    std::string fault;
    const Result<rt::FaultSet> faults = chosen_faults(arguments.fault, content.fault, fault);
    if (!faults) return bad_input(faults.message());

    Runner runner;
    RunOptions options;
    options.faults = faults.value();
    options.on_progress = [](std::uint32_t) { return !interrupted(); };
    const Verdict verdict = runner.run(content.scenario, options);
    if (!verdict.bad()) {
        if (interrupted()) return told_interrupted();
        return bad_input(fmt::format("{}: passes{}; there is nothing to minimize", arguments.file,
                                     fault.empty() ? "" : " with fault " + fault));
    }
    const std::uint32_t ops_before = op_weight(content.scenario);
    const std::size_t bytes_before = encode(content.scenario).size();
    // Interrupted, it ends soon: no further step is seen to fail.
    MinimisedFinding small =
        minimise_finding(runner, content.scenario, verdict, options, arguments.runs_max);
    options.on_progress = nullptr;
    if (interrupted()) small.verdict = runner.run(small.scenario, options);
    const MachineView view = runner.view();
    retitle(content, arguments.file, verdict, small.verdict);

    content.scenario = small.scenario;
    content.expected = name_of(small.verdict.kind);
    content.fault = fault;
    if (const std::string mistake = write_case(arguments.out, content); !mistake.empty())
        return bad_input(mistake);

    if (!arguments.gtest.empty()) {
        const std::string mistake = write_file(arguments.gtest, gtest_of(content));
        if (!mistake.empty()) return bad_input(mistake);
    }

    Finding finding;
    finding.verdict = &small.verdict;
    finding.scenario = &content.scenario;
    finding.view = &view;
    finding.path = arguments.out;
    finding.fault = fault;
    finding.order_run = std::min(content.scenario.order, options.order_max);
    options.on_progress = [](std::uint32_t) { return !interrupted(); };
    if (!interrupted())
        finding.order_needed = order_needed(runner, content.scenario, options, small.verdict);
    finding.replay = fmt::format("cqfuzz run {}{}{}", shell_path(arguments.out),
                                 fault.empty() ? "" : " --fault ", fault);
    fmt::print("{}", text_report(finding, {.verbose = true, .colour = wants_colour()}));
    fmt::print("  {} -> {} host actions, {} -> {} bytes, {} deviations, {} runs; {}\n", ops_before,
               op_weight(content.scenario), bytes_before, encode(content.scenario).size(),
               content.scenario.schedule.deviations.size(), small.runs,
               interrupted()    ? "interrupted before it was smallest"
               : small.complete ? "no single step makes it smaller"
                                : "the runs were spent before it was smallest");
    return interrupted() ? told_interrupted() : kExitPass;
}

}  // namespace cqfuzz::cli
