#include <fmt/core.h>

#include "harness/cli/case_file.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/event_log.hpp"

namespace cqfuzz::cli {

namespace {

constexpr int kExitDiffer = 1;

}  // namespace

int command_diff(const DiffArguments& arguments) {
    Runner runner;
    EventLog logs[2];
    const std::string* const paths[2] = {&arguments.first, &arguments.second};
    for (int i = 0; i < 2; ++i) {
        Result<Case> content = load_case(*paths[i]);
        if (!content) return bad_input(content.message());
        std::string fault;
        Result<rt::FaultSet> faults = chosen_faults(arguments.fault, content.value().fault, fault);
        if (!faults) return bad_input(faults.message());
        RunOptions options;
        options.faults = faults.value();
        logs[i] = run_and_keep(runner, content.value().scenario, options);
        fmt::print("{}: {}, {} log entries, fingerprint {:016x}\n", *paths[i], name_of(logs[i].verdict.kind),
                   logs[i].entries.size(), logs[i].fingerprint);
    }
    const std::optional<std::string> difference = first_difference(logs[0], logs[1], arguments.first, arguments.second);
    if (!difference) {
        fmt::print("the runs are the same\n");
        return kExitPass;
    }
    fmt::print("{}", *difference);
    return kExitDiffer;
}

}  // namespace cqfuzz::cli
