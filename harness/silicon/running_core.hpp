// RunningCore: where the processor whose fiber runs keeps what firmware may touch besides L1.
#pragma once

#include <cstddef>
#include <span>

namespace cqfuzz {

struct RunningCore {
    std::span<const std::byte> stack;     // without the guard page below it
    std::span<const std::byte> counters;  // the software counters of all NoCs
};

// REQUIRES: a core's fiber.
RunningCore running_core();

}  // namespace cqfuzz
