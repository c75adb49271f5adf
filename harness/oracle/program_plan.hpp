// ProgramPlan: what a program's image says of every core, worked out once per program and run:
// which parts the core gets, and its runtime arguments, which are drawn and would be drawn again
// for each of hundreds of replays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/base/host_call.hpp"

namespace cqfuzz {

// A logical core: column and row of the worker grid, or an ethernet core's number in `x`.
struct LogicalCore {
    std::uint8_t x = 0;
    std::uint8_t y = 0;
    bool on_ethernet = false;
};

class ProgramPlan {
public:
    // What one core gets. Cores with equal `parts` get the same semaphores, circular buffers and
    // kernels.
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

// Is something with this range and kind on that core?
bool is_on(const NocRectangle& cores, bool on_ethernet, const LogicalCore& core);

}  // namespace cqfuzz
