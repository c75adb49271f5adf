#include "harness/oracle/trace_pages.hpp"

#include <algorithm>

#include "runtime_under_test/protocol/commands.hpp"

namespace cqfuzz {

void TracePages::reset(const MachineView& machine, const MemoryView& memory,
                       const Provenance& provenance) {
    machine_ = &machine;
    memory_ = &memory;
    provenance_ = &provenance;
    players_.clear();
    traces_.clear();
    replays_.clear();
    banks_.assign(machine.chip_count(), 0);
    for (const TileView& tile : machine.tiles)
        if (tile.kind == TileKind::dram) ++banks_[tile.chip];
    const auto add = [this](TileIndex tile, std::uint32_t base, std::uint32_t size) {
        players_.push_back({tile, base, base + size, false, {}});
    };
    for (const StagingView& staging : machine.stagings)
        if (staging.kind == StagingKind::command_data)
            add(staging.tile, staging.base, staging.size_bytes);
    for (const RingView& ring : machine.rings)
        if (ring.consumer_refills_in_exec_buf)
            add(ring.consumer, ring.base, ring.page_count * ring.page_size_bytes);
}

void TracePages::observe(const HostCall& call, bool ended) {
    if (call.kind == HostCallKind::replay_trace && !ended) {
        // A call that replays many times is made many times.
        if (replays_.empty() || replays_.back().op != call.op_index)
            replays_.push_back({call.op_index, call.trace, call.device, false});
        return;
    }
    if (call.kind != HostCallKind::release_trace || !ended || !call.succeeded) return;
    for (Replay& replay : replays_)
        if (replay.trace == call.trace && replay.device == call.device) replay.released = true;
    for (Trace& trace : traces_)
        if (trace.number == call.trace && trace.device == call.device) trace.released = true;
    forget_released();
}

void TracePages::forget_released() {
    std::erase_if(traces_, [this](const Trace& t) { return t.released && !is_played(t); });
}

std::optional<Violation> TracePages::observe(const LogEntry& entry) {
    for (Player& player : players_) {
        if (player.tile != entry.tile) continue;
        switch (entry.kind) {
            case LogKind::command_begin: return on_begin(player, entry);
            case LogKind::command_end:
                if (player.playing && !provenance_->in_exec_buf(entry.tile)) end(player);
                return std::nullopt;
            case LogKind::noc_issue: break;
            default: return std::nullopt;
        }
        if (!player.playing || entry.noc_kind != NocKind::read || entry.target == kNoTile ||
            machine_->tiles[entry.target].kind != TileKind::dram)
            return std::nullopt;
        const std::uint32_t into = entry.target_address & kL1OffsetMask;
        if (into < player.begin || into >= player.end) return std::nullopt;
        if (page_of(player.pages, entry.target, entry.source_address, entry.length))
            return std::nullopt;
        Violation violation = staging_violation(
            "trace", entry.source_address, entry.source_address + entry.length, entry.step,
            *machine_,
            {"read-past-end", "inv. 61", entry.tile, provenance_->doing(entry.tile),
             machine_->describe(entry.tile) + " read commands outside the pages of its trace",
             "an exec_buf reads the pages that its EXEC_BUF names"});
        violation.actual = std::to_string(entry.length) + " bytes at " +
                           std::to_string(entry.source_address) + " of " +
                           machine_->describe(entry.target) + "; the trace has " +
                           std::to_string(player.pages.count) + " pages from " +
                           std::to_string(player.pages.base) + " on";
        violation.story.push_back(violation.actual);
        return violation;
    }
    return std::nullopt;
}

std::optional<Violation> TracePages::on_begin(Player& player, const LogEntry& entry) {
    if (!player.playing) {
        if (provenance_->in_exec_buf(entry.tile)) begin(player, entry);
        return std::nullopt;
    }
    const auto id = static_cast<rt::PrefetchId>(entry.value);
    if (id != rt::PrefetchId::exec_buf && id != rt::PrefetchId::terminate) return std::nullopt;
    return staging_violation(
        "trace", player.begin, player.end, entry.step, *machine_,
        {"not-in-a-trace", "inv. 69", entry.tile, provenance_->doing(entry.tile),
         machine_->describe(entry.tile) + " found a command in a trace that means something at the "
                                          "end of a fetch alone",
         "a trace has no commands that depend on where a fetch ends"});
}

void TracePages::begin(Player& player, const LogEntry& entry) {
    const std::uint32_t address = entry.source_address & kL1OffsetMask;
    if (address + rt::kCommandBytes > memory_->size_bytes(entry.tile)) return;
    rt::ExecBuf command;
    rt::decode(memory_->bytes(entry.tile) + address, command);
    if (command.log_page_size >= 32 || command.pages == 0) return;
    player.playing = true;
    player.pages = {command.base_addr, command.log_page_size, command.pages};
    const std::uint32_t op = provenance_->doing(entry.tile).op;
    for (const Replay& replay : replays_) {
        if (replay.op != op) continue;
        const auto known =
            std::find_if(traces_.begin(), traces_.end(), [&replay](const Trace& trace) {
                return trace.number == replay.trace && trace.device == replay.device;
            });
        if (known == traces_.end())
            traces_.push_back({replay.trace, replay.device, op, replay.released, player.pages});
        return;
    }
}

void TracePages::end(Player& player) {
    player.playing = false;
    forget_released();
}

bool TracePages::is_played(const Trace& trace) const {
    return std::any_of(players_.begin(), players_.end(), [&](const Player& player) {
        return player.playing && machine_->tiles[player.tile].chip == trace.device &&
               player.pages.base == trace.pages.base;
    });
}

std::optional<std::uint32_t> TracePages::page_of(const Pages& pages, TileIndex bank,
                                                 std::uint32_t address,
                                                 std::uint32_t length) const {
    const TileView& tile = machine_->tiles[bank];
    if (address < pages.base || length == 0) return std::nullopt;
    const std::uint32_t row = (address - pages.base) >> pages.log_page_size;
    const std::uint32_t last_row = (address - pages.base + length - 1) >> pages.log_page_size;
    const std::uint64_t page = std::uint64_t{row} * banks_[tile.chip] + tile.bank;
    if (row != last_row || page >= pages.count) return std::nullopt;
    return static_cast<std::uint32_t>(page);
}

std::optional<Violation> TracePages::arrived(const LogEntry& entry) const {
    for (const Trace& trace : traces_) {
        if (machine_->tiles[entry.target].chip != trace.device) continue;
        const std::uint32_t from = std::max(entry.target_address, trace.pages.base);
        const std::uint32_t to = entry.target_address + entry.length;
        if (from >= to || !page_of(trace.pages, entry.target, from, 1)) continue;
        Violation violation = staging_violation(
            "trace", from, to, entry.step, *machine_,
            {"overwritten-while-owned", "inv. 65", entry.tile, provenance_->doing(entry.tile),
             machine_->describe(entry.tile) + " wrote into the pages of trace " +
                 std::to_string(trace.number) + ", which had not been released",
             "a trace stays as it is from its end until it is released"});
        violation.actual = std::to_string(entry.length) + " bytes came at " +
                           std::to_string(entry.target_address) + " of " +
                           machine_->describe(entry.target);
        violation.story.push_back(violation.actual + "; op " + std::to_string(trace.op) +
                                  " had replayed the trace from there");
        return violation;
    }
    return std::nullopt;
}

}  // namespace cqfuzz
