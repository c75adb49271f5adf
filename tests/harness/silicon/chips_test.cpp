// Several chips: coordinates are a chip's own, links carry bytes and counts to the other end alone,
// and the host reaches a remote chip only before its cores run.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/harness/silicon/bench_chip.hpp"

namespace cqfuzz {
namespace {

constexpr std::uint32_t kLink = device::kEthernetLink;
constexpr rt::Coord kNear{20, 12, 0};  // the tunnel's ethernet core
constexpr rt::Coord kFar{20, 12, 1};
constexpr std::uint32_t kBytes = 0x8000;
constexpr std::uint32_t kCount = 0x9000;

class ChipsTest : public testing::Test {
protected:
    ChipsTest() { bench.config.chips = 2; }

    // `packets` packets of four bytes, each followed by a count.
    void send_over_link(std::uint32_t packets) {
        bench.on(kNear, [packets] {
            for (std::uint32_t i = 0; i < packets; ++i) {
                device::l1_store_u32(kBytes + 16 * i, 100 + i);
                write({.noc = kLink, .source = kBytes + 16 * i, .target = kBytes + 16 * i});
                atomic_add({.noc = kLink, .target = kCount}, 1);
            }
            full_barrier(kLink);
        });
        bench.on(kFar, [packets] {
            for (std::uint32_t seen = 0; seen < packets;) {
                device::waypoint("waits for a packet");
                while (device::poll_l1(kCount) == seen) {
                }
                for (const std::uint32_t now = device::l1_load_u32(kCount); seen < now; ++seen)
                    early += device::l1_load_u32(kBytes + 16 * seen) != 100 + seen;
            }
        });
    }

    BenchChip bench;
    static inline std::uint32_t early = 0;  // counts that came before their bytes
};

TEST_F(ChipsTest, AMulticastStaysOnItsChip) {
    bench.on({1, 13, 0}, [] {
        device::l1_store_u32(kBytes, 7);
        multicast({.source = kBytes,
                   .coordinate = rectangle({1, 1}, {2, 2}),
                   .target = kBytes,
                   .receivers = 4});
        write_barrier(0);
    });
    bench.run();
    EXPECT_EQ(bench.count(LogKind::noc_rule), 0u);
    EXPECT_EQ(bench.word({2, 2, 0}, kBytes), 7u);
    EXPECT_EQ(bench.word({2, 2, 1}, kBytes), 0u);
}

TEST_F(ChipsTest, TheSameCoordinateIsATileOfEachChip) {
    bench.reset();
    EXPECT_NE(bench.tile({1, 1, 0}), bench.tile({1, 1, 1}));
    EXPECT_EQ(bench.machine.chip_count(), 2u);
    EXPECT_TRUE(bench.machine.chip(1).remote);
    EXPECT_EQ(bench.machine.chip(1).pcie.chip, 0u);
    EXPECT_EQ(bench.tile({0, 20, 1}), kNoTile);  // PCIe
}

TEST_F(ChipsTest, PacketsAndCountsOfALinkArriveInOrderUnderEveryStrategy) {
    early = 0;
    send_over_link(12);
    for (const MachineOrder order : {MachineOrder::o0, MachineOrder::o1, MachineOrder::o2}) {
        for (const MachineStrategy strategy :
             {MachineStrategy::in_order, MachineStrategy::random_walk, MachineStrategy::pct,
              MachineStrategy::producer_at_once}) {
            bench.config.order = order;
            bench.plan.strategy = strategy;
            ++bench.plan.seed;
            bench.run();
            EXPECT_EQ(bench.word(kFar, kCount), 12u);
            EXPECT_EQ(bench.count(LogKind::noc_rule), 0u);
        }
    }
    EXPECT_EQ(early, 0u);
}

TEST_F(ChipsTest, ALinkAcceptsPacketsAsItsCreditsComeBack) {
    send_over_link(40);
    bench.reset();
    bench.plan.strategy = MachineStrategy::starve;
    bench.plan.starved_actor = bench.tile(kNear);  // its steps or its departures, by the seed
    std::int32_t most = 0;
    for (bench.plan.seed = 1; bench.plan.seed <= 8; ++bench.plan.seed) {
        bench.run();
        std::int32_t in_flight = 0;
        for (const Seen& seen : bench.log) {
            if (seen.entry.noc != kLink) continue;
            if (seen.entry.kind == LogKind::noc_issue) ++in_flight;
            if (seen.entry.kind == LogKind::noc_ack) --in_flight;
            if (seen.entry.noc_kind == NocKind::write) most = std::max(most, in_flight);
        }
        EXPECT_EQ(in_flight, 0);
    }
    EXPECT_EQ(most, 4);
}

TEST_F(ChipsTest, ACoreWithoutALinkHasNobodyToSendTo) {
    bench.on({1, 1, 0}, [] { atomic_add({.noc = kLink, .target = kCount}, 1); });
    bench.run();
    EXPECT_EQ(bench.count(NocRule::unknown_target), 1u);
}

TEST_F(ChipsTest, TheHostReachesARemoteCoreOnlyUntilItRuns) {
    bench.on(kFar, [] {
        device::waypoint("waits for ever");
        while (device::poll_l1(kCount) == 0) {
        }
    });
    bench.reset();
    const std::array<std::byte, 4> bytes{std::byte{9}};
    bench.machine.l1_write(kFar, kBytes, bytes);
    EXPECT_EQ(bench.count(NocRule::unknown_target), 0u);
    bench.start_all();
    bench.machine.l1_write(kFar, kBytes, bytes);
    EXPECT_EQ(bench.count(NocRule::unknown_target), 1u);
}

TEST_F(ChipsTest, EachPairHasAHugepageOfItsOwn) {
    bench.config.chips = 4;
    bench.reset();
    const std::array<std::byte, 4> bytes{std::byte{9}};
    bench.machine.hugepage_write(rt::kHugepageChannelBytes + 64, bytes);
    bench.machine.quiesce();
    EXPECT_EQ(bench.word({0, 20, 2}, 64), 9u);
    EXPECT_EQ(bench.word({0, 20, 0}, 64), 0u);
}

TEST_F(ChipsTest, EightChipsOfEightyCoresFitTheRegion) {
    bench.config.chips = 8;
    bench.config.worker_cols = bench.config.worker_rows = 8;
    bench.config.ethernet_cores = 8;
    bench.reset();
    EXPECT_EQ(bench.machine.chip_count(), 8u);
    EXPECT_NE(bench.tile({8, 8, 7}), kNoTile);
}

}  // namespace
}  // namespace cqfuzz
