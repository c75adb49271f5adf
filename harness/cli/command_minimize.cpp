#include <fmt/core.h>

#include <algorithm>

#include "harness/cli/case_file.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/report/text_report.hpp"
#include "harness/scenario/verbs.hpp"
#include "harness/search/hunt.hpp"

namespace cqfuzz::cli {

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
    const Verdict verdict = runner.run(content.scenario, options);
    if (!verdict.bad()) {
        return bad_input(fmt::format("{}: passes{}; there is nothing to minimize", arguments.file,
                                     fault.empty() ? "" : " with fault " + fault));
    }
    const std::uint32_t ops_before = op_weight(content.scenario);
    const std::size_t bytes_before = encode(content.scenario).size();
    const MinimisedFinding small = minimise_finding(runner, content.scenario, verdict, options, arguments.runs_max);

    content.scenario = small.scenario;
    content.expected = name_of(small.verdict.kind);
    content.fault = fault;
    if (const std::string mistake = write_case(arguments.out, content); !mistake.empty()) return bad_input(mistake);

    const MachineView view = runner.view();
    Finding finding;
    finding.verdict = &small.verdict;
    finding.scenario = &content.scenario;
    finding.view = &view;
    finding.path = arguments.out;
    finding.fault = fault;
    finding.order_run = std::min(content.scenario.order, options.order_max);
    finding.replay = fmt::format("cqfuzz run {}{}{}", arguments.out, fault.empty() ? "" : " --fault ", fault);
    fmt::print("{}", text_report(finding, {.verbose = true, .colour = wants_colour()}));
    fmt::print("  {} -> {} host actions, {} -> {} bytes, {} deviations, {} runs; {}\n", ops_before,
               op_weight(content.scenario), bytes_before, encode(content.scenario).size(),
               content.scenario.schedule.deviations.size(), small.runs,
               small.complete ? "no single step makes it smaller" : "the runs were spent before it was smallest");
    return kExitPass;
}

}  // namespace cqfuzz::cli
