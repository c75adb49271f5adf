// Chip: the parts of one machine and the loop that makes its moves. Machine is the public face of
// it.
//
// The loop runs on whatever stack gives way: NoC moves are made there and then; only a step of
// another actor costs a switch.
//
// Invariants:
//  1. `running` is the actor whose stack executes; kPcieTile stands for the host.
//  2. Once `stop` is set nothing moves any more: fibers sleep for ever, the host's calls throw
//  rt::RunEnded.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "harness/base/check.hpp"
#include "harness/silicon/core.hpp"
#include "harness/silicon/memory.hpp"
#include "harness/silicon/noc.hpp"
#include "harness/silicon/schedule.hpp"

namespace cqfuzz {

struct HostState {
    enum class Wait : std::uint8_t { nothing, word, core_exit, pause };
    Wait wait = Wait::nothing;
    bool enabled = false;      // its step is among the schedule's moves
    bool closed = false;       // quiesce: the host moves no more
    TileIndex tile = kNoTile;  // word: whose memory; core_exit: which core
    std::uint32_t address = 0;
    std::uint32_t seen = 0;
    std::uint64_t until = 0;  // pause: number of moves
    std::uint32_t steps = 0;
    const char* waypoint = "";
};

struct Chip final : MoveFacts {
    Chip();
    ~Chip();
    Chip(const Chip&) = delete;
    Chip& operator=(const Chip&) = delete;

    void reset(const MachineConfig& new_config, const SchedulePlan& new_plan, EventSink& new_sink,
               FirmwareEntry new_entry, void* new_context);

    // --- the loop (run_loop.cpp) -----------------------------------------------------------------
    // Others move until the schedule picks the actor that calls.
    void core_gives_way(TileIndex tile, StepEnd how);
    void host_gives_way();
    // REQUIRES: the host's stack. Until nothing can move.
    void run_dry();
    [[noreturn]] void end_run(MachineStop why);
    void log(LogEntry& entry);
    void throw_if_over() const;

    // --- cores (cores.cpp) -----------------------------------------------------------------------
    void start_core(const rt::CoreLaunch& launch);
    [[noreturn]] void core_main(TileIndex tile);
    // Gives way, then samples the word. Parks first when nothing watched has changed since the core
    // saw all of it.
    std::uint32_t poll(TileIndex tile, const Watch& wanted);
    // Parks while as many writes as may wait for departure do.
    void wait_for_room(TileIndex tile, std::uint32_t noc, std::uint32_t buffer);
    void wake_if_changed(TileIndex tile) {
        if (cores[tile].parked) wake_parked(tile);
    }
    std::vector<ParkedActor> parked() const;
    std::vector<BusyActor> busy() const;

    // --- MoveFacts -------------------------------------------------------------------------------
    MachineMoveName name_of(MoveId move) const override;
    bool leads_to(MoveId move, TileIndex receiver, std::uint64_t age) const override;
    bool departs(MoveId move) const override;
    bool has_link(TileIndex tile) const override { return tiles.peer_of(tile) != kNoTile; }

    MachineConfig config;
    SchedulePlan plan;
    EventSink* sink = nullptr;
    FirmwareEntry entry = nullptr;
    void* context = nullptr;

    TileTable tiles;
    Memory memory;
    FiberStacks stacks;
    Noc noc;
    MoveSchedule schedule;
    std::array<Core, kTilesMax> cores{};
    std::vector<TileIndex> started;  // cores to clear at the next reset
    HostState host;
    Fiber host_fiber;

    TileIndex running = kPcieTile;
    MachineStop stop = MachineStop::running;
    std::uint64_t moves = 0;
    std::uint64_t progress_at = 0;  // moves made when something last came of them
    std::uint64_t logged_at = 0;    // move of the last log entry, and how many it has had
    std::uint32_t logged_of_move = 0;
    std::uint64_t rested_at =
        0;  // progress_at when resting cores were last woken for want of others
    std::uint32_t rests_in_vain = 0;  // since then

private:
    MoveId next_move();
    MoveId last_resort();
    bool wake_resting();
    void enable_host_if_ready();
    void resume(TileIndex self, TileIndex actor);
    void begin_step(MoveId step);
    void wake_parked(TileIndex tile);
    void wake(TileIndex tile);
    std::uint32_t watched_value(TileIndex tile, const Watch& watch) const;
    bool any_change(TileIndex tile) const;
    void note_change(TileIndex tile);
    void log_poll(TileIndex tile, const Watch& watch);
    void blame_counters();
    Fiber& fiber_of(TileIndex actor) {
        return actor == kPcieTile ? host_fiber : cores[actor].fiber;
    }
};

// The machine of this process. One at a time (design §4).
inline Chip* the_active_chip = nullptr;
inline Chip& active_chip() {
    CHECK(the_active_chip != nullptr, "no machine lives");
    return *the_active_chip;
}

}  // namespace cqfuzz
