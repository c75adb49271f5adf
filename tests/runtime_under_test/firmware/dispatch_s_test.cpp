// Goal: dispatch_s takes one command a page of a ring of any length, sends each go after its
// notification and its completions, and the dispatcher's copy of the count follows; what it cannot
// execute is an assertion that names the command. Method: real prefetcher, dispatcher and workers;
// a host of the test's own.
#include <gtest/gtest.h>

#include "runtime_under_test/protocol/dev_msgs.hpp"
#include "tests/runtime_under_test/firmware/pipeline_bench.hpp"

namespace cqfuzz::fw {
namespace {

class DispatchSTest : public testing::TestWithParam<Mode> {
protected:
    void SetUp() override {
        set_mode(bench, GetParam());
        bench.geometry.dispatch_s = rt::DispatchS::own_core;
        bench.geometry.semaphore_start = 0xfffffffe;  // every count wraps early
    }

    std::uint32_t workers() const {
        return std::uint32_t{bench.config.chip.worker_cols} * bench.config.chip.worker_rows;
    }
    // The settings that a host sends first.
    Stream settings() const {
        const rt::ChipDescription& chip = bench.config.chip;
        const std::uint32_t grid = rt::multicast_xy(
            1, 1, chip.worker_cols, chip.worker_rows);  // the workers begin at (1, 1)
        return Stream()
            .to_dispatch_s(set_num_worker_sems(1))
            .to_dispatch_s(set_go_noc_data({rt::multicast_xy_noc1(grid), workers()}));
    }
    // Makes every worker begin at slot 0 and answer: a go without a program.
    Bytes reset_go(std::uint32_t wait_count) const {
        const rt::Coord self = bench.config.chip.dispatch_s;
        rt::SendGoSignal go;
        go.go_signal = rt::encode(rt::GoMessage{0, self.x, self.y, rt::kGoResetReadPtr});
        go.num_mcast_txns = 1;
        go.wait_count = wait_count;
        go.wait_addr = bench.config.dispatch_s.message(0);
        return bytes_of(go);
    }
    Bytes wait_for(std::uint32_t count, std::uint8_t clear, const rt::DispatchCoreLayout& map) {
        rt::Wait wait;
        wait.wait = 1;
        wait.clear_count = clear;
        wait.addr = map.message(0);
        wait.count = count;
        return bytes_of(wait);
    }

    PipelineBench bench;
};

// Three rounds of gos, each with a clear at its end, in rings of one page and of more.
TEST_P(DispatchSTest, GosCountsAndClearsKeepTheirOrder) {
    for (const std::uint32_t pages : {1u, 3u, 128u}) {
        bench.geometry.dispatch_s_pages = pages;
        std::uint32_t gos = 0;
        bench.on_entry = [&gos, this](const LogEntry& entry) {
            if (entry.kind == LogKind::noc_issue && entry.noc == 1 && entry.length == 4 &&
                entry.target_address == bench.config.worker.go_message)
                ++gos;
        };
        bench.run([&] {
            bench.submit(settings());
            for (int round = 0; round < 3; ++round) {
                for (std::uint32_t go = 0; go < 5; ++go)
                    bench.submit(Stream()
                                     .relay_inline(notify(1, 1))
                                     .to_dispatch_s(reset_go(go * workers())));
                const std::uint32_t all = 5 * workers();
                bench.submit(Stream()
                                 .to_dispatch_s(wait_for(all, 1, bench.config.dispatch_s))
                                 .relay_inline(wait_for(all, 1, bench.config.dispatch)));
            }
        });
        EXPECT_EQ(gos, 15u);
        EXPECT_EQ(bench.word(bench.config.chip.dispatch_s, bench.config.dispatch_s.message(0)), 0u);
        EXPECT_EQ(bench.word(bench.config.chip.dispatch, bench.config.dispatch.message(0)), 0u);
    }
}

// Its own commands alone, one page each, of indices that there are.
TEST_P(DispatchSTest, WhatItCannotExecuteIsAnAssertion) {
    const Bytes long_table = set_go_noc_data(std::vector<std::uint32_t>(61, 0));
    rt::Wait barrier;
    barrier.barrier = 1;
    barrier.addr = 0;
    for (const Bytes& command : {bare(rt::DispatchId::sink), long_table, bytes_of(barrier),
                                 set_num_worker_sems(9), write_linear(0, 0, Bytes(16))}) {
        bench.run_unchecked([&] { bench.submit(Stream().to_dispatch_s(command)); });
        ASSERT_TRUE(bench.violation.has_value());
        EXPECT_EQ(bench.violation->property.rfind("firmware-asserts", 0), 0u)
            << bench.violation->property;
    }
    // A go of an index that SET_NUM_WORKER_SEMS has not named.
    bench.run_unchecked([&] { bench.submit(Stream().to_dispatch_s(reset_go(0))); });
    ASSERT_TRUE(bench.violation.has_value());
    EXPECT_EQ(bench.violation->actor, "dispatch_s");
}

INSTANTIATE_TEST_SUITE_P(Modes, DispatchSTest, testing::ValuesIn(all_modes()));

}  // namespace
}  // namespace cqfuzz::fw
