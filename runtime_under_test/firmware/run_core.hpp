// run_core: the firmware of one core, from reset to exit (facts §16). Called on the core's fiber;
// no statics, no heap.
#pragma once

#include <cstdint>
#include <span>

#include "runtime_under_test/faults/faults.hpp"
#include "runtime_under_test/protocol/core_launch.hpp"

namespace cqfuzz::fw {

// How long kernels run on worker and ethernet cores: `steps` pauses, plus up to `jitter` more, by
// core and program.
// A program's kernel on ethernet cores [first_core, last_core] sends the first `bytes` of its
// binary over the core's link.
struct KernelExchange {
    std::uint32_t program = 0;  // as the launch message names it
    std::uint32_t first_core = 0;
    std::uint32_t last_core = 0;
    std::uint32_t bytes = 0;
};

struct KernelBehaviour {
    std::uint32_t steps = 1;
    std::uint32_t jitter = 0;
    std::span<const KernelExchange> exchanges{};  // outlives the firmware
    bool exchanges_wait = false;  // a kernel ends when the other end's message has come too
};

// Runs the role that `launch` names until TERMINATE. Worker and ethernet base firmware never
// returns: at the end of a run it is parked on its go word, which is legal.
void run_core(const rt::CoreLaunch& launch, rt::FaultSet& faults, const KernelBehaviour& kernels);

}  // namespace cqfuzz::fw
