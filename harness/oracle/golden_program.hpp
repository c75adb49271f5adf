// What a core holds while a program runs on it, compared with what it must hold.
//
// The launch message tells only *where* things lie; what they must be comes from the image
// (program_plan.hpp). Bytes between the parts are unknown and not looked at. A core that received
// the same multicasts as one that was found right is right too, its unique arguments apart
// (config_arrivals.hpp): 64 cores cost little more than one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "harness/base/machine_view.hpp"
#include "harness/base/violation.hpp"
#include "harness/oracle/config_arrivals.hpp"
#include "harness/oracle/program_plan.hpp"
#include "runtime_under_test/protocol/dev_msgs.hpp"

namespace cqfuzz {

struct Mismatch {
    const char* place = "";     // "kernel binary", "semaphore", "runtime args", "circular-buffer
                                // config", "launch message"
    std::string what;           // "the binary of processor 2"
    std::uint32_t offset = 0;   // of the first wrong byte in that part
    std::uint32_t address = 0;  // … in L1
    std::string expected;       // hex of the bytes from there on, or words
    std::string actual;
};

// The violation of property "golden-memory/<property>", without its story.
Violation violation_of(const char* property, const Mismatch& mismatch, std::uint64_t step);

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
    std::optional<Mismatch> compare(const ProgramPlan& plan, const CoreContents& contents,
                                    const ConfigArrivals& arrivals, UsedRange& used);

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
Mismatch difference(const char* place, std::string what, const std::byte* expected,
                    const std::byte* actual, std::size_t length, std::uint32_t address);

}  // namespace cqfuzz
