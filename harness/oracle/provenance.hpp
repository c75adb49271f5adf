// Provenance: which command every dispatch core is executing and which op of the scenario its bytes
// came from, followed from the log so that a violation can tell a story. It judges nothing.
//
// An op's number travels: host writes tag the issue region; a PCIe read carries the tag into
// cmddat_q; whoever writes ring pages during a command carries it on. Commands of a trace belong to
// the op that replays it.
//
// Invariants:
//  1. Fed with every entry before any oracle sees it: `doing` is what the tile does while the entry
//     happens.
//  2. Nothing is allocated between two resets.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/base/log_entry.hpp"
#include "harness/base/machine_view.hpp"
#include "harness/base/violation.hpp"

namespace cqfuzz {

// The L1 of every core is a slot of this size; log entries may name a byte by its offset or by its
// absolute address.
inline constexpr std::uint32_t kL1OffsetMask = (2u << 20) - 1;

struct Doing {
    std::uint8_t command = 0;  // PrefetchId or DispatchId by `role`; 0 = none yet
    Role role = Role::none;
    std::uint32_t op = kNoOp;
};

// "WRITE_PACKED"; empty when there is none.
std::string command_name(const Doing& doing);
// "WRITE_PACKED of op 3", "op 3", "no command"
std::string phrase(const Doing& doing);

// A page of the ring that a core consumes.
struct RingPage {
    const RingView* ring = nullptr;  // null: the bytes lie in no ring
    std::uint32_t page = 0;
    Doing filler;  // what its producer was doing when it wrote there last
};

class Provenance {
public:
    void reset(const MachineView& machine);
    void observe(const LogEntry& entry);

    // The command being executed, or the last one executed.
    const Doing& doing(TileIndex tile) const { return tiles_[tile].doing; }
    // From EXEC_BUF until the end of EXEC_BUF_END.
    bool in_exec_buf(TileIndex tile) const { return tiles_[tile].in_exec_buf; }
    // The command that it executed before `doing`.
    const Doing& done_before(TileIndex tile) const { return tiles_[tile].before; }
    // Where the last command began, in the tile's L1.
    std::uint32_t command_address(TileIndex tile) const { return tiles_[tile].command_address; }
    // The page that holds a byte of the tile's L1.
    RingPage page_at(TileIndex tile, std::uint32_t address) const;
    // Reads an issue region of the host.
    bool is_fetcher(TileIndex tile) const { return tiles_[tile].fetcher >= 0; }
    // Cores of prefetchers, dispatchers, tunnels and hosted runtimes: the only ones whose own
    // issues and loads concern rings and stagings.
    bool is_dispatch_core(TileIndex tile) const { return tiles_[tile].dispatch_core; }
    bool is_prefetcher(TileIndex tile) const { return tiles_[tile].prefetcher; }
    // The op that the host is making, or kNoOp between two.
    std::uint32_t host_op() const { return host_op_; }
    // The chip that the host's last call was for.
    std::uint32_t host_device() const { return host_device_; }
    // The issue region that the host wrote last.
    std::uint32_t host_queue() const { return host_queue_; }

private:
    struct Tagged {
        std::uint32_t begin = 0;
        std::uint32_t end = 0;
        std::uint32_t op = kNoOp;
        bool holds(std::uint32_t address) const { return address >= begin && address < end; }
    };
    // The last intervals written, oldest forgotten first.
    template <std::uint32_t kSize>
    struct Tags {
        std::array<Tagged, kSize> entries{};
        std::uint32_t next = 0;        // where the next one goes
        std::uint32_t cursor = 0;      // which one the last `op_of_next` found
        std::uint32_t cursor_end = 0;  // first byte behind what it asked for

        void clear();
        void add(std::uint32_t begin, std::uint32_t length, std::uint32_t op);
        // The newest interval that holds `address`; an empty one without op when there is none.
        Tagged find(std::uint32_t address) const;
        // The same for readers that follow the writer: of the first interval behind the last one
        // found.
        std::uint32_t op_of_next(std::uint32_t address, std::uint32_t length);
    };
    struct TileState {
        Doing doing;
        Doing before;
        bool dispatch_core = false;
        bool prefetcher = false;
        bool in_exec_buf = false;
        bool exec_buf_ending = false;
        std::uint32_t exec_buf_op = kNoOp;
        std::uint32_t seen_exec_buf_op = kNoOp;  // of a core that does not tell its commands
        std::uint32_t command_address = 0;
        bool tunnel = false;
        std::int8_t fetcher = -1;
        std::int8_t consumed_ring = -1;  // of a tunneler the first one
    };
    // A page whose bytes come from two ops changes from `op` to `op_behind` at the offset `split`.
    struct PageTag {
        std::uint32_t op = kNoOp;
        std::uint32_t split = 0xffffffff;
        std::uint32_t op_behind = kNoOp;
        std::uint8_t command = 0;  // of the producer, when it wrote there last
    };
    struct RingTags {
        const RingView* view = nullptr;
        TileIndex producer = kNoTile;
        TileIndex consumer = kNoTile;
        std::uint32_t base = 0;
        std::uint32_t page_size = 1;
        std::vector<PageTag> pages;
    };

    void on_issue(const LogEntry& entry);
    PageTag tag_of_forwarded(const TileState& state, std::uint32_t source,
                             std::uint32_t length) const;
    PageTag tag_of_tunneled(TileIndex tile, std::uint32_t source) const;
    RingTags* ring_between(TileIndex producer, TileIndex consumer);
    void on_command_begin(const LogEntry& entry);
    static void on_command_seen(TileState& state);
    std::uint32_t op_of_bytes(TileIndex tile, std::uint32_t address);

    // A prefetcher that reads an issue region.
    struct Fetcher {
        IssueRegionView region;
        Tags<2048> issue_region;
        Tags<64> command_data;  // its cmddat_q
    };

    std::size_t fetcher_count_ = 0;
    std::vector<Fetcher> fetchers_;  // never shrinks
    std::uint32_t host_op_ = kNoOp;
    std::uint32_t host_device_ = 0;
    std::uint32_t host_queue_ = 0;
    std::vector<TileState> tiles_;
    std::vector<RingTags> rings_;
};

}  // namespace cqfuzz
