// ProgramCommands: a program's command sequence, built once and patched at each enqueue (facts
// §6.2).
//
// Three parts, between which an enqueue puts its waits: `config` (arguments, semaphores, circular
// buffers), `binaries`, and `launch` (launch messages, the barrier, the go). SET_WRITE_OFFSET and
// the waits differ from enqueue to enqueue and are not part of it.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime_under_test/faults/faults.hpp"
#include "runtime_under_test/host/command_sequence.hpp"
#include "runtime_under_test/host/program_layout.hpp"

namespace cqfuzz::rt {

// Indices of SET_WRITE_OFFSET {0, worker config base, ethernet config base}.
inline constexpr std::uint16_t kAbsoluteOffset = 0;
inline constexpr std::uint16_t kWorkerOffset = 1;
inline constexpr std::uint16_t kEthernetOffset = 2;

inline constexpr std::uint16_t offset_index(CoreKind kind) {
    return kind == CoreKind::worker ? kWorkerOffset : kEthernetOffset;
}

// A WRITE_PACKED of launch messages within `launch`.
struct LaunchPatch {
    CoreKind kind = CoreKind::worker;
    std::uint32_t command = 0;   // offset of the dispatch command
    std::uint32_t messages = 0;  // offset of the first message; they follow each other
    std::uint32_t count = 0;
};

struct ProgramCommands {
    CommandSequence config;
    CommandSequence binaries;
    CommandSequence launch;
    std::vector<LaunchPatch> launch_patches;
    std::uint32_t go = 0;  // offset of SEND_GO_SIGNAL within `launch`

    // For one enqueue: where its config lies, which launch slots it takes, what its go waits for.
    // `queue` is the config of the queue that sends it: its dispatcher hears of completions.
    void patch(const WorkerReservation& place, std::uint32_t wait_count, const DeviceConfig& queue,
               FaultSet& faults);
};

// `binaries_address` is the DRAM address of the program's binaries.
ProgramCommands build_program_commands(const Program& program, const ProgramLayout& layout,
                                       std::uint32_t binaries_address, const DeviceConfig& device,
                                       FaultSet& faults);

// The go of every program with these needs; also of the reset of launch read pointers.
SendGoSignal go_command(const std::array<bool, kCoreKinds>& kinds, std::uint8_t signal,
                        std::uint32_t wait_count, const DeviceConfig& device, FaultSet& faults);
// What it writes to the cores: whom to tell when they are done.
GoMessage go_message(std::uint8_t signal, const DeviceConfig& device, FaultSet& faults);
// Who sends it.
Receiver go_receiver(const DeviceConfig& device);

// The parts of build_program_commands, one file each.
void add_arguments(CommandSequence& out, const Program& program, const ProgramLayout& layout,
                   const DeviceConfig& device, FaultSet& faults);
void add_semaphores_and_buffers(CommandSequence& out, const Program& program,
                                const ProgramLayout& layout, const DeviceConfig& device,
                                FaultSet& faults);
void add_binaries(CommandSequence& out, const Program& program, const ProgramLayout& layout,
                  std::uint32_t binaries_address, const DeviceConfig& device);

}  // namespace cqfuzz::rt
