// The order contract of design §4: what each level promises, and what it leaves open.
//
// Method: a few transactions, many random walks. What is promised must hold in every walk; what is
// left open must be seen the other way round in some walk.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/base/rng.hpp"
#include "tests/harness/silicon/bench_chip.hpp"

namespace cqfuzz {
namespace {

constexpr std::uint64_t kWalks = 200;

class NocOrderTest : public testing::Test {
protected:
    // Where a transaction's entry of this kind lies in the log. 0: nowhere.
    std::size_t at(LogKind kind, std::uint32_t transaction) const {
        for (std::size_t index = 0; index < chip.log.size(); ++index)
            if (chip.log[index].entry.kind == kind &&
                chip.log[index].entry.transaction == transaction)
                return index + 1;
        return 0;
    }
    // In which orders do the two events come over many walks? {true}: always `first` before
    // `second`.
    std::set<bool> orders(MachineOrder order, LogKind first_kind, std::uint32_t first,
                          LogKind second_kind, std::uint32_t second) {
        chip.config.order = order;
        chip.plan.strategy = MachineStrategy::random_walk;
        std::set<bool> seen;
        for (chip.plan.seed = 0; chip.plan.seed < kWalks; ++chip.plan.seed) {
            chip.run();
            const std::size_t a = at(first_kind, first);
            const std::size_t b = at(second_kind, second);
            EXPECT_NE(a, 0u);
            EXPECT_NE(b, 0u);
            seen.insert(a < b);
        }
        return seen;
    }
    std::set<bool> arrivals(MachineOrder order) {
        return orders(order, LogKind::noc_arrive, 1, LogKind::noc_arrive, 2);
    }

