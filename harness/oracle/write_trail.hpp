// Write trail: which command of which dispatch core wrote the bytes that a violation is about, and
// where that core had them from. It judges nothing.
//
// Remembers the last writes of dispatch cores to workers, ethernet cores and the host; older ones
// are forgotten. Nothing is allocated between two resets.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "harness/base/log_entry.hpp"
#include "harness/base/machine_view.hpp"
#include "harness/base/violation.hpp"
#include "harness/oracle/provenance.hpp"

namespace cqfuzz {

class WriteTrail {
public:
    void reset(const MachineView& machine, const Provenance& provenance);
    // REQUIRES: noc_issue of a dispatch core, before it changes anything that `provenance` tells.
    void issued(const LogEntry& entry);
    // REQUIRES: noc_arrive of a write, an inline write or an atomic.
    void arrived(const LogEntry& entry);

    // Lines for the story of a violation that names the bytes it is about (`Violation::bytes`).
    void tell(Violation& violation) const;

private:
    struct Write {
        std::uint32_t transaction = 0;
        TileIndex source = kNoTile;
        TileIndex target = kNoTile;  // of a multicast: its receivers, on the source's chip
        NocRectangle receivers{};
        std::uint32_t begin = 0;
        std::uint32_t end = 0;
        std::uint64_t step = 0;  // of the issue
        Doing doing;
        RingPage page;  // its source bytes
    };
    static constexpr std::uint32_t kInFlight = 1024;
    static constexpr std::uint32_t kLanded = 1024;

    bool reaches(const Write& write, TileIndex tile) const;
    const Write* last_to(const ViolationBytes& bytes) const;
    const Write* last_of(TileIndex source) const;
    void tell_last_write(TileIndex source, Violation& violation) const;
    std::string by(const Write& write) const;

    const MachineView* machine_ = nullptr;
    const Provenance* provenance_ = nullptr;
    std::array<Write, kInFlight> issued_{};  // by transaction
    std::uint32_t newest_ = 0;               // the last transaction in it
    std::array<Write, kLanded> landed_{};    // in order of arrival, oldest overwritten
    std::uint64_t landed_count_ = 0;
};

}  // namespace cqfuzz
