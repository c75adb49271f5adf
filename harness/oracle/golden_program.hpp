// What a core must hold while a program runs on it, predicted from the program's image alone, and the comparison with what
// its L1 holds.
//
// The launch message tells only *where* things lie; what they must be comes from the image. Bytes between the parts are
// unknown and not looked at.
//
// Two things make it cheap on 64 cores. A plan is made once per program and run: which parts a core gets, and the runtime
// arguments drawn. And a core that received the same multicasts as one that was found right is right too, its unique
// arguments apart (config_arrivals.hpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/host_call.hpp"
#include "harness/base/machine_view.hpp"
#include "harness/oracle/config_arrivals.hpp"
#include "runtime_under_test/protocol/dev_msgs.hpp"

namespace cqfuzz {

// A logical core: column and row of the worker grid, or an ethernet core's number in `x`.
struct LogicalCore {
    std::uint8_t x = 0;
    std::uint8_t y = 0;
    bool on_ethernet = false;
};

class ProgramPlan {
public:
    // What one core gets. Cores with equal `parts` get the same semaphores, circular buffers and kernels.
    struct Share {
        std::uint8_t enables = 0;
        std::uint64_t parts = 0;
    };

    // `cores`: all cores of the machine; shares are numbered as they are.
    void make(const ProgramImage& image, const std::vector<LogicalCore>& cores);

    const ProgramImage& image() const { return *image_; }
    bool runs_on(bool on_ethernet) const { return on_ethernet ? on_ethernet_ : on_workers_; }
    const Share& share(std::uint32_t core) const { return shares_[core]; }
    // The unique arguments of a kernel on a core of its range.
    const std::uint32_t* arguments(std::size_t kernel, const LogicalCore& core) const;
    std::uint64_t arguments_name(std::size_t kernel, const LogicalCore& core) const;

private:
    std::uint32_t number_in_range(std::size_t kernel, const LogicalCore& core) const;
    Share share_of(const LogicalCore& core) const;

    const ProgramImage* image_ = nullptr;
    bool on_workers_ = false;
    bool on_ethernet_ = false;
    std::vector<Share> shares_;
    struct FirstOf {
        std::uint32_t argument = 0;
        std::uint32_t name = 0;
    };
    std::vector<FirstOf> first_of_;              // by kernel: indices into the two below
    std::vector<std::uint32_t> arguments_;       // kernel by kernel, core by core, row by row
    std::vector<std::uint64_t> argument_names_;  // of each core's arguments of a kernel
};

struct Mismatch {
    const char* place = "";     // "kernel binary", "semaphore", "runtime args", "circular-buffer config", "launch message"
    std::string what;           // "the binary of processor 2"
    std::uint32_t offset = 0;   // of the first wrong byte in that part
    std::uint32_t address = 0;  // … in L1
    std::string expected;       // hex of the bytes from there on, or words
    std::string actual;
};

// A range of the core's L1; begin == end: empty.
struct UsedRange {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    void add(std::uint32_t from, std::uint32_t to);
    bool meets(std::uint32_t from, std::uint32_t to) const { return from < end && begin < to; }
};

struct CoreContents {
    LogicalCore logical;
    const MailboxView* mailbox = nullptr;
    const std::byte* l1 = nullptr;
    std::uint32_t launch_address = 0;  // REQUIRES: a launch message from there on lies inside `l1`
    std::uint32_t core = 0;            // its number in the plan's shares and in the arrivals
};

// Compares cores with plans, and remembers what it has found right.
class CoreComparer {
public:
    void reset() { remembered_.fill({}); }

    // `used` becomes what the program owns on this core; empty when it has no kernel there.
    std::optional<Mismatch> compare(const ProgramPlan& plan, const CoreContents& contents, const ConfigArrivals& arrivals,
                                    UsedRange& used);

private:
    struct Remembered {
        std::uint64_t name = 0;  // of plan, share and history
        std::array<std::byte, rt::kLaunchMessageBytes> launch{};
        UsedRange used;    // everything
        UsedRange shared;  // all but the unique arguments
    };
    std::array<Remembered, 64> remembered_{};
};

// The first difference of two equally long ranges, told in hex.
Mismatch difference(const char* place, std::string what, const std::byte* expected, const std::byte* actual,
                    std::size_t length, std::uint32_t address);

}  // namespace cqfuzz
