// Golden memory: what worker and ethernet L1, DRAM buffers and read-backs must hold, predicted from
// the host API calls alone, and compared when it matters.
//
// Checks:
//  - when a core sees go: its launch message, runtime args, semaphores, circular-buffer configs and
//    binaries ("wrong-at-go", inv. 4, 70, 72, 79); again when its kernels end, if anything arrived
//    there ("changed-while-running", inv. 71);
//  - the n-th go of a core is the n-th program with kernels of its kind: "extra-go" at once,
//    "missing-go" at finish (inv. 78);
//  - what comes over an ethernet core's link: bytes of the binary that runs at the other end, in
//  the
//    place for them ("wrong-exchange");
//  - any NoC arrival in a worker's or ethernet core's L1 outside launch ring, go word,
//    kernel-config ring and buffers: "stray-write";
//  - buffers: golden_buffers.hpp.
//
// Does not check:
//  - padding between parts, semaphore words beyond the first: nobody promised anything;
//  - goes beyond the enqueued programs once a call that had some was refused: nobody can say how
//    much of it was sent, and the refusal is a verdict of its own;
//  - bytes that are overwritten with equal ones while a program runs: lifetimes are another
//    oracle's;
//  - DRAM that holds binaries and traces: what comes of them is checked on the cores;
//  - host writes at boot: they set up the words that this oracle starts from.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "harness/base/host_call.hpp"
#include "harness/base/log_entry.hpp"
#include "harness/base/machine_view.hpp"
#include "harness/base/violation.hpp"
#include "harness/oracle/golden_buffers.hpp"
#include "harness/oracle/golden_program.hpp"

namespace cqfuzz {

class GoldenMemory {
public:
    // Predicts one chip's memory: host calls of other devices are none of its business.
    void reset(const MachineView& machine, const MemoryView& memory, std::uint32_t chip = 0);
    std::optional<Violation> observe(const LogEntry& entry);
    // Something came over the link of an ethernet core of this chip; the sender's chip knows which
    // bytes it should be.
    std::optional<Violation> observe_exchange(const LogEntry& entry, const GoldenMemory& sender);
    std::optional<Violation> observe(const HostCall& call, bool ended, std::uint64_t step);
    std::optional<Violation> finish(std::uint64_t step);

private:
    using Found = std::optional<Violation>;
    struct Run {  // one execution of a program
        std::uint32_t plan = 0;
        std::uint32_t op_index = kNoOp;
    };
    // Executions on one kind of core, in order; the first ones are dropped once every core has
    // passed them.
    struct Runs {
        std::vector<Run> list;
        std::uint64_t dropped = 0;
        std::uint64_t total() const { return dropped + list.size(); }
    };
    struct Core {
        TileIndex tile = kNoTile;
        NocCoord coord;
        bool on_ethernet = false;
        std::uint64_t begun = 0;           // kernel_begins seen
        std::uint32_t launch_address = 0;  // of the program that runs
        UsedRange used;
        bool running = false;
        bool touched = false;  // something arrived in what it uses
    };
    // What the kernel that runs on the core may send: the first bytes of its binary.
    std::span<const std::byte> exchanged_by(TileIndex tile) const;
    Core* core_of(TileIndex tile) {
        return core_index_[tile] < 0 ? nullptr
                                     : &cores_[static_cast<std::size_t>(core_index_[tile])];
    }
    const MailboxView& mailbox(bool on_ethernet) const {
        return on_ethernet ? machine_->ethernet_mailbox : machine_->worker_mailbox;
    }
    Runs& runs(bool on_ethernet) { return on_ethernet ? ethernet_runs_ : worker_runs_; }
    Found on_kernel_begin(Core& core, const LogEntry& entry);
    Found on_kernel_end(Core& core, const LogEntry& entry);
    Found on_arrive(const LogEntry& entry);
    Found arrives_at(Core& core, const LogEntry& entry);
    void note_private_change(const LogEntry& entry, TileIndex tile);
    std::optional<Mismatch> compare(Core& core, const Run& run);
    std::uint32_t number_of(const Core& core) const {
        return static_cast<std::uint32_t>(&core - cores_.data());
    }
    std::uint32_t plan_of(const ProgramImage* program);
    void expect(const HostCall& call);
    void withdraw(const HostCall& call);
    void append(const ProgramImage* program, std::uint32_t op_index);
    void take_back(const ProgramImage* program);
    void drop_passed(Runs& of, bool on_ethernet);
    Violation mismatch_at(const Core& core, const Run& run, const char* property,
                          const Mismatch& mismatch, std::uint64_t step) const;

    const MachineView* machine_ = nullptr;
    const MemoryView* memory_ = nullptr;
    std::vector<std::int16_t> core_index_;  // by tile
    std::vector<Core> cores_;
    Runs worker_runs_;
    Runs ethernet_runs_;
    bool programs_refused_ = false;
    std::vector<ProgramPlan> plans_;  // never shrinks, so that plans keep their memory
    std::size_t plan_count_ = 0;
    std::vector<LogicalCore> logical_cores_;  // as `cores_`
    ConfigArrivals arrivals_;
    CoreComparer comparer_;
    GoldenBuffers buffers_;
};

}  // namespace cqfuzz
