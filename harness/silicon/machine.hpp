// Machine: the simulated chips (design §4): memories, cores on fibers, NoCs, ethernet links, PCIe,
// schedule. One per process at a time.
//
// The host runs on the caller's stack: every Cluster call may run the machine (other actors' moves)
// before it returns, as the schedule decides. When a run is over in the middle of a call, that call
// throws rt::RunEnded.
//
// Invariants:
//  1. A run depends on MachineConfig, SchedulePlan, firmware and the calls made, on nothing else.
//  2. Between `reset` and `reset` nothing is allocated per event; memory restored is what was
//  touched.
//  3. When no move is enabled and the host is blocked, the run ends: `stop()` says hang.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/base/log_entry.hpp"
#include "harness/base/machine_view.hpp"
#include "harness/base/order.hpp"
#include "runtime_under_test/host/cluster.hpp"

namespace cqfuzz {

enum class MachineOrder : std::uint8_t { o0, o1, o2, o3 };

enum class MachineStrategy : std::uint8_t { in_order, random_walk, pct, producer_at_once, starve };

// source_read: at O3 the source bytes of a write are read behind its departure.
enum class MachineMove : std::uint8_t { step, departure, arrival, acknowledgement, source_read };

// Steps: the core's (or host's, actor 0) `ordinal`-th. Others: the stage of the `ordinal`-th
// transaction that the actor issued on `noc`; a read's sample is its arrival, its landing the
// acknowledgement; posted host writes are arrivals of actor 0. A receiver that was singled out of a
// multicast has its number in the rectangle (from 1, row by row) in bits 1..7 of `noc`. Traffic of
// an ethernet link: kEthernetMoves in `noc`.
inline constexpr std::uint8_t kEthernetMoves = 254;

struct MachineMoveName {
    TileIndex actor = 0;
    MachineMove kind = MachineMove::step;
    std::uint8_t noc = 0;
    std::uint32_t ordinal = 0;  // from 1
    friend bool operator==(const MachineMoveName&, const MachineMoveName&) = default;
};

struct MachineHold {
    MachineMoveName hold;
    MachineMoveName until;
};

struct SchedulePlan {
    MachineStrategy strategy = MachineStrategy::in_order;
    std::uint64_t seed = 0;
    std::uint32_t change_points = 3;
    TileIndex starved_actor = kNoTile;
    std::uint32_t split_multicast_one_in = 0;
    std::vector<MachineHold> holds;  // honoured with in_order
    bool record =
        false;  // keep the moves made, for `recorded_moves` (bounded by kRecordedMovesMax)
    // Words whose increase is a credit coming back (tile, L1 address): "producer runs at once"
    // reacts to them.
    std::vector<std::pair<TileIndex, std::uint32_t>> credit_words;
};

struct CounterStart {
    std::uint32_t nonposted_writes_sent = 0;
    std::uint32_t writes_acked = 0;
    std::uint32_t reads = 0;
    std::uint32_t atomics = 0;
};

struct MachineConfig {
    std::uint8_t worker_cols = 2;
    std::uint8_t worker_rows = 2;
    std::uint8_t ethernet_cores = 1;
    std::uint8_t dram_banks = 12;              // the same on every chip, as the cores
    std::uint8_t chips = 1;                    // 1, or pairs: 2, 4, 6, 8 (tiles.hpp)
    bool split = false;                        // of the one chip
    std::uint8_t command_queues = 1;           // of the one chip, 1 or 2: dispatch cores for each
    bool dispatch_s = false;                   // each chip has a core for it; one command queue
    std::uint32_t hugepage_bytes = 16u << 20;  // for each chip
    std::uint32_t dram_bank_bytes = 32u << 20;
    MachineOrder order = MachineOrder::o1;
    std::uint8_t relaxed = kRelaxAll;      // at o3
    std::uint32_t noc_undeparted_max = 0;  // per (tile, NoC); 0 = unbounded
    CounterStart counters;
    std::uint64_t moves_max = 50'000'000;  // past it the run stops with `budget`
    std::uint64_t moves_without_progress_max =
        1'000'000;  // … with `livelock`: no log entry of arrival, command or host call
    // Commands name words of the dispatcher's L1 by their address in the low-mapped region, as
    // hosted kernels need it, not by their offset.
    bool absolute_pointers = false;
};

// Runs the firmware of one core on its fiber; must return when the firmware ends. `context` is what
// the harness gave.
using FirmwareEntry = void (*)(const rt::CoreLaunch& launch, void* context);

enum class MachineStop : std::uint8_t { running, sink, hang, livelock, budget };

class Machine final : public rt::Cluster, public MemoryView {
public:
    Machine();
    ~Machine();
    Machine(const Machine&) = delete;
    Machine& operator=(const Machine&) = delete;

