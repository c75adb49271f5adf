// What a core is told when it is taken out of reset: which firmware to run, and its compile-time
// arguments.
#pragma once

#include <cstdint>

#include "runtime_under_test/protocol/layout.hpp"

namespace cqfuzz::rt {

enum class CoreRole : std::uint8_t {
    none,
    prefetch_hd,
    prefetch_h,
    prefetch_d,
    dispatch_hd,
    dispatch_h,
    dispatch_d,
    worker,
    ethernet,
    mux,
    demux,
    mux_d,
    demux_d,
    tunneler,
    tunneler_d,
    dispatch_s,
};

struct CoreLaunch {
    CoreRole role = CoreRole::none;
    Coord coord{};
    const DeviceConfig* config = nullptr;  // outlives the firmware
};

}  // namespace cqfuzz::rt
