// RUNTIME_ASSERT: the host runtime's own invariant, on in every build. A broken one is a bug of the
// runtime, not misuse by its caller, so it is a std::logic_error.
#pragma once

#include <stdexcept>

namespace cqfuzz::rt {

[[noreturn, gnu::cold]] inline void runtime_assert_failed(const char* text) {
    throw std::logic_error(text);
}

}  // namespace cqfuzz::rt

#define RUNTIME_ASSERT(condition)                                             \
    do {                                                                      \
        if (!(condition)) [[unlikely]]                                        \
            ::cqfuzz::rt::runtime_assert_failed("host runtime: " #condition); \
    } while (false)
