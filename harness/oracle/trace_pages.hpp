// Trace pages: the DRAM that EXEC_BUF plays from (facts §5).
//
// A trace's pages are known from the command: from the first EXEC_BUF of a replay until the trace
// has been released and no replay of it runs.
//
// Checks, at once at each event (reported as page ownership, place "trace"):
//  - read-past-end (inv. 61): the core that plays a trace reads DRAM into its command memory
//    outside the pages of its EXEC_BUF;
//  - overwritten-while-owned (inv. 65): a write arrives in pages of a trace;
//  - not-in-a-trace (inv. 54, 69): a trace holds a command that means something at the end of a
//    fetch alone: EXEC_BUF, TERMINATE.
//
// Does not check:
//  - a trace before its first replay: no event names its place;
//  - reads that bring data, not commands: they go to scratch and cache.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "harness/base/host_call.hpp"
#include "harness/oracle/ownership_report.hpp"
#include "harness/oracle/provenance.hpp"

namespace cqfuzz {

class TracePages {
public:
    void reset(const MachineView& machine, const MemoryView& memory, const Provenance& provenance);
    // Commands and read issues of dispatch cores.
    std::optional<Violation> observe(const LogEntry& entry);
    // A write arrives in a DRAM bank.
    std::optional<Violation> arrived(const LogEntry& entry) const;
    void observe(const HostCall& call, bool ended);

private:
    struct Pages {
        std::uint32_t base = 0;  // in each bank
        std::uint32_t log_page_size = 0;
        std::uint32_t count = 0;
    };
    struct Player {  // a core whose command memory traces are read into
        TileIndex tile = kNoTile;
        std::uint32_t begin = 0;
        std::uint32_t end = 0;
        bool playing = false;
        Pages pages;
    };
    struct Trace {
        std::uint32_t number = 0;
        std::uint32_t device = 0;
        std::uint32_t op = kNoOp;  // of the replay that showed it
        bool released = false;
        Pages pages;
    };
    struct Replay {
        std::uint32_t op = kNoOp;
        std::uint32_t trace = 0;
        std::uint32_t device = 0;
        bool released = false;  // it may run after the release all the same
    };

    // Number of the page that [address, +length) of a bank lies in, or none.
    std::optional<std::uint32_t> page_of(const Pages& pages, TileIndex bank, std::uint32_t address,
                                         std::uint32_t length) const;
    std::optional<Violation> on_begin(Player& player, const LogEntry& entry);
    void begin(Player& player, const LogEntry& entry);
    void end(Player& player);
    void forget_released();
    bool is_played(const Trace& trace) const;

    const MachineView* machine_ = nullptr;
    const MemoryView* memory_ = nullptr;
    const Provenance* provenance_ = nullptr;
    std::vector<std::uint32_t> banks_;  // of DRAM, by chip
    std::vector<Player> players_;
    std::vector<Trace> traces_;
    std::vector<Replay> replays_;
};

}  // namespace cqfuzz
