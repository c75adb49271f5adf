// Boot and shutdown of a device's cores (facts §3.5, §9.8).
#pragma once

#include "runtime_under_test/host/device_state.hpp"

namespace cqfuzz::rt {

// Writes the words that firmware starts from, starts all cores, and sends the go-signal table.
void boot(Device::State& device);
// TERMINATE through both actors; returns when every dispatch core has exited. REQUIRES: nothing is
// outstanding.
void shut_down(Device::State& device);

}  // namespace cqfuzz::rt
