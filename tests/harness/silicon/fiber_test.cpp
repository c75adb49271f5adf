// Fibers: firmware that is left in the middle, stacks that are used again, verdicts that leave a
// fiber for good.
//
// Under sanitizers these runs must give no report: no false overflow on a reused stack, no leak of
// what only a sleeping fiber points to.
#include <gtest/gtest.h>

#include <array>
#include <stdexcept>

#include "tests/harness/silicon/bench_chip.hpp"

namespace cqfuzz {
namespace {

[[gnu::noinline]] std::uint32_t deep(std::uint32_t depth) {
    std::array<volatile std::uint32_t, 16> frame{};
    frame[depth % frame.size()] = depth;
    if (depth == 0) {
        device::poll_l1(0x500);
        device::poll_l1(0x500);  // sleeps for ever
        return 0;
    }
    return deep(depth - 1) + frame[depth % frame.size()];
}

TEST(FiberTest, AFiberThatSleepsDeepInCallsIsForgottenAndItsStackUsedAgain) {
    BenchChip chip;
    for (std::uint32_t round = 0; round < 100; ++round) {
        chip.on(worker(0, 0), [round] { deep(10 + round); });
        chip.on(worker(1, 0), [round] {
            std::array<std::uint32_t, 64> other{};
            for (std::uint32_t& word : other) word = round;
            device::pause();
            FIRMWARE_ASSERT(other[63] == round);
        });
        chip.run();
        EXPECT_EQ(chip.machine.stop(), MachineStop::running);
        EXPECT_EQ(chip.count(LogKind::firmware_assert), 0u);
    }
}

TEST(FiberTest, ExceptionsMayBeThrownAndCaughtInside) {
    BenchChip chip;
    std::uint32_t caught = 0;
    chip.on(worker(0, 0), [&caught] {
        for (int round = 0; round < 10; ++round) {
            try {
                device::pause();
                throw std::runtime_error("inside");
            } catch (const std::runtime_error&) {
                ++caught;
            }
        }
    });
    chip.run();
    EXPECT_EQ(caught, 10u);
}

TEST(FiberTest, AFirmwareAssertEndsTheRunAndNeverReturns) {
    BenchChip chip;
    bool returned = false;
    chip.on(kPrefetch, [&returned] {
        FIRMWARE_ASSERT(1 + 1 == 3);
        returned = true;
    });
    for (int round = 0; round < 3; ++round) {
        chip.reset();
        chip.start_all();
        EXPECT_THROW(chip.machine.wait_core_exit(kPrefetch), rt::RunEnded);
        EXPECT_EQ(chip.machine.stop(), MachineStop::sink);
        EXPECT_EQ(chip.log.back().entry.kind, LogKind::firmware_assert);
        const std::vector<std::byte>& text = chip.log.back().data;
        EXPECT_EQ(std::string(reinterpret_cast<const char*>(text.data()), text.size()),
                  "1 + 1 == 3");
        EXPECT_FALSE(returned);
    }
}

TEST(FiberTest, ASinkThatHasSeenEnoughStopsTheRunWhereverItIs) {
    BenchChip chip;
    chip.on(kPrefetch, [] {
        for (std::uint32_t n = 0;; ++n) {
            write_inline({.coordinate = kDispatch.noc_xy(), .target = 0x100}, n);
            device::l1_store_u32(0x200, n);
            write_barrier(0);
        }
    });
    for (const LogKind kind : {LogKind::core_start, LogKind::noc_issue, LogKind::noc_depart,
                               LogKind::noc_arrive, LogKind::noc_ack, LogKind::l1_store}) {
        for (const MachineStrategy strategy :
             {MachineStrategy::in_order, MachineStrategy::random_walk}) {
            chip.plan.strategy = strategy;
            chip.stop_when = [kind](const LogEntry& entry) { return entry.kind == kind; };
            chip.run();
            EXPECT_EQ(chip.machine.stop(), MachineStop::sink);
            EXPECT_EQ(chip.log.back().entry.kind, kind);
        }
    }
    chip.stop_when = nullptr;
}

TEST(FiberTest, ACoreMayBeStartedAgainAfterItsExit) {
    BenchChip chip;
    std::uint32_t runs = 0;
    chip.on(kPrefetch, [&runs] {
        write_inline({.coordinate = kDispatch.noc_xy(), .target = 0x100}, ++runs);
        write_barrier(0);
    });
    chip.reset();
    for (int round = 0; round < 3; ++round) {
        chip.start_all();
        chip.machine.wait_core_exit(kPrefetch);
    }
    chip.machine.quiesce();
    EXPECT_EQ(chip.machine.stop(), MachineStop::running);
    EXPECT_EQ(chip.word(kDispatch, 0x100), 3u);
    EXPECT_EQ(chip.count(LogKind::noc_rule), 0u);
}

TEST(FiberTest, MachinesMayFollowEachOther) {
    for (int round = 0; round < 3; ++round) {
        BenchChip chip;
        chip.on(kPrefetch, [] { device::l1_store_u32(0x100, 1); });
        chip.run();
        EXPECT_EQ(chip.count(LogKind::core_exit), 1u);
    }
}

}  // namespace
}  // namespace cqfuzz
