// explain: run, minimise, story and page in one go; keep: a finding as a regression case.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "harness/cli/case_file.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/order_needed.hpp"
#include "harness/cli/report_files.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/report/printable.hpp"
#include "harness/report/text_report.hpp"
#include "harness/scenario/verbs.hpp"
#include "harness/search/hunt.hpp"

namespace cqfuzz::cli {

namespace {

namespace fs = std::filesystem;

// A file, read, with the faults to run it with.
struct Subject {
    Case content;
    std::string fault;
    RunOptions options;
};

Result<Subject> subject_of(const std::string& file, const std::string& fault) {
    Result<Case> read = load_case(file);
    if (!read) return Error{read.message()};
    Subject subject;
    subject.content = read.take();
    const Result<rt::FaultSet> faults = chosen_faults(fault, subject.content.fault, subject.fault);
    if (!faults) return Error{faults.message()};
    subject.options.faults = faults.value();
    subject.options.on_progress = [](std::uint32_t) { return !interrupted(); };
    return subject;
}

std::string beside(const std::string& folder, const std::string& file, std::string_view ending) {
    const std::string stem = fs::path(file).stem().string();
    return (fs::path(folder) / (stem + std::string(ending))).string();
}

}  // namespace

int command_explain(const ExplainArguments& arguments) {
    Result<Subject> made = subject_of(arguments.file, arguments.fault);
    if (!made) return bad_input(made.message());
    Subject subject = made.take();
    std::error_code error;
    fs::create_directories(arguments.out, error);
    if (error) return bad_input(fmt::format("{}: {}", arguments.out, error.message()));
    Runner runner;
    const Verdict verdict = runner.run(subject.content.scenario, subject.options);
    if (interrupted()) return told_interrupted();
    if (!verdict.bad()) {
        fmt::print("pass: {}{}; there is nothing to explain\n", printable(arguments.file),
                   subject.fault.empty() ? "" : " with fault " + subject.fault);
        return kExitPass;
    }
    const MinimisedFinding small = minimise_finding(runner, subject.content.scenario, verdict,
                                                    subject.options, arguments.runs_max);
    if (interrupted()) return told_interrupted();
    const MachineView view = runner.view();
    const RunStats stats = runner.stats();
    subject.content.scenario = small.scenario;
    subject.content.title = small.verdict.violation.summary;
    subject.content.expected = name_of(small.verdict.kind);
    subject.content.fault = subject.fault;
    const std::string toml = beside(arguments.out, arguments.file, ".small.toml");
    if (const std::string mistake = write_case(toml, subject.content); !mistake.empty())
        return bad_input(mistake);

    Finding finding;
    finding.verdict = &small.verdict;
    finding.scenario = &subject.content.scenario;
    finding.view = &view;
    finding.stats = &stats;
    finding.path = toml;
    finding.fault = subject.fault;
    finding.order_run = std::min(small.scenario.order, subject.options.order_max);
    finding.order_needed = order_needed(runner, small.scenario, subject.options, small.verdict);
    const std::uint32_t op = small.verdict.violation.op_index;
    if (op < action_count(small.scenario)) finding.op_toml = op_toml_line(small.scenario, op);
    finding.replay = fmt::format("cqfuzz run {}{}{}", shell_path(toml),
                                 subject.fault.empty() ? "" : " --fault ", subject.fault);
    fmt::print("{}", text_report(finding, {.verbose = true, .colour = wants_colour()}));
    ReportFiles files;
    files.html = beside(arguments.out, arguments.file, ".html");
    const std::string mistake =
        write_report_files(files, finding, case_to_toml(subject.content), runner, subject.options);
    if (!mistake.empty()) return bad_input(mistake);
    fmt::print("  case      {}\n  page      {}\n", printable(toml), printable(files.html));
    return exit_code_of(small.verdict.kind);
}

int command_keep(const KeepArguments& arguments) {
    Result<Subject> made = subject_of(arguments.file, arguments.fault);
    if (!made) return bad_input(made.message());
    Subject subject = made.take();
    Runner runner;
    const Verdict verdict = runner.run(subject.content.scenario, subject.options);
    if (interrupted()) return told_interrupted();
    if (!arguments.title.empty()) {
        subject.content.title = arguments.title;
    } else if (verdict.bad()) {
        subject.content.title = verdict.violation.summary;
    }
    if (subject.content.title.empty() || subject.content.title.find('\n') != std::string::npos)
        return bad_input("a regression case begins with a sentence: give one with --title");
    subject.content.fault = subject.fault;
    // With a fault the case shows it for ever. Without one it shows what has to be mended.
    subject.content.expected = subject.fault.empty() ? "pass" : std::string(name_of(verdict.kind));
    if (const std::string mistake = write_case(arguments.out, subject.content); !mistake.empty())
        return bad_input(mistake);
    fmt::print("{}: expects {}{}\n", printable(arguments.out), subject.content.expected,
               subject.fault.empty() ? "" : " with fault " + subject.fault);
    if (subject.fault.empty() && verdict.bad())
        fmt::print("it fails today ({}); it passes once the cause is mended\n",
                   name_of(verdict.kind));
    return kExitPass;
}

}  // namespace cqfuzz::cli
