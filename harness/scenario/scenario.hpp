// Scenario: everything that is drawn for one run, as a value (design §6). What is *asked* of a run
// (fault, oracles, budgets) is RunOptions and never part of it.
//
// The structs here are plain; `describe.hpp` lists every field once, with a permanent id, name,
// domain, default and unit, and all verbs work over that list. Adding a field or an op is one entry
// there.
//
// Invariants of a legal scenario (what `legalise` makes true): every field in its domain; the rules
// across fields of limits.hpp; every reference names an entry that exists.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "harness/scenario/commands.hpp"

namespace cqfuzz {

enum class OrderLevel : std::uint8_t { o0, o1, o2, o3 };

enum class Strategy : std::uint8_t {
    in_order,  // NoC moves oldest first, then cores in fixed order
    random_walk,
    pct,               // random priorities with `change_points` falls
    producer_at_once,  // random walk, but whoever gets credits back runs before anything else
    starve,            // random walk in which one actor moves only when nothing else can
};

enum class BlockAccounting : std::uint8_t { write_counts, snapshot };
enum class ConfigStyle : std::uint8_t { packed_multicast, packed_large };
// Who sends the go signals: the dispatcher, or a dispatch_s on a core of its own (facts §1.3).
enum class DispatchS : std::uint8_t { absent, own_core };

// As rt::BufferPlacement: interleaved over DRAM or over the workers' L1, or sharded over workers.
enum class BufferPlacement : std::uint8_t {
    dram,
    l1,
    height_sharded,
    width_sharded,
    block_sharded,
};

struct Topology {
    std::uint32_t worker_cols = 2;     // 1 … 8
    std::uint32_t worker_rows = 2;     // 1 … 8
    std::uint32_t ethernet_cores = 1;  // 0 … 16
    bool split = false;                // prefetch h/d and dispatch d/h instead of the merged pair
    // 1, or pairs of a chip with PCIe (even numbers, merged) and a remote one (odd, split).
    std::uint32_t chips = 1;
};

// As rt::DispatchGeometry; sizes in bytes unless the name says otherwise.
struct Geometry {
    BlockAccounting block_accounting = BlockAccounting::snapshot;
    ConfigStyle config_style = ConfigStyle::packed_multicast;
    std::uint32_t prefetch_q_entries = 128;
    std::uint32_t max_prefetch_command = 32768;
    std::uint32_t cmddat_q = 65536;
    std::uint32_t scratch = 19456;
    std::uint32_t prefetch_d_log_page = 12;
    std::uint32_t prefetch_d_pages_per_block = 8;
    std::uint32_t prefetch_d_blocks = 4;
    std::uint32_t dispatch_log_page = 12;
    std::uint32_t dispatch_pages_per_block = 8;
    std::uint32_t dispatch_blocks = 4;
    std::uint32_t dispatch_h_pages_per_block = 8;
    std::uint32_t dispatch_h_blocks = 4;
    std::uint32_t completion_pages = 256;
    std::uint32_t dram_banks = 12;
    std::uint32_t trace_log_page = 12;
    std::uint32_t packed_write_max_unicast = 64;
    std::uint32_t worker_config = 70656;
    std::uint32_t noc_undeparted_max = 0;  // 0 = unbounded
    std::uint32_t tunnel_log_page = 8;     // of packet words, in each core of a tunnel
    std::uint32_t tunnel_pages = 128;
    std::uint32_t command_queues = 1;  // 1 or 2
    DispatchS dispatch_s = DispatchS::absent;
    std::uint32_t dispatch_s_pages = 128;  // of its ring
};

// Start values of free-running counters, so that wraps come early.
struct CounterStarts {
    std::uint32_t writes_sent = 0;
    std::uint32_t writes_acked = 0;
    std::uint32_t reads = 0;
    std::uint32_t atomics = 0;
    std::uint32_t semaphores = 0;
};

struct Kernel {
    bool on_ethernet = false;  // then `cores` counts ethernet cores in x, y is 0
    CoreRange cores;
    std::uint32_t processor = 0;  // 0 … 4; ethernet: 0
    std::uint32_t binary_bytes = 64;
    std::uint32_t args_words = 0;  // unique runtime arguments per core
    std::uint32_t common_args_words = 0;
    std::uint32_t content_seed = 0;
    // On an ethernet core with a link: so many bytes of the binary go to the core at its other end.
    std::uint32_t exchange_bytes = 0;
};

struct SemaphoreInit {
    bool on_ethernet = false;
    CoreRange cores;
    std::uint32_t id = 0;  // 0 … 15
    std::uint32_t initial = 0;
};

struct CircularBuffer {
    CoreRange cores;
    std::uint32_t index = 0;  // 0 … 31
    std::uint32_t pages = 1;
    std::uint32_t page_size = 64;  // multiple of 16
};

struct Program {
    std::vector<Kernel> kernels;
    std::vector<SemaphoreInit> semaphores;
    std::vector<CircularBuffer> circular_buffers;
};

struct Buffer {
    std::uint32_t pages = 1;
    std::uint32_t page_size = 2048;  // multiple of 32
    BufferPlacement placement = BufferPlacement::dram;
    // Sharded: pages are rows of `row_pages`; which workers share them.
    CoreRange cores{};
    std::uint32_t row_pages = 1;
};

struct TraceStep {
    std::uint32_t program = 0;  // reference → programs
    std::uint32_t times = 1;
};

struct Trace {
    std::vector<TraceStep> steps;
};

// --- ops: one host action each
// ------------------------------------------------------------------------------------------

struct OpWriteBuffer {
    std::uint32_t buffer = 0;  // reference → buffers
    std::uint32_t content_seed = 0;
    std::uint32_t device = 0;  // chip
    std::uint32_t queue = 0;   // of Geometry::command_queues
};
struct OpReadBuffer {
    std::uint32_t buffer = 0;
    std::uint32_t device = 0;  // chip
    std::uint32_t queue = 0;
};
struct OpEnqueue {
    std::uint32_t program = 0;  // reference → programs
    std::uint32_t times = 1;
    std::uint32_t device = 0;  // chip
    std::uint32_t queue = 0;
};
struct OpCapture {
    std::uint32_t trace = 0;   // reference → traces
    std::uint32_t device = 0;  // chip
    std::uint32_t queue = 0;
};
struct OpReplay {             // on the queue of its capture
    std::uint32_t trace = 0;  // reference → traces; captured earlier and not released
    std::uint32_t times = 1;
    bool blocking = false;
    std::uint32_t device = 0;  // chip
};
struct OpRelease {
    std::uint32_t trace = 0;
    std::uint32_t device = 0;  // chip
};
struct OpFinish {
    std::uint32_t device = 0;  // chip
    std::uint32_t queue = 0;
};
// Events are named by the host: recording one again forgets the earlier.
struct OpRecordEvent {
    std::uint32_t event = 0;
    std::uint32_t device = 0;
    std::uint32_t queue = 0;
};
struct OpWaitEvent {  // on the device: the queue waits
    std::uint32_t event = 0;
    std::uint32_t device = 0;
    std::uint32_t queue = 0;
};
struct OpSyncEvent {  // the host waits
    std::uint32_t event = 0;
    std::uint32_t device = 0;
};
struct OpQueryEvent {  // the host asks
    std::uint32_t event = 0;
    std::uint32_t device = 0;
};

using Op = std::variant<OpWriteBuffer, OpReadBuffer, OpEnqueue, OpCapture, OpReplay, OpRelease,
                        OpFinish, OpRecordEvent, OpWaitEvent, OpSyncEvent, OpQueryEvent>;

// --- schedule
// -----------------------------------------------------------------------------------------------------------

// The kinds of move a deviation can name; the same order as silicon's.
enum class MoveKind : std::uint8_t { step, departure, arrival, acknowledgement, source_read };

// MoveName::noc of the traffic of an ethernet core's link.
inline constexpr std::uint32_t kLinkMoves = 254;

// A move by name: the `ordinal`-th (from 1) of its kind by that actor. Steps: of that core. Others:
// the stage of that core's `ordinal`-th NoC transaction on `noc`.
struct MoveName {
    std::uint32_t actor = 0;  // TileIndex
    MoveKind kind = MoveKind::step;
    std::uint32_t noc = 0;
    std::uint32_t ordinal = 1;
};

// "hold dispatch_d's 12th departure until prefetch_d has made 8 moves".
struct Deviation {
    MoveName hold;
    MoveName until;
};

struct Schedule {
    Strategy strategy = Strategy::in_order;
    std::uint32_t seed = 0;
    std::uint32_t change_points = 3;  // pct
    std::uint32_t starved_actor = 0;  // starve: TileIndex
    std::uint32_t split_multicast_one_in =
        0;                              // single multicast receivers out once in so many; 0 never
    std::vector<Deviation> deviations;  // in_order only
};

struct Behaviour {
    std::uint32_t kernel_steps = 1;         // moves a kernel takes on a core
    std::uint32_t kernel_steps_jitter = 0;  // plus up to this many, drawn per core and program
    std::uint32_t host_pause_moves = 0;     // moves the host waits between two ops
    // A kernel that exchanges bytes ends only when the other end has sent its own (all-gather).
    bool exchanges_wait = false;
};

struct Scenario {
    Topology topology;
    Geometry geometry;
    CounterStarts counters;
    OrderLevel order = OrderLevel::o1;
    std::vector<Program> programs;
    std::vector<Buffer> buffers;
    std::vector<Trace> traces;
    std::vector<Op> ops;
    // Not empty: no host API is called, and these go to the prefetcher. Then there are no ops.
    std::vector<CommandBody> bodies;
    std::vector<Command> commands;
    Behaviour behaviour;
    Schedule schedule;
};

}  // namespace cqfuzz
