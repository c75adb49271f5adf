#include "harness/run/translate.hpp"

#include <algorithm>

#include "runtime_under_test/protocol/commands.hpp"
#include "runtime_under_test/protocol/dev_msgs.hpp"

namespace cqfuzz {
namespace {

// Room for long traces in each bank, twice what all traces of a scenario may take together
// (limits.hpp): with less, traces that come and go could leave no hole that is large enough.
constexpr std::uint32_t kTraceBytesPerBank = 8u << 20;
constexpr std::uint32_t kEthernetConfigBytes = 25 * 1024;

MachineMoveName move_of(const MoveName& name) {
    return {static_cast<TileIndex>(name.actor), static_cast<MachineMove>(name.kind),
            static_cast<std::uint8_t>(name.noc), name.ordinal};
}

MoveName name_of_move(const MachineMoveName& move) {
    return {move.actor, static_cast<MoveKind>(move.kind), move.noc, move.ordinal};
}

RingView ring_of(const char* name, TileIndex producer,
                 const rt::DispatchCoreLayout& producer_layout, TileIndex consumer,
                 const rt::DispatchCoreLayout& consumer_layout, const rt::RingGeometry& geometry) {
    RingView ring;
    ring.name = name;
    ring.producer = producer;
    ring.consumer = consumer;
    ring.base = consumer_layout.ring_base;
    ring.page_size_bytes = geometry.page_size_bytes();
    ring.page_count = geometry.pages;
    ring.pages_per_block = geometry.pages_per_block();
    ring.credit_address = producer_layout.semaphore(rt::Semaphore::downstream_credits);
    ring.ready_address = consumer_layout.semaphore(rt::Semaphore::upstream_ready);
    return ring;
}

void add_scratch(MachineView& view, TileIndex tile, const rt::DispatchCoreLayout& layout,
                 const rt::DispatchGeometry& g) {
    const std::uint32_t half = g.scratch_bytes / 2;
    const std::string role(name_of(view.tiles[tile].role));
    view.stagings.push_back(
        {role + ".scratch[0]", StagingKind::scratch_half, tile, layout.scratch_base, half});
    view.stagings.push_back(
        {role + ".scratch[1]", StagingKind::scratch_half, tile, layout.scratch_base + half, half});
    view.stagings.push_back({role + ".ringbuffer", StagingKind::ringbuffer, tile,
                             layout.scratch_base, g.ringbuffer_bytes});
}

void add_command_data(MachineView& view, TileIndex tile, const rt::DispatchCoreLayout& layout,
                      std::uint32_t bytes) {
    const std::string role(name_of(view.tiles[tile].role));
    view.stagings.push_back(
        {role + ".cmddat_q", StagingKind::command_data, tile, layout.cmddat_q_base, bytes});
}

MailboxView mailbox_of(const rt::WorkerCoreLayout& layout) {
    return {layout.launch_base, rt::kLaunchMessageBytes, rt::DispatchGeometry::kLaunchEntries,
            layout.go_message,  layout.config_base,      layout.config_bytes};
}

}  // namespace

MachineHold hold_of(const Deviation& deviation) {
    return {move_of(deviation.hold), move_of(deviation.until)};
}

// A hold that nothing ended is written as a hold until the held move itself: as long as anything
// else can move.
Deviation deviation_of(const MachineHold& hold) {
    const MoveName held = name_of_move(hold.hold);
    return {held, hold.until.actor == kNoTile ? held : name_of_move(hold.until)};
}

rt::DispatchGeometry runtime_geometry_of(const Scenario& scenario) {
    const Geometry& g = scenario.geometry;
    rt::DispatchGeometry out;
    out.split = scenario.topology.split;
    out.block_accounting = static_cast<rt::BlockAccounting>(g.block_accounting);
    out.config_style = static_cast<rt::ConfigStyle>(g.config_style);
    out.prefetch_q_entries = g.prefetch_q_entries;
    out.max_prefetch_command_bytes = g.max_prefetch_command;
    out.cmddat_q_bytes = g.cmddat_q;
    out.scratch_bytes = g.scratch;
    out.prefetch_d = {g.prefetch_d_log_page, g.prefetch_d_pages_per_block * g.prefetch_d_blocks,
                      g.prefetch_d_blocks};
    out.dispatch = {g.dispatch_log_page, g.dispatch_pages_per_block * g.dispatch_blocks,
                    g.dispatch_blocks};
    out.dispatch_h = {g.dispatch_log_page, g.dispatch_h_pages_per_block * g.dispatch_h_blocks,
                      g.dispatch_h_blocks};
    out.issue_region_bytes = (g.prefetch_q_entries + 2) * g.max_prefetch_command;
    out.completion_region_bytes = g.completion_pages * rt::DispatchGeometry::kCompletionPageBytes;
    out.dram_banks = g.dram_banks;
    out.trace_log_page_size = g.trace_log_page;
    out.trace_region_bytes = g.dram_banks * kTraceBytesPerBank;
    out.packed_write_max_unicast = g.packed_write_max_unicast;
    out.worker_config_bytes = g.worker_config;
    out.ethernet_config_bytes = kEthernetConfigBytes;
    out.semaphore_start = scenario.counters.semaphores;
    return out;
}

MachineConfig machine_config_of(const Scenario& scenario, const rt::DispatchGeometry& geometry,
                                OrderLevel order_max) {
    MachineConfig config;
    config.worker_cols = static_cast<std::uint8_t>(scenario.topology.worker_cols);
    config.worker_rows = static_cast<std::uint8_t>(scenario.topology.worker_rows);
    config.ethernet_cores = static_cast<std::uint8_t>(scenario.topology.ethernet_cores);
    config.dram_banks = static_cast<std::uint8_t>(geometry.dram_banks);
    config.split = geometry.split;
    config.hugepage_bytes =
        rt::align_up(geometry.issue_region_bytes + geometry.completion_region_bytes + 65536, 4096);
    config.dram_bank_bytes = geometry.dram_bank_bytes;
    config.order = static_cast<MachineOrder>(std::min({scenario.order, order_max, OrderLevel::o2}));
    config.noc_undeparted_max = scenario.geometry.noc_undeparted_max;
    config.counters = {scenario.counters.writes_sent, scenario.counters.writes_acked,
                       scenario.counters.reads, scenario.counters.atomics};
    return config;
}

SchedulePlan schedule_plan_of(const Scenario& scenario, const MachineView& view) {
    const Schedule& drawn = scenario.schedule;
    SchedulePlan plan;
    plan.strategy = static_cast<MachineStrategy>(drawn.strategy);
    plan.seed = drawn.seed;
    plan.change_points = drawn.change_points;
    plan.starved_actor = static_cast<TileIndex>(drawn.starved_actor);
    plan.split_multicast_one_in = drawn.split_multicast_one_in;
    if (drawn.strategy == Strategy::in_order)
        for (const Deviation& deviation : drawn.deviations)
            plan.holds.push_back(hold_of(deviation));
    for (const RingView& ring : view.rings)
        plan.credit_words.emplace_back(ring.producer, ring.credit_address);
    return plan;
}

MachineView machine_view_of(const std::vector<TileView>& tiles, const rt::DeviceConfig& config) {
    const rt::DispatchGeometry& g = config.geometry;
    MachineView view;
    view.tiles = tiles;
    for (std::size_t i = 0; i < tiles.size(); ++i)
        if (tiles[i].kind == TileKind::pcie) view.pcie = static_cast<TileIndex>(i);
    if (g.split) {
        const TileIndex h = view.tile_of(Role::prefetch_h);
        const TileIndex d = view.tile_of(Role::prefetch_d);
        const TileIndex dispatch_d = view.tile_of(Role::dispatch_d);
        const TileIndex dispatch_h = view.tile_of(Role::dispatch_h);
        RingView upstream =
            ring_of("prefetch_d.cmddat_q", h, config.prefetch, d, config.prefetch_d, g.prefetch_d);
        upstream.credit_thief_return = dispatch_h;
        upstream.consumer_refills_in_exec_buf = true;
        view.rings.push_back(std::move(upstream));
        view.rings.push_back(
            ring_of("dispatch_cb", d, config.prefetch_d, dispatch_d, config.dispatch, g.dispatch));
        view.rings.push_back(ring_of("dispatch_h.cb", dispatch_d, config.dispatch, dispatch_h,
                                     config.dispatch_h, g.dispatch_h));
        add_command_data(view, h, config.prefetch, g.cmddat_q_bytes);
        add_scratch(view, d, config.prefetch_d, g);
        view.completion_counter_tile = dispatch_d;
    } else {
        const TileIndex hd = view.tile_of(Role::prefetch_hd);
        const TileIndex dispatch = view.tile_of(Role::dispatch_hd);
        view.rings.push_back(
            ring_of("dispatch_cb", hd, config.prefetch, dispatch, config.dispatch, g.dispatch));
        add_command_data(view, hd, config.prefetch, g.cmddat_q_bytes);
        add_scratch(view, hd, config.prefetch, g);
        view.completion_counter_tile = dispatch;
    }
    view.completion_counter_address = config.dispatch.dispatch_message;
    view.worker_mailbox = mailbox_of(config.worker);
    view.ethernet_mailbox = mailbox_of(config.ethernet);
    return view;
}

}  // namespace cqfuzz
