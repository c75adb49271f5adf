// Never-written bytes: what a dispatch core sends on, or decides by, that nobody wrote in this run.
// On hardware such bytes are whatever was there before.
//
// Checks, at once:
//  - sent (inv. 36, 44, 59): the source bytes of a write of a dispatch core, when it departs;
//  - loaded (inv. 34, 38): what the firmware of a dispatch core loads of its own L1;
//  - fetched (inv. 42): the bytes of the issue region that a fetch samples.
//
// Exempt, and why:
//  - contents of DRAM: a buffer that was never written may be read back, so reads of it count as
//    written where they land;
//  - the last 20 bytes of a load: copy helpers read up to five words too many, and may (inv. 48);
//  - the rest of the batch header that prefetch_h puts in front of a batch: only its first word
//    means anything (facts §1.6);
//  - loads at the begin of a ring page, as far as RingView::over_read_bytes goes, and behind
//  written bytes,
//    as far as TileView::over_read_bytes does;
//  - what the cores of a tunnel send: packets are padded to whole words of its rings (facts §1.5);
//  - sources of inline writes and atomics: their value is in the command;
//  - worker and ethernet cores: what kernels do with their memory is theirs;
//  - bytes beside a written one in its word of 4: marks are kept by words.
#pragma once

#include <cstdint>
#include <optional>

#include "harness/base/violation.hpp"
#include "harness/oracle/provenance.hpp"

namespace cqfuzz {

class NeverWritten {
public:
    void reset(const MachineView& machine, const MemoryView& memory, const Provenance& provenance);
    // REQUIRES: noc_depart or l1_load of a dispatch core, or noc_sample of a hugepage.
    std::optional<Violation> observe(const LogEntry& entry) const;

private:
    bool is_allowed_over_read(const LogEntry& entry) const;
    [[gnu::cold]] Violation at(const LogEntry& entry, const char* property, const char* invariant,
                               TileIndex memory, std::uint32_t address,
                               const std::string& deed) const;

    const MachineView* machine_ = nullptr;
    const MemoryView* memory_ = nullptr;
    const Provenance* provenance_ = nullptr;
};

}  // namespace cqfuzz
