// MachineView: the machine and its rings as oracles see them: coordinates, addresses and counts
// that are fixed while a device is open. Built from the geometry alone, never from what the runtime
// counts (design §7).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/tile.hpp"

namespace cqfuzz {

struct TileView {
    TileKind kind = TileKind::worker;
    Role role = Role::none;
    NocCoord coord{};
    std::uint8_t bank = 0;   // dram tiles
    std::uint8_t chip = 0;   // coordinates are the chip's own
    std::uint8_t queue = 0;  // dispatch tiles: the command queue that they serve
    // Of a core that a hosted runtime has for itself; empty: the role tells.
    std::string name;
    // Of a hosted kernel: how far loads in a row may go into bytes whose read has not landed (inv.
    // 48).
    std::uint32_t over_read_bytes = 0;
};

// A ring of pages between two actors (facts §4.1).
struct RingView {
    std::string name;  // "dispatch_cb", "prefetch_d.cmddat_q", "dispatch_h.cb"
    TileIndex producer = kNoTile;
    TileIndex consumer = kNoTile;  // its L1 holds the pages
    std::uint32_t base = 0;        // in the consumer's L1
    std::uint32_t page_size_bytes = 0;
    std::uint32_t page_count = 0;
    std::uint32_t pages_per_block = 0;  // the consumer may release whole blocks
    std::uint32_t credit_address = 0;   // producer's L1: raised by releases
    std::uint32_t ready_address = 0;    // consumer's L1: raised by hand-overs
    // The producer takes all credits away while a trace is replayed (facts §5.4); the tile that
    // gives them back.
    TileIndex credit_thief_return = kNoTile;
    // Behind a tunnel: the ring whose credits are taken away stands in front of it.
    std::int32_t thief_ring = -1;  // in MachineView::rings; -1: this one
    // While an exec_buf runs the consumer itself refills the ring's memory from DRAM (facts §5.4).
    bool consumer_refills_in_exec_buf = false;
    // The words are not raised by atomics: inline writes put the totals there.
    bool totals_are_written = false;
    // The consumer may load so many bytes behind the last page that it owns (inv. 48).
    std::uint32_t over_read_bytes = 0;
};

// A range of one core's L1 that is filled by reads and drained by writes: scratch halves, cmddat_q
// of the host-side roles, and the ring-buffer cache, another view of the bytes that the halves
// have.
enum class StagingKind : std::uint8_t { scratch_half, command_data, ringbuffer };

struct StagingView {
    std::string name;  // "prefetch_hd.scratch[0]"
    StagingKind kind = StagingKind::scratch_half;
    TileIndex tile = kNoTile;
    std::uint32_t base = 0;
    std::uint32_t size_bytes = 0;
};

// The part of a hugepage that one prefetcher fetches from, and the queue of entries in its L1 that
// tells it of what lies there.
struct IssueRegionView {
    TileIndex fetcher = kNoTile;
    TileIndex pcie = kNoTile;
    std::uint32_t base = 0;
    std::uint32_t size_bytes = 0;
    std::uint32_t queue_base = 0;
    std::uint32_t queue_entry_bytes = 2;
    std::uint32_t queue_entries = 0;
};

// A named part of a core's L1.
struct MemoryRegion {
    std::string_view name;  // "the worker config ring"; empty: none of those that have a name
    std::uint32_t base = 0;
    std::uint32_t size_bytes = 0;
};

// Where base firmware of a worker or ethernet core finds its messages.
struct MailboxView {
    std::uint32_t launch_base = 0;
    std::uint32_t launch_size_bytes = 0;
    std::uint32_t launch_entries = 0;
    std::uint32_t go_address = 0;
    std::uint32_t config_base = 0;  // kernel-config ring
    std::uint32_t config_size_bytes = 0;
    // What comes over the core's link: a count of messages, and their bytes.
    std::uint32_t exchange_count = 0;
    std::uint32_t exchange_base = 0;
    std::uint32_t exchange_size_bytes = 0;

    // "the launch ring", "the go word" or "the worker config ring"; `address` is an offset in L1.
    MemoryRegion region_at(std::uint32_t address) const;
};

// The part of a hugepage that one dispatcher completes to (facts §3.4). Its pointer words hold
// address >> 4, and in bit 31 a toggle that flips at each wrap.
struct CompletionRegionView {
    TileIndex writer = kNoTile;
    TileIndex pcie = kNoTile;
    std::uint32_t base = 0;
    std::uint32_t page_size_bytes = 0;
    std::uint32_t page_count = 0;
    std::uint32_t host_write_pointer = 0;    // in the hugepage
    std::uint32_t writer_write_pointer = 0;  // in the writer's L1
    std::uint32_t writer_read_pointer = 0;   // … written by the host
};

// A dispatch_s: sends the go signals in place of a dispatcher, whose notifications it counts, and
// keeps the message word that the dispatcher has a copy of (facts §2.7).
struct GoSenderView {
    TileIndex tile = kNoTile;
    TileIndex dispatcher = kNoTile;
    std::uint32_t notify_address = 0;
};

struct MachineView {
    std::vector<TileView> tiles;  // by TileIndex
    std::vector<RingView> rings;
    std::vector<StagingView> stagings;
    std::vector<IssueRegionView> issue_regions;  // by chip, then by command queue
    std::vector<CompletionRegionView> completion_regions;
    MailboxView worker_mailbox;
    MailboxView ethernet_mailbox;
    TileIndex pcie = kNoTile;  // of the first chip; stands for the host too
    // Dispatchers that have a message word (facts §3.3): by chip, then by command queue.
    std::vector<TileIndex> completion_counters;
    std::uint32_t completion_counter_address = 0;  // in a dispatcher's L1 and in a dispatch_s's
    std::vector<GoSenderView> go_senders;          // by chip; empty where dispatchers do it

    std::uint32_t command_queues() const {
        return static_cast<std::uint32_t>(completion_counters.size()) / chip_count();
    }
    TileIndex tile_of(Role role) const;  // kNoTile if there is none; the first of several
    TileIndex tile_of(Role role, std::uint32_t chip) const;
    TileIndex tile_at(NocCoord coord, std::uint32_t chip = 0) const;
    std::uint32_t chip_count() const { return tiles.empty() ? 1 : tiles.back().chip + 1u; }
    // "dispatch_d", "worker(3,4)", "dram bank 2"; of several chips: "chip 1 dispatch_d"; of a
    // second command queue: "cq1 dispatch_d".
    std::string describe(TileIndex tile) const;
    // What runs there, wherever it is: "dispatch_d", "worker", or the name that a hosted runtime
    // gives.
    std::string actor(TileIndex tile) const;
};

// A core that goes on stepping though nothing comes of it.
struct BusyActor {
    TileIndex tile = kNoTile;
    std::uint32_t steps = 0;  // of the whole run
    std::string waypoint;
};

// A core that cannot step, and the words it waits for.
struct ParkedWatch {
    enum class Kind : std::uint8_t { l1_word, noc_counter, command_buffer };
    Kind kind = Kind::l1_word;
    std::uint8_t noc = 0;
    std::uint32_t address = 0;  // or counter number
    std::uint32_t seen = 0;
};

struct ParkedActor {
    TileIndex tile = kNoTile;  // the pcie tile stands for the host
    std::vector<ParkedWatch> watches;
    std::string waypoint;  // what firmware or host said it was doing
};

}  // namespace cqfuzz
