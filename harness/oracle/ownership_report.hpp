// The words of page ownership's findings: a page's story, who did what to it and when, told from
// its record.
#pragma once

#include <cstdint>
#include <string>

#include "harness/base/log_entry.hpp"
#include "harness/base/machine_view.hpp"
#include "harness/base/violation.hpp"
#include "harness/oracle/ring_ledger.hpp"

namespace cqfuzz {

struct OwnershipFinding {
    const char* property = "";   // "overwritten-while-owned"
    const char* invariant = "";  // "inv. 4"
    TileIndex actor = kNoTile;   // who did it
    Doing
        blamed;  // the command whose handling is wrong: the holder's when his page was overwritten
    std::string summary;
    const char* expected = "";
};

// At a page of a ring. `page` kNoPage: the ring as a whole.
inline constexpr std::uint32_t kNoPage = 0xffffffff;
[[gnu::cold]] Violation ring_violation(const MachineView& machine, const RingLedger& ring,
                                       std::uint32_t page, std::uint64_t step,
                                       const OwnershipFinding& finding);

// At bytes [begin, end) of a core's L1.
[[gnu::cold]] Violation staging_violation(const std::string& place, std::uint32_t begin,
                                          std::uint32_t end, std::uint64_t step,
                                          const MachineView& machine,
                                          const OwnershipFinding& finding);

// "page 7 of dispatch_cb"
std::string page_name(const RingLedger& ring, std::uint32_t page);

}  // namespace cqfuzz
