// Cores: start, exit, polls, parking.
#include <cstring>

#include "harness/base/check.hpp"
#include "harness/silicon/chip.hpp"

namespace cqfuzz {
namespace {

Role role_of(rt::CoreRole role) {
    switch (role) {
        case rt::CoreRole::none: return Role::none;
        case rt::CoreRole::prefetch_hd: return Role::prefetch_hd;
        case rt::CoreRole::prefetch_h: return Role::prefetch_h;
        case rt::CoreRole::prefetch_d: return Role::prefetch_d;
        case rt::CoreRole::dispatch_hd: return Role::dispatch_hd;
        case rt::CoreRole::dispatch_h: return Role::dispatch_h;
        case rt::CoreRole::dispatch_d: return Role::dispatch_d;
        case rt::CoreRole::worker: return Role::worker;
        case rt::CoreRole::ethernet: return Role::ethernet;
        case rt::CoreRole::mux: return Role::mux;
        case rt::CoreRole::demux: return Role::demux;
        case rt::CoreRole::mux_d: return Role::mux_d;
        case rt::CoreRole::demux_d: return Role::demux_d;
        case rt::CoreRole::dispatch_s: return Role::dispatch_s;
        case rt::CoreRole::tunneler:
        case rt::CoreRole::tunneler_d: return Role::tunneler;
    }
    return Role::none;
}

// What a fiber begins with: whoever was resumed is running now.
void fiber_main() {
    Chip& chip = active_chip();
    chip.core_main(chip.running);
}

}  // namespace

void Chip::start_core(const rt::CoreLaunch& launch) {
    CHECK(launch.coord.x < kCoordinateMax && launch.coord.y < kCoordinateMax &&
              launch.coord.chip < kChipsMax,
          "a core at (%u, %u)", launch.coord.x, launch.coord.y);
    const TileIndex tile = tiles.at(launch.coord.chip, launch.coord.x, launch.coord.y);
    CHECK(tile != kNoTile && tiles.has_l1(tile), "no core at (%u, %u) to start", launch.coord.x,
          launch.coord.y);
    Core& core = cores[tile];
    CHECK(!core.started || core.exited, "the core at (%u, %u) is started while it runs",
          launch.coord.x, launch.coord.y);
    if (!core.started) started.push_back(tile);
    core.started = true;
    core.exited = false;
    core.parked = false;
    core.watch_count = 0;
    core.polled.fill(PollMemory{});
    core.waypoint = "";
    core.launch = launch;
    const std::uint32_t nocs = has_link(tile) ? kNocs : kEthernetLink;
    for (std::uint32_t which = 0; which < nocs; ++which)
        core.software[which] = noc.port(tile, which).counters;
    stacks.prepare(core.fiber, tile, fiber_main);

    LogEntry start;
    start.kind = LogKind::core_start;
    start.tile = tile;
    start.value = static_cast<std::uint32_t>(role_of(launch.role));
    log(start);
    schedule.enable_step(tile);
}

void Chip::core_main(TileIndex tile) {
    Core& core = cores[tile];
    entry(core.launch, context);
    LogEntry exit;
    exit.kind = LogKind::core_exit;
    exit.tile = tile;
    log(exit);
    noc.check_exit(tile);
    core.exited = true;
    core.fiber.finished = true;
    core_gives_way(tile, StepEnd::parked);
    CHECK(false, "the core of tile %u was resumed after its exit", tile);
    __builtin_unreachable();
}

// --- polls ---------------------------------------------------------------------------------------

std::uint32_t Chip::watched_value(TileIndex tile, const Watch& watch) const {
    switch (watch.kind) {
        case ParkedWatch::Kind::l1_word: {
            std::uint32_t value = 0;
            std::memcpy(&value, memory.bytes(tile) + watch.address, watch.width);
            return value;
        }
        case ParkedWatch::Kind::noc_counter:
            return noc.peek(tile, watch.noc).counters[watch.address];
        case ParkedWatch::Kind::command_buffer: return noc.full(tile, watch.noc) ? 1 : 0;
    }
    return 0;
}

bool Chip::any_change(TileIndex tile) const {
    const Core& core = cores[tile];
    for (std::uint32_t index = 0; index < core.watch_count; ++index)
        if (watched_value(tile, core.watches[index]) != core.watches[index].baseline) return true;
    return false;
}

// The core may look at each word once more before it parks again.
void Chip::note_change(TileIndex tile) {
    Core& core = cores[tile];
    for (std::uint32_t index = 0; index < core.watch_count; ++index) {
        core.watches[index].baseline = watched_value(tile, core.watches[index]);
        core.watches[index].polled = false;
    }
    core.watches[core.polling].polled = true;
}

void Chip::wake_parked(TileIndex tile) {
    if (!cores[tile].resting) {
        if (!any_change(tile)) return;
        note_change(tile);
    }
    wake(tile);
}

void Chip::wake(TileIndex tile) {
    cores[tile].parked = cores[tile].resting = false;
    schedule.enable_step(tile);
}

// A word that is polled a second time, with no watched word changed since each was last seen, parks
// the core.
std::uint32_t Chip::poll(TileIndex tile, const Watch& wanted) {
    Core& core = cores[tile];
    std::uint32_t index = 0;
    while (index < core.watch_count &&
           (core.watches[index].address != wanted.address ||
            core.watches[index].kind != wanted.kind || core.watches[index].noc != wanted.noc ||
            core.watches[index].width != wanted.width))
        ++index;
    const bool is_new = index == core.watch_count;
    if (is_new) {
        if (core.watch_count == kWatchesMax) core.watch_count = index = 0;
        core.watches[index] = wanted;
        core.watches[index].baseline = watched_value(tile, wanted);
        ++core.watch_count;
    }
    Watch& watch = core.watches[index];
    core.polling = index;
    if (!is_new && any_change(tile))
        note_change(tile);
    else
        core.parked = watch.polled;
    watch.polled = true;
    core_gives_way(tile, core.parked ? StepEnd::parked : StepEnd::goes_on);

    const std::uint32_t value = watched_value(tile, watch);
    if (!is_new && value != watch.seen) note_change(tile);
    watch.seen = value;
    watch.baseline = value;
    if (watch.kind == ParkedWatch::Kind::l1_word) log_poll(tile, watch);
    return value;
}

void Chip::log_poll(TileIndex tile, const Watch& watch) {
    PollMemory& last = cores[tile].polled[(watch.address ^ watch.address >> 4) % 16];
    if (last.address == watch.address && last.value == watch.seen) return;
    last = PollMemory{watch.address, watch.seen};
    LogEntry changed;
    changed.kind = LogKind::l1_poll;
    changed.tile = tile;
    changed.source_address = watch.address;
    changed.length = watch.width;
    changed.value = watch.seen;
    log(changed);
}

void Chip::wait_for_room(TileIndex tile, std::uint32_t which, std::uint32_t buffer) {
    Core& core = cores[tile];
    while (noc.full(tile, which)) {
        Watch watch;
        watch.kind = ParkedWatch::Kind::command_buffer;
        watch.noc = static_cast<std::uint8_t>(which);
        watch.address = buffer;
        watch.seen = watch.baseline = 1;
        core.watches[0] = watch;
        core.watch_count = 1;
        core.polling = 0;
        core.parked = true;
        core_gives_way(tile, StepEnd::parked);
        core.watch_count = 0;
    }
}

// --- for the hang story --------------------------------------------------------------------------

std::vector<BusyActor> Chip::busy() const {
    std::vector<BusyActor> list;
    for (TileIndex tile = 0; tile < tiles.count(); ++tile) {
        const Core& core = cores[tile];
        if (core.started && !core.exited && (!core.parked || core.resting))
            list.push_back({tile, core.steps, core.waypoint});
    }
    return list;
}

std::vector<ParkedActor> Chip::parked() const {
    std::vector<ParkedActor> list;
    if (!host.closed && host.wait != HostState::Wait::nothing) {
        ParkedActor actor;
        actor.tile = kPcieTile;
        actor.waypoint = host.waypoint;
        if (host.wait == HostState::Wait::word)
            actor.watches.push_back(
                ParkedWatch{ParkedWatch::Kind::l1_word, 0, host.address, host.seen});
        list.push_back(std::move(actor));
    }
    for (TileIndex tile = 0; tile < tiles.count(); ++tile) {
        const Core& core = cores[tile];
        if (!core.started || core.exited || !core.parked || core.resting) continue;
        ParkedActor actor;
        actor.tile = tile;
        actor.waypoint = core.waypoint;
        for (std::uint32_t index = 0; index < core.watch_count; ++index) {
            const Watch& watch = core.watches[index];
            actor.watches.push_back(ParkedWatch{watch.kind, watch.noc, watch.address, watch.seen});
        }
        list.push_back(std::move(actor));
    }
    return list;
}

}  // namespace cqfuzz
