// Goal: what is sound stays sound when counters wrap, when the NoC takes one write at a time, and
// with the real sizes. Method: one mixed stream of all commands, drawn from a pinned seed, under
// each condition; the bench checks bytes, oracles and that all credits are home.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/runtime_under_test/firmware/pipeline_bench.hpp"

namespace cqfuzz::fw {
namespace {

constexpr std::uint32_t kAlmostWrapped = 0xfffffff0;

class FlowTest : public testing::TestWithParam<Mode> {
protected:
    void SetUp() override { set_mode(bench, GetParam()); }

    rt::Coord any_worker() {
        const std::uint32_t which = rng.below(4);
        return bench.worker(which % 2, which / 2);
    }
    std::uint32_t any_address() { return 0x2000 + rng.below(32) * 16; }

    void submit_linear() {
        const rt::Coord to = any_worker();
        const std::uint32_t address = any_address();
        const Bytes data = noise(rng, 1 + rng.below(bench.inline_max() - 16));
        bench.expect(to, address, data);
        bench.submit_inline(write_linear(to.noc_xy(), address, data));
    }
    void submit_packed() {
        std::vector<PackedTarget> targets;
        const std::uint32_t size = 1 + rng.below(480);
        const std::uint32_t address = any_address();
        for (std::uint32_t i = 0; i < 4; ++i) {
            targets.push_back({bench.worker(i % 2, i / 2).noc_xy(), 0, noise(rng, size)});
            bench.expect(bench.worker(i % 2, i / 2), address, targets.back().data);
        }
        bench.submit_inline(write_packed(0, address, targets));
    }
    void submit_relay(const Bytes& stored) {
        const rt::Coord to = any_worker();
        const std::uint32_t address = any_address();
        const std::uint32_t pages = 1 + rng.below(12);
        const Bytes data = slice(stored, 0, pages * 512);
        bench.expect(to, address, data);
        bench.submit(Stream()
                         .noflush(slice(write_linear(to.noc_xy(), address, data), 0, 16))
                         .relay_paged({0, true, 0, 0, 512, pages}));
    }
    void read_back(const Bytes& stored) {
        const std::uint32_t pages = 1 + rng.below(12);
        Bytes expected = write_to_host(pages * 512);
        append(expected, slice(stored, 0, pages * 512));
        bench.submit(
            Stream().noflush(write_to_host(pages * 512)).relay_paged({0, true, 0, 0, 512, pages}));
        EXPECT_EQ(bench.pop(pages * 512 + 16), expected);
    }

    void run_mixed(std::uint32_t commands) {
        bench.run([&] {
            const Bytes stored = noise(rng, 12 * 512);
            bench.fill_interleaved(0, 512, stored);
            Stream trace;
            const Bytes traced = noise(rng, 1500);
            bench.expect(bench.worker(1, 1), 0xa000, traced);
            trace.relay_inline(write_linear(bench.worker(1, 1).noc_xy(), 0xa000, traced))
                .exec_buf_end();
            const rt::ExecBuf replayed = bench.store_trace(trace.bytes(), 0x8000, 10);
            for (std::uint32_t i = 0; i < commands; ++i) {
                switch (rng.below(5)) {
                    case 0: submit_linear(); break;
                    case 1: submit_packed(); break;
                    case 2: submit_relay(stored); break;
                    case 3: read_back(stored); break;
                    default: bench.replay(replayed); break;
                }
            }
        });
    }

    PipelineBench bench;
    Rng rng{101};
};

TEST_P(FlowTest, MixedStreamWithTheSmallestRings) { run_mixed(60); }

TEST_P(FlowTest, CountersAndSemaphoresThatWrapSoon) {
    bench.machine_config.counters = {kAlmostWrapped, kAlmostWrapped, kAlmostWrapped,
                                     kAlmostWrapped};
    bench.geometry.semaphore_start = kAlmostWrapped;
    run_mixed(60);
    // Half-way to a sign change too: distances are signed, values are not.
    bench.machine_config.counters = {0x7ffffff0, 0x7ffffff8, 0x7ffffff4, 0x7ffffffc};
    bench.geometry.semaphore_start = 0x7ffffff8;
    run_mixed(60);
}

TEST_P(FlowTest, OneUndepartedWriteAtATime) {
    bench.machine_config.noc_undeparted_max = 1;
    run_mixed(60);
    bench.machine_config.noc_undeparted_max = 2;
    run_mixed(60);
}

TEST_P(FlowTest, PrefetchQueueOfTwoEntries) {
    bench.geometry.prefetch_q_entries = 2;
    bench.geometry.issue_region_bytes = 4 * bench.geometry.max_prefetch_command_bytes;
    run_mixed(60);
}

TEST_P(FlowTest, EightBlocksOfTwoPages) {
    bench.geometry.dispatch = {10, 16, 8};
    bench.geometry.dispatch_h = {10, 16, 8};
    run_mixed(60);
}

INSTANTIATE_TEST_SUITE_P(Modes, FlowTest, testing::ValuesIn(all_modes()));

class RealSizesTest : public testing::TestWithParam<Mode> {};

TEST_P(RealSizesTest, LongWritesAndReadsWithBothRealGeometries) {
    PipelineBench bench;
    Rng rng(55);
    for (const rt::DispatchGeometry& geometry :
         {rt::ethernet_dispatch_geometry(), rt::worker_dispatch_geometry()}) {
        bench.geometry = geometry;
        bench.machine_config.dram_banks = 12;
        bench.machine_config.dram_bank_bytes = 32u << 20;
        set_mode(bench, GetParam());
        bench.run([&] {
            // Enough to go round the largest ring twice.
            const Bytes stored = noise(rng, 300 * 1024);
            bench.fill_interleaved(0, 2048, stored);
            for (const std::uint32_t pages : {1u, 3u, 77u, 150u}) {
                Bytes expected = write_to_host(pages * 2048);
                append(expected, slice(stored, 0, pages * 2048));
                bench.submit(Stream()
                                 .noflush(write_to_host(pages * 2048))
                                 .relay_paged({0, true, 0, 0, 2048, pages}));
                EXPECT_EQ(bench.pop(pages * 2048 + 16), expected);
                const Bytes data = noise(rng, bench.inline_max() - 16 - pages);
                bench.expect(bench.config.chip.dram_banks[1], 0x40000, data);
                bench.submit_inline(
                    write_linear(bench.config.chip.dram_banks[1].noc_xy(), 0x40000, data));
            }
        });
    }
}

INSTANTIATE_TEST_SUITE_P(Modes, RealSizesTest, testing::ValuesIn(few_modes()));

}  // namespace
}  // namespace cqfuzz::fw
