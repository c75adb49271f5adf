// A kernel's own assertion: a verdict with its place, not an end of the tool.
#pragma once

#include "harness/device_api/core_port.hpp"

#define ASSERT(condition, ...)                                             \
    do {                                                                   \
        if (!(condition)) ::cqfuzz::device::firmware_assert_failed(#condition); \
    } while (false)
