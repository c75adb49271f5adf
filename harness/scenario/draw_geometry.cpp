// Topology, geometry, counters, schedule and behaviour, drawn.
#include <algorithm>

#include "harness/scenario/domains.hpp"
#include "harness/scenario/draw.hpp"
#include "harness/scenario/limits.hpp"

namespace cqfuzz {
namespace {

constexpr const GeneratorWeights& kWeights = kGeneratorWeights;

std::uint32_t draw_side(Rng& rng) {
    const std::uint32_t kind = draw_weighted(rng, kWeights.grid_side);
    return kind < 3 ? kind + 1 : 4 + rng.below(5);
}

std::uint32_t draw_log_page(Rng& rng) { return 10 + draw_weighted(rng, kWeights.log_page); }

std::uint32_t draw_blocks(Rng& rng) { return percent(rng, kWeights.eight_blocks) ? 8 : 4; }

// A value in [low, high], half of the time one of the ends; a multiple of `unit` when both ends
// are.
std::uint32_t draw_between(Rng& rng, std::uint32_t low, std::uint32_t high, std::uint32_t unit) {
    switch (rng.below(4)) {
        case 0: return low;
        case 1: return high;
        default: return low + unit * rng.below((high - low) / unit + 1);
    }
}

// Rings of few and small pages, so that block ends and wraps come with every program.
void draw_small_rings(Geometry& g, Rng& rng) {
    g.dispatch_log_page = draw_log_page(rng);
    g.dispatch_blocks = draw_blocks(rng);
    g.dispatch_pages_per_block = 1 + rng.below(4);
    g.dispatch_h_blocks = draw_blocks(rng);
    g.dispatch_h_pages_per_block = 1 + rng.below(4);
    g.prefetch_d_log_page = draw_log_page(rng);
    g.prefetch_d_blocks = draw_blocks(rng);
    g.prefetch_d_pages_per_block = 1 + rng.below(4);
}

void draw_mixed_rings(Geometry& g, Rng& rng) {
    g.dispatch_log_page = draw_log_page(rng);
    g.dispatch_blocks = draw_blocks(rng);
    g.dispatch_pages_per_block = 1 + rng.below(16);
    g.dispatch_h_blocks = draw_blocks(rng);
    g.dispatch_h_pages_per_block = 1 + rng.below(16);
    g.prefetch_d_log_page = draw_log_page(rng);
    g.prefetch_d_blocks = draw_blocks(rng);
    g.prefetch_d_pages_per_block = 1 + rng.below(16);
}

void settle_rings(Geometry& g, bool split) {
    g.dispatch_pages_per_block =
        std::max(g.dispatch_pages_per_block, limits::dispatch_pages_per_block_min(g));
    g.prefetch_d_pages_per_block =
        std::max(g.prefetch_d_pages_per_block, limits::prefetch_d_pages_per_block_min(g, split));
}

void draw_queues(Geometry& g, bool split, std::uint32_t command_cap, Rng& rng) {
    const std::uint32_t command_max =
        std::min(limits::max_prefetch_command_max(g, split), command_cap);
    g.max_prefetch_command =
        percent(rng, 50) ? limits::kMaxPrefetchCommandMin
                         : draw_between(rng, limits::kMaxPrefetchCommandMin, command_max, 32);
    const std::uint32_t least = limits::cmddat_q_min(g);
    g.cmddat_q = percent(rng, 50)
                     ? least
                     : std::min(least + 32 * (1 + rng.below(128)), domains::kCmddatQ.max);
    g.scratch =
        draw_between(rng, domains::kScratch.min, std::min(limits::scratch_max(g), 8192u), 64);
    g.prefetch_q_entries = 2 + rng.below(7);
    g.completion_pages = 2 + rng.below(7);
}

void use_worker_set(Geometry& g) {
    g.prefetch_q_entries = 1532;
    g.max_prefetch_command = 131072;
    g.cmddat_q = 262144;
    g.scratch = 131072;
    g.prefetch_d_pages_per_block = 16;
    g.dispatch_pages_per_block = 32;
    g.dispatch_h_pages_per_block = 32;
}

// 35 parts have to fit the config ring: halves of 512 bytes or little more.
void favour_many_parts(Geometry& g, Rng& rng) {
    constexpr std::array<std::uint32_t, 6> kScratches{1024, 1024, 1024, 1088, 1280, 2048};
    g.scratch = draw_from(rng, kScratches);
    g.worker_config = std::max(g.worker_config, 32768u);
}

void draw_banks(const Features& features, Geometry& g, Rng& rng) {
    const bool real = percent(rng, kWeights.real_banks);
    g.dram_banks = real ? 12 : 1 + rng.below(4);
    g.trace_log_page = draw_log_page(rng);
    if (features.long_traces) {
        g.dram_banks = 1 + rng.below(4);
        g.trace_log_page = 10;
    }
}

// Drawn aside: a seed draws all else as it would without.
void draw_dispatch_s(Geometry& g, const Rng& rng) {
    Rng aside = rng;
    aside = Rng(aside.next() ^ 0x64697370617463);
    if (!percent(aside, kWeights.dispatch_s)) return;
    g.dispatch_s = DispatchS::own_core;
    g.dispatch_s_pages = 1u << aside.below(9);
}

}  // namespace

void draw_topology(const Features& features, Topology& topology, Rng& rng) {
    topology.worker_cols = draw_side(rng);
    topology.worker_rows = draw_side(rng);
    if (features.buffer_reads && percent(rng, kWeights.large_grid)) {
        topology.worker_cols = 5 + rng.below(4);
        topology.worker_rows = 4 + rng.below(5);
    }
    if (features.many_sub_commands) {
        topology.worker_cols = std::max(topology.worker_cols, 2u);
    }
    const std::uint32_t kind = draw_weighted(rng, kWeights.ethernet_cores);
    topology.ethernet_cores = kind < 2    ? kind + 1
                              : kind == 2 ? 3 + rng.below(2)
                                          : 5 + rng.below(12);
    if (!features.ethernet) {
        topology.ethernet_cores = rng.below(2);
    }
    topology.split = percent(rng, kWeights.split);
    const bool apart = features.domain == Domain::multi_chip;
    if (draws_commands(features.domain) || (!apart && !percent(rng, kWeights.pair))) return;
    topology.split = false;
    topology.chips = apart && percent(rng, kWeights.two_pairs) ? 4 : 2;
    topology.worker_cols = std::min(topology.worker_cols, 3u);
    topology.worker_rows = std::min(topology.worker_rows, 2u);
    topology.ethernet_cores = std::min(topology.ethernet_cores, 3u);
}

// Dispatch cores of the first chip, which are its first tiles behind PCIe.
std::uint32_t first_chip_cores(const Scenario& scenario) {
    const std::uint32_t dispatch_s = scenario.geometry.dispatch_s != DispatchS::absent ? 1 : 0;
    if (scenario.topology.chips != 1) return 7 + dispatch_s;
    return (scenario.topology.split ? 4 : 2) * scenario.geometry.command_queues + dispatch_s;
}

void draw_geometry(const Features& features, const Topology& topology, Geometry& g, Rng& rng) {
    g = Geometry{};
    g.command_queues = features.two_queues && topology.chips == 1 ? 2 : 1;
    g.block_accounting = percent(rng, kWeights.write_counts) ? BlockAccounting::write_counts
                                                             : BlockAccounting::snapshot;
    const std::uint32_t large = features.domain == Domain::semaphore_multicast
                                    ? kWeights.packed_large_in_semaphore_domain
                                    : kWeights.packed_large;
    g.config_style =
        percent(rng, large) ? ConfigStyle::packed_large : ConfigStyle::packed_multicast;
    const std::uint32_t kind = draw_weighted(rng, kWeights.geometry_kind);
    if (kind < 2) {
        kind == 0 ? draw_small_rings(g, rng) : draw_mixed_rings(g, rng);
        settle_rings(g, limits::splits(topology));
        draw_queues(g, limits::splits(topology), kind == 0 ? 16384 : 65536, rng);
        g.packed_write_max_unicast = percent(rng, 50) ? 64 : 2 * (1 + rng.below(16));
    } else if (kind == 3) {
        use_worker_set(g);
    }
    if (percent(rng, kWeights.worker_config_small)) {
        g.worker_config = 8192 + 32 * rng.below(512);
    }
    draw_banks(features, g, rng);
    if (features.many_sub_commands) {
        favour_many_parts(g, rng);
    }
    constexpr std::array<std::uint32_t, 5> kUndeparted{0, 1, 2, 4, 16};
    g.noc_undeparted_max = kUndeparted[draw_weighted(rng, kWeights.undeparted_max)];
    if (g.command_queues == 1 && !draws_commands(features.domain)) draw_dispatch_s(g, rng);
    if (topology.chips == 1) return;
    g.tunnel_log_page = 6 + rng.below(5);
    const std::uint32_t spare = rng.below(1u << rng.below(8));
    g.tunnel_pages = limits::tunnel_pages_min(g) + spare;
}

void draw_counters(CounterStarts& counters, Rng& rng) {
    counters = CounterStarts{};
    if (!rng.one_in(kWeights.counters_near_wrap_one_in)) {
        return;
    }
    const std::uint32_t before_wrap = 1u << rng.below(9);
    counters.writes_sent = 0u - rng.below(before_wrap);
    counters.writes_acked = 0u - rng.below(before_wrap);
    counters.reads = 0u - rng.below(before_wrap);
    counters.atomics = 0u - rng.below(before_wrap);
    counters.semaphores = 0u - rng.below(before_wrap);
}

OrderLevel draw_order(Rng& rng) {
    return static_cast<OrderLevel>(draw_weighted(rng, kWeights.order));
}

// Holds one of the dispatch cores back until another has moved: of the first chip.
Deviation draw_deviation(const Scenario& scenario, Rng& rng) {
    const std::uint32_t cores = first_chip_cores(scenario);
    Deviation deviation;
    for (MoveName* move : {&deviation.hold, &deviation.until}) {
        move->actor = 1 + rng.below(cores);
        move->kind = static_cast<MoveKind>(rng.below(4));
        move->noc = rng.one_in(4) ? 1 : 0;
        move->ordinal = 1 + rng.below(1u << rng.below(8));
    }
    return deviation;
}

void draw_schedule(const Scenario& scenario, Schedule& schedule, Rng& rng) {
    schedule = Schedule{};
    schedule.strategy = static_cast<Strategy>(draw_weighted(rng, kWeights.strategy));
    if (schedule.strategy != Strategy::in_order) {
        schedule.seed = static_cast<std::uint32_t>(rng.next() >> 32);
    }
    if (schedule.strategy == Strategy::pct) {
        schedule.change_points = rng.below(6);
    }
    if (schedule.strategy == Strategy::starve) {
        const std::uint32_t tiles = limits::tile_count(scenario.topology, scenario.geometry);
        const std::uint32_t any = rng.below(tiles);
        const std::uint32_t dispatch_core = 1 + rng.below(first_chip_cores(scenario));
        schedule.starved_actor = percent(rng, 70) ? dispatch_core : any;
    }
    if (percent(rng, kWeights.split_multicast)) {
        schedule.split_multicast_one_in = 1 + rng.below(8);
    }
    if (schedule.strategy == Strategy::in_order && percent(rng, kWeights.deviations)) {
        for (std::uint32_t left = 1 + rng.below(4); left != 0; --left) {
            schedule.deviations.push_back(draw_deviation(scenario, rng));
        }
    }
}

void draw_behaviour(Behaviour& behaviour, Rng& rng) {
    behaviour = Behaviour{};
    if (percent(rng, kWeights.slow_kernels)) {
        behaviour.kernel_steps = 1 + rng.below(1u << rng.below(6));
        behaviour.kernel_steps_jitter = rng.below(8);
    }
    if (percent(rng, kWeights.host_pauses)) {
        behaviour.host_pause_moves = rng.below(1u << rng.below(9));
    }
}

}  // namespace cqfuzz