    BenchChip chip;
    const std::uint32_t left = worker(0, 0).noc_xy();
    const std::uint32_t right = worker(1, 0).noc_xy();
    const std::uint32_t both = rectangle(worker(0, 0), worker(1, 0));
    const std::set<bool> in_order{true};
    const std::set<bool> open{false, true};
};

TEST_F(NocOrderTest, WritesOfOneTileAndNocDepartInIssueOrder) {
    chip.on(kPrefetch, [this] {
        write({.source = 0x100, .coordinate = left, .target = 0x100});
        write_inline({.coordinate = right, .target = 0x100}, 7);
        multicast({.source = 0x100, .coordinate = both, .target = 0x200, .receivers = 2});
        write_barrier(0);
    });
    for (const MachineOrder order : {MachineOrder::o1, MachineOrder::o2}) {
        EXPECT_EQ(orders(order, LogKind::noc_depart, 1, LogKind::noc_depart, 2), in_order);
        EXPECT_EQ(orders(order, LogKind::noc_depart, 2, LogKind::noc_depart, 3), in_order);
        EXPECT_EQ(orders(order, LogKind::noc_depart, 1, LogKind::noc_issue, 2), open);
    }
}

TEST_F(NocOrderTest, WritesOnDifferentNocsDepartInAnyOrder) {
    chip.on(kPrefetch, [this] {
        write({.source = 0x100, .coordinate = left, .target = 0x100});
        write({.noc = 1, .source = 0x100, .coordinate = left, .target = 0x100});
        write_barrier(0);
        write_barrier(1);
    });
    EXPECT_EQ(orders(MachineOrder::o1, LogKind::noc_depart, 1, LogKind::noc_depart, 2), open);
    EXPECT_EQ(arrivals(MachineOrder::o1), open);
}

TEST_F(NocOrderTest, WriteInlineWriteAndAtomicToOneReceiverArriveInIssueOrder) {
    chip.on(kPrefetch, [this] {
        write({.source = 0x100, .coordinate = left, .target = 0x100});
        atomic_add({.coordinate = left, .target = 0x300}, 1);
        write_inline({.coordinate = left, .target = 0x200}, 7);
        full_barrier(0);
    });
    for (const MachineOrder order : {MachineOrder::o1, MachineOrder::o2}) {
        EXPECT_EQ(arrivals(order), in_order);
        EXPECT_EQ(orders(order, LogKind::noc_arrive, 2, LogKind::noc_arrive, 3), in_order);
    }
}

// O3, step by step: what each gives up is open, and what it does not give up holds.
TEST_F(NocOrderTest, RelaxedKindsPassEachOtherAndTheirLikeDoNot) {
    chip.on(kPrefetch, [this] {
        write({.source = 0x100, .coordinate = left, .target = 0x100});
        atomic_add({.coordinate = left, .target = 0x300}, 1);
        write_inline({.coordinate = left, .target = 0x200}, 7);
        write({.source = 0x100, .coordinate = left, .target = 0x100});
        full_barrier(0);
    });
    chip.config.relaxed = kRelaxKinds;
    EXPECT_EQ(arrivals(MachineOrder::o3), open);
    EXPECT_EQ(orders(MachineOrder::o3, LogKind::noc_arrive, 2, LogKind::noc_arrive, 3), open);
    EXPECT_EQ(orders(MachineOrder::o3, LogKind::noc_arrive, 1, LogKind::noc_arrive, 4), in_order);
    EXPECT_EQ(orders(MachineOrder::o3, LogKind::noc_depart, 1, LogKind::noc_depart, 3), in_order);
    chip.config.relaxed = kRelaxAll;
    EXPECT_EQ(arrivals(MachineOrder::o2), in_order) << "O2 gives up none of it";
}

TEST_F(NocOrderTest, RelaxedBuffersDepartByThemselves) {
    chip.on(kPrefetch, [this] {
        write({.source = 0x100, .coordinate = left, .target = 0x100});
        write_inline({.coordinate = right, .target = 0x100}, 7);
        write({.source = 0x100, .coordinate = right, .target = 0x200});
        write_barrier(0);
    });
    chip.config.relaxed = kRelaxBuffers;
    EXPECT_EQ(orders(MachineOrder::o3, LogKind::noc_depart, 1, LogKind::noc_depart, 2), open);
    EXPECT_EQ(orders(MachineOrder::o3, LogKind::noc_depart, 1, LogKind::noc_depart, 3), in_order);
}

TEST_F(NocOrderTest, RelaxedSentCountsBeforeTheSourceIsRead) {
    chip.on(kPrefetch, [this] {
        device::l1_store_u32(0x100, 1);
        write({.source = 0x100, .coordinate = left, .target = 0x100});
        while (device::poll_hardware_counter(0, HardwareCounter::nonposted_wr_req_sent) == 0) {
        }
        device::l1_store_u32(0x100, 5);
        write_barrier(0);
    });
    chip.config.relaxed = kRelaxSent;
    chip.plan.strategy = MachineStrategy::random_walk;
    const auto landed = [this](MachineOrder order) {
        std::set<std::uint32_t> words;
        chip.config.order = order;
        for (chip.plan.seed = 0; chip.plan.seed < kWalks; ++chip.plan.seed) {
            chip.run();
            words.insert(chip.word(worker(0, 0), 0x100));
        }
        return words;
    };
    EXPECT_EQ(landed(MachineOrder::o2), (std::set<std::uint32_t>{1}));
    EXPECT_EQ(landed(MachineOrder::o3), (std::set<std::uint32_t>{1, 5}));
}

TEST_F(NocOrderTest, DifferentReceiversChannelsAndSourcesAreNeverOrdered) {
    chip.on(kPrefetch, [this] {
        write({.source = 0x100, .coordinate = left, .target = 0x100});
        atomic_add({.coordinate = right, .target = 0x300}, 1);
        full_barrier(0);
    });
    EXPECT_EQ(arrivals(MachineOrder::o1), open);
    chip.on(kPrefetch, [this] {
        multicast({.source = 0x100, .coordinate = both, .target = 0x100, .receivers = 2});
        atomic_add({.coordinate = left, .target = 0x300}, 1);
        full_barrier(0);
    });
    EXPECT_EQ(arrivals(MachineOrder::o1), open);
    chip.on(kPrefetch, [this] { write_inline({.coordinate = left, .target = 0x100}, 1); });
    chip.on(kDispatch, [this] { write_inline({.coordinate = left, .target = 0x100}, 2); });
    EXPECT_EQ(arrivals(MachineOrder::o1), open);
}

TEST_F(NocOrderTest, AMulticastJoinsTheOrderOfEachOfItsReceivers) {
    chip.on(kPrefetch, [this] {
        multicast({.source = 0x100, .coordinate = both, .target = 0x100, .receivers = 2});
        multicast({.source = 0x100,
                   .coordinate = rectangle(worker(1, 0), worker(1, 1)),
                   .target = 0x100,
                   .receivers = 2});
        write({.source = 0x100, .coordinate = right, .target = 0x100, .channel = 5});
        write({.source = 0x100, .coordinate = left, .target = 0x100, .channel = 5});
        write_barrier(0);
    });
    EXPECT_EQ(arrivals(MachineOrder::o1), in_order);
    EXPECT_EQ(orders(MachineOrder::o1, LogKind::noc_arrive, 2, LogKind::noc_arrive, 3), in_order);
    EXPECT_EQ(orders(MachineOrder::o1, LogKind::noc_arrive, 1, LogKind::noc_arrive, 3), in_order);
    EXPECT_EQ(orders(MachineOrder::o1, LogKind::noc_arrive, 1, LogKind::noc_arrive, 4), in_order);
    EXPECT_EQ(orders(MachineOrder::o1, LogKind::noc_arrive, 3, LogKind::noc_arrive, 4), open);
    EXPECT_EQ(orders(MachineOrder::o1, LogKind::noc_arrive, 2, LogKind::noc_arrive, 4), open);
}

TEST_F(NocOrderTest, AUnicastBeforeAMulticastOfItsChannelGoesFirst) {
    chip.on(kPrefetch, [this] {
        write({.source = 0x100, .coordinate = left, .target = 0x100, .channel = 5});
        multicast({.source = 0x100, .coordinate = both, .target = 0x100, .receivers = 2});
        write_barrier(0);
    });
    EXPECT_EQ(arrivals(MachineOrder::o1), in_order);
}

TEST_F(NocOrderTest, AMulticastWaitsForEachEarlierOneThatItOverlaps) {
    chip.on(kPrefetch, [this] {
        multicast({.source = 0x100, .coordinate = both, .target = 0x100, .receivers = 2});
        multicast({.source = 0x100,
                   .coordinate = rectangle(worker(0, 1), worker(1, 1)),
                   .target = 0x100,
                   .receivers = 2});
        multicast({.source = 0x100,
                   .coordinate = rectangle(worker(0, 0), worker(1, 1)),
                   .target = 0x100,
                   .receivers = 4});
        write_barrier(0);
    });
    EXPECT_EQ(arrivals(MachineOrder::o1), open);
    EXPECT_EQ(orders(MachineOrder::o1, LogKind::noc_arrive, 1, LogKind::noc_arrive, 3), in_order);
    EXPECT_EQ(orders(MachineOrder::o1, LogKind::noc_arrive, 2, LogKind::noc_arrive, 3), in_order);
}

TEST_F(NocOrderTest, ReceiversOfASplitMulticastAreReachedInAnyOrderButEachInItsOwn) {
    chip.plan.split_multicast_one_in = 1;
    chip.on(kPrefetch, [this] {
        multicast({.source = 0x100, .coordinate = both, .target = 0x100, .receivers = 2});
        multicast({.source = 0x100, .coordinate = both, .target = 0x100, .receivers = 2});
        write_barrier(0);
    });
    chip.config.order = MachineOrder::o1;
    chip.plan.strategy = MachineStrategy::random_walk;
    const TileIndex first = 4;
    std::set<bool> between_receivers;
    bool second_overtakes_elsewhere = false;
    for (chip.plan.seed = 0; chip.plan.seed < kWalks; ++chip.plan.seed) {
        chip.run();
        const std::vector<LogEntry> arrived = chip.entries(LogKind::noc_arrive);
        ASSERT_EQ(arrived.size(), 4u);
        EXPECT_EQ(chip.count(LogKind::noc_depart), 2u);
        EXPECT_EQ(chip.count(LogKind::noc_ack), 4u);
        EXPECT_EQ(chip.count(LogKind::noc_rule), 0u);
        std::uint32_t last_at[2] = {0, 0};
        for (const LogEntry& entry : arrived) {
            std::uint32_t& last = last_at[entry.target - first];
            EXPECT_LT(last, entry.transaction);
            last = entry.transaction;
        }
        between_receivers.insert(arrived[0].target == first);
        second_overtakes_elsewhere |= arrived[1].transaction == 2;
    }
    EXPECT_EQ(between_receivers, open);
    EXPECT_TRUE(second_overtakes_elsewhere);
}

TEST_F(NocOrderTest, AReadSamplesAfterEarlierWritesAtO1AndAtAnyTimeAtO2) {
    chip.on(kPrefetch, [this] {
        write({.source = 0x100, .coordinate = left, .target = 0x100});
        read({.source = 0x100, .coordinate = left, .target = 0x200});
        full_barrier(0);
    });
    EXPECT_EQ(orders(MachineOrder::o1, LogKind::noc_arrive, 1, LogKind::noc_sample, 2), in_order);
    EXPECT_EQ(orders(MachineOrder::o2, LogKind::noc_arrive, 1, LogKind::noc_sample, 2), open);
}

TEST_F(NocOrderTest, AcknowledgementsOfOneResponderAreInOrderAtO1Only) {
    chip.on(kPrefetch, [this] {
        write({.source = 0x100, .coordinate = left, .target = 0x100});
        atomic_add({.coordinate = left, .target = 0x300}, 1);
        read({.source = 0x100, .coordinate = right, .target = 0x200});
        full_barrier(0);
    });
    EXPECT_EQ(orders(MachineOrder::o1, LogKind::noc_ack, 1, LogKind::noc_ack, 2), in_order);
    EXPECT_EQ(orders(MachineOrder::o1, LogKind::noc_ack, 1, LogKind::noc_ack, 3), open);
    EXPECT_EQ(orders(MachineOrder::o2, LogKind::noc_ack, 1, LogKind::noc_ack, 2), open);
}

TEST_F(NocOrderTest, LandingsOfOneReadLandInAnyOrderAtO2) {
    chip.on(kPrefetch, [this] {
        read({.source = 0x100, .coordinate = left, .target = 0x200});
        read({.source = 0x110, .coordinate = left, .target = 0x210});
        read_barrier(0);
    });
    EXPECT_EQ(arrivals(MachineOrder::o1), in_order);
    EXPECT_EQ(arrivals(MachineOrder::o2), open);
}

TEST_F(NocOrderTest, EverythingCompletesAtIssueAtO0) {
    chip.on(kPrefetch, [this] {
        write({.source = 0x100, .coordinate = left, .target = 0x100});
        read({.source = 0x100, .coordinate = left, .target = 0x200});
        atomic_add({.coordinate = left, .target = 0x300}, 5);
        multicast({.source = 0x100, .coordinate = both, .target = 0x400, .receivers = 2});
        full_barrier(0);
    });
    chip.config.order = MachineOrder::o0;
    chip.plan.strategy = MachineStrategy::random_walk;
    chip.run();
    EXPECT_EQ(chip.count(LogKind::core_exit), 1u);
    for (const LogEntry& issue : chip.entries(LogKind::noc_issue)) {
        const std::size_t index = at(LogKind::noc_issue, issue.transaction);
        for (std::size_t next = index; next < at(LogKind::noc_ack, issue.transaction); ++next)
            EXPECT_EQ(chip.log[next].entry.transaction, issue.transaction);
        EXPECT_EQ(chip.log[at(LogKind::noc_ack, issue.transaction) - 1].entry.step, issue.step);
    }
}

// Random traffic of one tile: unicasts, multicasts (some split), atomics and reads on two NoCs and
// two channels.
void issue_random_traffic(std::uint64_t seed) {
    Rng rng(seed);
    for (int n = 0; n < 60; ++n) {
        const std::uint32_t x = rng.below(3);
        const std::uint32_t y = rng.below(3);
        const std::uint32_t width = rng.below(3 - x);
        const std::uint32_t height = rng.below(3 - y);
        Send s{.noc = rng.below(2),
               .source = 0x100,
               .coordinate = worker(x, y).noc_xy(),
               .target = 0x200};
        switch (rng.below(5)) {
            case 0: write(s); break;
            case 1: write_inline(s, 1); break;
            case 2: atomic_add(s, 1); break;
            case 3:
                read({.noc = s.noc, .source = 0x200, .coordinate = s.coordinate, .target = 0x300});
                break;
            default:
                s.coordinate = s.noc == 0 ? rectangle(worker(x, y), worker(x + width, y + height))
                                          : rectangle(worker(x + width, y + height), worker(x, y));
                s.receivers = (width + 1) * (height + 1);
                s.channel = rng.below(2) == 0 ? 5 : 2;
                s.source = s.channel == 5 ? 0x100 : 0x1100;
                multicast(s);
        }
    }
    full_barrier(0);
    full_barrier(1);
}

// Keys of the promise, from the log alone: for each event of one kind, (NoC, channel, receiver) →
// transactions in order.
using Sequences = std::map<std::uint64_t, std::vector<std::uint32_t>>;

class SequenceLog {
public:
    SequenceLog(const BenchChip& chip, bool reads_too) {
        for (const Seen& seen : chip.log) {
            const LogEntry& e = seen.entry;
            const bool is_read = e.noc_kind == NocKind::read;
            if (e.kind == LogKind::noc_depart) departed_[e.noc].push_back(e.transaction);
            if (e.kind == (is_read ? LogKind::noc_sample : LogKind::noc_arrive)) {
                if (!is_read || reads_too) add(chip, effects_, e, true);
                add(chip, answers_due_, e, false);
            }
            if (e.kind == LogKind::noc_ack) add(chip, answers_, e, false);
        }
    }
    const Sequences& departed() const { return departed_; }
    const Sequences& effects() const { return effects_; }
    const Sequences& answers_due() const { return answers_due_; }
    const Sequences& answers() const { return answers_; }

private:
    static void add(const BenchChip& chip, Sequences& sequences, const LogEntry& e,
                    bool by_channel) {
        // Multicasts of this test have channels of their own; which of the two is not logged, so
        // they are told by address.
        const std::uint64_t channel =
            by_channel && (e.flags & kLogMulticast) != 0 ? 1 + e.source_address / 0x1000 : 0;
        for (TileIndex tile = 0; tile < chip.machine.tiles().size(); ++tile) {
            const TileView& view = chip.machine.tiles()[tile];
            if (view.kind != TileKind::worker || !e.receivers.contains(view.coord)) continue;
            sequences[channel << 32 | static_cast<std::uint64_t>(e.noc) << 16 | tile].push_back(
                e.transaction);
        }
    }
    Sequences departed_;
    Sequences effects_;
    Sequences answers_due_;
    Sequences answers_;
};

TEST_F(NocOrderTest, RandomTrafficKeepsEveryPromise) {
    chip.config.worker_cols = 3;
    chip.config.worker_rows = 3;
    chip.plan.strategy = MachineStrategy::random_walk;
    bool effects_differ_from_issue = false;
    for (const MachineOrder order : {MachineOrder::o1, MachineOrder::o2}) {
        chip.config.order = order;
        for (chip.plan.seed = 0; chip.plan.seed < 60; ++chip.plan.seed) {
            chip.plan.split_multicast_one_in = chip.plan.seed % 2 == 0 ? 0 : 2;
            chip.on(kPrefetch, [this] { issue_random_traffic(chip.plan.seed); });
            chip.run();
            ASSERT_EQ(chip.count(LogKind::core_exit), 1u);
            EXPECT_EQ(chip.count(LogKind::noc_rule), 0u);
            const SequenceLog log(chip, order == MachineOrder::o1);
            for (const auto& [key, sequence] : log.departed())
                EXPECT_TRUE(std::is_sorted(sequence.begin(), sequence.end()));
            for (const auto& [key, sequence] : log.effects())
                EXPECT_TRUE(std::is_sorted(sequence.begin(), sequence.end()))
                    << "seed " << chip.plan.seed;
            if (order == MachineOrder::o1) {
                EXPECT_EQ(log.answers(), log.answers_due());
            }
            for (const auto& [key, sequence] : log.answers_due())
                effects_differ_from_issue |= !std::is_sorted(sequence.begin(), sequence.end());
        }
    }
    EXPECT_TRUE(effects_differ_from_issue);
}

TEST_F(NocOrderTest, HostWritesAreOrderedByFencesOnly) {
    chip.plan.strategy = MachineStrategy::random_walk;
    const std::uint32_t word = 1;
    const auto bytes = std::as_bytes(std::span(&word, 1));
    std::set<bool> within;
    std::set<bool> across;
    for (chip.plan.seed = 0; chip.plan.seed < kWalks; ++chip.plan.seed) {
        chip.reset();
        chip.machine.hugepage_write(0, bytes);
        chip.machine.l1_write(kPrefetch, 0x100, bytes);
        chip.machine.fence();
        chip.machine.hugepage_write(64, bytes);
        chip.machine.quiesce();
        const std::vector<LogEntry> arrived = chip.entries(LogKind::host_write_arrive);
        ASSERT_EQ(arrived.size(), 3u);
        within.insert(arrived[0].target == TileIndex{0});
        across.insert(arrived[2].target_address == 64);
    }
    EXPECT_EQ(within, open);
    EXPECT_EQ(across, in_order);
}

}  // namespace
}  // namespace cqfuzz
