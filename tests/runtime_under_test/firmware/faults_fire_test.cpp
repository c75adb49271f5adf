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
    {Fault::orphan_counted_twice, Domain::trace_replay},
    {Fault::release_before_departure, Domain::trace_replay},
    {Fault::no_plus_one_on_current, Domain::trace_replay},
    {Fault::one_block_per_release, Domain::trace_replay},
    {Fault::batched_count_after_move, Domain::trace_replay},
    {Fault::no_release_while_waiting, Domain::trace_replay},
    {Fault::partial_block_not_returned, Domain::trace_replay},
    {Fault::fence_past_block_end, Domain::trace_replay},
    {Fault::pages_claimed_twice, Domain::trace_replay},
    {Fault::ready_compared_by_value, Domain::trace_replay},
    {Fault::credits_to_wrong_semaphore, Domain::trace_replay},
    {Fault::no_restore_after_orphan, Domain::trace_replay},
    {Fault::padding_not_carried, Domain::trace_replay},
    {Fault::stale_write_coordinates, Domain::trace_replay},
    {Fault::zero_length_write, Domain::trace_replay},
    {Fault::num_dests_off_by_one, Domain::trace_replay},
    {Fault::go_word_over_its_fields, Domain::trace_replay},
    {Fault::write_offset_kept, Domain::trace_replay},
    {Fault::credits_returned_twice, Domain::trace_replay},
    {Fault::preamble_not_counted, Domain::trace_replay},
    {Fault::preamble_before_acquire, Domain::trace_replay},
    {Fault::preamble_passed_on, Domain::trace_replay},
    {Fault::completion_by_dispatch_d, Domain::trace_replay},
    {Fault::exit_barrier_on_one_noc, Domain::trace_replay},
    {Fault::completion_pointer_not_counted, Domain::trace_replay},
    {Fault::completion_pointer_reused, Domain::trace_replay},
    {Fault::unsigned_credits, Domain::trace_replay},
    {Fault::own_decrement_not_landed, Domain::trace_replay},
    {Fault::hand_over_on_other_noc, Domain::trace_replay},
    {Fault::space_check_of_first_page, Domain::trace_replay},
    {Fault::no_sentinel, Domain::trace_replay},
    {Fault::push_counts_part_pages, Domain::trace_replay},
    {Fault::length_adjust_ignored, Domain::trace_replay},
    {Fault::noflush_past_ring_end, Domain::trace_replay},
    {Fault::noflush_rounds_pointer, Domain::trace_replay},
    {Fault::no_flush_in_relay_inline, Domain::trace_replay},
    {Fault::no_flush_before_upstream_return, Domain::trace_replay},
    {Fault::batch_pointer_at_ring_end, Domain::trace_replay},
    {Fault::no_flush_before_chunk_refill, Domain::trace_replay},
    {Fault::trace_pages_not_counted, Domain::trace_replay},
    {Fault::fetch_while_stalled, Domain::trace_replay},
    {Fault::credits_not_stolen, Domain::trace_replay},
    {Fault::done_before_kernel, Domain::trace_replay},
    {Fault::launch_entry_not_cleared, Domain::trace_replay},
    {Fault::issue_bytes_before_free_entry, Domain::trace_replay},
    {Fault::issue_wrap_at_exact_end, Domain::trace_replay},
    {Fault::entry_written_as_word, Domain::trace_replay},
    {Fault::entry_before_its_bytes, Domain::trace_replay},
    {Fault::queue_wraps_at_default_size, Domain::trace_replay},
    {Fault::read_pointer_to_wrong_core, Domain::trace_replay},
    {Fault::half_initial_credits, Domain::trace_replay},
    {Fault::terminate_shares_slot, Domain::trace_replay},
    {Fault::launch_ring_of_eight, Domain::trace_replay},
    {Fault::config_ring_too_long, Domain::trace_replay},
    {Fault::clear_without_wait, Domain::trace_replay},
    {Fault::launch_pointers_reset_for_all, Domain::trace_replay},
    {Fault::notify_without_stall, Domain::trace_replay},
    {Fault::stall_without_barrier, Domain::trace_replay},
    {Fault::event_without_barrier, Domain::trace_replay},
    {Fault::cb_config_per_range, Domain::trace_replay},
    {Fault::semaphores_overlap, Domain::trace_replay},
    {Fault::semaphore_kind_ignored, Domain::trace_replay},
    {Fault::too_many_sub_commands, Domain::trace_replay},
    {Fault::mux_page_back_unflushed, Domain::multi_chip},
    {Fault::mux_keeps_exact_page, Domain::multi_chip},
    {Fault::mux_room_for_first_word, Domain::multi_chip},
    {Fault::mux_rounds_words_down, Domain::multi_chip},
    {Fault::demux_packet_in_part, Domain::multi_chip},
    {Fault::demux_room_back_unflushed, Domain::multi_chip},
    {Fault::tunneler_words_back_unflushed, Domain::multi_chip},
    {Fault::tunneler_ends_with_one_lane, Domain::multi_chip},
    {Fault::no_teardown_mark, Domain::multi_chip},
    {Fault::event_without_room, Domain::trace_replay},
    {Fault::event_in_wrong_word, Domain::trace_replay},
    {Fault::workers_taken_without_wait, Domain::trace_replay},
    {Fault::go_of_first_queue, Domain::trace_replay},
    {Fault::event_words_kept_at_open, Domain::trace_replay},
    {Fault::head_of_cache_relay_not_flushed, Domain::command_stream},
    {Fault::go_without_wait, Domain::trace_replay},
    {Fault::entry_not_waited_for, Domain::trace_replay},
    {Fault::trace_range_not_kept, Domain::trace_replay},
    {Fault::relay_sends_rounded, Domain::trace_replay},
    {Fault::go_without_notify, Domain::trace_replay},
    {Fault::notify_without_barrier, Domain::trace_replay},
    {Fault::go_one_completion_early, Domain::trace_replay},
    {Fault::go_page_back_unflushed, Domain::trace_replay},
    {Fault::counts_kept_while_idle, Domain::trace_replay},
    {Fault::cleared_count_passed_on, Domain::trace_replay},
    {Fault::go_names_dispatcher, Domain::trace_replay},
    {Fault::count_cleared_at_dispatcher_alone, Domain::trace_replay},
    {Fault::replay_without_notify, Domain::trace_replay},
    {Fault::go_rectangle_of_noc_0, Domain::trace_replay},
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
