// Traces: capture, replay and release (facts §5.1, §5.2).
#pragma once

#include "runtime_under_test/host/device_state.hpp"

namespace cqfuzz::rt {

// Invariant: a capture changes nothing on the device, and the model of the workers is the same
// after it as before.
void begin_capture(Device::State& device, CommandQueue& queue);
// The trace is in DRAM when it returns. Throws Misuse when the trace region has no room; the
// capture is dropped then.
void end_capture(Device::State& device, TraceRecord& trace);
void replay(Device::State& device, const TraceRecord& trace);

}  // namespace cqfuzz::rt
