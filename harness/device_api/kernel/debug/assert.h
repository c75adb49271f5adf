// A kernel's own assertion: a verdict with its place, not an end of the tool.
#pragma once

#include "harness/device_api/core_port.hpp"

#define CQFUZZ_TEXT_OF(line) #line
#define CQFUZZ_LINE_TEXT(line) CQFUZZ_TEXT_OF(line)
#define ASSERT(condition, ...)                                                            \
    do {                                                                                  \
        if (!(condition))                                                                 \
            ::cqfuzz::device::firmware_assert_failed(#condition ", at " __FILE_NAME__ ":" \
                                                     CQFUZZ_LINE_TEXT(__LINE__));         \
    } while (false)
