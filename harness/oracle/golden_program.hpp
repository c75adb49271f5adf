// What one core must hold while a program runs on it, predicted from the program's image alone, and the comparison with
// what its L1 holds.
//
// A plan is made once per program and run: runtime arguments are drawn, and 64 cores times hundreds of replays would draw
// them again and again. The launch message tells only *where* things lie; what they must be comes from the image. Bytes between the parts are
// unknown and not looked at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/host_call.hpp"
#include "harness/base/machine_view.hpp"
#include "harness/oracle/config_versions.hpp"

namespace cqfuzz {

// A logical core: column and row of the worker grid, or an ethernet core's number in `x`.
struct LogicalCore {
    std::uint8_t x = 0;
    std::uint8_t y = 0;
    bool on_ethernet = false;
};

class ProgramPlan {
public:
    // `number` tells programs of a run apart.
    void make(const ProgramImage& image, std::uint32_t number);

    const ProgramImage& image() const { return *image_; }
    std::uint32_t number() const { return number_; }
    bool runs_on(bool on_ethernet) const { return on_ethernet ? on_ethernet_ : on_workers_; }
    // The unique arguments of a kernel on a core of its range.
    const std::uint32_t* arguments(std::size_t kernel, std::uint32_t x, std::uint32_t y) const;

private:
    const ProgramImage* image_ = nullptr;
    std::uint32_t number_ = 0;
    bool on_workers_ = false;
    bool on_ethernet_ = false;
    std::vector<std::uint32_t> first_argument_;  // by kernel: index into arguments_
    std::vector<std::uint32_t> arguments_;       // kernel by kernel, core by core, row by row
};

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

// Where the core's bytes are, and what is known of them.
struct CoreContents {
    const std::byte* l1 = nullptr;
    std::uint32_t launch_address = 0;  // REQUIRES: a launch message from there on lies inside `l1`
    std::uint32_t core = 0;            // its number in `versions`
    ConfigVersions* versions = nullptr;
};

std::optional<Mismatch> compare_core(const ProgramPlan& plan, const LogicalCore& core, const MailboxView& mailbox,
                                     const CoreContents& contents, UsedRange& used);

// The first difference of two equally long ranges, told in hex.
Mismatch difference(const char* place, std::string what, const std::byte* expected, const std::byte* actual,
                    std::size_t length, std::uint32_t address);

}  // namespace cqfuzz
