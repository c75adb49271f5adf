// triage: a folder of crash files, grouped by signature; of each group the smallest, minimised.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>
#include <vector>

#include "harness/cli/case_file.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/known_file.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/cli/trial_process.hpp"
#include "harness/report/printable.hpp"
#include "harness/scenario/verbs.hpp"
#include "harness/search/hunt.hpp"

namespace cqfuzz::cli {

namespace {

namespace fs = std::filesystem;

struct Crash {
    std::string path;
    std::size_t size_bytes = 0;
    TrialOutcome outcome;
};

Result<std::vector<Crash>> crashes_in(const std::string& folder) {
    std::vector<Crash> crashes;
    std::error_code error;
    for (fs::directory_iterator item(folder, error); !error && item != fs::directory_iterator();
         item.increment(error)) {
        std::error_code unknown;
        if (!item->is_regular_file(unknown)) continue;
        crashes.push_back({item->path().string(), item->file_size(unknown), {}});
    }
    if (error) return Error{fmt::format("{}: cannot be read: {}", folder, error.message())};
    if (crashes.empty()) return Error{folder + ": no file in this folder"};
    std::sort(crashes.begin(), crashes.end(),
              [](const Crash& a, const Crash& b) { return a.path < b.path; });
    return crashes;
}

// In the child: a file that breaks the harness ends only itself.
TrialOutcome run_crash(const std::string& path, const std::string& fault_flag) {
    TrialOutcome outcome;
    const Result<Case> content = load_case(path);
    std::string fault;
    const Result<rt::FaultSet> faults =
        content ? chosen_faults(fault_flag, content.value().fault, fault)
                : Result<rt::FaultSet>(Error{content.message()});
    if (!faults) {
        outcome.verdict = "unreadable";
        outcome.summary = faults.message();
        return outcome;
    }
    Runner runner;
    RunOptions options;
    options.faults = faults.value();
    options.on_progress = [](std::uint32_t) { return !interrupted(); };
    const Verdict verdict = runner.run(content.value().scenario, options);
    outcome.found = verdict.bad();
    outcome.interrupted = interrupted();
    outcome.verdict = name_of(verdict.kind);
    outcome.signature = verdict.bad() ? verdict.violation.signature() : "";
    outcome.summary = verdict.violation.summary;
    return outcome;
}

// In the child: the minimised case, written. What is there already is left, so a triage that was
// interrupted goes on.
TrialOutcome minimise_crash(const Crash& crash, const std::string& to,
                            const TriageArguments& arguments) {
    TrialOutcome outcome = crash.outcome;
    std::error_code error;
    if (fs::exists(to, error)) return outcome;
    Result<Case> read = load_case(crash.path);
    if (!read) return outcome;
    Case content = read.take();
    std::string fault;
    RunOptions options;
    options.faults = chosen_faults(arguments.fault, content.fault, fault).value();
    options.on_progress = [](std::uint32_t) { return !interrupted(); };
    Runner runner;
    const Verdict verdict = runner.run(content.scenario, options);
    const MinimisedFinding small =
        minimise_finding(runner, content.scenario, verdict, options, arguments.runs_max);
    if (interrupted()) return outcome;
    content.scenario = small.scenario;
    content.title = small.verdict.violation.summary;
    content.expected = name_of(small.verdict.kind);
    content.fault = fault;
    outcome.scenarios = op_weight(small.scenario);
    outcome.summary = write_case(to, content);
    outcome.found = outcome.summary.empty();
    return outcome;
}

using Groups = std::map<std::string, std::vector<const Crash*>>;  // by signature, or by how it ends

Groups groups_of(const std::vector<Crash>& crashes) {
    Groups groups;
    for (const Crash& crash : crashes) {
        const TrialOutcome& o = crash.outcome;
        groups[o.found ? o.signature : o.lost ? "ends the process" : o.verdict].push_back(&crash);
    }
    return groups;
}

// Of each group that is a finding and not known; the known ones are counted.
std::vector<std::pair<std::string, const Crash*>> smallest_of(const Groups& groups,
                                                              KnownFindings& known) {
    std::vector<std::pair<std::string, const Crash*>> smallest;
    for (const auto& [signature, members] : groups) {
        if (const std::optional<std::size_t> index = known.find(signature)) {
            known.count(*index, members.size());
        } else if (members.front()->outcome.found) {
            const Crash* first = *std::min_element(
                members.begin(), members.end(),
                [](const Crash* a, const Crash* b) { return a->size_bytes < b->size_bytes; });
            smallest.emplace_back(signature, first);
        }
    }
    return smallest;
}

}  // namespace

int command_triage(const TriageArguments& arguments) {
    Result<KnownFindings> read = read_known(arguments.known);
    if (!read) return bad_input(read.message());
    KnownFindings known = read.take();
    Result<std::vector<Crash>> found = crashes_in(arguments.folder);
    if (!found) return bad_input(found.message());
    std::vector<Crash> crashes = found.take();
    std::error_code error;
    fs::create_directories(arguments.out, error);
    if (error) return bad_input(fmt::format("{}: {}", arguments.out, error.message()));
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const std::uint32_t jobs =
        arguments.jobs != 0 ? arguments.jobs : static_cast<std::uint32_t>(std::max(cores, 1L));
    ProgressLine progress;
    std::size_t done = 0;
    run_trials(
        static_cast<std::uint32_t>(crashes.size()), jobs,
        [&](std::uint32_t i) { return run_crash(crashes[i].path, arguments.fault); },
        [&](std::uint32_t i, const TrialOutcome& outcome) {
            crashes[i].outcome = outcome;
            ++done;
        },
        [&] {
            progress.show("run", done, crashes.size());
            return !interrupted();
        });
    progress.clear();
    if (interrupted()) return told_interrupted();

    const Groups groups = groups_of(crashes);
    const std::vector<std::pair<std::string, const Crash*>> smallest = smallest_of(groups, known);
    const auto path_of = [&](const std::string& signature) {
        return (fs::path(arguments.out) / (file_name_of_signature(signature) + ".toml")).string();
    };
    done = 0;
    run_trials(
        static_cast<std::uint32_t>(smallest.size()), jobs,
        [&](std::uint32_t i) {
            return minimise_crash(*smallest[i].second, path_of(smallest[i].first), arguments);
        },
        [&](std::uint32_t, const TrialOutcome&) { ++done; },
        [&] {
            progress.show("minimised", done, smallest.size());
            return !interrupted();
        });
    progress.clear();
    for (const auto& [signature, members] : groups) {
        if (known.find(signature)) continue;
        const std::string path = path_of(signature);
        const bool small = members.front()->outcome.found && fs::exists(path, error);
        fmt::print("{:>6}  {}\n        {}\n", members.size(), printable(signature),
                   printable(small ? path : members.front()->path));
    }
    if (!known.empty()) fmt::print("{}", known.summary());
    if (interrupted()) return told_interrupted();
    return smallest.empty() ? kExitPass : kExitViolation;
}

}  // namespace cqfuzz::cli