    // Sets tiles() and chip() for `config` without touching the machine: views and plans are built
    // from them before `reset`.
    void describe(const MachineConfig& config);
    // A fresh chip; everything of the last run is gone.
    void reset(const MachineConfig& config, const SchedulePlan& plan, EventSink& sink,
               FirmwareEntry entry, void* context);
    // Bytes that lie in a memory before anything runs, as an earlier run left them; no log entry.
    // REQUIRES: a core or DRAM bank of the chip, and the range inside it.
    void preload(rt::Coord place, std::uint32_t address, std::span<const std::byte> bytes);
    // After the host has closed the device: moves until nothing can move. Never throws.
    void quiesce();
    // The host's own log entries (host_call_begin, …); may end the run (throws rt::RunEnded).
    void log_host_call(LogKind kind, std::uint32_t call_kind, std::uint32_t op_index,
                       std::uint32_t device = 0);
    // Lets others move `moves` times.
    void host_pause(std::uint32_t moves);

    MachineStop stop() const;
    std::uint64_t moves() const;              // scheduler moves made
    std::uint64_t transactions() const;       // NoC transactions issued
    std::uint64_t arrivals() const;           // counted per receiver
    std::vector<ParkedActor> parked() const;
    // Cores that may step: after a livelock, those that did so in vain.
    std::vector<BusyActor> busy() const;  // who waits for what, for the hang story
    const std::vector<TileView>& tiles() const;
    TileIndex tile_at(rt::Coord coord) const;
    // Moves of the run in order, when the plan asked to record; and the shortest list of holds with
    // which in_order makes the same moves.
    std::vector<MachineMoveName> recorded_moves() const;
    std::vector<MachineHold> holds_of_recording() const;
    bool recording_complete() const;
    // Transactions issued and not yet acknowledged.
    std::uint32_t in_flight() const;

    // MemoryView
    const std::byte* bytes(TileIndex tile) const override;
    std::uint32_t size_bytes(TileIndex tile) const override;
    std::uint32_t written_from(TileIndex tile, std::uint32_t address,
                               std::uint32_t length) const override;

    // rt::Cluster
    std::uint8_t chip_count() const override;
    const rt::ChipDescription& chip(std::uint8_t number = 0) const override;
    void hugepage_write(std::uint32_t offset, std::span<const std::byte> bytes) override;
    void hugepage_read(std::uint32_t offset, std::span<std::byte> bytes) override;
    std::uint32_t wait_hugepage_word(std::uint32_t offset, std::uint32_t seen) override;
    void fence() override;
    void l1_write(rt::Coord core, std::uint32_t address, std::span<const std::byte> bytes) override;
    void l1_read(rt::Coord core, std::uint32_t address, std::span<std::byte> bytes) override;
    std::uint32_t wait_l1_word(rt::Coord core, std::uint32_t address, std::uint32_t seen) override;
    void start_core(const rt::CoreLaunch& launch) override;
    void wait_core_exit(rt::Coord core) override;
    void waypoint(const char* what) override;

    struct State;  // silicon's own

private:
    std::unique_ptr<State> state_;
};

inline constexpr std::uint32_t kL1SlotBytes = 2u << 20;
inline constexpr std::uint32_t kL1RegionBase = 0x10000000u;
inline constexpr std::uint32_t kL1SlotsMax = 640;
inline constexpr std::uint32_t kRecordedMovesMax = 1u << 20;

}  // namespace cqfuzz
