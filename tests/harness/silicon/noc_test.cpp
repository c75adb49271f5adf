// NoC transactions one by one: their stages, counters, payloads, and the rules whose breach is
// logged.
#include <gtest/gtest.h>

#include "tests/harness/silicon/bench_chip.hpp"

namespace cqfuzz {
namespace {

class NocTest : public testing::Test {
protected:
    void run_on_prefetch(std::function<void()> main) {
        chip.on(kPrefetch, std::move(main));
        chip.run();
    }
    // The stages of a transaction in the order in which the log has them.
    std::string stages(std::uint32_t transaction) const {
        std::string text;
        for (const Seen& seen : chip.log) {
            if (seen.entry.transaction != transaction) continue;
            switch (seen.entry.kind) {
                case LogKind::noc_issue: text += "issue "; break;
                case LogKind::noc_depart: text += "depart "; break;
                case LogKind::noc_sample: text += "sample "; break;
                case LogKind::noc_arrive: text += "arrive "; break;
                case LogKind::noc_ack: text += "ack "; break;
                default: break;
            }
        }
        return text;
    }

    BenchChip chip;
    const std::uint32_t left = worker(0, 0).noc_xy();
    const std::uint32_t all = rectangle(worker(0, 0), worker(1, 1));
};

TEST_F(NocTest, AWriteIssuesDepartsArrivesAndIsAcknowledged) {
    run_on_prefetch([this] {
        device::l1_store_u32(0x100, 42);
        write({.source = 0x100, .coordinate = left, .target = 0x200});
        write_barrier(0);
    });
    EXPECT_EQ(stages(1), "issue depart arrive ack ");
    EXPECT_EQ(chip.word(worker(0, 0), 0x200), 42u);
    const LogEntry issue = chip.entries(LogKind::noc_issue).at(0);
    EXPECT_EQ(issue.tile, chip.tile(kPrefetch));
    EXPECT_EQ(issue.target, chip.tile(worker(0, 0)));
    EXPECT_EQ(issue.source_address, 0x100u);
    EXPECT_EQ(issue.target_address, 0x200u);
    EXPECT_EQ(issue.length, 4u);
}

TEST_F(NocTest, APostedWriteHasNoAcknowledgement) {
    run_on_prefetch([this] {
        device::register_write(0, 0, Register::targ_addr_lo, 0x100);
        device::register_write(0, 0, Register::ret_addr_lo, 0x100);
        device::register_write(0, 0, Register::ret_addr_coordinate, left);
        device::register_write(0, 0, Register::at_len_be, 4);
        device::register_write(0, 0, Register::ctrl,
                               device::kNocCmdWrite | 1u << device::kNocCmdVcShift);
        device::noc_send(0, 0);
        ++device::software_counter(0, SoftwareCounter::posted_writes_num_issued);
        wait_equal(0, HardwareCounter::posted_wr_req_sent,
                   SoftwareCounter::posted_writes_num_issued);
    });
    EXPECT_EQ(stages(1), "issue depart arrive ");
    EXPECT_EQ(chip.machine.in_flight(), 0u);
    EXPECT_EQ(chip.count(LogKind::noc_rule), 0u);
}

TEST_F(NocTest, SourceBytesAreReadAtDepartureNotAtIssue) {
    const TileIndex prefetch = 1;
    chip.plan.holds = {
        {{prefetch, MachineMove::departure, 0, 1}, {prefetch, MachineMove::step, 0, 2}}};
    run_on_prefetch([this] {
        device::l1_store_u32(0x100, 1);
        write({.source = 0x100, .coordinate = left, .target = 0x200});
        device::l1_store_u32(0x100, 2);  // too early: the write has not departed
        write_barrier(0);
    });
    EXPECT_EQ(chip.word(worker(0, 0), 0x200), 2u);
}

TEST_F(NocTest, AnInlineWriteTakesItsValueAtIssue) {
    run_on_prefetch([this] {
        write_inline({.coordinate = left, .target = 0x200}, 0xabcd);
        write_barrier(0);
    });
    EXPECT_EQ(stages(1), "issue depart arrive ack ");
    EXPECT_EQ(chip.word(worker(0, 0), 0x200), 0xabcdu);
    EXPECT_EQ(chip.entries(LogKind::noc_issue).at(0).value, 0xabcdu);
}

TEST_F(NocTest, AReadSamplesLandsAndIsCounted) {
    run_on_prefetch([this] {
        write_inline({.coordinate = left, .target = 0x200}, 9);
        write_barrier(0);
        read({.source = 0x200, .coordinate = left, .target = 0x300});
        read_barrier(0);
        FIRMWARE_ASSERT(device::l1_load_u32(0x300) == 9);
    });
    EXPECT_EQ(stages(2), "issue sample arrive ack ");
    EXPECT_EQ(chip.count(LogKind::firmware_assert), 0u);
}

TEST_F(NocTest, AnAtomicAddsOnceAndIsAnswered) {
    run_on_prefetch([this] {
        atomic_add({.coordinate = left, .target = 0x200}, 5);
        atomic_add({.coordinate = left, .target = 0x200}, 0u - 2u);
        atomic_barrier(0);
    });
    EXPECT_EQ(stages(1), "issue arrive ack ");
    EXPECT_EQ(chip.word(worker(0, 0), 0x200), 3u);
}

TEST_F(NocTest, AnAtomicToTheOwnTileIsDelayedToo) {
    const TileIndex prefetch = 1;
    chip.plan.holds = {
        {{prefetch, MachineMove::arrival, 0, 1}, {prefetch, MachineMove::step, 0, 3}}};
    run_on_prefetch([] {
        atomic_add({.coordinate = kPrefetch.noc_xy(), .target = 0x200}, 5);
        FIRMWARE_ASSERT(device::l1_load_u32(0x200) == 0);
        device::pause();
        atomic_barrier(0);
        FIRMWARE_ASSERT(device::l1_load_u32(0x200) == 5);
    });
    EXPECT_EQ(chip.count(LogKind::firmware_assert), 0u);
}

TEST_F(NocTest, AMulticastReachesEveryTileOfItsRectangleWithOnePayload) {
    chip.config.worker_cols = 3;
    run_on_prefetch([this] {
        device::l1_store_u32(0x100, 77);
        multicast({.source = 0x100, .coordinate = all, .target = 0x200, .receivers = 4});
        write_barrier(0);
    });
    EXPECT_EQ(stages(1), "issue depart arrive ack ");
    const LogEntry arrival = chip.entries(LogKind::noc_arrive).at(0);
    EXPECT_EQ(arrival.target, kNoTile);
    EXPECT_EQ(arrival.receivers, (NocRectangle{{1, 1}, {2, 2}}));
    EXPECT_EQ(arrival.flags, kLogMulticast);
    for (std::uint32_t row = 0; row < 2; ++row) {
        for (std::uint32_t col = 0; col < 2; ++col)
            EXPECT_EQ(chip.word(worker(col, row), 0x200), 77u);
        EXPECT_EQ(chip.word(worker(2, row), 0x200), 0u);
    }
    EXPECT_EQ(chip.machine.arrivals(), 4u);
    EXPECT_EQ(chip.count(LogKind::noc_rule), 0u);
}

// The route of NoC 1 goes the other way (facts §8.1).
TEST_F(NocTest, OnNocOneARectangleStartsAtItsLowerRight) {
    run_on_prefetch([this] {
        device::l1_store_u32(0x100, 77);
        multicast({.noc = 1,
                   .source = 0x100,
                   .coordinate = rectangle(worker(1, 1), worker(0, 0)),
                   .target = 0x200,
                   .receivers = 4});
        write_barrier(1);
        multicast({.noc = 1, .source = 0x100, .coordinate = all, .target = 0x300, .receivers = 4});
    });
    EXPECT_EQ(chip.entries(LogKind::noc_arrive).at(0).receivers, (NocRectangle{{1, 1}, {2, 2}}));
    EXPECT_EQ(chip.word(worker(1, 0), 0x200), 77u);
    EXPECT_EQ(chip.word(worker(1, 0), 0x300), 0u);
    EXPECT_EQ(chip.count(NocRule::unknown_target), 1u);
}

TEST_F(NocTest, AMulticastLeavesTheSenderOutUnlessItIsIncluded) {
    chip.on(worker(0, 0), [this] {
        device::l1_store_u32(0x100, 7);
        multicast({.source = 0x100, .coordinate = all, .target = 0x200, .receivers = 3});
        multicast({.source = 0x100,
                   .coordinate = all,
                   .target = 0x300,
                   .control = device::kNocCmdSourceInclude,
                   .receivers = 4});
        write_barrier(0);
    });
    chip.run();
    EXPECT_EQ(chip.word(worker(0, 0), 0x200), 0u);
    EXPECT_EQ(chip.word(worker(0, 0), 0x300), 7u);
    EXPECT_EQ(chip.count(LogKind::noc_rule), 0u);
}

TEST_F(NocTest, CountersWrapAndBarriersStillHold) {
    chip.config.counters = {0xfffffffe, 0xfffffffd, 0xffffffff, 0xffffffff};
    chip.plan.strategy = MachineStrategy::random_walk;
    chip.on(kPrefetch, [this] {
        for (int round = 0; round < 4; ++round) {
            multicast({.source = 0x100, .coordinate = all, .target = 0x200, .receivers = 4});
            atomic_add({.coordinate = left, .target = 0x300}, 1);
            read({.source = 0x200, .coordinate = left, .target = 0x400});
            full_barrier(0);
            FIRMWARE_ASSERT(device::read_hardware_counter(0, HardwareCounter::wr_ack_received) ==
                            0xfffffffdu + 4u * (static_cast<std::uint32_t>(round) + 1));
        }
    });
    for (chip.plan.seed = 0; chip.plan.seed < 20; ++chip.plan.seed) {
        chip.run();
        EXPECT_EQ(chip.count(LogKind::core_exit), 1u);
        EXPECT_EQ(chip.count(LogKind::noc_rule), 0u);
        EXPECT_EQ(chip.count(LogKind::firmware_assert), 0u);
    }
}

TEST_F(NocTest, NoMoreWritesWaitForDepartureThanAllowed) {
    for (const std::uint32_t most : {1u, 2u, 4u}) {
        chip.config.noc_undeparted_max = most;
        chip.plan.strategy = MachineStrategy::random_walk;
        chip.on(kPrefetch, [this] {
            for (std::uint32_t n = 0; n < 12; ++n) {
                if (n % 2 == 0)
                    write({.source = 0x100, .coordinate = left, .target = 0x200});
                else
                    write_inline({.coordinate = left, .target = 0x200}, n);
            }
            write_barrier(0);
        });
        std::uint32_t deepest = 0;
        for (chip.plan.seed = 0; chip.plan.seed < 30; ++chip.plan.seed) {
            chip.run();
            std::uint32_t waiting = 0;
            for (const Seen& seen : chip.log) {
                if (seen.entry.kind == LogKind::noc_issue) ++waiting;
                if (seen.entry.kind == LogKind::noc_depart) --waiting;
                deepest = std::max(deepest, waiting);
            }
            EXPECT_EQ(chip.count(LogKind::core_exit), 1u);
            EXPECT_EQ(chip.count(LogKind::noc_rule), 0u);
        }
        EXPECT_EQ(deepest, most);
    }
}

TEST_F(NocTest, RewritingTheRegistersOfABusyBufferIsReported) {
    chip.config.noc_undeparted_max = 1;
    const TileIndex prefetch = 1;
    chip.plan.holds = {
        {{prefetch, MachineMove::departure, 0, 1}, {prefetch, MachineMove::step, 0, 2}}};
    run_on_prefetch([this] {
        write({.source = 0x100, .coordinate = left, .target = 0x200});
        device::register_write(0, device::kWriteBuffer, Register::targ_addr_lo, 0);
        write_barrier(0);
    });
    EXPECT_EQ(chip.count(NocRule::busy_register_write), 1u);
}

// --- rules ---------------------------------------------------------------------------------------

struct RuleCase {
    NocRule rule;
    bool dropped;
    std::function<void()> issue;
};

TEST_F(NocTest, EachRuleIsReportedOnceAndTheRunGoesOn) {
    const std::uint32_t dram = rt::Coord{0, 0}.noc_xy();
    const std::uint32_t nobody = rt::Coord{40, 40}.noc_xy();
    const std::vector<RuleCase> cases = {
        {NocRule::zero_length, false,
         [&] { write({.source = 0, .coordinate = left, .target = 0, .length = 0}); }},
        {NocRule::burst_exceeded, true,
         [&] { write({.source = 0, .coordinate = left, .target = 0, .length = 8196}); }},
        {NocRule::misaligned, false,
         [&] { write({.source = 8, .coordinate = left, .target = 4}); }},
        {NocRule::misaligned, false,
         [&] { read({.source = 16, .coordinate = dram, .target = 32}); }},
        {NocRule::misaligned, false, [&] { write_inline({.coordinate = left, .target = 2}, 1); }},
        {NocRule::misaligned, false, [&] { atomic_add({.coordinate = left, .target = 2}, 1); }},
        {NocRule::unknown_target, true, [&] { write({.coordinate = nobody}); }},
        {NocRule::unknown_target, true, [&] { atomic_add({.coordinate = dram}, 1); }},
        {NocRule::unknown_target, true,
         [&] { write({.coordinate = dram, .target = chip.config.dram_bank_bytes}); }},
        {NocRule::unknown_target, true,
         [&] {
             multicast({.coordinate = rectangle({30, 30}, {31, 31}), .receivers = 4});
         }},
        {NocRule::wrong_receiver_count, false,
         [&] { multicast({.coordinate = all, .receivers = 5}); }},
    };
    for (const RuleCase& one : cases) {
        run_on_prefetch([&] { one.issue(); });
        EXPECT_EQ(chip.count(one.rule), 1u) << static_cast<int>(one.rule);
        EXPECT_EQ(chip.count(LogKind::noc_issue), one.dropped ? 0u : 1u)
            << static_cast<int>(one.rule);
        EXPECT_EQ(chip.machine.stop(), MachineStop::running);
    }
}

TEST_F(NocTest, ALinkedChainMayOnlyBeFollowedByItsOwnRectangle) {
    const auto chained = [this] {
        return Send{.coordinate = all, .control = device::kNocCmdLinked, .receivers = 4};
    };
    run_on_prefetch([&] {
        multicast(chained());
        multicast(chained());
        multicast({.coordinate = all, .receivers = 4});
        atomic_add({.coordinate = left}, 1);
        full_barrier(0);
    });
    EXPECT_EQ(chip.count(NocRule::linked_chain_broken), 0u);
    run_on_prefetch([&] {
        multicast(chained());
        atomic_add({.noc = 1, .coordinate = left}, 1);  // the other NoC is free
        full_barrier(1);
        atomic_add({.coordinate = left}, 1);
        multicast({.coordinate = all, .receivers = 4});
        full_barrier(0);
    });
    EXPECT_EQ(chip.count(NocRule::linked_chain_broken), 1u);
    run_on_prefetch([&] {
        multicast(chained());
        full_barrier(0);
    });
    EXPECT_EQ(chip.count(NocRule::linked_chain_broken), 1u) << "an open chain at exit";
}

TEST_F(NocTest, WhatIsInFlightAtExitIsReported) {
    const TileIndex prefetch = 1;
    chip.plan.holds = {
        {{prefetch, MachineMove::arrival, 0, 1}, {prefetch, MachineMove::step, 0, 99}}};
    run_on_prefetch([this] { write({.coordinate = left}); });
    EXPECT_EQ(chip.count(NocRule::in_flight_at_exit), 1u);
    EXPECT_EQ(chip.count(NocRule::counter_mismatch), 0u);
}

TEST_F(NocTest, CountersThatCannotMeetAreReportedAtExitAndAtAHang) {
    run_on_prefetch([this] {
        write({.coordinate = left});
        write_barrier(0);
        ++device::software_counter(0, SoftwareCounter::nonposted_writes_acked);
    });
    EXPECT_EQ(chip.count(NocRule::counter_mismatch), 1u);

    chip.on(kPrefetch, [this] {
        write({.coordinate = left, .receivers = 2});  // one too many
        write_barrier(0);
    });
    chip.reset();
    chip.start_all();
    EXPECT_THROW(chip.machine.wait_core_exit(kPrefetch), rt::RunEnded);
    EXPECT_EQ(chip.machine.stop(), MachineStop::hang);
    EXPECT_EQ(chip.count(NocRule::counter_mismatch), 1u);
}

}  // namespace
}  // namespace cqfuzz
