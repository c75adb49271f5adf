// What a kernel says it is doing; the hang report shows the last one. A wait loop names itself once
// before it and once behind it.
#pragma once

#include "harness/device_api/core_port.hpp"

namespace cqfuzz::device {
inline void debug_status(const char* name) { waypoint(name); }
// Letters one by one, as the oldest kernels have it.
template <class... Letters>
void debug_status(char, Letters...) {}
}  // namespace cqfuzz::device

#define WAYPOINT(name) ::cqfuzz::device::waypoint(name)
#define DEBUG_STATUS(...) ::cqfuzz::device::debug_status(__VA_ARGS__)
