// Ownership of a prefetcher's stagings: ranges of its L1 that reads fill and writes drain: the two
// scratch halves, cmddat_q of the roles that fetch from the host, prefetch_d's ring while an
// exec_buf runs in it, and the ring-buffer cache: the same bytes as the scratch halves, and more,
// seen by the commands that load and relay it.
//
// Checks, at once at each event (all reported as page ownership):
//  - overwritten-while-owned: a read is issued into a scratch half with a write still to depart
//    (inv. 45), into bytes of cmddat_q or of a refilled ring that such a write still has to read
//    (inv. 36, 60), or into fetched bytes that have not been executed (prefetch_hd) or forwarded
//    (prefetch_h) (inv. 36, 37); or the core stores into such bytes;
//  - overwritten-while-owned: a load of the cache is issued into bytes that such a write still has
//    to read; not-in-cache: a relay from the cache is issued from bytes that no load has brought,
//    or that scratch has taken since (inv. 56);
//  - read-before-ready: a write is issued from, or the core loads, bytes whose read has not landed
//    (inv. 38, 45);
//  - fetch-during-exec-buf: a PCIe read is in flight when EXEC_BUF begins, or is issued before
//    EXEC_BUF_END (inv. 57, 58).
//
// Does not check:
//  - the last 20 bytes of a load, and as much as TileView::over_read_bytes behind loads in a row
//  (inv.
//    48);
//  - bytes that nobody ever filled: never-written bytes are another oracle's;
//  - of a hosted prefetcher that does not say where in its commands it is: reads over commands that
//  it
//    has not executed, and fetches during an exec_buf;
//  - whether a command's bytes are the right ones: golden memory sees what they do.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/oracle/ownership_report.hpp"
#include "harness/oracle/provenance.hpp"

namespace cqfuzz {

class StagingOwnership {
public:
    void reset(const MachineView& machine, const Provenance& provenance);
    std::optional<Violation> observe(const LogEntry& entry);

private:
    using Found = std::optional<Violation>;
    enum class RegionKind : std::uint8_t { scratch_half, command_data, refilled_ring, ringbuffer };
    struct Region {
        const std::string* name = nullptr;
        RegionKind kind = RegionKind::scratch_half;
        std::uint32_t begin = 0;
        std::uint32_t end = 0;
    };
    // Of all regions that are views of one memory.
    struct Tally {
        std::uint32_t writes_pending = 0;   // issued, source bytes here, not departed
        std::uint32_t reads_in_flight = 0;  // issued, not landed
    };
    enum class Memory : std::uint8_t { scratch, command_data, refilled_ring, kCount };
    struct Range {
        std::uint32_t begin = 0;
        std::uint32_t end = 0;
    };
    struct Flight {
        std::uint32_t transaction = 0;
        std::uint32_t begin = 0;
        std::uint32_t end = 0;
        std::uint32_t bytes_left = 0;  // reads may land in pieces
        Deed issued;
        bool from_host = false;
    };
    struct Fetch {  // bytes in cmddat_q that came from the host and have not been used up
        std::uint32_t begin = 0;
        std::uint32_t next = 0;
        std::uint32_t end = 0;
    };
    struct Core {
        TileIndex tile = kNoTile;
        Role role = Role::none;
        std::vector<Region> regions;
        std::array<Tally, static_cast<std::size_t>(Memory::kCount)> tallies{};
        std::vector<Flight> writes;  // oldest first; those before `writes_head` are gone
        std::size_t writes_head = 0;
        std::vector<Flight> reads;
        bool tells_commands = false;    // where it is in them
        std::vector<Fetch> fetches;     // in the order of execution
        std::uint32_t loads_begin = 0;  // of the loads one behind the other that came last
        std::uint32_t loads_end = 0;
        std::vector<Range> cached;  // what the ring-buffer cache holds; disjoint
    };

    Core* core_of(TileIndex tile) {
        return core_index_[tile] < 0 ? nullptr
                                     : &cores_[static_cast<std::size_t>(core_index_[tile])];
    }
    // As the command that the core executes sees it.
    const Region* region_at(const Core& core, std::uint32_t address) const;
    static Memory memory_of(RegionKind kind);
    static const char* refill_invariant(RegionKind kind);  // of a read over undeparted writes
    static Tally& tally_of(Core& core, const Region& region) {
        return core.tallies[static_cast<std::size_t>(memory_of(region.kind))];
    }
    static void note_scratch_read(Core& core, RegionKind kind, std::uint32_t begin,
                                  std::uint32_t end);
    Found on_cache_relay(const Core& core, const Region& region, const LogEntry& entry,
                         std::uint32_t begin, std::uint32_t end) const;
    Found on_write_issue(Core& core, const LogEntry& entry);
    Found on_read_issue(Core& core, const LogEntry& entry);
    Found on_fetch(Core& core, const Region& region, const LogEntry& entry, std::uint32_t begin,
                   std::uint32_t end);
    void on_depart(Core& core, const LogEntry& entry);
    void on_landing(Core& core, const LogEntry& entry);
    Found on_load(Core& core, const LogEntry& entry);
    Found on_store(Core& core, const LogEntry& entry);
    Found on_command(Core& core, const LogEntry& entry);

    static const Flight* overlapping(const std::vector<Flight>& flights, std::size_t from,
                                     std::uint32_t begin, std::uint32_t end);
    static void used_up_to(Core& core, std::uint32_t address);
    [[gnu::cold]] Violation at_bytes(const Region& region, const Flight& bytes,
                                     const LogEntry& entry, const OwnershipFinding& finding) const;

    const MachineView* machine_ = nullptr;
    const Provenance* provenance_ = nullptr;
    std::vector<std::int8_t> core_index_;  // by tile
    std::vector<Core> cores_;
    std::size_t core_count_ = 0;
};

}  // namespace cqfuzz
