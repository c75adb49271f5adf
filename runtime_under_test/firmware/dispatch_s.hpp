// DispatcherS: sends the go signals on a core of its own, so that the dispatcher need not wait for
// the workers (facts §2.7, "distributed"). One function per command.
//
// Workers report to this core; it passes the counts on to the dispatcher, whose WAITs look at its
// own copy. All of its traffic goes on NoC 1.
//
// Invariants:
//  1. Go k of an index leaves after the dispatcher's k-th notification of it, and after the
//  completions that it names (inv. 77, 78).
//  2. Wherever it waits, a changed count is passed on: a wait of the dispatcher never depends on
//  the next command here.
//  3. One command a page; a page goes back when nothing takes bytes from it any more (inv. 21, 35).
//  4. A count is cleared here before the dispatcher clears its copy, and the cleared value is not
//  passed on.
#pragma once

#include <array>
#include <cstdint>

#include "harness/device_api/local_memory.hpp"
#include "runtime_under_test/faults/faults.hpp"
#include "runtime_under_test/protocol/commands.hpp"
#include "runtime_under_test/protocol/core_launch.hpp"

namespace cqfuzz::fw {

class DispatcherS {
public:
    DispatcherS(const rt::CoreLaunch& launch, rt::FaultSet& faults);
    void run();

private:
    // Words of its own go data: what fits a page beside the command (facts §2.7).
    static constexpr std::uint32_t kGoNocDataWords =
        ((1u << rt::DispatchGeometry::kDispatchSLogPage) - rt::kCommandBytes) / 4;

    void wait_command();
    void execute(rt::DispatchId id);
    void release_page();
    template <class Command>
    Command load_command() const;
    // Looks at every count once and passes changed ones on.
    void forward_counts();
    void wait_notified(std::uint32_t index);
    void wait_completions(std::uint32_t index, std::uint32_t count);
    std::uint32_t index_of_word(std::uint32_t address) const;

    void send_go_signal();
    void set_num_worker_sems();
    void set_go_signal_noc_data();
    void wait();

    const rt::DeviceConfig& config_;
    rt::FaultSet& faults_;
    const rt::DispatchCoreLayout& self_;
    std::uint32_t self_xy_;
    std::uint32_t command_;      // where the command begins: a page's start
    std::uint32_t pages_taken_;  // free-running, as the ready word
    std::uint32_t counts_ = 0;   // worker counts in use: SET_NUM_WORKER_SEMS
    std::array<std::uint32_t, rt::kMaxGoIndices> sent_;         // gos, free-running
    std::array<std::uint32_t, rt::kMaxGoIndices> forwarded_{};  // counts as the dispatcher has them
    device::LocalArray<std::uint32_t, kGoNocDataWords> go_noc_data_{"go_signal_noc_data"};
    bool terminated_ = false;
};

}  // namespace cqfuzz::fw
