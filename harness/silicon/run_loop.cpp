// The loop that makes the moves of a run, and its ends.
#include "harness/base/check.hpp"
#include "harness/silicon/chip.hpp"

namespace cqfuzz {
namespace {

// Of cores that nobody else can wake: so many turns of which nothing came are a livelock.
constexpr std::uint32_t kRestsInVainMax = 4096;

// A core that goes round without giving way, on commands that make no sense, would never end.
constexpr std::uint32_t kLoggedOfMoveMax = 1'000'000;

// Entries that show that something comes of the moves made.
bool is_progress(LogKind kind) {
    switch (kind) {
        case LogKind::noc_arrive:
        case LogKind::core_start:
        case LogKind::core_exit:
        case LogKind::command_begin:
        case LogKind::command_end:
        case LogKind::kernel_begin:
        case LogKind::kernel_end:
        case LogKind::host_write_arrive:
        case LogKind::host_call_begin:
        case LogKind::host_call_end: return true;
        default: return false;
    }
}

}  // namespace

void Chip::log(LogEntry& logged) {
    logged.step = moves;
    if (is_progress(logged.kind)) progress_at = moves;
    if (logged_at != moves) {
        logged_at = moves;
        logged_of_move = 0;
    }
    if (++logged_of_move == kLoggedOfMoveMax) [[unlikely]]
        end_run(MachineStop::livelock);
    if (!sink->observe(logged)) end_run(MachineStop::sink);
}

void Chip::throw_if_over() const {
    if (stop != MachineStop::running) throw rt::RunEnded{};
}

void Chip::end_run(MachineStop why) {
    if (stop == MachineStop::running) stop = why;
    if (running == kPcieTile) throw rt::RunEnded{};
    resume(running, kPcieTile);
    CHECK(false, "a fiber was resumed after the end of its run");
}

void Chip::resume(TileIndex self, TileIndex actor) {
    running = actor;
    switch_fiber(fiber_of(self), fiber_of(actor));
}

void Chip::enable_host_if_ready() {
    if (host.enabled || host.closed) return;
    bool ready = true;
    switch (host.wait) {
        case HostState::Wait::nothing: break;
        case HostState::Wait::word:
            ready = memory.word(host.tile, host.address) != host.seen;
            break;
        case HostState::Wait::core_exit: ready = cores[host.tile].exited; break;
        case HostState::Wait::pause: ready = moves >= host.until; break;
    }
    if (!ready) return;
    host.enabled = true;
    schedule.enable_step(kPcieTile);
}

// A pause is over when nobody else can move, and then a rest.
MoveId Chip::last_resort() {
    if (!host.closed && host.wait == HostState::Wait::pause) {
        host.wait = HostState::Wait::nothing;
        enable_host_if_ready();
        return schedule.pick(0);
    }
    return wake_resting() ? schedule.pick(0) : kNoMove;
}

// What a core does between rests may be a loop that ends by itself, but not for ever.
bool Chip::wake_resting() {
    if (rested_at != progress_at) rests_in_vain = 0;
    rested_at = progress_at;
    const bool in_vain = ++rests_in_vain > kRestsInVainMax;
    bool any = false;
    for (const TileIndex tile : started) {
        if (!cores[tile].resting) continue;
        if (in_vain && !host.closed) end_run(MachineStop::livelock);
        if (in_vain) return false;
        wake(tile);
        any = true;
    }
    return any;
}

// kNoMove only when the host moves no more; with a host that waits, it is a hang.
MoveId Chip::next_move() {
    if (moves >= config.moves_max) end_run(MachineStop::budget);
    const std::uint64_t idle = moves - progress_at;
    if (idle >= config.moves_without_progress_max) end_run(MachineStop::livelock);
    enable_host_if_ready();
    MoveId move = schedule.pick(idle);
    if (move == kNoMove) move = last_resort();
    if (move == kNoMove) {
        if (host.closed) return kNoMove;
        blame_counters();
        end_run(MachineStop::hang);
    }
    ++moves;
    return move;
}

void Chip::begin_step(MoveId step) {
    if (step == kHostMove) {
        host.enabled = false;
        ++host.steps;
    } else {
        ++cores[step].steps;
    }
}

void Chip::core_gives_way(TileIndex tile, StepEnd how) {
    Core& core = cores[tile];
    schedule.step_ended(tile, how);
    if (!core.parked && !core.exited) schedule.enable_step(tile);
    for (;;) {
        const MoveId move = next_move();
        if (move == kNoMove) {
            resume(tile, kPcieTile);
            return;
        }
        if (!is_step(move)) {
            noc.make(slot_of(move));
            continue;
        }
        begin_step(move);
        if (move != tile) resume(tile, static_cast<TileIndex>(move));
        return;
    }
}

void Chip::host_gives_way() {
    throw_if_over();
    for (;;) {
        const MoveId move = next_move();
        if (!is_step(move)) {
            noc.make(slot_of(move));
            continue;
        }
        begin_step(move);
        if (move == kHostMove) return;
        resume(kPcieTile, static_cast<TileIndex>(move));
        throw_if_over();
        return;
    }
}

void Chip::run_dry() {
    throw_if_over();
    host.closed = true;
    for (MoveId move = next_move(); move != kNoMove; move = next_move()) {
        if (!is_step(move)) {
            noc.make(slot_of(move));
            continue;
        }
        begin_step(move);
        resume(kPcieTile, static_cast<TileIndex>(move));
        throw_if_over();
    }
}

// Nothing is in flight any more, so a counter that somebody waits for has its last value: a
// software counter that differs will differ for ever (inv. 91).
void Chip::blame_counters() {
    for (const TileIndex tile : started) {
        const Core& core = cores[tile];
        if (!core.parked || core.exited) continue;
        for (std::uint32_t index = 0; index < core.watch_count; ++index) {
            const Watch& watch = core.watches[index];
            if (watch.kind != ParkedWatch::Kind::noc_counter) continue;
            if (noc.peek(tile, watch.noc).counters[watch.address] !=
                core.software[watch.noc][watch.address])
                noc.log_mismatch(tile, watch.noc, watch.address);
        }
    }
}

}  // namespace cqfuzz
