// Goal: what a pair of chips does for one chip's programs it does for the other's, over the tunnel;
// every mistake of the tunnel is told. Method: one rich scenario whose expected traffic is counted,
// drawn scenarios with pinned seeds, and the tunnel's faults under a cap.
#include <gtest/gtest.h>

#include <array>

#include "harness/run/run.hpp"
#include "harness/scenario/verbs.hpp"

namespace cqfuzz {
namespace {

constexpr std::uint32_t kOpsMax = 64;
constexpr std::uint64_t kSeedsMax = 200;
constexpr std::uint8_t kLink = 2;

std::string told(const Verdict& verdict) {
    std::string text(name_of(verdict.kind));
    text += ": " + verdict.violation.signature() + "\n" + verdict.violation.summary;
    for (const std::string& line : verdict.violation.story) text += "\n  " + line;
    return text;
}

// A program, a buffer and a trace on the chip behind the tunnel, with work on the other one
// between.
Scenario both_chips() {
    Scenario scenario;
    scenario.topology = {2, 2, 2, false, 2};
    Kernel kernel;
    kernel.cores = {0, 0, 1, 1};
    kernel.binary_bytes = 512;
    kernel.args_words = 4;
    kernel.content_seed = 7;
    Kernel mover;
    mover.on_ethernet = true;
    scenario.programs.push_back({{kernel, mover}, {{false, {0, 0, 1, 1}, 2, 3}}, {}});
    scenario.buffers.push_back({5, 2048});
    scenario.traces.push_back({{{0, 3}}});
    scenario.ops = {OpEnqueue{0, 1, 0}, OpEnqueue{0, 2, 1}, OpWriteBuffer{0, 5, 1},
                    OpReadBuffer{0, 1}, OpCapture{0, 1},    OpReplay{0, 3, false, 1},
                    OpEnqueue{0, 1, 0}, OpFinish{1}};
    return scenario;
}

TEST(PairTest, TheRemoteChipRunsProgramsAndTracesOverTheTunnel) {
    Runner runner;
    std::array<std::uint32_t, 2> kernels{};
    std::uint32_t packets = 0;
    RunOptions options;
    options.on_entry = [&](const LogEntry& entry) {
        if (entry.kind == LogKind::kernel_begin) ++kernels[runner.view().tiles[entry.tile].chip];
        packets += entry.kind == LogKind::noc_arrive && entry.noc == kLink;
    };
    const Verdict verdict = runner.run(both_chips(), options);
    EXPECT_EQ(verdict.kind, VerdictKind::pass) << told(verdict);
    // Four workers and two ethernet cores for each of 2 and of 2 + 3 x 3 executions.
    EXPECT_EQ(kernels[0], 2u * 6u);
    EXPECT_EQ(kernels[1], 11u * 6u);
    EXPECT_GT(packets, 0u);
    EXPECT_EQ(runner.view().describe(runner.view().tile_of(Role::dispatch_d)), "chip 1 dispatch_d");
}

TEST(PairTest, EveryPairOfAnEightChipMachineWorksBesideTheOthers) {
    Scenario scenario = both_chips();
    scenario.topology.chips = 8;
    scenario.ops.clear();
    for (std::uint32_t chip = 0; chip < 8; ++chip) {
        scenario.ops.push_back(OpCapture{0, chip});
        scenario.ops.push_back(OpReplay{0, 2, false, chip});
    }
    for (std::uint32_t chip = 0; chip < 8; ++chip) scenario.ops.push_back(OpFinish{chip});
    EXPECT_EQ(illegality_of(scenario), "");
    Runner runner;
    const Verdict verdict = runner.run(scenario, RunOptions{});
    EXPECT_EQ(verdict.kind, VerdictKind::pass) << told(verdict);
}

// Four chips in a ring, each of whose movers waits for the next chip's bytes.
Scenario gather(std::uint32_t chips) {
    Scenario scenario = both_chips();
    scenario.topology.chips = chips;
    Kernel& mover = scenario.programs[0].kernels[1];
    mover.cores.x1 = 1;
    mover.binary_bytes = 1024;
    mover.exchange_bytes = 1024;
    scenario.behaviour.exchanges_wait = true;
    scenario.ops.clear();
    for (const Op& once : {Op{OpCapture{0}}, Op{OpReplay{0}}, Op{OpReplay{0}}, Op{OpFinish{}}})
        for (std::uint32_t chip = 0; chip < chips; ++chip) {
            scenario.ops.push_back(once);
            std::visit([chip](auto& of) { of.device = chip; }, scenario.ops.back());
        }
    return scenario;
}

TEST(PairTest, AGatherGoesRoundTheRingOfChips) {
    Runner runner;
    std::uint32_t bytes = 0;
    RunOptions options;
    options.on_entry = [&](const LogEntry& entry) {
        if (entry.kind == LogKind::noc_arrive && entry.noc == kLink &&
            entry.noc_kind == NocKind::write &&
            runner.view().tiles[entry.target].role == Role::ethernet)
            bytes += entry.length;
    };
    ASSERT_EQ(illegality_of(gather(4)), "");
    const Verdict verdict = runner.run(gather(4), options);
    EXPECT_EQ(verdict.kind, VerdictKind::pass) << told(verdict);
    // Two replays of three programs, each with two movers a chip.
    EXPECT_EQ(bytes, 2u * 3u * 4u * 2u * 1024u);
}

TEST(PairTest, AChipThatIsToldLessThanItsNeighboursIsWaitedForForEver) {
    Scenario scenario = gather(2);
    scenario.ops.erase(scenario.ops.begin() + 5);  // chip 1's second replay
    EXPECT_NE(illegality_of(scenario), "");
    Runner runner;
    EXPECT_EQ(runner.run(scenario, RunOptions{}).kind, VerdictKind::hang);
}

TEST(PairTest, SoundRuntimePassesWhatIsGenerated) {
    Runner runner;
    for (std::uint64_t seed = 1; seed <= kSeedsMax; ++seed) {
        Rng rng(seed);
        const Scenario scenario = generate(Domain::multi_chip, rng, kOpsMax);
        ASSERT_GT(scenario.topology.chips, 1u);
        const Verdict verdict = runner.run(scenario, RunOptions{});
        ASSERT_EQ(verdict.kind, VerdictKind::pass) << "seed " << seed << ": " << told(verdict);
    }
}

class TunnelFaultTest : public testing::TestWithParam<rt::Fault> {};

TEST_P(TunnelFaultTest, IsFoundInFewDrawnScenarios) {
    Runner runner;
    RunOptions options;
    options.faults.enable(GetParam());
    for (std::uint64_t seed = 1; seed <= kSeedsMax; ++seed) {
        Rng rng(seed);
        if (runner.run(generate(Domain::multi_chip, rng, kOpsMax), options).bad()) return;
    }
    FAIL() << "not found in " << kSeedsMax << " scenarios";
}

INSTANTIATE_TEST_SUITE_P(
    Faults, TunnelFaultTest,
    testing::Values(rt::Fault::mux_page_back_unflushed, rt::Fault::mux_keeps_exact_page,
                    rt::Fault::mux_room_for_first_word, rt::Fault::mux_rounds_words_down,
                    rt::Fault::demux_packet_in_part, rt::Fault::demux_room_back_unflushed,
                    rt::Fault::tunneler_words_back_unflushed,
                    rt::Fault::tunneler_ends_with_one_lane, rt::Fault::no_teardown_mark));

TEST(PairTest, AHangBehindTheTunnelBlamesACoreOfTheRemoteDevice) {
    RunOptions options;
    options.faults.enable(rt::Fault::no_teardown_mark);
    Runner runner;
    const Verdict verdict = runner.run(both_chips(), options);
    ASSERT_EQ(verdict.kind, VerdictKind::hang);
    EXPECT_EQ(verdict.violation.actor.find("_hd"), std::string::npos) << told(verdict);
}

}  // namespace
}  // namespace cqfuzz
