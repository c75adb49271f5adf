// Goal: the faulty line of every fault runs in scenarios as they are drawn, and never without the
// fault. Method: generated scenarios of both domains with seeds from 1 on, under a cap; what the
// fault then leads to is the hunt's affair (tests/harness/search).
#include <gtest/gtest.h>

#include <string>

#include "harness/run/run.hpp"
#include "harness/scenario/verbs.hpp"
#include "runtime_under_test/faults/faults.hpp"

namespace cqfuzz {
namespace {

using rt::Fault;

constexpr std::uint64_t kSeedsMax = 400;
constexpr std::uint32_t kOpsMax = 64;

struct FaultCase {
    Fault fault;
    Domain domain;  // where it is reached soonest
};

constexpr FaultCase kCases[] = {
    {Fault::late_orphan_linear, Domain::trace_replay},
    {Fault::late_orphan_paged, Domain::trace_replay},
    {Fault::late_orphan_relay, Domain::trace_replay},
    {Fault::late_orphan_packed, Domain::semaphore_multicast},
    {Fault::late_orphan_large, Domain::semaphore_multicast},
    {Fault::short_subcommand_cache, Domain::trace_replay},
    {Fault::no_flush_before_scratch_refill, Domain::trace_replay},
    {Fault::prefetch_d_forgets_header, Domain::trace_replay},
    {Fault::one_orphan_count_missing, Domain::semaphore_multicast},
    {Fault::no_barrier_before_go, Domain::semaphore_multicast},
    {Fault::push_round_swapped, Domain::trace_replay},
    {Fault::sync_count_of_wrong_entry, Domain::trace_replay},
    {Fault::program_after_trace_no_stall, Domain::trace_replay},
    {Fault::toggle_not_flipped, Domain::trace_replay},
};

class FaultFiresTest : public testing::TestWithParam<FaultCase> {};

TEST_P(FaultFiresTest, ReachesItsLineInADrawnScenarioOnlyWhenItIsOn) {
    Runner runner;
    RunOptions options;
    options.faults.enable(GetParam().fault);
    for (std::uint64_t seed = 1; seed <= kSeedsMax; ++seed) {
        Rng rng(seed);
        const Scenario scenario = generate(GetParam().domain, rng, kOpsMax);
        runner.run(scenario, options);
        if (runner.faults().reached(GetParam().fault) == 0) continue;
        runner.run(scenario, RunOptions{});
        EXPECT_FALSE(runner.faults().any_reached());
        return;
    }
    FAIL() << "not reached in " << kSeedsMax << " scenarios";
}

std::string fault_name(const testing::TestParamInfo<FaultCase>& info) {
    std::string name(rt::all_faults()[static_cast<std::size_t>(info.param.fault)].name);
    for (char& c : name)
        if (c == '-') c = '_';
    return name;
}

INSTANTIATE_TEST_SUITE_P(Faults, FaultFiresTest, testing::ValuesIn(kCases), fault_name);

TEST(FaultsFireTest, EveryFaultHasACase) {
    ASSERT_EQ(std::size(kCases), rt::all_faults().size());
    for (std::size_t i = 0; i < std::size(kCases); ++i)
        EXPECT_EQ(kCases[i].fault, rt::all_faults()[i].fault);
}

}  // namespace
}  // namespace cqfuzz
