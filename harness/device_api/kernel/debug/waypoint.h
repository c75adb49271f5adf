// What a kernel says it is doing; the hang report shows the last one. A wait loop names itself once
// before it and once behind it.
#pragma once

#include "harness/device_api/core_port.hpp"

#define WAYPOINT(name) ::cqfuzz::device::waypoint(name)
#define DEBUG_STATUS(...) ((void)0)
