// Cluster: the runtime's only way to the chips. The simulated silicon implements it; a driver of
// real hardware could.
//
// Writes are posted: they reach the device later, in any order within one fence epoch, never across
// a fence (facts §4.8). Reads see the device as it is now. A `wait_…` call blocks the host until
// the word differs from `seen`, and returns it. Any call may throw RunEnded when the harness ends
// the run; code of the runtime lets it pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime_under_test/protocol/core_launch.hpp"

namespace cqfuzz::rt {

// Thrown through the host runtime when the run is over (verdict reached, budget used). Not a
// std::exception on purpose: nobody's catch-all for errors may swallow it.
struct RunEnded {};

class Cluster {
public:
    virtual std::uint8_t chip_count() const = 0;
    virtual const ChipDescription& chip(std::uint8_t number) const = 0;

    // The hugepage channels, one behind the other, kHugepageChannelBytes each.
    virtual void hugepage_write(std::uint32_t offset, std::span<const std::byte> bytes) = 0;
    virtual void hugepage_read(std::uint32_t offset, std::span<std::byte> bytes) = 0;
    virtual std::uint32_t wait_hugepage_word(std::uint32_t offset, std::uint32_t seen) = 0;
    virtual void fence() = 0;

    // L1 of a core, over PCIe. A remote chip's is reached only while the core does not run.
    virtual void l1_write(Coord core, std::uint32_t address, std::span<const std::byte> bytes) = 0;
    virtual void l1_read(Coord core, std::uint32_t address, std::span<std::byte> bytes) = 0;
    virtual std::uint32_t wait_l1_word(Coord core, std::uint32_t address, std::uint32_t seen) = 0;

    // Core control.
    virtual void start_core(const CoreLaunch& launch) = 0;
    virtual void wait_core_exit(Coord core) = 0;

    // What the host is doing, for the wait-for chain: "waits for room in prefetch_q". A string that
    // outlives the run.
    virtual void waypoint(const char* what) = 0;

protected:
    ~Cluster() = default;
};

}  // namespace cqfuzz::rt
