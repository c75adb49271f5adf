// Program dispatch: one enqueue, from the host's model of the workers to the command stream (facts
// §6.2–6.5).
#pragma once

#include "runtime_under_test/host/device_state.hpp"

namespace cqfuzz::rt {

// Writes the binaries to DRAM, if that was not done; later reads of the queue's prefetcher come
// after.
void load_binaries(Device::State& device, CommandQueue& queue, LoadedProgram& program);
// Enqueues the program, or adds it to the trace being captured. REQUIRES: within a capture, the
// queue's prefetcher can read its binaries.
void dispatch_program(Device::State& device, CommandQueue& queue, LoadedProgram& program);

}  // namespace cqfuzz::rt
