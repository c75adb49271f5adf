// What one core must hold while a program runs on it, predicted from the program's image alone, and the comparison with
// what its L1 holds.
//
// The launch message tells only *where* things lie; what they must be comes from the image. Bytes between the parts are
// unknown and not looked at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "harness/base/host_call.hpp"
#include "harness/base/machine_view.hpp"

namespace cqfuzz {

// A logical core: column and row of the worker grid, or an ethernet core's number in `x`.
struct LogicalCore {
    std::uint8_t x = 0;
    std::uint8_t y = 0;
    bool on_ethernet = false;
};

bool has_kernels_of(const ProgramImage& program, bool on_ethernet);

struct Mismatch {
    const char* place = "";     // "kernel binary", "semaphore", "runtime args", "circular-buffer config", "launch message"
    std::string what;           // "the binary of processor 2"
    std::uint32_t offset = 0;   // of the first wrong byte in that part
    std::uint32_t address = 0;  // … in L1
    std::string expected;       // hex of the bytes from there on, or words
    std::string actual;
};

// A range of the core's L1 that the program owns, as found by the comparison.
struct UsedRange {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;  // begin == end: no kernel on this core
    void add(std::uint32_t from, std::uint32_t to);
};

// REQUIRES: [launch_address, + a launch message) lies inside `l1`.
std::optional<Mismatch> compare_core(const ProgramImage& program, const LogicalCore& core, const MailboxView& mailbox,
                                     const std::byte* l1, std::uint32_t launch_address, UsedRange& used);

// The first difference of two equally long ranges, told in hex.
Mismatch difference(const char* place, std::string what, const std::byte* expected, const std::byte* actual,
                    std::size_t length, std::uint32_t address);

}  // namespace cqfuzz
