// CHECK: an invariant of *ours*. Always on. A broken one is a harness fault (exit 20), never blamed
// on the runtime.
//
// The handler is installed by whoever owns the process: tests and fuzz targets abort, the command
// line prints the verdict and the scenario's path. It must not return.
#pragma once

namespace cqfuzz {

using CheckHandler = void (*)(const char* file, int line, const char* condition,
                              const char* message);

// Returns the previous handler. The default prints to stderr and aborts.
CheckHandler install_check_handler(CheckHandler handler);

// `message` is printf-style; one non-template function formats it, so that a CHECK costs a compare
// and a call.
[[noreturn, gnu::format(printf, 4, 5), gnu::cold]] void check_failed(const char* file, int line,
                                                                     const char* condition,
                                                                     const char* message, ...);

}  // namespace cqfuzz

#define CHECK(condition, ...)                                                    \
    do {                                                                         \
        if (!(condition)) [[unlikely]]                                           \
            ::cqfuzz::check_failed(__FILE__, __LINE__, #condition, __VA_ARGS__); \
    } while (false)
