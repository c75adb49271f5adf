#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "harness/cli/case_file.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/loads/llama.hpp"
#include "harness/report/json_report.hpp"
#include "harness/report/text_report.hpp"

namespace cqfuzz::cli {

namespace {

// Replays that ended, from the number of host calls that a replay op has made so far.
class ReplayCounter {
public:
    explicit ReplayCounter(const Scenario& scenario) : scenario_(scenario) {}
    void host_call_ended(std::uint32_t op_index) {
        if (op_index < scenario_.ops.size() &&
            std::holds_alternative<OpReplay>(scenario_.ops[op_index]))
            ++replays_;
    }
    // Of the whole machine: each chip replays once.
    std::uint32_t replays() const { return replays_ / scenario_.topology.chips; }

private:
    const Scenario& scenario_;
    std::uint32_t replays_ = 0;
};

}  // namespace

int command_stress(const StressArguments& arguments) {
    std::string fault;
    const Result<rt::FaultSet> faults = chosen_faults(arguments.fault, "", fault);
    if (!faults) return bad_input(faults.message());
    Scenario scenario = llama_decode(arguments.layers, arguments.iterations, arguments.chips);
    const bool walks = arguments.schedule == "random_walk";
    if (walks) {
        scenario.schedule.strategy = Strategy::random_walk;
        scenario.schedule.seed = arguments.schedule_seed;
    }
    Runner runner;
    ReplayCounter counter(scenario);
    ProgressLine progress;
    RunOptions options;
    options.faults = faults.value();
    options.moves_max = std::numeric_limits<std::uint64_t>::max();
    options.on_progress = [&](std::uint32_t op_index) {
        counter.host_call_ended(op_index);
        progress.show(arguments.load, counter.replays(), arguments.iterations, "replays");
        return !interrupted();
    };
    const Verdict verdict = runner.run(scenario, options);
    progress.clear();

    const RunStats stats = runner.stats();
    const MachineView view = runner.view();
    Finding finding;
    finding.verdict = &verdict;
    finding.scenario = &scenario;
    finding.view = &view;
    finding.stats = &stats;
    finding.fingerprint = runner.fingerprint();
    finding.title = fmt::format("{}, {} layers, {} of {} replays", arguments.load, arguments.layers,
                                counter.replays(), arguments.iterations);
    finding.fault = fault;
    finding.interrupted = interrupted() && stats.truncated;
    finding.order_run = std::min(scenario.order, options.order_max);
    const std::string chips =
        arguments.chips == 1 ? "" : fmt::format(" --chips {}", arguments.chips);
    const std::string schedule =
        walks ? fmt::format(" --schedule random_walk --schedule-seed {}", arguments.schedule_seed)
              : "";
    finding.replay = fmt::format("cqfuzz stress {} --layers {} --iterations {}{}{}{}{}",
                                 arguments.load, arguments.layers, arguments.iterations, chips,
                                 schedule, fault.empty() ? "" : " --fault ", fault);
    if (arguments.json) {
        const StressFigures figures{arguments.load, arguments.layers, arguments.iterations,
                                    counter.replays(), progress.seconds()};
        fmt::print("{}", stress_json(finding, figures));
    } else {
        fmt::print("{}",
                   text_report(finding, {.verbose = arguments.verbose, .colour = wants_colour()}));
        if (verdict.bad())
            fmt::print("  {} of {} replays had been enqueued\n", counter.replays(),
                       arguments.iterations);
        const double seconds = std::max(progress.seconds(), 1e-3);
        fmt::print(
            "  {:.1f} s, {} moves, {} NoC transactions, {} arrivals ({:.2f} million a second)\n",
            seconds, stats.moves, stats.transactions, stats.arrivals,
            static_cast<double>(stats.arrivals) / seconds / 1e6);
    }
    if (finding.interrupted) return told_interrupted();
    return exit_code_of(verdict.kind);
}

}  // namespace cqfuzz::cli
