// Goal: a reserved range is free of live programs once its sync count has come; the ring waits for
// no more than it must. Method: plain cases, then random programs against a byte-by-byte model of
// who uses what.
#include "runtime_under_test/host/worker_config_ring.hpp"

#include <gtest/gtest.h>

#include <deque>

#include "harness/base/rng.hpp"

namespace cqfuzz::rt {
namespace {

constexpr std::uint32_t kBase = 0x2000;

struct Live {
    std::uint32_t address;
    std::uint32_t size;
    std::uint32_t free_at;
};

class WorkerConfigRingTest : public testing::Test {
protected:
    FaultSet faults;

    RingReservation take(WorkerConfigRing& ring, std::uint32_t size, std::uint32_t free_at) {
        const RingReservation r = ring.reserve(size, faults);
        if (r.need_sync) ring.retire(r.sync_count);
        ring.commit(r.address, size, free_at);
        return r;
    }
};

TEST_F(WorkerConfigRingTest, HandsOutTheRingBeforeItWaits) {
    WorkerConfigRing ring(kBase, 1000);
    EXPECT_EQ(take(ring, 400, 1).address, kBase);
    EXPECT_EQ(take(ring, 400, 2).address, kBase + 400);
    const RingReservation third = take(ring, 400, 3);
    EXPECT_TRUE(third.need_sync);
    EXPECT_EQ(third.sync_count, 1u);
    EXPECT_EQ(third.address, kBase);
}

TEST_F(WorkerConfigRingTest, AFullRingWaitsForAllThatItTakesOver) {
    WorkerConfigRing ring(kBase, 1000);
    for (std::uint32_t i = 1; i <= 10; i++) EXPECT_FALSE(take(ring, 100, i).need_sync);
    const RingReservation r = take(ring, 350, 11);
    EXPECT_TRUE(r.need_sync);
    EXPECT_EQ(r.sync_count, 4u);
    EXPECT_EQ(r.address, kBase);
}

TEST_F(WorkerConfigRingTest, KeepsFifteenEntriesAtMost) {
    WorkerConfigRing ring(kBase, 100000);
    for (std::uint32_t i = 1; i <= 15; i++) EXPECT_FALSE(take(ring, 16, i).need_sync);
    const RingReservation r = take(ring, 16, 16);
    EXPECT_TRUE(r.need_sync);
    EXPECT_EQ(r.sync_count, 1u);
    EXPECT_EQ(ring.live(), 15u);
}

TEST_F(WorkerConfigRingTest, SizeZeroNeedsNothing) {
    WorkerConfigRing ring(kBase, 1000);
    ring.mark_full(5);
    EXPECT_FALSE(take(ring, 0, 9).need_sync);
    EXPECT_EQ(ring.live(), 1u);
}

TEST_F(WorkerConfigRingTest, MarkedFullWaitsForItsCount) {
    WorkerConfigRing ring(kBase, 1000);
    ring.mark_full(1234);
    const RingReservation r = take(ring, 16, 1300);
    EXPECT_TRUE(r.need_sync);
    EXPECT_EQ(r.sync_count, 1234u);
    EXPECT_EQ(r.address, kBase);
}

TEST_F(WorkerConfigRingTest, FaultySyncNamesTheOldestEntry) {
    WorkerConfigRing ring(kBase, 1000);
    for (std::uint32_t i = 1; i <= 10; i++) take(ring, 100, i);
    faults.enable(Fault::sync_count_of_wrong_entry);
    EXPECT_EQ(take(ring, 350, 11).sync_count, 1u);
    EXPECT_GT(faults.reached(Fault::sync_count_of_wrong_entry), 0u);
    for (std::uint32_t i = 12; i < 500; i++)
        take(ring, 16 * (1 + i % 60), i);  // stays harmless to the host
}

TEST_F(WorkerConfigRingTest, RandomProgramsNeverShareBytesWithLiveOnes) {
    Rng rng(3);
    for (int round = 0; round < 50; round++) {
        const std::uint32_t size = 16 * (1 + rng.below(200));
        WorkerConfigRing ring(kBase, size);
        std::deque<Live> live;
        std::uint32_t count = 0xfffff000u;  // it wraps on the way
        for (int i = 0; i < 400; i++) {
            const std::uint32_t bytes = 16 * (1 + rng.below(size / 16));
            const RingReservation r = ring.reserve(bytes, faults);
            ASSERT_GE(r.address, kBase);
            ASSERT_LE(r.address + bytes, kBase + size);
            if (r.need_sync) {
                ASSERT_FALSE(live.empty());
                while (!live.empty() && !count_after(live.front().free_at, r.sync_count))
                    live.pop_front();
                ring.retire(r.sync_count);
            }
            for (const Live& l : live)
                ASSERT_TRUE(r.address + bytes <= l.address || l.address + l.size <= r.address);
            count += 1 + rng.below(64);
            ring.commit(r.address, bytes, count);
            live.push_back(Live{r.address, bytes, count});
            ASSERT_EQ(ring.live(), live.size());
        }
    }
}

}  // namespace
}  // namespace cqfuzz::rt
