#include "harness/scenario/draw_commands.hpp"

#include <algorithm>
#include <array>

#include "harness/scenario/domains.hpp"
#include "harness/scenario/limits.hpp"

namespace cqfuzz {
namespace {

constexpr const GeneratorWeights& kWeights = kGeneratorWeights;

// As the alternatives of Command, up to EXEC_BUF's.
enum class Kind : std::uint32_t {
    write_linear,
    write_paged,
    write_packed,
    write_large,
    write_host,
    wait,
    delay,
    dispatch_debug,
    prefetch_debug,
    set_write_offset,
    go_table,
    go,
    bare,
    cache_load,
    cache_offset,
    exec_buf,
    submit,
    read_completions,
    kCount,
};

// Beside the ends of pages, blocks and scratch halves as often as not.
std::uint32_t draw_bytes(const StreamFeatures& f, const Geometry& g, Rng& rng) {
    const std::uint32_t page = limits::dispatch_page_bytes(g);
    std::uint32_t bytes = 0;
    switch (rng.below(6)) {
        case 0: bytes = page * (1 + rng.below(g.dispatch_pages_per_block)); break;
        case 1: bytes = g.scratch / 2 * (1 + rng.below(4)); break;
        case 2: bytes = page * g.dispatch_pages_per_block; break;
        case 3: return 1 + rng.below(64);
        default: return 1 + rng.below(f.bytes_max);
    }
    const std::uint32_t less = 16 * rng.below(4);
    const std::uint32_t most = std::min(f.bytes_max * 2, domains::kStreamBytes.max);
    return std::max(16u, std::min(bytes, most) - std::min(less, bytes - 16));
}

// Often as many sub-commands as there may be (facts §3.4).
std::uint32_t draw_parts(Rng& rng) {
    constexpr std::array<std::uint32_t, 3> kMost{34, 35, 52};
    if (rng.one_in(4)) return draw_from(rng, kMost);
    return 1 + rng.below(1u << rng.below(6));
}

Source draw_source(const StreamFeatures& f, Rng& rng) {
    Source from;
    if (!f.relays || rng.one_in(2)) return from;
    from.feed = static_cast<Feed>(1 + rng.below(f.cache ? 4 : 3));
    from.start = rng.below(3) == 0 ? rng.below(16) : rng.below(3);
    from.page_size = 32u << rng.below(8);
    if (rng.one_in(3)) from.page_size = 32 * (1 + rng.below(128));
    from.log_page = 5 + rng.below(8);
    from.parts = draw_parts(rng);
    from.on_workers = rng.one_in(4);
    return from;
}

// Few places, so that writes meet.
std::uint32_t draw_offset(Rng& rng) {
    return rng.one_in(4) ? 16 * rng.below(1024) : 1024 * rng.below(8);
}

Destination draw_destination(const Scenario& s, bool dram, Rng& rng) {
    Destination to;
    const std::uint32_t kind = rng.below(8);
    if (kind == 0 && s.topology.ethernet_cores != 0) to.memory = MemoryKind::ethernet;
    if (kind < 4 && kind != 0 && dram) to.memory = MemoryKind::dram;
    to.cores = draw_range(s.topology, to.memory == MemoryKind::ethernet, rng);
    if (to.memory == MemoryKind::dram) to.cores.x0 = rng.below(s.geometry.dram_banks);
    to.offset = draw_offset(rng);
    return to;
}

std::uint32_t draw_seed(Rng& rng) { return rng.below(1u << 16); }

Command draw_linear(const StreamFeatures& f, const Scenario& s, Rng& rng) {
    CommandWriteLinear c;
    c.to = draw_destination(s, true, rng);
    c.multicast = rng.one_in(3);
    c.from_host_side = f.host_side && rng.one_in(5);
    c.offset_index = f.offsets ? rng.below(3) : 0;
    c.length = draw_bytes(f, s.geometry, rng);
    c.content_seed = draw_seed(rng);
    c.from = draw_source(f, rng);
    return c;
}

Command draw_paged(const StreamFeatures& f, const Scenario& s, Rng& rng) {
    CommandWritePaged c;
    c.on_workers = rng.one_in(3);
    c.start_page = rng.below(16);
    c.page_size = rng.one_in(2) ? 32u << rng.below(8) : 16 * (1 + rng.below(256));
    c.pages = std::max(1u, draw_bytes(f, s.geometry, rng) / c.page_size);
    c.pages = domains::kBufferPages.nearest(c.pages);
    c.offset = draw_offset(rng);
    c.content_seed = draw_seed(rng);
    c.from = draw_source(f, rng);
    return c;
}

Command draw_packed(const StreamFeatures& f, const Scenario& s, Rng& rng) {
    CommandWritePacked c;
    c.to = draw_destination(s, false, rng);
    c.multicast = rng.one_in(2);
    c.by_rows = rng.one_in(3);
    c.shared_payload = rng.one_in(3);
    c.count = 1 + rng.below(1u << rng.below(6));
    c.size = rng.one_in(4) ? draw_bytes(f, s.geometry, rng) : 4 * (1 + rng.below(64));
    c.size = domains::kPackedSize.nearest(c.size);
    c.offset_index = f.offsets ? rng.below(3) : 0;
    c.content_seed = draw_seed(rng);
    return c;
}

Command draw_large(const StreamFeatures& f, const Scenario& s, Rng& rng) {
    CommandWriteLarge c;
    c.alignment = 16u << rng.below(3);
    c.offset_index = f.offsets ? rng.below(3) : 0;
    c.content_seed = draw_seed(rng);
    c.from = draw_source(f, rng);
    const std::uint32_t count = 1 + (rng.one_in(8) ? rng.below(35) : rng.below(6));
    for (std::uint32_t i = 0; i < count; ++i) {
        LargePart part;
        part.cores = draw_range(s.topology, false, rng);
        if (!c.parts.empty() && c.parts.back().linked) part.cores = c.parts.back().cores;
        part.multicast = !rng.one_in(4);
        part.linked = rng.one_in(2);
        part.offset = draw_offset(rng);
        part.length = rng.one_in(3) ? draw_bytes(f, s.geometry, rng) : 1 + rng.below(256);
        part.length = domains::kLargeLength.nearest(part.length);
        c.parts.push_back(part);
    }
    return c;
}

Command draw_host(const StreamFeatures& f, const Scenario& s, Rng& rng) {
    CommandWriteHost c;
    c.length = rng.one_in(4) ? 4064 + rng.below(64) : draw_bytes(f, s.geometry, rng);
    c.content_seed = draw_seed(rng);
    c.from = draw_source(f, rng);
    return c;
}

Command draw_wait(const StreamFeatures& f, Rng& rng) {
    CommandWait c;
    c.barrier = !rng.one_in(3);
    c.wait = f.goes && rng.one_in(2);
    c.clear = c.wait && rng.one_in(3);
    c.notify = rng.one_in(3);
    c.behind = rng.one_in(3) ? rng.below(4) : 0;
    return c;
}

Command draw_offsets(Rng& rng) {
    CommandSetWriteOffset c;
    for (std::uint32_t* offset : {&c.offset0, &c.offset1, &c.offset2})
        *offset = 16 * (rng.one_in(2) ? rng.below(1u << 12) : rng.below(1u << 28));
    return c;
}

std::array<std::uint32_t, static_cast<std::size_t>(Kind::kCount)> weights_of(
    const StreamFeatures& f, const Scenario& s, bool in_body) {
    const bool bodies = f.bodies && !in_body && !s.bodies.empty();
    return {
        20,
        12,
        16,
        12,
        f.host_writes ? 7u : 0u,
        8,
        2,
        2,
        in_body ? 0u : 2u,
        f.offsets ? 4u : 0u,
        f.goes ? 2u : 0u,
        f.goes ? 6u : 0u,
        2,
        f.cache && f.relays ? 6u : 0u,
        f.cache && f.relays ? 3u : 0u,
        bodies ? 10u : 0u,
        f.submits && !in_body ? 7u : 0u,
        f.host_writes && !in_body ? 2u : 0u,
    };
}

Command draw_of(Kind kind, const StreamFeatures& f, const Scenario& s, Rng& rng) {
    switch (kind) {
        case Kind::write_linear: return draw_linear(f, s, rng);
        case Kind::write_paged: return draw_paged(f, s, rng);
        case Kind::write_packed: return draw_packed(f, s, rng);
        case Kind::write_large: return draw_large(f, s, rng);
        case Kind::write_host: return draw_host(f, s, rng);
        case Kind::wait: return draw_wait(f, rng);
        case Kind::delay: return CommandDelay{1 + rng.below(16)};
        case Kind::dispatch_debug: {
            const std::uint32_t words = rng.below(65);
            return CommandDispatchDebug{words, draw_seed(rng)};
        }
        case Kind::prefetch_debug: {
            const std::uint32_t words = rng.below(65);
            return CommandPrefetchDebug{words, draw_seed(rng)};
        }
        case Kind::set_write_offset: return draw_offsets(rng);
        case Kind::go_table: return CommandGoTable{rng.one_in(2)};
        case Kind::go: {
            CommandGo go;
            go.workers = !rng.one_in(5);
            go.ethernet = rng.below(s.topology.ethernet_cores + 1);
            return go;
        }
        case Kind::bare: {
            const auto which = static_cast<BareKind>(rng.below(3));
            return CommandBare{which, rng.below(9)};
        }
        case Kind::cache_load: {
            CommandCacheLoad load;
            load.reset = rng.one_in(2);
            load.keep = rng.one_in(8);
            load.start = rng.below(16);
            load.log_page = 5 + rng.below(8);
            load.length = domains::kCacheBytes.nearest(draw_bytes(f, s.geometry, rng));
            return load;
        }
        case Kind::cache_offset: return CommandCacheOffset{32 * rng.below(rng.one_in(2) ? 2 : 32)};
        case Kind::exec_buf:
            return CommandExecBuf{rng.below(static_cast<std::uint32_t>(s.bodies.size()))};
        case Kind::read_completions: return CommandReadCompletions{};
        default: return CommandSubmit{};
    }
}

Command draw_in(const StreamFeatures& f, const Scenario& s, bool in_body, Rng& rng) {
    return draw_of(static_cast<Kind>(draw_weighted(rng, weights_of(f, s, in_body))), f, s, rng);
}

std::uint32_t draw_count(Rng& rng) {
    switch (draw_weighted(rng, kWeights.size)) {
        case 0: return 1 + rng.below(12);
        case 1: return 8 + rng.below(16);
        default: return 16 + rng.below(48);
    }
}

// Near each other, so that loads are relayed before scratch takes them.
void add_cache_use(const StreamFeatures& f, const Scenario& s, std::vector<Command>& to, Rng& rng) {
    to.push_back(draw_of(Kind::cache_load, f, s, rng));
    if (rng.one_in(2)) to.push_back(CommandCacheOffset{});
    for (std::uint32_t left = 1 + rng.below(3); left != 0; --left) {
        Command write = draw_of(rng.one_in(2) ? Kind::write_linear : Kind::write_paged, f, s, rng);
        const std::uint32_t parts = draw_parts(rng);
        std::visit(
            [parts](auto& c) {
                if constexpr (requires { c.from.feed; }) {
                    c.from = Source{};
                    c.from.feed = Feed::cache;
                    c.from.parts = parts;
                }
            },
            write);
        to.push_back(std::move(write));
    }
}

// As many sub-commands as a relay may have, of a unit each or more: what fills every local copy of
// them, and in a body lies across the ends of its chunks (facts §12.2).
Command draw_full_relay(const StreamFeatures& f, const Scenario& s, Rng& rng) {
    constexpr std::uint32_t kParts = 35;
    constexpr std::uint32_t kUnit = 32;
    Command command = draw_linear(f, s, rng);
    auto& c = std::get<CommandWriteLinear>(command);
    c.length = kParts * kUnit * (1 + rng.below(2));
    c.from = Source{};
    c.from.feed = Feed::packed;
    c.from.parts = kParts;
    c.from.log_page = 5 + rng.below(8);
    return command;
}

void add_commands(const StreamFeatures& f, const Scenario& s, bool in_body, std::uint32_t count,
                  std::vector<Command>& to, Rng& rng) {
    for (std::uint32_t i = 0; i < count; ++i) {
        if (f.cache && f.relays && rng.one_in(12))
            add_cache_use(f, s, to, rng);
        else if (in_body && f.relays && rng.one_in(4))
            to.push_back(draw_full_relay(f, s, rng));
        else
            to.push_back(draw_in(f, s, in_body, rng));
    }
}

std::uint32_t cost_of(const Command& command, const Topology& topology) {
    const std::uint32_t grid = topology.worker_cols * topology.worker_rows;
    return std::visit(
        [grid](const auto& c) -> std::uint32_t {
            using T = std::decay_t<decltype(c)>;
            if constexpr (std::is_same_v<T, CommandWriteLinear>) {
                return 4 + c.length / 512 + (c.multicast ? limits::cores_in(c.to.cores) / 4 : 0);
            } else if constexpr (std::is_same_v<T, CommandWritePaged>) {
                return 4 + c.pages + c.pages * c.page_size / 512;
            } else if constexpr (std::is_same_v<T, CommandWritePacked>) {
                return 4 + c.count * (1 + c.size / 1024);
            } else if constexpr (std::is_same_v<T, CommandWriteLarge>) {
                std::uint32_t cost = 4;
                for (const LargePart& part : c.parts) cost += 2 + part.length / 512;
                return cost;
            } else if constexpr (std::is_same_v<T, CommandWriteHost>) {
                return 6 + c.length / 512;
            } else if constexpr (std::is_same_v<T, CommandGo>) {
                return 4 + (c.workers ? grid : 0) + c.ethernet;
            } else {
                return 2;
            }
        },
        command);
}

}  // namespace

StreamFeatures draw_stream_features(Rng& rng) {
    StreamFeatures f;
    f.relays = !rng.one_in(5);
    f.cache = rng.one_in(2);
    f.host_writes = !rng.one_in(3);
    f.goes = rng.one_in(2);
    f.bodies = rng.one_in(2);
    f.host_side = rng.one_in(2);
    f.offsets = rng.one_in(2);
    f.submits = !rng.one_in(3);
    f.bytes_max = 256u << rng.below(5);
    return f;
}

Command draw_command(const StreamFeatures& features, const Scenario& scenario, Rng& rng) {
    return draw_in(features, scenario, false, rng);
}

CommandCorrupt draw_corrupt(Rng& rng) {
    CommandCorrupt c;
    c.place = static_cast<CorruptPlace>(rng.below(3));
    c.at = c.place == CorruptPlace::anywhere ? rng.below(64) : rng.below(4);
    c.replace = rng.one_in(2);
    switch (rng.below(4)) {
        case 0: c.value = 1u << rng.below(32); break;
        case 1: c.value = rng.below(20); break;
        case 2: c.value = 0u - rng.below(3); break;
        default: c.value = static_cast<std::uint32_t>(rng.next() >> 32); break;
    }
    return c;
}

void draw_stream(Domain domain, Scenario& scenario, Rng& rng, bool swarm) {
    StreamFeatures f = draw_stream_features(rng);
    if (!swarm)
        f.relays = f.cache = f.host_writes = f.goes = f.bodies = f.host_side = f.offsets =
            f.submits = true;
    if (f.bodies) {
        for (std::uint32_t left = 1 + rng.below(2); left != 0; --left) {
            CommandBody body;
            add_commands(f, scenario, true, 1 + rng.below(10), body.commands, rng);
            scenario.bodies.push_back(std::move(body));
        }
    }
    add_commands(f, scenario, false, draw_count(rng), scenario.commands, rng);
    if (domain != Domain::malformed_stream) return;
    for (std::uint32_t left = 1 + rng.below(2); left != 0; --left) {
        const std::uint32_t at = rng.below(static_cast<std::uint32_t>(scenario.commands.size()));
        scenario.commands.insert(scenario.commands.begin() + static_cast<std::ptrdiff_t>(at),
                                 draw_corrupt(rng));
    }
}

void fit_commands(Scenario& scenario, std::uint32_t commands_max, std::uint32_t cost_max) {
    std::uint32_t left = cost_max;
    const auto cut = [&](std::vector<Command>& commands, auto&& cost) {
        std::size_t kept = 0;
        for (; kept < commands.size(); ++kept) {
            const std::uint32_t of = cost(commands[kept]);
            if (of > left && kept != 0) break;
            left -= std::min(of, left);
        }
        commands.resize(kept);
    };
    std::vector<std::uint32_t> body_costs;
    for (CommandBody& body : scenario.bodies) {
        left = cost_max / 2;
        cut(body.commands, [&](const Command& c) { return cost_of(c, scenario.topology); });
        body_costs.push_back(8 + cost_max / 2 - left);
    }
    left = cost_max;
    if (scenario.commands.size() > commands_max) scenario.commands.resize(commands_max);
    cut(scenario.commands, [&](const Command& c) {
        const auto* exec_buf = std::get_if<CommandExecBuf>(&c);
        return exec_buf != nullptr ? body_costs[exec_buf->body] : cost_of(c, scenario.topology);
    });
}

}  // namespace cqfuzz
