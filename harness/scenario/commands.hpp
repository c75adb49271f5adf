// Commands: the other kind of op list (design §6): what goes to prefetcher and dispatcher without a
// host runtime that makes sense of it. Part of Scenario.
//
// A command is a value that no generation of the wire format owns: what is to be written where, and
// by which way its bytes come. Encoding is a verb of its own for each generation (harness/drive).
// So nothing here is a wire field that follows from others: lengths of heads, strides, counts of
// receivers and the counts that a WAIT waits for are the encoder's.
//
// Destinations are places in areas that the driver sets aside (base/stream_plan.hpp): `offset` is
// from the beginning of the area, in every memory the same.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

namespace cqfuzz {

// A range of logical cores: columns and rows of the worker grid, both ends inside.
struct CoreRange {
    std::uint32_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;
};

enum class MemoryKind : std::uint8_t { worker, ethernet, dram };

struct Destination {
    MemoryKind memory = MemoryKind::worker;
    CoreRange cores;  // unicast: the first corner; ethernet core or DRAM bank: x0
    std::uint32_t offset = 0;
};

// How the bytes of a write come to the dispatcher.
enum class Feed : std::uint8_t {
    in_line,  // in the stream: RELAY_INLINE, bytes of `content_seed`
    linear,   // NOFLUSH head and RELAY_LINEAR from one bank
    paged,    // … RELAY_PAGED from interleaved pages
    packed,   // … RELAY_PAGED_PACKED, `parts` sub-commands
    cache,    // … RELAY_RINGBUFFER, `parts` sub-commands, of bytes that loads have brought
};

// Where relayed bytes come from: memory that nobody writes, filled before the cores start.
struct Source {
    Feed feed = Feed::in_line;
    std::uint32_t start = 0;       // page; linear, cache: unit of 32 bytes
    std::uint32_t page_size = 32;  // paged
    std::uint32_t log_page = 10;   // packed: log2 of the page size
    std::uint32_t parts = 1;       // packed, cache
    bool on_workers = false;       // paged: interleaved over the workers' L1, not over DRAM
};

struct CommandWriteLinear {
    Destination to;
    bool multicast = false;
    bool from_host_side = false;  // WRITE_LINEAR_H: dispatch_h sends it
    std::uint32_t offset_index = 0;
    std::uint32_t length = 16;
    std::uint32_t content_seed = 0;
    Source from;
};

struct CommandWritePaged {
    bool on_workers = false;  // interleaved over the workers' L1, not over DRAM
    std::uint32_t start_page = 0;
    std::uint32_t page_size = 32;
    std::uint32_t pages = 1;
    std::uint32_t offset = 0;
    std::uint32_t content_seed = 0;
    Source from;
};

// Sub-command i goes to the i-th core of the range, row by row and round again; a multicast to the
// whole range, or `by_rows` to its i-th row.
struct CommandWritePacked {
    Destination to;
    bool multicast = false;
    bool by_rows = false;
    bool shared_payload = false;  // NO_STRIDE
    std::uint32_t count = 1;
    std::uint32_t size = 16;
    std::uint32_t offset_index = 0;
    std::uint32_t content_seed = 0;
};

struct LargePart {
    CoreRange cores;
    bool multicast = true;  // else to the first corner
    bool linked = false;    // the next part goes to the same cores, over the path that this one took
    std::uint32_t offset = 0;
    std::uint32_t length = 16;
};

struct CommandWriteLarge {
    std::uint32_t alignment = 16;
    std::uint32_t offset_index = 0;
    std::uint32_t content_seed = 0;
    std::vector<LargePart> parts;
    Source from;  // in line, linear or packed
};

// WRITE_LINEAR_H_HOST with `length` bytes behind the command. Events are the host runtime's: what
// they promise is a matter of what it sends before them.
struct CommandWriteHost {
    std::uint32_t length = 0;
    std::uint32_t content_seed = 0;
    Source from;
};

// `wait`: for all goes told so far but `behind` completions. `notify`: a STALL follows.
struct CommandWait {
    bool barrier = false;
    bool wait = false;
    bool clear = false;
    bool notify = false;
    std::uint32_t behind = 0;
};

struct CommandDelay {
    std::uint32_t iterations = 1;
};

// DEBUG of the dispatcher, and a SINK behind it in the same page.
struct CommandDispatchDebug {
    std::uint32_t words = 0;
    std::uint32_t content_seed = 0;
};

struct CommandPrefetchDebug {
    std::uint32_t words = 0;
    std::uint32_t content_seed = 0;
};

struct CommandSetWriteOffset {
    std::uint32_t offset0 = 0;
    std::uint32_t offset1 = 0;
    std::uint32_t offset2 = 0;
};

// SET_GO_SIGNAL_NOC_DATA: the grid as one multicast or one a row, then the ethernet cores.
struct CommandGoTable {
    bool by_rows = false;
};

// SEND_GO_SIGNAL to all workers and the first so many ethernet cores, after all earlier ones.
struct CommandGo {
    bool workers = true;
    std::uint32_t ethernet = 0;
};

enum class BareKind : std::uint8_t { sink, go, num_worker_sems };

// Dispatcher commands that do nothing anybody could see.
struct CommandBare {
    BareKind command = BareKind::sink;
    std::uint32_t value = 0;  // num_worker_sems
};

// PAGED_TO_RINGBUFFER of whole units of 32 bytes.
struct CommandCacheLoad {
    bool reset = true;  // to the cache's start
    bool keep = false;  // the write pointer stays where it is
    std::uint32_t start = 0;
    std::uint32_t log_page = 10;
    std::uint32_t length = 32;
};

// SET_RINGBUFFER_OFFSET: what sub-commands count from.
struct CommandCacheOffset {
    std::uint32_t offset = 0;
};

// Runs the body out of DRAM: a WAIT for everything that clears the count, then EXEC_BUF.
struct CommandExecBuf {
    std::uint32_t body = 0;  // reference → bodies
};

// Ends the fetch slot. Without it commands share one as long as there is room.
struct CommandSubmit {};

// The host reads all completions that are due.
struct CommandReadCompletions {};

enum class CorruptPlace : std::uint8_t {
    prefetch_head,  // the first 16 bytes of the unit
    dispatch_head,  // the 16 behind them
    anywhere,
};

// Breaks the next command's encoded bytes: a word at `at` words into the place is xored or replaced.
struct CommandCorrupt {
    CorruptPlace place = CorruptPlace::dispatch_head;
    std::uint32_t at = 0;
    std::uint32_t value = 1;
    bool replace = false;
};

using Command =
    std::variant<CommandWriteLinear, CommandWritePaged, CommandWritePacked, CommandWriteLarge,
                 CommandWriteHost, CommandWait, CommandDelay, CommandDispatchDebug,
                 CommandPrefetchDebug, CommandSetWriteOffset, CommandGoTable, CommandGo,
                 CommandBare, CommandCacheLoad, CommandCacheOffset, CommandExecBuf, CommandSubmit,
                 CommandReadCompletions, CommandCorrupt>;

// What an EXEC_BUF runs.
struct CommandBody {
    std::vector<Command> commands;
};

}  // namespace cqfuzz
