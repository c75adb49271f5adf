// A sleeping fiber and LeakSanitizer, which looks at the end of the process: the machine is never
// destroyed, the fiber never resumed. A program of its own, since a machine stays alive.
#include <gtest/gtest.h>

#include "tests/harness/silicon/bench_chip.hpp"

namespace cqfuzz {
namespace {

TEST(FiberTest, WhatOnlyASleepingFiberPointsToIsNoLeak) {
    static BenchChip* const kept = new BenchChip;
    kept->on(worker(0, 0), [] {
        std::vector<std::uint32_t> heap(100, 1);
        while (device::poll_l1(0x100) != heap[5] + 1) {
        }
    });
    kept->run();
    EXPECT_EQ(kept->machine.stop(), MachineStop::running);
}

}  // namespace
}  // namespace cqfuzz
