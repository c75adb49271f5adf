// Machine: a run from the first move to the last, its ends, and that it is the same twice.
#include <gtest/gtest.h>

#include "tests/harness/silicon/bench_chip.hpp"

namespace cqfuzz {
namespace {

// A producer and a consumer over a ring of four pages with credits, as the dispatch cores have it
// (facts §4.1).
constexpr std::uint32_t kPages = 4;
constexpr std::uint32_t kRing = 0x1000;
constexpr std::uint32_t kPageBytes = 64;
constexpr std::uint32_t kReady = 0x100;
constexpr std::uint32_t kCredits = 0x110;

void produce(std::uint32_t pages) {
    for (std::uint32_t page = 0; page < pages; ++page) {
        while (device::poll_l1(kCredits) == page - kPages) {
        }
        std::vector<std::uint32_t> words(kPageBytes / 4, page + 1);
        writes_flushed(0);
        device::l1_store(0x2000, words.data(), kPageBytes);
        const std::uint32_t at = kRing + page % kPages * kPageBytes;
        write({.source = 0x2000,
               .coordinate = kDispatch.noc_xy(),
               .target = at,
               .length = kPageBytes});
        atomic_add({.coordinate = kDispatch.noc_xy(), .target = kReady}, 1);
    }
    full_barrier(0);
}

void consume(std::uint32_t pages) {
    for (std::uint32_t page = 0; page < pages; ++page) {
        while (device::poll_l1(kReady) == page) {
        }
        std::uint32_t sum = 0;
        for (std::uint32_t word = 0; word < kPageBytes / 4; ++word)
            sum += device::l1_load_u32(kRing + page % kPages * kPageBytes + word * 4);
        FIRMWARE_ASSERT(sum == (page + 1) * (kPageBytes / 4));
        atomic_add({.noc = 1, .coordinate = kPrefetch.noc_xy(), .target = kCredits}, 1);
    }
    full_barrier(1);
}

void add_ring(BenchChip& chip, std::uint32_t pages) {
    chip.on(kPrefetch, [pages] { produce(pages); });
    chip.on(kDispatch, [pages] { consume(pages); });
}

TEST(MachineTest, RunsARingInOrderUntilBothCoresExit) {
    BenchChip chip;
    add_ring(chip, 20);
    chip.run();
    EXPECT_EQ(chip.machine.stop(), MachineStop::running);
    EXPECT_EQ(chip.count(LogKind::core_exit), 2u);
    EXPECT_EQ(chip.count(LogKind::run_end), 1u);
    EXPECT_EQ(chip.count(LogKind::firmware_assert), 0u);
    EXPECT_EQ(chip.count(LogKind::noc_rule), 0u);
    EXPECT_EQ(chip.machine.in_flight(), 0u);
    EXPECT_EQ(chip.word(kDispatch, kReady), 20u);
}

class EveryStrategy : public testing::TestWithParam<MachineStrategy> {};

TEST_P(EveryStrategy, RunsARingToItsEndTwiceTheSameWay) {
    BenchChip chip;
    add_ring(chip, 30);
    chip.plan.strategy = GetParam();
    for (const MachineOrder order : {MachineOrder::o0, MachineOrder::o1, MachineOrder::o2}) {
        chip.config.order = order;
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            chip.plan.seed = seed;
            chip.plan.starved_actor = static_cast<TileIndex>(seed % 3);
            chip.plan.credit_words = {{chip.tile(kPrefetch), kCredits}};
            chip.run();
            const std::uint64_t first = chip.fingerprint;
            EXPECT_EQ(chip.machine.stop(), MachineStop::running);
            EXPECT_EQ(chip.count(LogKind::core_exit), 2u);
            EXPECT_EQ(chip.count(LogKind::firmware_assert), 0u);
            EXPECT_EQ(chip.count(LogKind::noc_rule), 0u);
            chip.run();
            EXPECT_EQ(chip.fingerprint, first);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(MachineTest, EveryStrategy,
                         testing::Values(MachineStrategy::in_order, MachineStrategy::random_walk,
                                         MachineStrategy::pct, MachineStrategy::producer_at_once,
                                         MachineStrategy::starve));

}  // namespace
}  // namespace cqfuzz
