// Goal: what the bench watches is enough to see each mistake of firmware that rings, stagings and
// local arrays can show. Method: one stream with straddles of every kind, over random walks, with
// one fault on; the same walks without it pass.
#include <gtest/gtest.h>

#include "tests/runtime_under_test/firmware/pipeline_bench.hpp"

namespace cqfuzz::fw {
namespace {

constexpr std::uint64_t kWalksMax = 200;

struct FaultMode {
    rt::Fault fault;
    bool split;
    rt::BlockAccounting accounting;
};

constexpr auto kCounts = rt::BlockAccounting::write_counts;
constexpr auto kSnapshot = rt::BlockAccounting::snapshot;

constexpr FaultMode kCases[] = {
    {rt::Fault::late_orphan_linear, false, kCounts},
    {rt::Fault::late_orphan_linear, true, kCounts},
    {rt::Fault::late_orphan_paged, false, kCounts},
    {rt::Fault::late_orphan_paged, true, kCounts},
    {rt::Fault::late_orphan_packed, false, kCounts},
    {rt::Fault::late_orphan_packed, true, kSnapshot},
    {rt::Fault::late_orphan_large, false, kCounts},
    {rt::Fault::late_orphan_large, true, kCounts},
    {rt::Fault::late_orphan_relay, true, kCounts},
    {rt::Fault::one_orphan_count_missing, false, kCounts},
    {rt::Fault::no_flush_before_scratch_refill, false, kSnapshot},
    {rt::Fault::prefetch_d_forgets_header, true, kCounts},
    {rt::Fault::push_round_swapped, false, kSnapshot},
    {rt::Fault::short_subcommand_cache, false, kSnapshot},
};

class StreamFaultsTest : public testing::TestWithParam<FaultMode> {
protected:
    // Everything that can straddle, from every page of the ring.
    void straddle() {
        Rng rng(3);
        const rt::Coord to = bench.worker(0, 0);
        const std::uint32_t xy = to.noc_xy();
        bench.fill_bank(0, 0, noise(rng, 8192));
        for (std::uint32_t round = 0; round < 12; ++round) {
            bench.submit_inline(write_linear(xy, 0x2000, noise(rng, 2000)));
            bench.submit_inline(write_paged(0, 0x4000, 240, noise(rng, 8 * 240)));
            bench.submit_inline(
                write_packed(0, 0x3000, {{xy, 0, noise(rng, 700)}, {xy, 0, noise(rng, 700)}}));
            bench.submit_inline(write_packed_large(
                16, {{xy, 0x4000, 0, noise(rng, 500)}, {xy, 0x5000, 0, noise(rng, 1000)}}));
            // An odd number of pages a round, so that each command begins at every page of the
            // ring.
            bench.submit_inline(bare(rt::DispatchId::sink));
            bench.submit_inline(bare(rt::DispatchId::sink));
            for (const std::uint32_t length : {4064u, 1008u}) {
                bench.submit(Stream()
                                 .noflush(write_to_host(length))
                                 .relay_paged({0, true, 0, 0, length, 1}));
                bench.pop(length + 16);
            }
        }
        Stream trace;
        // 44 of the 105 words of sub-commands lie in the first chunk (facts §12.2).
        for (std::uint32_t i = 0; i < 25; ++i) trace.relay_inline(bare(rt::DispatchId::sink));
        trace.noflush(slice(write_linear(xy, 0x2000, Bytes(35 * 32)), 0, 16));
        trace.relay_paged_packed(std::vector<rt::RelayPagedPackedSub>(35, {0, 10, 0, 32}))
            .exec_buf_end();
        bench.replay(bench.store_trace(trace.bytes(), 0x8000, 10));
    }
    bool is_bad() const {
        return bench.violation.has_value() || bench.machine.stop() != MachineStop::running;
    }

    PipelineBench bench;
};

TEST_P(StreamFaultsTest, IsSeenAndTheSameWalkWithoutItPasses) {
    bench.geometry = small_geometry();
    bench.machine_config.dram_banks = 1;
    for (std::uint64_t seed = 1; seed <= kWalksMax; ++seed) {
        set_mode(bench, {GetParam().split, GetParam().accounting, MachineOrder::o2,
                         MachineStrategy::random_walk, seed});
        bench.faults.clear();
        bench.faults.enable(GetParam().fault);
        bench.run_unchecked([&] { straddle(); });
        ASSERT_GT(bench.faults.reached(GetParam().fault), 0u);
        if (!is_bad()) continue;
        bench.faults.clear();
        bench.run_unchecked([&] { straddle(); });
        EXPECT_FALSE(is_bad()) << "seed " << seed;
        return;
    }
    FAIL() << "not seen in " << kWalksMax << " walks";
}

std::string case_name(const testing::TestParamInfo<FaultMode>& info) {
    std::string name(rt::all_faults()[static_cast<std::size_t>(info.param.fault)].name);
    for (char& c : name)
        if (c == '-') c = '_';
    return name + (info.param.split ? "_split" : "_merged") +
           (info.param.accounting == kCounts ? "_counts" : "_snapshot");
}

INSTANTIATE_TEST_SUITE_P(Faults, StreamFaultsTest, testing::ValuesIn(kCases), case_name);

}  // namespace
}  // namespace cqfuzz::fw
