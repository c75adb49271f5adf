// Runner: one run: scenario → verdict. Keeps the machine and the oracles between runs, so that a
// run costs what it touches.
//
// Invariants:
//  1. A run depends on the scenario and the options alone; the same pair gives the same verdict and
//  fingerprint, whatever
//     ran before in this process.
//  2. `run` never throws and never prints.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/base/log_entry.hpp"
#include "harness/base/machine_view.hpp"
#include "harness/base/order.hpp"
#include "harness/base/violation.hpp"
#include "harness/run/reach.hpp"
#include "harness/scenario/scenario.hpp"
#include "runtime_under_test/faults/faults.hpp"
#include "runtime_under_test/host/cluster.hpp"
#include "runtime_under_test/protocol/core_launch.hpp"
#include "runtime_under_test/protocol/generation.hpp"

namespace cqfuzz {

inline constexpr std::uint32_t kAllOracles = 0xffffffff;

// Somebody's own firmware (harness/hosting).
class HostedFirmware {
public:
    virtual void begin_run() = 0;
    virtual void end_run() = 0;
    // Runs the kernel of that core, on its fiber; false: the core has none, the built-in runs.
    virtual bool run(const rt::CoreLaunch& launch) = 0;
    // Makes of a scenario one that it can run.
    virtual void adapt(Scenario& scenario) const { static_cast<void>(scenario); }
    // What its dispatch cores speak; null: late 2024.
    virtual const rt::Generation* generation() const { return nullptr; }
    // What oracles have to know of it besides the geometry.
    virtual void describe(MachineView& view) const = 0;
    // A runtime of its own: nothing of ours runs besides it, and `drive` stands in the host's
    // place.
    virtual bool is_runtime() const = 0;
    // Starts its cores and waits for their ends.
    virtual void drive(rt::Cluster& machine, const Scenario& scenario) = 0;

protected:
    ~HostedFirmware() = default;
};

// What is asked of a run; never drawn (design §6).
struct RunOptions {
    rt::FaultSet faults;                    // off by default
    std::uint32_t oracles = kAllOracles;    // bit per OracleId
    OrderLevel order_max = OrderLevel::o2;  // the scenario's level is lowered to it
    std::uint8_t relaxed = kRelaxAll;       // at O3: what it gives up beyond O2
    std::uint64_t moves_max = 20'000'000;   // past it the run ends as it is: `truncated`
    bool record = false;                    // keep the picks, for `deviations`
    std::uint32_t tail_entries = 0;         // last log entries kept for a report
    // Kernels that take the place of built-in firmware; outlives the run. Null: built-in alone.
    HostedFirmware* hosted = nullptr;
    // Called with every log entry (diff, listings); slow paths only.
    std::function<void(const LogEntry&)> on_entry;
    // Called when a host call has ended: op index; false stops the run (ctrl-C).
    std::function<bool(std::uint32_t)> on_progress;
};

struct RunStats {
    std::uint64_t moves = 0;
    std::uint64_t transactions = 0;
    std::uint64_t arrivals = 0;
    std::uint64_t log_entries = 0;
    std::uint32_t dispatched_commands = 0;
    std::uint32_t host_calls = 0;
    bool truncated = false;  // the move budget ended it; nothing is known of the rest
};

class Runner {
public:
    Runner();
    ~Runner();
    Runner(const Runner&) = delete;
    Runner& operator=(const Runner&) = delete;

    // REQUIRES: illegality_of(scenario) is empty, or the geometry is to be refused by the runtime.
    Verdict run(const Scenario& scenario, const RunOptions& options);

    // Of the last run:
    std::uint64_t fingerprint() const;
    const RunStats& stats() const;
    const rt::FaultSet& faults() const;  // with its reached counters
    const Reach& reach() const;          // and totals over all runs
    const MachineView& view() const;
    std::span<const LogEntry> tail() const;  // oldest first; `data` is not valid any more
    // The in-order schedule plus these deviations makes the same moves. Empty unless
    // RunOptions::record; `complete` is false when the run was too long to keep.
    std::vector<Deviation> deviations(bool* complete) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

// The same scenario with the schedule of a recorded run as deviations.
Scenario with_recorded_schedule(const Scenario& scenario, const Runner& recorded, bool* complete);

}  // namespace cqfuzz
