// Parking: what puts a core to sleep, what wakes it, and that a hang is proved and told.
#include <gtest/gtest.h>

#include "tests/harness/silicon/bench_chip.hpp"

namespace cqfuzz {
namespace {

// Starts all firmware, then waits for the end of `kPrefetch`'s core.
void run_until_exit(BenchChip& chip) {
    chip.reset();
    try {
        chip.start_all();
        chip.machine.wait_core_exit(kPrefetch);
    } catch (const rt::RunEnded&) {
    }
    chip.machine.quiesce();
}

TEST(ParkingTest, AnIdleCoreCostsNoMoves) {
    BenchChip chip;
    chip.on(kPrefetch, [] {
        while (device::poll_l1(0x100) == 0) {
        }
    });
    chip.on(kDispatch, [] {
        for (int step = 0; step < 1000; ++step) device::pause();
        write_inline({.coordinate = kPrefetch.noc_xy(), .target = 0x100}, 1);
        write_barrier(0);
    });
    chip.plan.record = true;
    run_until_exit(chip);
    EXPECT_EQ(chip.machine.stop(), MachineStop::running);
    std::uint32_t prefetch_steps = 0;
    for (const MachineMoveName& name : chip.machine.recorded_moves())
        prefetch_steps += name.actor == 1 && name.kind == MachineMove::step ? 1 : 0;
    EXPECT_EQ(prefetch_steps, 3u);  // begins, polls, is woken
}

TEST(ParkingTest, AHangIsProvedAndSaysWhoWaitsForWhat) {
    BenchChip chip;
    chip.on(kPrefetch, [] {
        device::waypoint("waits for credits");
        while (device::poll_l1(0x110) == 0) {
        }
    });
    chip.on(kDispatch, [] {
        device::waypoint("waits for pages");
        while (device::poll_l1(0x100) == 0) {
        }
    });
    chip.machine.waypoint("waits for the device");
    chip.reset();
    chip.machine.waypoint("waits for the device");
    chip.start_all();
    EXPECT_THROW(chip.machine.wait_hugepage_word(64, 0), rt::RunEnded);
    EXPECT_EQ(chip.machine.stop(), MachineStop::hang);
    EXPECT_LT(chip.machine.moves(), 20u);
    const std::vector<ParkedActor> parked = chip.machine.parked();
    ASSERT_EQ(parked.size(), 3u);
    EXPECT_EQ(parked[0].tile, 0);
    EXPECT_EQ(parked[0].waypoint, "waits for the device");
    EXPECT_EQ(parked[0].watches.at(0).address, 64u);
    EXPECT_EQ(parked[1].tile, 1);
    EXPECT_EQ(parked[1].waypoint, "waits for credits");
    EXPECT_EQ(parked[1].watches.at(0).address, 0x110u);
    EXPECT_EQ(parked[1].watches.at(0).seen, 0u);
    EXPECT_EQ(parked[2].waypoint, "waits for pages");
    // The run is over: every further call says so, and nothing moves.
    EXPECT_THROW(chip.machine.hugepage_write(0, {}), rt::RunEnded);
    EXPECT_THROW(chip.machine.start_core({rt::CoreRole::worker, worker(0, 0), nullptr}),
                 rt::RunEnded);
    chip.machine.quiesce();
    EXPECT_EQ(chip.machine.stop(), MachineStop::hang);
}

TEST(ParkingTest, ADispatchCoreThatSleepsAfterTheHostHasClosedIsAHang) {
    BenchChip chip;
    chip.on(kPrefetch, [] {
        while (device::poll_l1(0x110) == 0) {
        }
    });
    chip.run();
    EXPECT_EQ(chip.machine.stop(), MachineStop::hang);
    EXPECT_EQ(chip.count(LogKind::run_end), 0u);
}

TEST(ParkingTest, AWorkerThatSleepsForItsGoIsNoHang) {
    BenchChip chip;
    chip.on(worker(0, 0), [] {
        while (device::poll_l1(0x110) == 0) {
        }
    });
    chip.run();
    EXPECT_EQ(chip.machine.stop(), MachineStop::running);
    EXPECT_EQ(chip.count(LogKind::run_end), 1u);
}

// Firmware waits on `words` words in turn, until all are 1; another core sets them in the order
// given.
void wait_for_words(BenchChip& chip, std::uint32_t words, bool backwards) {
    chip.on(kPrefetch, [words] {
        for (;;) {
            std::uint32_t set = 0;
            for (std::uint32_t word = 0; word < words; ++word)
                set += device::poll_l1(0x100 + word * 16);
            if (set == words) return;
        }
    });
    chip.on(kDispatch, [words, backwards] {
        for (std::uint32_t n = 0; n < words; ++n) {
            const std::uint32_t word = backwards ? words - 1 - n : n;
            write_inline({.coordinate = kPrefetch.noc_xy(), .target = 0x100 + word * 16}, 1);
            for (int step = 0; step < 7; ++step) device::pause();
        }
        write_barrier(0);
    });
}

TEST(ParkingTest, ACoreMayWaitOnSeveralWordsInTurn) {
    BenchChip chip;
    for (const std::uint32_t words : {1u, 2u, 3u, 8u, 9u, 12u}) {
        for (const bool backwards : {false, true}) {
            for (const MachineStrategy strategy :
                 {MachineStrategy::in_order, MachineStrategy::random_walk}) {
                chip.plan.strategy = strategy;
                for (chip.plan.seed = 0; chip.plan.seed < 20; ++chip.plan.seed) {
                    wait_for_words(chip, words, backwards);
                    run_until_exit(chip);
                    ASSERT_EQ(chip.machine.stop(), MachineStop::running)
                        << words << " words, seed " << chip.plan.seed;
                    EXPECT_EQ(chip.count(LogKind::core_exit), 2u);
                }
            }
        }
    }
}

TEST(ParkingTest, AWordThatWasPolledOnceBeforeTheLoopDoesNotKeepTheCoreAwake) {
    BenchChip chip;
    chip.on(kPrefetch, [] {
        device::poll_l1(0x100);
        while (device::poll_l1(0x110) == 0) {
        }
    });
    chip.on(kDispatch, [] {
        write_inline({.coordinate = kPrefetch.noc_xy(), .target = 0x100}, 1);
        write_barrier(0);
    });
    run_until_exit(chip);
    EXPECT_EQ(chip.machine.stop(), MachineStop::hang);
    EXPECT_LT(chip.machine.moves(), 50u);
}

TEST(ParkingTest, AHalfWordIsPolledByItself) {
    BenchChip chip;
    chip.on(kPrefetch, [] {
        while (device::poll_l1_u16(0x102) == 0) {
        }
        FIRMWARE_ASSERT(device::poll_l1_u16(0x100) == 0xbbbb);
    });
    const std::uint32_t word = 0xaaaabbbb;
    chip.reset();
    chip.start_all();
    chip.machine.l1_write(kPrefetch, 0x100, std::as_bytes(std::span(&word, 1)));
    chip.machine.wait_core_exit(kPrefetch);
    chip.machine.quiesce();
    EXPECT_EQ(chip.machine.stop(), MachineStop::running);
    EXPECT_EQ(chip.count(LogKind::firmware_assert), 0u);
}

TEST(ParkingTest, OnlyPollsThatSawAChangeAreLogged) {
    BenchChip chip;
    chip.on(kPrefetch, [] {
        for (int round = 0; round < 3; ++round) {
            device::l1_load_u32(0x800);
            device::poll_l1(0x100);
        }
        while (device::poll_l1(0x100) == 0) {
        }
    });
    chip.on(kDispatch, [] {
        for (int step = 0; step < 30; ++step) device::pause();
        write_inline({.coordinate = kPrefetch.noc_xy(), .target = 0x100}, 5);
        write_barrier(0);
    });
    run_until_exit(chip);
    const std::vector<LogEntry> polls = chip.entries(LogKind::l1_poll);
    ASSERT_EQ(polls.size(), 2u);
    EXPECT_EQ(polls[0].value, 0u);
    EXPECT_EQ(polls[1].value, 5u);
}

TEST(ParkingTest, ABusyLoopWithoutProgressIsALivelock) {
    BenchChip chip;
    chip.config.moves_without_progress_max = 5000;
    chip.on(kPrefetch, [] {
        while (device::l1_load_u32(0x100) == 0) device::pause();
    });
    run_until_exit(chip);
    EXPECT_EQ(chip.machine.stop(), MachineStop::livelock);
}

TEST(ParkingTest, MovesBeyondTheBudgetEndTheRun) {
    BenchChip chip;
    chip.config.moves_max = 5000;
    chip.on(kPrefetch, [] {
        for (;;) {
            write_inline({.coordinate = kDispatch.noc_xy(), .target = 0x100}, 1);
            write_barrier(0);
        }
    });
    run_until_exit(chip);
    EXPECT_EQ(chip.machine.stop(), MachineStop::budget);
    EXPECT_EQ(chip.machine.moves(), 5000u);
}

TEST(ParkingTest, AHostThatPausesLetsOthersMove) {
    BenchChip chip;
    chip.on(kPrefetch, [] {
        for (int step = 0; step < 100; ++step) device::pause();
    });
    chip.reset();
    chip.start_all();
    const std::uint64_t before = chip.machine.moves();
    chip.machine.host_pause(20);
    EXPECT_EQ(chip.machine.moves(), before + 21);
    chip.machine.host_pause(1000);  // nobody else can move so often
    EXPECT_EQ(chip.count(LogKind::core_exit), 1u);
    chip.machine.quiesce();
}

}  // namespace
}  // namespace cqfuzz
