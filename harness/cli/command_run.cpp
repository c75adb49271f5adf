#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "harness/cli/case_file.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/event_log.hpp"
#include "harness/cli/order_needed.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/report/json_report.hpp"
#include "harness/report/printable.hpp"
#include "harness/report/text_report.hpp"
#include "harness/run/oracle_choice.hpp"
#include "harness/scenario/verbs.hpp"

namespace cqfuzz::cli {

namespace {

// Everything that the verdict depends on.
std::string replay_command(const RunArguments& arguments, const Case& content,
                           const std::string& fault) {
    std::string command = "cqfuzz run " + shell_path(arguments.file);
    if (!fault.empty()) {
        command += " --fault " + fault;
    } else if (!content.fault.empty()) {
        command += " --fault none";
    }
    if (arguments.order) command += " --order " + name_of(*arguments.order);
    for (std::size_t i = 0; i < kRelaxationNames.size() && arguments.relaxed != kRelaxAll; ++i)
        if ((arguments.relaxed & 1u << i) != 0)
            command += fmt::format(" --relax {}", kRelaxationNames[i]);
    for (const std::string& name : arguments.without_oracles)
        command += " --without-oracle " + shell_word(name);
    if (arguments.moves_max != RunOptions{}.moves_max)
        command += fmt::format(" --moves-max {}", arguments.moves_max);
    if (arguments.schedule_seeds != 0)
        command += fmt::format(" --schedule-seeds {}", arguments.schedule_seeds);
    return command;
}

// A scenario's schedule replaced by the `seed`-th of a series that takes the strategies in turn.
Schedule series_schedule(std::uint32_t seed) {
    constexpr Strategy kSeries[] = {Strategy::producer_at_once, Strategy::random_walk,
                                    Strategy::pct};
    Schedule schedule;
    schedule.strategy = kSeries[seed % 3];
    schedule.seed = seed;
    return schedule;
}

struct Outcome {
    Verdict verdict;
    Scenario scenario;  // that gave it
    RunStats stats;
    std::uint64_t fingerprint = 0;
};

Outcome run_once(Runner& runner, const Scenario& scenario, const RunOptions& options) {
    Outcome outcome;
    outcome.scenario = scenario;
    outcome.verdict = runner.run(scenario, options);
    outcome.stats = runner.stats();
    outcome.fingerprint = runner.fingerprint();
    return outcome;
}

// The first bad outcome, or the last one; prints how often each verdict came.
Outcome run_series(Runner& runner, const Scenario& scenario, const RunOptions& options,
                   const RunArguments& arguments) {
    Outcome told;
    std::map<std::string, std::uint32_t> counts;
    ProgressLine progress;
    for (std::uint32_t seed = 0; seed < arguments.schedule_seeds && !interrupted(); ++seed) {
        Scenario next = scenario;
        next.schedule = series_schedule(seed);
        Outcome outcome = run_once(runner, next, options);
        const Verdict& verdict = outcome.verdict;
        std::string key(name_of(verdict.kind));
        if (outcome.stats.truncated)
            key += interrupted() ? ", interrupted" : ", as far as the move budget went";
        if (verdict.bad()) key += " " + verdict.violation.signature();
        ++counts[key];
        if (!told.verdict.bad()) told = std::move(outcome);
        progress.show("schedules", seed + 1, arguments.schedule_seeds);
    }
    progress.clear();
    if (!arguments.json) {
        for (const auto& [key, count] : counts) fmt::print("{:>6}  {}\n", count, key);
    }
    return told;
}

// Empty when the same scenario ran alike twice, as far as it ran.
std::string difference_of_two(Runner& runner, const Scenario& scenario, const RunOptions& options) {
    const EventLog first = run_and_keep(runner, scenario, options);
    if (interrupted()) return "";
    LogComparison comparison(first);
    const RunSummary second = run_and_compare(runner, scenario, options, comparison);
    return interrupted() ? ""
                         : comparison.difference(second, "first run", "second run").value_or("");
}

void print_report(const Finding& finding, const RunArguments& arguments) {
    if (arguments.json) {
        fmt::print("{}", run_json(finding));
        return;
    }
    const RunStats& stats = *finding.stats;
    fmt::print("{}",
               text_report(finding, {.verbose = arguments.verbose, .colour = wants_colour()}));
    if (stats.truncated && !finding.interrupted) {
        fmt::print(
            "  the move budget of {} ended the run; of the rest nothing is known (--moves-max)\n",
            arguments.moves_max);
    }
    if (arguments.verbose) {
        fmt::print(
            "  {} moves, {} NoC transactions, {} arrivals, {} dispatched commands, fingerprint "
            "{:016x}\n",
            stats.moves, stats.transactions, stats.arrivals, stats.dispatched_commands,
            finding.fingerprint.value_or(0));
    }
}

// A case says how it ends under its own fault and order; asked for anything else, it says nothing.
void tell_expectation(const RunArguments& arguments, const Case& content, const std::string& fault,
                      const Outcome& outcome) {
    const bool as_written = fault == (content.fault == "none" ? "" : content.fault) &&
                            !arguments.order && arguments.schedule_seeds == 0 &&
                            arguments.without_oracles.empty() && !outcome.stats.truncated;
    const std::string missed = against_expectation(content.expected, outcome.verdict.kind);
    if (as_written && !missed.empty()) fmt::print(stderr, "cqfuzz: {}\n", missed);
}

}  // namespace

int command_run(const RunArguments& arguments) {
    bool encoded = false;
    Result<Case> read = load_case(arguments.file, &encoded);
    if (!read) return bad_input(read.message());
    Case content = read.take();
    std::string fault;
    const Result<rt::FaultSet> faults = chosen_faults(arguments.fault, content.fault, fault);
    if (!faults) return bad_input(faults.message());
    const Result<std::uint32_t> oracles = oracles_without(arguments.without_oracles);
    if (!oracles) return bad_input(oracles.message());
    if (arguments.order) content.scenario.order = *arguments.order;

    Runner runner;
    RunOptions options;
    options.faults = faults.value();
    options.oracles = oracles.value();
    options.order_max = content.scenario.order;
    options.relaxed = arguments.relaxed;
    options.moves_max = arguments.moves_max;
    options.on_progress = [](std::uint32_t) { return !interrupted(); };
    const Outcome outcome = arguments.schedule_seeds != 0
                                ? run_series(runner, content.scenario, options, arguments)
                                : run_once(runner, content.scenario, options);
    const MachineView view = runner.view();

    Finding finding;
    finding.verdict = &outcome.verdict;
    finding.scenario = &outcome.scenario;
    finding.view = &view;
    finding.stats = &outcome.stats;
    finding.fingerprint = outcome.fingerprint;
    finding.title = content.title;
    finding.path = arguments.file;
    finding.fault = fault;
    finding.order_run = std::min(outcome.scenario.order, options.order_max);
    finding.replay = replay_command(arguments, content, fault);
    if (outcome.verdict.bad()) {
        if (!interrupted())
            finding.order_needed = order_needed(runner, outcome.scenario, options, outcome.verdict);
        const std::uint32_t op = outcome.verdict.violation.op_index;
        if (op < action_count(outcome.scenario))
            finding.op_toml = op_toml_line(outcome.scenario, op);
    }
    // From here on one answer: what is told is what the process ends with.
    finding.interrupted = interrupted();
    print_report(finding, arguments);
    if (finding.interrupted) return told_interrupted();
    Case told = content;
    told.scenario = outcome.scenario;
    const std::string mistake =
        write_report_files(arguments.files, finding, case_to_toml(told), runner, options);
    if (!mistake.empty()) return bad_input(mistake);
    if (!encoded) tell_expectation(arguments, content, fault, outcome);
    if (arguments.twice) {
        const std::string difference = difference_of_two(runner, outcome.scenario, options);
        if (interrupted()) return told_interrupted();
        if (!difference.empty()) {
            fmt::print(stderr, "two runs of the same scenario differ: {}", difference);
            return kExitHarnessFault;
        }
        if (!arguments.json)
            fmt::print("two runs were the same, fingerprint {:016x}\n", runner.fingerprint());
    }
    return exit_code_of(outcome.verdict.kind);
}

}  // namespace cqfuzz::cli
