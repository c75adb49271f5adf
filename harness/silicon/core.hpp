// Core: a processor on its fiber: registers, software counters, what it polls, where it sleeps.
#pragma once

#include <array>
#include <cstdint>

#include "harness/base/machine_view.hpp"
#include "harness/device_api/core_port.hpp"
#include "harness/silicon/fiber.hpp"
#include "harness/silicon/in_order.hpp"
#include "runtime_under_test/host/cluster.hpp"

namespace cqfuzz {

inline constexpr std::uint32_t kCommandBuffers = 4;
inline constexpr std::uint32_t kHardwareCounters =
    static_cast<std::uint32_t>(device::HardwareCounter::kCount);
inline constexpr std::uint32_t kRegisters = static_cast<std::uint32_t>(device::Register::kCount);
inline constexpr std::uint32_t kWatchesMax = 12;  // dispatch_s: a ring and eight counts

struct CommandBuffer {
    std::array<std::uint32_t, kRegisters> registers{};
    std::uint32_t noted_receivers = 0;
    bool noted = false;

    std::uint32_t get(device::Register which) const {
        return registers[static_cast<std::uint32_t>(which)];
    }
};

// A word that a core has polled since its last other action.
struct Watch {
    ParkedWatch::Kind kind = ParkedWatch::Kind::l1_word;
    std::uint8_t noc = 0;
    std::uint8_t width = 4;      // bytes of an L1 word
    bool polled = false;         // since any watched word last changed
    std::uint32_t address = 0;   // or number of counter or buffer
    std::uint32_t seen = 0;      // by the core
    std::uint32_t baseline = 0;  // a change is a change of this
};

// The value that a core last saw at an address it polls, so that only changes are logged.
struct PollMemory {
    std::uint32_t address = 0xffffffff;
    std::uint32_t value = 0;
};

struct Core {
    bool started = false;
    bool exited = false;
    bool parked = false;
    bool resting = false;  // parked, until anything comes or nobody else can move
    std::uint32_t steps = 0;
    std::uint32_t watch_count = 0;
    std::uint32_t polling = 0;  // which watch it is polling now
    std::array<Watch, kWatchesMax> watches{};
    std::array<PollMemory, 16> polled{};
    std::array<std::array<CommandBuffer, kCommandBuffers>, kNocs> buffers{};
    std::array<std::array<std::uint32_t, kHardwareCounters>, kNocs> software{};
    const char* waypoint = "";
    rt::CoreLaunch launch;
    Fiber fiber;
};

}  // namespace cqfuzz
