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

static_assert(kLinkMoves == kEthernetMoves);

MachineMoveName move_of(const MoveName& name) {
    return {static_cast<TileIndex>(name.actor), static_cast<MachineMove>(name.kind),
            static_cast<std::uint8_t>(name.noc), name.ordinal};
}

MoveName name_of_move(const MachineMoveName& move) {
    return {move.actor, static_cast<MoveKind>(move.kind), move.noc, move.ordinal};
}

RingView ring_of(std::string name, TileIndex producer,
                 const rt::DispatchCoreLayout& producer_layout, TileIndex consumer,
                 const rt::DispatchCoreLayout& consumer_layout, const rt::RingGeometry& geometry) {
    RingView ring;
    ring.name = std::move(name);
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
    const std::string role = view.describe(tile);
    view.stagings.push_back(
        {role + ".scratch[0]", StagingKind::scratch_half, tile, layout.scratch_base, half});
    view.stagings.push_back(
        {role + ".scratch[1]", StagingKind::scratch_half, tile, layout.scratch_base + half, half});
    view.stagings.push_back({role + ".ringbuffer", StagingKind::ringbuffer, tile,
                             layout.scratch_base, g.ringbuffer_bytes});
}

void add_command_data(MachineView& view, TileIndex tile, const rt::DispatchCoreLayout& layout,
                      std::uint32_t bytes) {
    const std::string role = view.describe(tile);
    view.stagings.push_back(
        {role + ".cmddat_q", StagingKind::command_data, tile, layout.cmddat_q_base, bytes});
}

