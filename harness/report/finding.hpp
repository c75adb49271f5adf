// Finding: what a report tells of, gathered by whoever ran the scenario. Views only; nothing here
// is owned.
#pragma once

#include <optional>
#include <string>

#include "harness/base/machine_view.hpp"
#include "harness/base/violation.hpp"
#include "harness/run/run.hpp"
#include "harness/scenario/scenario.hpp"

namespace cqfuzz {

struct Finding {
    const Verdict* verdict = nullptr;    // REQUIRES: not null
    const Scenario* scenario = nullptr;  // REQUIRES: not null
    const MachineView* view = nullptr;   // names tiles; without it they are numbers
    const RunStats* stats = nullptr;
    std::optional<std::uint64_t> fingerprint;
    std::string title;                      // of the case, if it is one
    std::string path;                       // of the file that was run
    std::string fault;                      // "" for the sound runtime
    std::string op_toml;                    // the op's line as the case file has it
    OrderLevel order_run = OrderLevel::o2;  // the level the run was made at
    std::optional<OrderLevel>
        order_needed;          // the weakest level that shows it, when it was looked for
    std::string replay;        // the command that shows it again
    bool interrupted = false;  // a person ended it; without a finding nothing is known of the rest
};

// Of the JSON documents, and of the process that was interrupted.
inline constexpr int kExitInterrupted = 130;

// "O1"
std::string name_of(OrderLevel level);
// "random walk, seed 12"; how the moves were chosen, deviations aside.
std::string describe_schedule(const Schedule& schedule, const MachineView* view);
// "hold dispatch_d's 12th departure on NoC 0 until prefetch_d has made 8 steps"
std::string describe(const Deviation& deviation, const MachineView* view);

}  // namespace cqfuzz
