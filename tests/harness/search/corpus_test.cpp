#include "harness/search/corpus.hpp"

#include <gtest/gtest.h>

#include <string_view>

#include "harness/scenario/rich.hpp"
#include "harness/scenario/wire.hpp"

namespace cqfuzz {
namespace {

Scenario small_scenario() {
    Rng rng(7);
    return generate(Domain::trace_replay, rng, 16);
}

TEST(CorpusTest, BytesOfTodayAreKept) {
    const Scenario before = small_scenario();
    Scenario after;
    EXPECT_EQ(keeping_of(encode(before), after), Keeping::kept);
    EXPECT_TRUE(equal(before, after));
}

TEST(CorpusTest, AnotherFormOfTheSameScenarioIsMigrated) {
    const Scenario before = small_scenario();
    std::vector<std::byte> bytes = encode(before);
    // The first field of the default topology again: it says nothing new.
    std::vector<std::byte> head;
    WireWriter writer(head);
    writer.body(1, [&] {
        writer.scalar(1, before.topology.worker_cols);
        writer.scalar(2, before.topology.worker_rows);
    });
    bytes.insert(bytes.begin(), head.begin(), head.end());
    Scenario after;
    EXPECT_EQ(keeping_of(bytes, after), Keeping::migrated);
    EXPECT_TRUE(equal(before, after));
}

TEST(CorpusTest, AnUnknownFieldDegrades) {
    std::vector<std::byte> bytes = encode(small_scenario());
    WireWriter(bytes).scalar(4000, 1);
    Scenario after;
    EXPECT_EQ(keeping_of(bytes, after), Keeping::degraded);
    EXPECT_TRUE(equal(small_scenario(), after));
}

TEST(CorpusTest, ARangeOutsideTheGridDegrades) {
    Scenario scenario = small_scenario();
    scenario.programs.front().kernels.front().cores = {15, 15, 15, 15};
    Scenario after;
    EXPECT_EQ(keeping_of(encode(scenario), after), Keeping::degraded);
}

TEST(CorpusTest, NoOpsLeftIsLost) {
    Scenario scenario = small_scenario();
    scenario.ops.clear();
    Scenario after;
    EXPECT_EQ(keeping_of(encode(scenario), after), Keeping::lost);
}

CorpusEntry entry_of(std::string path, std::size_t size, std::vector<std::uint16_t> features) {
    CorpusEntry entry;
    entry.path = std::move(path);
    entry.size_bytes = size;
    entry.features = std::move(features);
    return entry;
}

TEST(CorpusTest, DistilTakesTheSmallestThatAddSomething) {
    const std::vector<CorpusEntry> entries{entry_of("large", 90, {1, 2, 3}),
                                           entry_of("small", 10, {1}), entry_of("again", 20, {1}),
                                           entry_of("middle", 30, {1, 2})};
    EXPECT_EQ(distil(entries), (std::vector<std::size_t>{1, 3, 0}));
}

TEST(CorpusTest, SeedsAreFewAndTheSameAgain) {
    Runner runner;
    const auto draw = [&] { return draw_seeds(runner, Domain::cb_geometry, 3, 60, 4, {}); };
    const std::vector<CorpusEntry> seeds = draw();
    const std::vector<CorpusEntry> again = draw();
    ASSERT_FALSE(seeds.empty());
    ASSERT_LE(seeds.size(), 4u);
    ASSERT_EQ(seeds.size(), again.size());
    for (std::size_t i = 0; i < seeds.size(); ++i)
        EXPECT_TRUE(equal(seeds[i].scenario, again[i].scenario));
}

TEST(CorpusTest, DomainScheduleChangesNothingButInterleavings) {
    Rng rng(11);
    const Scenario fixed = rich_scenario();
    Scenario scenario = generate(Domain::schedule, rng, 256);
    bool changed = false;
    for (int i = 0; i < 200; ++i) {
        mutate(scenario, Domain::schedule, rng, 256);
        Scenario rest = scenario;
        rest.order = fixed.order;
        rest.counters = fixed.counters;
        rest.behaviour = fixed.behaviour;
        changed |= !equal(rest, fixed);
        rest.schedule = fixed.schedule;
        ASSERT_TRUE(equal(rest, fixed));
    }
    EXPECT_TRUE(changed) << "no schedule was drawn";
}

TEST(CorpusTest, DomainCbGeometryDrawsTheEndsOfTheRanges) {
    Rng rng(12);
    bool smallest_ring = false, largest_queue = false, near_wrap = false, largest_cb = false;
    for (int i = 0; i < 3000; ++i) {
        const Scenario s = generate(Domain::cb_geometry, rng, 16);
        smallest_ring |= s.geometry.dispatch_pages_per_block <= 2;
        largest_queue |= s.geometry.prefetch_q_entries >= 1531;
        near_wrap |= s.counters.semaphores > 0xfffffff0;
        for (const Program& program : s.programs)
            for (const CircularBuffer& buffer : program.circular_buffers)
                largest_cb |= buffer.page_size == 4096 && buffer.pages >= 63;
    }
    EXPECT_TRUE(smallest_ring);
    EXPECT_TRUE(largest_queue);
    EXPECT_TRUE(near_wrap);
    EXPECT_TRUE(largest_cb);
}

}  // namespace
}  // namespace cqfuzz
