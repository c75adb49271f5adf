// Schedule: recordings, holds and the strategies. The heart of it: any run is an in-order run plus
// holds.
#include <gtest/gtest.h>

#include "tests/harness/silicon/ring_workload.hpp"

namespace cqfuzz {
namespace {

struct Variant {
    MachineStrategy strategy;
    std::uint32_t split_one_in;
};

class RecordedRun : public testing::TestWithParam<Variant> {};

TEST_P(RecordedRun, IsMadeAgainByInOrderWithItsHolds) {
    BenchChip chip;
    RingWorkload workload(chip, 12);
    std::size_t holds = 0;
    for (const MachineOrder order : {MachineOrder::o1, MachineOrder::o2}) {
        chip.config.order = order;
        for (std::uint64_t seed = 0; seed < 30; ++seed) {
            chip.plan = SchedulePlan{};
            chip.plan.strategy = GetParam().strategy;
            chip.plan.split_multicast_one_in = GetParam().split_one_in;
            chip.plan.seed = seed;
            chip.plan.starved_actor = static_cast<TileIndex>(seed % 4);
            chip.plan.credit_words = {{TileIndex{1}, RingWorkload::kCredits}};
            chip.plan.record = true;
            chip.config.noc_undeparted_max = seed % 3 == 0 ? 2 : 0;
            workload.run();
            ASSERT_EQ(chip.machine.stop(), MachineStop::running) << "seed " << seed;
            ASSERT_TRUE(chip.machine.recording_complete());
            const std::uint64_t fingerprint = chip.fingerprint;
            const std::vector<MachineMoveName> moves = chip.machine.recorded_moves();
            ASSERT_EQ(moves.size(), chip.machine.moves());

            chip.plan.holds = chip.machine.holds_of_recording();
            holds += chip.plan.holds.size();
            chip.plan.strategy = MachineStrategy::in_order;
            workload.run();
            EXPECT_EQ(chip.machine.recorded_moves(), moves) << "seed " << seed;
            EXPECT_EQ(chip.fingerprint, fingerprint) << "seed " << seed;
        }
    }
    EXPECT_GT(holds, 60u * 20u) << "the strategy hardly differs from in-order";
}

INSTANTIATE_TEST_SUITE_P(ScheduleTest, RecordedRun,
                         testing::Values(Variant{MachineStrategy::random_walk, 0},
                                         Variant{MachineStrategy::random_walk, 2},
                                         Variant{MachineStrategy::pct, 0},
                                         Variant{MachineStrategy::pct, 3},
                                         Variant{MachineStrategy::producer_at_once, 1},
                                         Variant{MachineStrategy::starve, 2}));

TEST(ScheduleTest, MovesHaveDifferentNames) {
    BenchChip chip;
    RingWorkload workload(chip, 12);
    chip.plan.strategy = MachineStrategy::random_walk;
    chip.plan.split_multicast_one_in = 2;
    chip.plan.record = true;
    workload.run();
    std::vector<std::uint64_t> names;
    for (const MachineMoveName& name : chip.machine.recorded_moves())
        names.push_back(static_cast<std::uint64_t>(name.ordinal) << 32 |
                        static_cast<std::uint64_t>(name.actor) << 16 |
                        static_cast<std::uint64_t>(name.kind) << 8 | name.noc);
    std::sort(names.begin(), names.end());
    EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

// A producer of two writes to different workers; each row of the log is a departure or an arrival.
std::string order_of(const BenchChip& chip) {
    std::string text;
    for (const Seen& seen : chip.log) {
        const LogEntry& e = seen.entry;
        if (e.kind == LogKind::noc_depart) text += " d" + std::to_string(e.transaction);
        if (e.kind == LogKind::noc_arrive) text += " a" + std::to_string(e.transaction);
        if (e.kind == LogKind::noc_ack) text += " k" + std::to_string(e.transaction);
    }
    return text;
}

void add_two_writes(BenchChip& chip) {
    chip.on(kPrefetch, [] {
        write({.source = 0x100, .coordinate = worker(0, 0).noc_xy(), .target = 0x100});
        write({.source = 0x100, .coordinate = worker(1, 0).noc_xy(), .target = 0x100});
        write_barrier(0);
    });
}

TEST(ScheduleTest, InOrderMakesEachTransactionAtOnce) {
    BenchChip chip;
    add_two_writes(chip);
    chip.run();
    EXPECT_EQ(order_of(chip), " d1 a1 k1 d2 a2 k2");
}

TEST(ScheduleTest, AHeldMoveWaitsUntilTheNamedMoveWasMade) {
    BenchChip chip;
    add_two_writes(chip);
    const TileIndex prefetch = 1;
    chip.plan.holds = {
        {{prefetch, MachineMove::arrival, 0, 1}, {prefetch, MachineMove::arrival, 0, 2}}};
    chip.run();
    EXPECT_EQ(order_of(chip), " d1 d2 a2 a1 k1 k2");
}

TEST(ScheduleTest, AHoldOnACoreLetsOthersGoFirst) {
    BenchChip chip;
    add_two_writes(chip);
    chip.on(worker(0, 0), [] { device::pause(); });
    const TileIndex prefetch = 1;
    const TileIndex first_worker = 4;
    chip.plan.holds = {
        {{prefetch, MachineMove::step, 0, 1}, {first_worker, MachineMove::step, 0, 2}}};
    chip.run();
    const std::vector<LogEntry> exits = chip.entries(LogKind::core_exit);
    ASSERT_EQ(exits.size(), 2u);
    EXPECT_EQ(exits[0].tile, first_worker);
}

TEST(ScheduleTest, WhenOnlyHeldMovesAreLeftTheOldestIsReleased) {
    BenchChip chip;
    add_two_writes(chip);
    const TileIndex prefetch = 1;
    chip.plan.holds = {
        {{prefetch, MachineMove::departure, 0, 1}, {prefetch, MachineMove::step, 0, 1000}}};
    chip.run();
    EXPECT_EQ(chip.machine.stop(), MachineStop::running);
    EXPECT_EQ(order_of(chip), " d1 a1 k1 d2 a2 k2");
}

TEST(ScheduleTest, AHoldOfOneReceiverSplitsThatMulticast) {
    BenchChip chip;
    chip.on(kPrefetch, [] {
        multicast({.source = 0x100,
                   .coordinate = rectangle(worker(0, 0), worker(1, 0)),
                   .target = 0x100,
                   .receivers = 2});
        write_barrier(0);
    });
    const TileIndex prefetch = 1;
    chip.plan.holds = {{{prefetch, MachineMove::arrival, 0 | 1 << 1, 1},
                        {prefetch, MachineMove::arrival, 0 | 2 << 1, 1}}};
    chip.run();
    const std::vector<LogEntry> arrivals = chip.entries(LogKind::noc_arrive);
    ASSERT_EQ(arrivals.size(), 2u);
    EXPECT_EQ(arrivals[0].target, chip.tile(worker(1, 0)));
    EXPECT_EQ(arrivals[1].target, chip.tile(worker(0, 0)));
}

// The consumer releases a page whose bytes have not departed; the producer refills it at once.
TEST(ScheduleTest, ProducerAtOnceFillsAPageBeforeTheIssuersDeparturesGoOn) {
    BenchChip chip;
    chip.on(kDispatch, [] {
        write({.source = 0x1000,
               .coordinate = worker(0, 0).noc_xy(),
               .target = 0x2000,
               .length = 16});
        atomic_add({.noc = 1, .coordinate = kPrefetch.noc_xy(), .target = 0x110}, 1);
        write_barrier(0);
    });
    chip.on(kPrefetch, [] {
        while (device::poll_l1(0x110) == 0) {
        }
        const std::uint32_t data = 0xbad;
        device::l1_store(0x2000, &data, sizeof data);
        write({.source = 0x2000, .coordinate = kDispatch.noc_xy(), .target = 0x1000, .length = 16});
        write_barrier(0);
    });
    chip.plan.strategy = MachineStrategy::producer_at_once;
    chip.plan.credit_words = {{TileIndex{1}, 0x110}};
    std::uint32_t overwritten = 0;
    for (chip.plan.seed = 0; chip.plan.seed < 40; ++chip.plan.seed) {
        chip.run();
        overwritten += chip.word(worker(0, 0), 0x2000) == 0xbad ? 1 : 0;
    }
    EXPECT_GE(overwritten, 8u);
}

TEST(ScheduleTest, AStarvedActorMovesOnlyWhenNothingElseCan) {
    BenchChip chip;
    chip.plan.strategy = MachineStrategy::starve;
    chip.plan.starved_actor = 1;
    std::uint32_t last = 0;
    for (chip.plan.seed = 0; chip.plan.seed < 20; ++chip.plan.seed) {
        for (const rt::Coord coord : {kPrefetch, kDispatch, worker(0, 0)})
            chip.on(coord, [] {
                for (int step = 0; step < 20; ++step) device::pause();
            });
        chip.run();
        const std::vector<LogEntry> exits = chip.entries(LogKind::core_exit);
        ASSERT_EQ(exits.size(), 3u);
        last += exits[2].tile == 1 ? 1 : 0;
    }
    EXPECT_GE(last, 8u);  // half of the seeds starve the core, the others its departures
}

TEST(ScheduleTest, CoresThatPauseTakeTurnsInOrder) {
    BenchChip chip;
    for (const rt::Coord coord : {kPrefetch, kDispatch})
        chip.on(coord, [] {
            for (std::uint32_t step = 0; step < 3; ++step) {
                device::l1_store_u32(0x100, step);
                device::pause();
            }
        });
    chip.run();
    const std::vector<LogEntry> stores = chip.entries(LogKind::l1_store);
    ASSERT_EQ(stores.size(), 6u);
    for (std::size_t index = 0; index < stores.size(); ++index)
        EXPECT_EQ(stores[index].tile, 1 + index % 2);
}

TEST(ScheduleTest, BusyLoopsOfOthersDoNotMakeALivelockOfAnyStrategy) {
    BenchChip chip;
    chip.config.moves_without_progress_max = 100'000;
    chip.on(kPrefetch, [] {
        while (device::l1_load_u32(0x100) == 0) device::pause();
    });
    chip.on(kDispatch, [] {
        for (int step = 0; step < 50; ++step) device::pause();
        write_inline({.coordinate = kPrefetch.noc_xy(), .target = 0x100}, 1);
        write_barrier(0);
    });
    chip.plan.starved_actor = 2;
    chip.plan.holds = {
        {{TileIndex{2}, MachineMove::departure, 0, 1}, {TileIndex{3}, MachineMove::step, 0, 1}}};
    for (const MachineStrategy strategy :
         {MachineStrategy::in_order, MachineStrategy::random_walk, MachineStrategy::pct,
          MachineStrategy::producer_at_once, MachineStrategy::starve}) {
        chip.plan.strategy = strategy;
        for (chip.plan.seed = 0; chip.plan.seed < 6; ++chip.plan.seed) {
            chip.run();
            EXPECT_EQ(chip.machine.stop(), MachineStop::running) << static_cast<int>(strategy);
            EXPECT_EQ(chip.count(LogKind::core_exit), 2u);
        }
    }
}

TEST(ScheduleTest, NoBusyLoopStarvesTheOthersInOrder) {
    BenchChip chip;
    chip.on(kPrefetch, [] {
        while (device::l1_load_u32(0x100) == 0) device::pause();
    });
    chip.on(kDispatch, [] {
        write_inline({.coordinate = kPrefetch.noc_xy(), .target = 0x100}, 1);
        write_barrier(0);
    });
    chip.run();
    EXPECT_EQ(chip.count(LogKind::core_exit), 2u);
}

}  // namespace
}  // namespace cqfuzz
