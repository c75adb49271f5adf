// Device::State: what an open device knows. Plain data; the verbs are in boot.hpp, transfer.hpp,
// program_dispatch.hpp and trace.hpp.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "runtime_under_test/host/bank_space.hpp"
#include "runtime_under_test/host/command_queue.hpp"
#include "runtime_under_test/host/device.hpp"
#include "runtime_under_test/host/program_commands.hpp"
#include "runtime_under_test/host/program_layout.hpp"
#include "runtime_under_test/host/worker_state.hpp"

namespace cqfuzz::rt {

// Where a program's binaries are (facts §6.5). in_flight: the dispatcher writes them in the stream
// of one queue, and nothing yet makes a prefetcher's reads come after; committed: of that queue's.
enum class BinaryStatus : std::uint8_t { not_sent, in_flight, committed };

struct LoadedProgram {
    Program program;
    ProgramLayout layout;
    ProgramCommands commands;
    std::uint32_t binaries_address = 0;
    BinaryStatus binaries = BinaryStatus::not_sent;
    std::uint32_t sent_by = 0;  // command queue
    // Queues whose prefetcher's later reads come after the write.
    std::array<bool, DispatchGeometry::kCommandQueuesMax> readable{};
};

enum class TraceStatus : std::uint8_t { capturing, ready, released };

struct TraceRecord {
    TraceStatus status = TraceStatus::capturing;
    std::uint32_t queue = 0;    // its commands name this queue's cores
    std::uint32_t address = 0;  // in every bank
    std::uint32_t pages = 0;
    // What a replay leaves behind: completions, and launch messages per kind of core.
    std::uint32_t completions = 0;
    std::array<std::uint32_t, kCoreKinds> launches{};
};

struct Device::State {
    State(Cluster& chips, DeviceConfig device_config, FaultSet& fault_set);

    Cluster& cluster;
    const DeviceConfig config;  // of command queue 0
    FaultSet& faults;
    std::vector<std::unique_ptr<CommandQueue>> queues;
    BankSpace buffer_space;
    BankSpace trace_space;
    BankSpace l1_space;  // of every worker, above its config ring
    WorkerState workers;
    std::optional<WorkerState> before_capture;  // engaged while a trace is being captured

    std::vector<BufferInfo> buffers;
    std::vector<std::unique_ptr<LoadedProgram>> programs;
    std::vector<TraceRecord> traces;
    // Queues that have replayed a trace which may still be running when its place in DRAM is used
    // again.
    std::array<bool, DispatchGeometry::kCommandQueuesMax> replays{};
    bool closed = false;
};

}  // namespace cqfuzz::rt
