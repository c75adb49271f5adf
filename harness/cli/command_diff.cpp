#include <fmt/core.h>

#include "harness/cli/case_file.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/event_log.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/report/printable.hpp"

namespace cqfuzz::cli {

namespace {

constexpr int kExitDiffer = 1;

void tell(const std::string& name, const RunSummary& run) {
    fmt::print("{}: {}, {} log entries, fingerprint {:016x}{}\n", name, name_of(run.verdict.kind),
               run.stats.log_entries, run.fingerprint,
               run.stats.truncated ? "; the move budget ended it" : "");
}

}  // namespace

int command_diff(const DiffArguments& arguments) {
    const std::string* const paths[2] = {&arguments.first, &arguments.second};
    Scenario scenarios[2];
    RunOptions options[2];
    for (int i = 0; i < 2; ++i) {
        Result<Case> content = load_case(*paths[i]);
        if (!content) return bad_input(content.message());
        std::string fault;
        Result<rt::FaultSet> faults = chosen_faults(arguments.fault, content.value().fault, fault);
        if (!faults) return bad_input(faults.message());
        scenarios[i] = content.value().scenario;
        options[i].faults = faults.value();
        options[i].on_progress = [](std::uint32_t) { return !interrupted(); };
    }
    const std::string names[2] = {printable(arguments.first), printable(arguments.second)};
    Runner runner;
    const EventLog first = run_and_keep(runner, scenarios[0], options[0]);
    if (interrupted()) return told_interrupted();
    tell(names[0], first.run);
    LogComparison comparison(first);
    const RunSummary second = run_and_compare(runner, scenarios[1], options[1], comparison);
    if (interrupted()) return told_interrupted();
    tell(names[1], second);
    const std::optional<std::string> difference = comparison.difference(second, names[0], names[1]);
    if (!difference) {
        fmt::print("the runs are the same\n");
        return kExitPass;
    }
    fmt::print("{}", *difference);
    return kExitDiffer;
}

}  // namespace cqfuzz::cli
