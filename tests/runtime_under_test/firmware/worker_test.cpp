// Goal: base firmware runs what its launch message enables once a go, tells the dispatcher once,
// and leaves nothing enabled. Method: launch messages and go signals through the dispatcher, on a 2
// x 2 grid and two ethernet cores, in every mode.
#include <gtest/gtest.h>

#include "runtime_under_test/protocol/dev_msgs.hpp"
#include "tests/runtime_under_test/firmware/pipeline_bench.hpp"

namespace cqfuzz::fw {
namespace {

constexpr std::uint32_t kWorkers = 4;
constexpr std::uint32_t kEthernets = 2;

class WorkerTest : public testing::TestWithParam<Mode> {
protected:
    void SetUp() override {
        set_mode(bench, GetParam());
        bench.machine_config.ethernet_cores = kEthernets;
        bench.kernels = {2, 7};
        bench.on_entry = [this](const LogEntry& entry) {
            if (entry.kind == LogKind::kernel_begin) ++begins[entry.tile];
        };
    }

    void set_noc_data() {
        std::vector<std::uint32_t> words = {rt::multicast_xy(1, 1, 2, 2), kWorkers};
        for (const rt::Coord core : bench.config.chip.ethernet_cores)
            words.push_back(core.noc_xy());
        bench.submit_inline(set_go_noc_data(words));
    }
    void submit_launch(std::uint32_t slot, std::uint8_t enables) {
        rt::LaunchMessage message;
        message.mode = rt::kModeDev;
        message.enables = enables;
        message.preload = 1;
        Bytes bytes(rt::kLaunchMessageBytes);
        rt::encode(bytes.data(), message);
        bench.submit_inline(write_linear(
            rt::multicast_xy(1, 1, 2, 2),
            bench.config.worker.launch_base + slot * rt::kLaunchMessageBytes, bytes, kWorkers));
        rt::Wait barrier;
        barrier.barrier = 1;
        bench.submit_inline(bytes_of(barrier));
    }
    void submit_go(std::uint8_t signal, std::uint32_t wait_count) {
        rt::SendGoSignal go;
        go.go_signal = rt::encode(
            rt::GoMessage{0, bench.config.chip.dispatch.x, bench.config.chip.dispatch.y, signal});
        go.num_mcast_txns = 1;
        go.num_unicast_txns = kEthernets;
        go.wait_count = wait_count;
        go.wait_addr = bench.config.dispatch.dispatch_message;
        bench.submit_inline(bytes_of(go));
    }
    void await(std::uint32_t count) {
        rt::Wait wait;
        wait.barrier = 1;  // what an event promises
        wait.wait = 1;
        wait.addr = bench.config.dispatch.dispatch_message;
        wait.count = count;
        bench.submit_inline(bytes_of(wait));
        bench.submit_inline(write_to_host(0, 1));
        bench.pop(rt::kCommandBytes);
    }

    PipelineBench bench;
    std::map<TileIndex, std::uint32_t> begins;
};

TEST_P(WorkerTest, EachGoRunsOneLaunchEntryAndCompletesOnce) {
    constexpr std::uint32_t kPrograms = 19;  // the launch ring wraps twice
    bench.run([&] {
        set_noc_data();
        std::uint32_t expected = 0;
        for (std::uint32_t i = 0; i < kPrograms; ++i) {
            submit_launch(i % 8, 1);
            submit_go(rt::kGoGo, expected);
            expected += kWorkers + kEthernets;
        }
        await(expected);
        EXPECT_EQ(bench.word(bench.config.chip.dispatch, bench.config.dispatch.dispatch_message),
                  expected);
    });
    EXPECT_EQ(begins.size(), kWorkers + kEthernets);
    for (const auto& [tile, count] : begins)
        EXPECT_EQ(count, kPrograms) << bench.view.describe(tile);
    for (std::uint32_t i = 0; i < kWorkers; ++i) {
        const rt::Coord core = bench.worker(i % 2, i / 2);
        EXPECT_EQ(bench.word(core, bench.config.worker.launch_read_index), kPrograms % 8);
        EXPECT_EQ(bench.word(core, bench.config.worker.go_message) >> 24, rt::kGoDone);
        for (std::uint32_t slot = 0; slot < 8; ++slot) {
            // mode, enables and preload share a word: the last two are cleared.
            const std::uint32_t entry =
                bench.config.worker.launch_base + slot * rt::kLaunchMessageBytes;
            EXPECT_EQ(bench.word(core, entry + rt::kLaunchEnablesOffset - 1),
                      std::uint32_t{rt::kModeDev});
        }
    }
}

TEST_P(WorkerTest, ResetReadPointerStartsTheRingAnewAndCompletes) {
    bench.run([&] {
        set_noc_data();
        for (std::uint32_t i = 0; i < 3; ++i) submit_launch(i, 1);
        std::uint32_t expected = 0;
        for (std::uint32_t i = 0; i < 3; ++i) {
            submit_go(rt::kGoGo, expected);
            expected += kWorkers + kEthernets;
        }
        submit_go(rt::kGoResetReadPtr, expected);
        expected += kWorkers + kEthernets;
        await(expected);
        EXPECT_EQ(bench.word(bench.worker(1, 1), bench.config.worker.launch_read_index), 0u);
        submit_launch(0, 1);
        submit_go(rt::kGoGo, expected);
        expected += kWorkers + kEthernets;
        await(expected);
        submit_go(rt::kGoResetReadPtrFromHost, expected);
        bench.pause(2000);
        EXPECT_EQ(bench.word(bench.config.chip.dispatch, bench.config.dispatch.dispatch_message),
                  expected)
            << "a reset from the host is not completed";
    });
    for (std::uint32_t i = 0; i < kWorkers; ++i)
        EXPECT_EQ(bench.word(bench.worker(i % 2, i / 2), bench.config.worker.launch_read_index),
                  0u);
}

// Enables 0: the core takes no time, but it logs, completes and moves on.
TEST_P(WorkerTest, CoreWithoutAKernelCompletesToo) {
    bench.run([&] {
        set_noc_data();
        submit_launch(0, 0);
        submit_go(rt::kGoGo, 0);
        await(kWorkers + kEthernets);
    });
    for (const auto& [tile, count] : begins) EXPECT_EQ(count, 1u) << bench.view.describe(tile);
}

INSTANTIATE_TEST_SUITE_P(Modes, WorkerTest, testing::ValuesIn(all_modes()));

}  // namespace
}  // namespace cqfuzz::fw
