// hunt all: every fault under several arms, trial after trial in processes of their own, results as
// JSON lines, and the table.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <set>
#include <span>
#include <tuple>

#include "harness/base/fnv.hpp"
#include "harness/cli/case_file.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/coverage_trial.hpp"
#include "harness/cli/file_bytes.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/cli/trial_process.hpp"
#include "harness/search/hunt.hpp"
#include "harness/search/hunt_table.hpp"

namespace cqfuzz::cli {

namespace {

constexpr int kExitNotFound = 1;
constexpr std::uint32_t kFirstTrials = 3;  // of every fault; the others where one of these found it
constexpr std::uint32_t kInfectionChecks = 20;

using Clock = std::chrono::steady_clock;
using Key = std::tuple<std::string, std::string, std::uint64_t, std::uint64_t>;

Key key_of(const HuntResult& r) { return {r.fault, r.arm, r.seed, r.cap}; }

// A campaign: what is known, and the file that it is kept in.
struct Campaign {
    const HuntArguments& arguments;
    std::string build;
    std::vector<HuntResult> results;  // of this build
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> file{nullptr, &std::fclose};
    Clock::time_point begin = Clock::now();
    bool lost = false;

    bool out_of_time() const {
        return arguments.budget_minutes != 0 &&
               Clock::now() - begin > std::chrono::minutes(arguments.budget_minutes);
    }
};

// Trials of different programs are not comparable, so the program itself is the key.
std::string build_id() {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> self(std::fopen("/proc/self/exe", "rb"),
                                                               &std::fclose);
    std::uint64_t hash = kFnvBegin;
    std::vector<std::byte> block(1u << 16);
    std::size_t count = 0;
    while (self && (count = std::fread(block.data(), 1, block.size(), self.get())) != 0)
        hash = fnv1a(std::span(block).first(count), hash);
    return fmt::format("{:016x}", hash);
}

std::vector<std::string> faults_of(const HuntArguments& arguments) {
    if (!arguments.faults.empty()) return arguments.faults;
    std::vector<std::string> faults{"none"};
    for (const std::string_view name : rt::fault_names()) faults.emplace_back(name);
    return faults;
}

void run_in_process(HuntResult& result, std::uint32_t ops_max) {
    HuntOptions options;
    if (result.fault != "none") options.faults = *rt::faults_named(result.fault);
    options.seed = result.seed;
    options.scenarios_max = result.cap;
    options.ops_max = ops_max;
    options.arm = *hunt_arm_named(result.arm);
    options.infection_checks = kInfectionChecks;
    options.on_progress = [](std::uint64_t) { return !interrupted(); };
    Runner runner;
    const HuntTrial trial = hunt(runner, options);
    result.found = trial.found;
    result.scenarios = trial.scenarios;
    result.moves = trial.moves;
    result.reached = trial.fault_reached;
    result.infection_checked = trial.infection_checked;
    result.infected = trial.infected;
    result.features = trial.features;
    result.features_once = trial.features_once;
    if (!trial.found) return;
    result.property = trial.verdict.violation.property;
    result.signature = trial.verdict.violation.signature();
    constexpr std::string_view kStrategies[] = {"in-order", "random-walk", "pct",
                                                "producer-at-once", "starve"};
    result.strategy = kStrategies[static_cast<std::size_t>(trial.scenario.schedule.strategy)];
}

// In the child.
TrialOutcome run_planned(HuntResult result, std::uint32_t ops_max) {
    const Clock::time_point begin = Clock::now();
    if (result.arm == name_of(HuntArm::coverage)) {
        run_coverage_trial(result);
    } else {
        run_in_process(result, ops_max);
    }
    result.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    TrialOutcome outcome;
    outcome.found = result.found;
    outcome.interrupted = !result.found && interrupted();
    outcome.result = to_json_line(result);
    return outcome;
}

std::vector<HuntResult> planned(const Campaign& campaign, std::uint32_t from, std::uint32_t to) {
    std::set<Key> known;
    for (const HuntResult& result : campaign.results) known.insert(key_of(result));
    std::vector<HuntResult> plan;
    for (std::uint32_t trial = from; trial < to; ++trial) {
        for (const std::string& fault : faults_of(campaign.arguments)) {
            for (const std::string& arm : campaign.arguments.arms) {
                const HuntCell cell = cell_of(campaign.results, fault, arm);
                if (from != 0 && cell.found == 0 && fault != "none") continue;
                HuntResult result;
                result.build = campaign.build;
                result.fault = fault;
                result.arm = arm;
                result.seed = campaign.arguments.seed + trial;
                result.cap = campaign.arguments.scenarios_max;
                if (known.count(key_of(result)) == 0) plan.push_back(std::move(result));
            }
        }
    }
    return plan;
}

void take(Campaign& campaign, const TrialOutcome& outcome) {
    if (outcome.lost) {
        campaign.lost = true;
        bad_input(outcome.summary);
        return;
    }
    if (outcome.interrupted) return;  // it says nothing of the cap
    const Result<std::vector<HuntResult>> read = hunt_results_of(outcome.result, "a trial");
    if (!read || read.value().size() != 1) return;
    campaign.results.push_back(read.value().front());
    if (campaign.file == nullptr) return;
    std::fputs(outcome.result.c_str(), campaign.file.get());
    std::fflush(campaign.file.get());
}

void run_plan(Campaign& campaign, const std::vector<HuntResult>& plan, const std::string& what) {
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const std::uint32_t jobs = campaign.arguments.jobs != 0
                                   ? campaign.arguments.jobs
                                   : static_cast<std::uint32_t>(std::max(cores, 1L));
    ProgressLine progress;
    std::size_t done = 0;
    run_trials(
        static_cast<std::uint32_t>(plan.size()), jobs,
        [&](std::uint32_t i) { return run_planned(plan[i], campaign.arguments.ops_max); },
        [&](std::uint32_t, const TrialOutcome& outcome) {
            ++done;
            take(campaign, outcome);
        },
        [&] {
            progress.show(what, done, plan.size());
            return !interrupted() && !campaign.out_of_time();
        });
    progress.clear();
}

// Reads what the file holds of this build, and opens it to append.
std::string open_results(Campaign& campaign) {
    const std::string& path = campaign.arguments.results;
    if (path.empty()) return "";
    if (access(path.c_str(), F_OK) == 0) {
        const Result<std::string> text = read_file(path);
        if (!text) return text.message();
        const Result<std::vector<HuntResult>> read = hunt_results_of(text.value(), path);
        if (!read) return read.message();
        for (const HuntResult& result : read.value())
            if (result.build == campaign.build) campaign.results.push_back(result);
    }
    campaign.file.reset(std::fopen(path.c_str(), "a"));
    return campaign.file ? "" : path + ": cannot be written";
}

int exit_code_of(const Campaign& campaign) {
    if (campaign.lost) return kExitHarnessFault;
    for (const std::string& fault : faults_of(campaign.arguments)) {
        std::uint32_t trials = 0, found = 0;
        for (const std::string& arm : campaign.arguments.arms) {
            const HuntCell cell = cell_of(campaign.results, fault, arm);
            trials += cell.trials;
            found += cell.found;
        }
        if (fault == "none" && found != 0) return kExitViolation;
        if (fault != "none" && campaign.arguments.must_find && found == 0) {
            fmt::print(stderr, "cqfuzz: {} was not found in {} trials\n", fault, trials);
            return kExitNotFound;
        }
    }
    return kExitPass;
}

}  // namespace

int command_hunt_all(const HuntArguments& given) {
    HuntArguments arguments = given;
    if (arguments.arms.empty()) arguments.arms = {std::string(name_of(HuntArm::guided))};
    Campaign campaign{arguments, build_id(), {}};
    for (const std::string& fault : faults_of(arguments))
        if (fault != "none" && !rt::faults_named(fault))
            return bad_input(
                fmt::format("there is no fault \"{}\"; `cqfuzz faults` lists them", fault));
    const bool coverage =
        std::count(arguments.arms.begin(), arguments.arms.end(), name_of(HuntArm::coverage)) != 0;
    if (const std::string why = coverage ? coverage_refusal() : ""; !why.empty())
        return bad_input(why);
    if (const std::string mistake = open_results(campaign); !mistake.empty())
        return bad_input(mistake);
    const std::uint32_t trials = arguments.table_only ? 0 : arguments.trials;
    const std::uint32_t first = std::min(trials, kFirstTrials);
    run_plan(campaign, planned(campaign, 0, first), "first trials");
    if (!interrupted() && first < trials)
        run_plan(campaign, planned(campaign, first, trials), "more trials");
    std::vector<std::string> faults = faults_of(arguments);
    faults.erase(std::remove(faults.begin(), faults.end(), "none"), faults.end());
    fmt::print("{}", hunt_table(campaign.results, faults));
    if (interrupted()) return told_interrupted();
    return exit_code_of(campaign);
}

}  // namespace cqfuzz::cli
