#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "harness/cli/case_file.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/event_log.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/report/json_report.hpp"
#include "harness/report/text_report.hpp"
#include "harness/run/oracle_choice.hpp"

namespace cqfuzz::cli {

namespace {

std::string replay_command(const RunArguments& arguments, const std::string& fault) {
    std::string command = "cqfuzz run " + arguments.file;
    if (!fault.empty()) command += " --fault " + fault;
    for (const std::string& name : arguments.without_oracles) command += " --without-oracle " + name;
    return command;
}

// The weakest level at which the same thing is found, from O0 up to the one of the run.
OrderLevel order_needed(Runner& runner, const Scenario& scenario, const RunOptions& options, const Verdict& verdict) {
    const OrderLevel run_at = std::min(scenario.order, options.order_max);
    for (unsigned level = 0; level < static_cast<unsigned>(run_at); ++level) {
        RunOptions weaker = options;
        weaker.order_max = static_cast<OrderLevel>(level);
        const Verdict again = runner.run(scenario, weaker);
        if (again.kind == verdict.kind && again.violation.signature() == verdict.violation.signature()) {
            return static_cast<OrderLevel>(level);
        }
    }
    return run_at;
}

// A scenario's schedule replaced by the `seed`-th of a series that takes the strategies in turn.
Schedule series_schedule(std::uint32_t seed) {
    constexpr Strategy kSeries[] = {Strategy::producer_at_once, Strategy::random_walk, Strategy::pct};
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
Outcome run_series(Runner& runner, const Scenario& scenario, const RunOptions& options, const RunArguments& arguments) {
    Outcome told;
    std::map<std::string, std::uint32_t> counts;
    ProgressLine progress;
    for (std::uint32_t seed = 0; seed < arguments.schedule_seeds && !interrupted(); ++seed) {
        Scenario next = scenario;
        next.schedule = series_schedule(seed);
        Outcome outcome = run_once(runner, next, options);
        const Verdict& verdict = outcome.verdict;
        std::string key(name_of(verdict.kind));
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

// Empty when the same scenario ran alike twice.
std::string difference_of_two(Runner& runner, const Scenario& scenario, const RunOptions& options) {
    const EventLog first = run_and_keep(runner, scenario, options);
    const EventLog second = run_and_keep(runner, scenario, options);
    return first_difference(first, second, "first run", "second run").value_or("");
}

}  // namespace

int command_run(const RunArguments& arguments) {
    Result<Case> read = load_case(arguments.file);
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
    options.moves_max = arguments.moves_max;
    options.on_progress = [](std::uint32_t) { return !interrupted(); };
    catch_interrupts();
    const bool series = arguments.schedule_seeds != 0;
    const Outcome outcome =
        series ? run_series(runner, content.scenario, options, arguments) : run_once(runner, content.scenario, options);
    if (interrupted()) {
        fmt::print(stderr, "interrupted\n");
        return kExitInterrupted;
    }
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
    finding.replay = replay_command(arguments, fault);
    if (series) finding.replay += fmt::format(" --schedule-seeds {}", arguments.schedule_seeds);
    if (outcome.verdict.bad()) {
        finding.order_needed = order_needed(runner, outcome.scenario, options, outcome.verdict);
        const std::uint32_t op = outcome.verdict.violation.op_index;
        if (op < outcome.scenario.ops.size()) finding.op_toml = op_toml_line(outcome.scenario, op);
    }
    if (arguments.json) {
        fmt::print("{}", run_json(finding));
    } else {
        fmt::print("{}", text_report(finding, {.verbose = arguments.verbose, .colour = wants_colour()}));
        if (outcome.stats.truncated) fmt::print("  the move budget ended the run; of the rest nothing is known\n");
        if (arguments.verbose) {
            fmt::print("  {} moves, {} NoC transactions, {} arrivals, {} dispatched commands, fingerprint {:016x}\n",
                       outcome.stats.moves, outcome.stats.transactions, outcome.stats.arrivals,
                       outcome.stats.dispatched_commands, outcome.fingerprint);
        }
    }
    if (arguments.twice) {
        const std::string difference = difference_of_two(runner, outcome.scenario, options);
        if (!difference.empty()) {
            fmt::print(stderr, "two runs of the same scenario differ: {}", difference);
            return kExitHarnessFault;
        }
        if (!arguments.json) fmt::print("two runs were the same, fingerprint {:016x}\n", runner.fingerprint());
    }
    return exit_code_of(outcome.verdict.kind);
}

}  // namespace cqfuzz::cli