MailboxView mailbox_of(const rt::WorkerCoreLayout& layout) {
    return {layout.launch_base,    rt::kLaunchMessageBytes, rt::DispatchGeometry::kLaunchEntries,
            layout.go_message,     layout.config_base,      layout.config_bytes,
            layout.exchange_count, layout.exchange_base,    rt::kExchangeBytesMax};
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

rt::DispatchGeometry runtime_geometry_of(const Scenario& scenario, std::uint32_t chip) {
    const Geometry& g = scenario.geometry;
    rt::DispatchGeometry out;
    out.split = scenario.topology.chips == 1 ? scenario.topology.split : chip % 2 != 0;
    out.command_queues = g.command_queues;
    out.block_accounting = static_cast<rt::BlockAccounting>(g.block_accounting);
    out.config_style = static_cast<rt::ConfigStyle>(g.config_style);
    out.dispatch_s = static_cast<rt::DispatchS>(g.dispatch_s);
    out.dispatch_s_pages = g.dispatch_s_pages;
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
    out.tunnel = {g.tunnel_log_page, g.tunnel_pages, 1};
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
    config.chips = static_cast<std::uint8_t>(scenario.topology.chips);
    config.split = geometry.split;
    config.command_queues = static_cast<std::uint8_t>(geometry.command_queues);
    config.dispatch_s = geometry.has_dispatch_s();
    config.hugepage_bytes =
        geometry.command_queues *
        rt::align_up(geometry.issue_region_bytes + geometry.completion_region_bytes + 65536, 4096);
    config.dram_bank_bytes = geometry.dram_bank_bytes;
    config.order = static_cast<MachineOrder>(std::min(scenario.order, order_max));
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

namespace {

TileIndex tile_at(const MachineView& view, rt::Coord coord) {
    return view.tile_at({coord.x, coord.y}, coord.chip);
}

std::string ring_name(const rt::DeviceConfig& config, const char* name) {
    return (config.queue == 0 ? "" : "cq" + std::to_string(config.queue) + " ") + name;
}

void add_issue_region(MachineView& view, TileIndex fetcher, const rt::DeviceConfig& config) {
    constexpr std::uint32_t kEntryBytes = 2;  // facts §3.2
    const rt::Coord pcie = config.chip.pcie;
    view.issue_regions.push_back({fetcher, view.tile_at({pcie.x, pcie.y}, pcie.chip),
                                  config.host.issue_base, config.geometry.issue_region_bytes,
                                  config.prefetch.prefetch_q_base, kEntryBytes,
                                  config.geometry.prefetch_q_entries});
}

void add_completion_region(MachineView& view, TileIndex writer, const rt::DeviceConfig& config,
                           const rt::DispatchCoreLayout& map) {
    const rt::Coord pcie = config.chip.pcie;
    constexpr std::uint32_t kPageBytes = rt::DispatchGeometry::kCompletionPageBytes;
    view.completion_regions.push_back(
        {writer, view.tile_at({pcie.x, pcie.y}, pcie.chip), config.host.completion_base, kPageBytes,
         config.geometry.completion_region_bytes / kPageBytes, config.host.completion_write_ptr,
         map.completion_wr_ptr, map.completion_rd_ptr});
}

void add_merged(MachineView& view, const rt::DeviceConfig& config) {
    const rt::DispatchGeometry& g = config.geometry;
    const TileIndex hd = tile_at(view, config.chip.prefetch);
    const TileIndex dispatch = tile_at(view, config.chip.dispatch);
    view.rings.push_back(ring_of(ring_name(config, "dispatch_cb"), hd, config.prefetch, dispatch,
                                 config.dispatch, g.dispatch));
    add_command_data(view, hd, config.prefetch, g.cmddat_q_bytes);
    add_scratch(view, hd, config.prefetch, g);
    add_issue_region(view, hd, config);
    add_completion_region(view, dispatch, config, config.dispatch);
    view.completion_counters.push_back(dispatch);
}

// A page a command, so that a page is a block of its own.
void add_dispatch_s(MachineView& view, const rt::DeviceConfig& config) {
    if (!config.geometry.has_dispatch_s()) return;
    const rt::DeviceConfig::Neighbour prefetcher = config.executing_prefetcher();
    const TileIndex dispatch_s = tile_at(view, config.chip.dispatch_s);
    RingView ring = ring_of("dispatch_s_cb", tile_at(view, prefetcher.coord), prefetcher.map,
                            dispatch_s, config.dispatch_s, config.geometry.dispatch_s_ring());
    ring.credit_address = prefetcher.map.semaphore(rt::Semaphore::dispatch_s_credits);
    view.rings.push_back(std::move(ring));
    view.go_senders.push_back(
        {dispatch_s, tile_at(view, config.chip.dispatch), config.dispatch_s.go_notify(0)});
}

// A ring of packet words; its ends are words of their own on a tunneler's core.
RingView packet_ring(const char* name, TileIndex producer, std::uint32_t credits,
                     TileIndex consumer, std::uint32_t ready, std::uint32_t base,
                     const rt::RingGeometry& geometry) {
    RingView ring;
    ring.name = name;
    ring.producer = producer;
    ring.consumer = consumer;
    ring.base = base;
    ring.page_size_bytes = geometry.page_size_bytes();
    ring.page_count = geometry.pages;
    ring.pages_per_block = 1;
    ring.credit_address = credits;
    ring.ready_address = ready;
    return ring;
}

// One direction of a tunnel: mux → tunneler ═ tunneler → demux.
struct TunnelNames {
    const char* out;
    const char* link;
    const char* in;
};

void add_tunnel(MachineView& view, const rt::DeviceConfig& config, TileIndex mux,
                const rt::DispatchCoreLayout& mux_map, TileIndex from, TileIndex to,
                TileIndex demux, const TunnelNames& names) {
    const rt::RingGeometry& g = config.geometry.tunnel;
    const rt::TunnelerLayout& t = config.tunneler;
    view.rings.push_back(packet_ring(names.out, mux,
                                     mux_map.semaphore(rt::Semaphore::downstream_credits), from,
                                     t.outbound.ready, t.outbound.ring_base, g));
    view.rings.push_back(packet_ring(names.link, from, t.outbound.credits, to, t.inbound.ready,
                                     t.inbound.ring_base, g));
    view.rings.push_back(packet_ring(names.in, to, t.inbound.credits, demux,
                                     config.demux.semaphore(rt::Semaphore::upstream_ready),
                                     config.demux.ring_base, g));
}

// h on the chip with PCIe, d on this one.
struct SplitTiles {
    TileIndex prefetch_h, prefetch_d, dispatch_d, dispatch_h;
};

SplitTiles split_tiles(const MachineView& view, const rt::DeviceConfig& config) {
    return {tile_at(view, config.chip.prefetch), tile_at(view, config.chip.prefetch_d),
            tile_at(view, config.chip.dispatch), tile_at(view, config.chip.dispatch_h)};
}

// Batches from prefetch_h to prefetch_d; over the tunnel, prefetch_h's credits are of the mux.
void add_way_down(MachineView& view, const rt::DeviceConfig& config, const SplitTiles& t) {
    const rt::DispatchGeometry& g = config.geometry;
    const std::uint8_t near = config.chip.pcie.chip;
    const std::uint8_t far = config.chip.chip;
    const auto thief_ring = static_cast<std::int32_t>(view.rings.size());
    RingView upstream = ring_of(ring_name(config, "prefetch_d.cmddat_q"), t.prefetch_h,
                                config.prefetch, t.prefetch_d, config.prefetch_d, g.prefetch_d);
    upstream.consumer_refills_in_exec_buf = true;
    upstream.credit_thief_return = t.dispatch_h;
    if (!config.chip.remote) {
        view.rings.push_back(std::move(upstream));
        return;
    }
    const TileIndex mux = view.tile_of(Role::mux, near);
    const TileIndex demux_d = view.tile_of(Role::demux_d, far);
    RingView into_mux =
        ring_of("mux.in", t.prefetch_h, config.prefetch, mux, config.mux, g.prefetch_d);
    into_mux.credit_thief_return = t.dispatch_h;
    view.rings.push_back(std::move(into_mux));
    add_tunnel(view, config, mux, config.mux, view.tile_of(Role::tunneler, near),
               view.tile_of(Role::tunneler, far), demux_d,
               {"tunneler.out", "tunneler_d.in", "demux_d.in"});
    upstream.producer = demux_d;
    upstream.credit_address = config.demux.semaphore(rt::Semaphore::downstream_credits);
    upstream.credit_thief_return = kNoTile;
    upstream.thief_ring = thief_ring;
    view.rings.push_back(std::move(upstream));
}

// What dispatch_d relays to dispatch_h.
void add_way_back(MachineView& view, const rt::DeviceConfig& config, const SplitTiles& t) {
    const rt::DispatchGeometry& g = config.geometry;
    RingView last = ring_of(ring_name(config, "dispatch_h.cb"), t.dispatch_d, config.dispatch,
                            t.dispatch_h, config.dispatch_h, g.dispatch_h);
    if (config.chip.remote) {
        const std::uint8_t near = config.chip.pcie.chip;
        const std::uint8_t far = config.chip.chip;
        const TileIndex mux_d = view.tile_of(Role::mux_d, far);
        const TileIndex demux = view.tile_of(Role::demux, near);
        view.rings.push_back(
            ring_of("mux_d.in", t.dispatch_d, config.dispatch, mux_d, config.mux_d, g.dispatch_h));
        add_tunnel(view, config, mux_d, config.mux_d, view.tile_of(Role::tunneler, far),
                   view.tile_of(Role::tunneler, near), demux,
                   {"tunneler_d.out", "tunneler.in", "demux.in"});
        last.producer = demux;
        last.credit_address = config.demux.semaphore(rt::Semaphore::downstream_credits);
    }
    view.rings.push_back(std::move(last));
}

void add_split(MachineView& view, const rt::DeviceConfig& config) {
    const SplitTiles t = split_tiles(view, config);
    add_way_down(view, config, t);
    view.rings.push_back(ring_of(ring_name(config, "dispatch_cb"), t.prefetch_d, config.prefetch_d,
                                 t.dispatch_d, config.dispatch, config.geometry.dispatch));
    add_way_back(view, config, t);
    add_command_data(view, t.prefetch_h, config.prefetch, config.geometry.cmddat_q_bytes);
    add_scratch(view, t.prefetch_d, config.prefetch_d, config.geometry);
    add_issue_region(view, t.prefetch_h, config);
    add_completion_region(view, t.dispatch_h, config, config.dispatch_h);
    view.completion_counters.push_back(t.dispatch_d);
}

}  // namespace

MachineView machine_view_of(const std::vector<TileView>& tiles,
                            std::span<const rt::DeviceConfig> configs) {
    MachineView view;
    view.tiles = tiles;
    view.pcie = view.tile_of(Role::host);
    for (const rt::DeviceConfig& of_chip : configs)
        for (std::uint32_t q = 0; q < of_chip.geometry.command_queues; ++q) {
            const rt::DeviceConfig config =
                rt::make_device_config(of_chip.geometry, of_chip.chip, q);
            config.geometry.split ? add_split(view, config) : add_merged(view, config);
            add_dispatch_s(view, config);
        }
    const rt::DeviceConfig& first = configs.front();
    view.completion_counter_address = first.dispatch.dispatch_message;
    view.worker_mailbox = mailbox_of(first.worker);
    view.ethernet_mailbox = mailbox_of(first.ethernet);
    return view;
}

}  // namespace cqfuzz
