#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <span>
#include <system_error>

#include "harness/cli/case_file.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/known_file.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/cli/trial_process.hpp"
#include "harness/report/json_report.hpp"
#include "harness/scenario/verbs.hpp"
#include "harness/search/hunt.hpp"

namespace cqfuzz::cli {

namespace {

constexpr int kExitNotFound = 1;

HuntOptions options_of(const HuntArguments& arguments, const rt::FaultSet& faults,
                       std::uint32_t trial) {
    HuntOptions options;
    options.faults = faults;
    options.seed = arguments.seed + trial;
    options.scenarios_max = arguments.scenarios_max;
    options.ops_max = arguments.ops_max;
    options.order = arguments.order;
    options.relaxed = arguments.relaxed;
    options.one_domain = !arguments.target.empty();
    if (options.one_domain) options.domain = domain_named(arguments.target).value();
    return options;
}

// In the child.
TrialOutcome run_trial(const HuntArguments& arguments, const rt::FaultSet& faults,
                       std::uint32_t trial, SharedCounts& counts, KnownFindings known) {
    HuntOptions options = options_of(arguments, faults, trial);
    options.is_known = [&known](const Verdict& verdict) {
        const std::optional<std::size_t> index = known.find(verdict.violation.signature());
        if (index) known.count(*index);
        return index.has_value();
    };
    options.on_progress = [&](std::uint64_t scenarios) {
        counts.set(trial, scenarios);
        return !interrupted();
    };
    Runner runner;
    const HuntTrial result = hunt(runner, options);
    TrialOutcome outcome;
    outcome.found = result.found;
    outcome.scenarios = result.scenarios;
    outcome.moves = result.moves;
    outcome.fault_reached = result.fault_reached;
    outcome.known = counts_text(known);
    outcome.verdict = name_of(result.verdict.kind);
    outcome.interrupted =
        !result.found && interrupted() && result.scenarios < options.scenarios_max;
    if (outcome.interrupted) outcome.verdict = "interrupted";
    if (result.found) {
        outcome.signature = result.verdict.violation.signature();
        outcome.summary = result.verdict.violation.summary;
        const std::vector<std::byte> bytes = encode(result.scenario);
        outcome.scenario.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
    if (arguments.reach) {
        const Reach& reach = runner.reach();
        const double runs = static_cast<double>(std::max<std::uint64_t>(reach.runs(), 1));
        outcome.reach = fmt::format(
            "{} scenarios, {:.1f} commands each, {:.1f} % with at least 8 dispatched commands\n{}",
            reach.runs(), static_cast<double>(reach.commands()) / runs,
            100.0 * static_cast<double>(reach.runs_with_eight_commands()) / runs, reach.table());
    }
    return outcome;
}

std::string kept_path(const HuntArguments& arguments, std::uint64_t seed) {
    return (std::filesystem::path(arguments.keep) /
            fmt::format("{}-{}.toml", arguments.fault, seed))
        .string();
}

// Writes what was found; "" when it could not be, which is told.
std::string keep(const HuntArguments& arguments, std::uint64_t seed, const TrialOutcome& outcome) {
    Case content;
    content.title = outcome.summary;
    content.expected = outcome.verdict;
    if (arguments.fault != "none") content.fault = arguments.fault;
    content.scenario =
        decode(std::as_bytes(std::span(outcome.scenario.data(), outcome.scenario.size())));
    const std::string path = kept_path(arguments, seed);
    const std::string mistake = write_case(path, content);
    if (mistake.empty()) return path;
    bad_input(mistake);
    return "";
}

// Of an even count the mean of the two in the middle, rounded down.
std::uint64_t median(std::vector<std::uint64_t> values) {
    std::sort(values.begin(), values.end());
    const std::uint64_t lower = values[(values.size() - 1) / 2];
    return lower + (values[values.size() / 2] - lower) / 2;
}

HuntRow row_of(std::uint64_t seed, const TrialOutcome& outcome) {
    HuntRow row;
    row.seed = seed;
    row.found = outcome.found;
    row.scenarios = outcome.scenarios;
    row.moves = outcome.moves;
    row.fault_reached = outcome.fault_reached;
    row.verdict = outcome.verdict;
    row.signature = outcome.signature;
    row.interrupted = outcome.interrupted;
    return row;
}

void print_row(const HuntRow& row, const std::string& summary) {
    fmt::print("seed {:<6} {:<11} {:>10} scenarios {:>14} moves  {}\n", row.seed,
               row.found || row.interrupted ? row.verdict : "not found", row.scenarios, row.moves,
               row.found ? row.signature : summary);
    std::fflush(stdout);
}

void print_summary(const HuntArguments& arguments, const std::vector<HuntRow>& rows) {
    std::vector<std::uint64_t> scenarios, moves;
    for (const HuntRow& row : rows) {
        if (!row.found) continue;
        scenarios.push_back(row.scenarios);
        moves.push_back(row.moves);
    }
    fmt::print("{}: found in {} of {} trials", arguments.fault, scenarios.size(), rows.size());
    const auto cut =
        std::count_if(rows.begin(), rows.end(), [](const HuntRow& row) { return row.interrupted; });
    if (cut != 0) fmt::print(", {} of them interrupted", cut);
    if (!scenarios.empty()) {
        fmt::print("; scenarios: median {}, most {}; moves: median {}, most {}", median(scenarios),
                   *std::max_element(scenarios.begin(), scenarios.end()), median(moves),
                   *std::max_element(moves.begin(), moves.end()));
    }
    fmt::print("\n");
}

int exit_code_for(const HuntArguments& arguments, const std::vector<HuntRow>& rows, bool lost,
                  bool unkept) {
    if (lost) return kExitHarnessFault;
    if (unkept) return kExitBadUsage;
    const bool sound = arguments.fault == "none";
    for (const HuntRow& row : rows) {
        if (sound && row.found) return kExitViolation;
        if (!sound && !row.found) return kExitNotFound;
    }
    return kExitPass;
}

}  // namespace

int command_hunt(const HuntArguments& arguments) {
    if (arguments.fault == "all") return command_hunt_all(arguments);
    std::string fault;
    const Result<rt::FaultSet> faults = chosen_faults(arguments.fault, "", fault);
    if (!faults) return bad_input(faults.message());
    std::error_code error;
    if (!arguments.keep.empty()) std::filesystem::create_directories(arguments.keep, error);
    if (error) return bad_input(fmt::format("{}: {}", arguments.keep, error.message()));
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const std::uint32_t jobs =
        arguments.jobs != 0 ? arguments.jobs : static_cast<std::uint32_t>(std::max(cores, 1L));

    Result<KnownFindings> read = read_known(arguments.known);
    if (!read) return bad_input(read.message());
    KnownFindings known = read.take();
    Heartbeat heartbeat(arguments.stats_json, "hunt");
    Heartbeat::Figures figures;
    figures.trials = arguments.trials;

    SharedCounts counts(arguments.trials);
    ProgressLine progress;
    std::vector<HuntRow> rows;
    std::string reach;
    bool lost = false;
    bool unkept = false;
    run_trials(
        arguments.trials, jobs,
        [&](std::uint32_t trial) {
            return run_trial(arguments, faults.value(), trial, counts, known);
        },
        [&](std::uint32_t trial, const TrialOutcome& outcome) {
            HuntRow row = row_of(arguments.seed + trial, outcome);
            if (outcome.found && !arguments.keep.empty()) {
                row.path = keep(arguments, row.seed, outcome);
                unkept = unkept || row.path.empty();
            }
            lost = lost || outcome.lost;
            ++figures.trials_done;
            figures.findings += outcome.found ? 1 : 0;
            add_counts(known, outcome.known);
            progress.clear();
            if (!arguments.json) print_row(row, outcome.summary);
            reach += outcome.reach;
            rows.push_back(std::move(row));
        },
        [&] {
            figures.scenarios = counts.sum();
            figures.known_findings = known.met();
            heartbeat.beat(figures);
            progress.show("hunt " + arguments.fault, rows.size(), arguments.trials,
                          fmt::format("{} scenarios", counts.sum()));
            return !interrupted();
        });
    progress.clear();
    std::sort(rows.begin(), rows.end(),
              [](const HuntRow& a, const HuntRow& b) { return a.seed < b.seed; });
    if (arguments.json) {
        fmt::print("{}", hunt_json(arguments.fault, rows, interrupted()));
    } else {
        print_summary(arguments, rows);
        if (!known.empty()) fmt::print("{}", known.summary());
        fmt::print("{}", reach);
    }
    figures.scenarios = counts.sum();
    figures.known_findings = known.met();
    if (const std::string mistake = heartbeat.end(figures); !mistake.empty())
        return bad_input(mistake);
    if (interrupted()) return told_interrupted();
    return exit_code_for(arguments, rows, lost, unkept);
}

}  // namespace cqfuzz::cli
