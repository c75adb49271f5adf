// Local arrays: stores past the end of an array in a core's small local memory (facts §3.4).
//
// Checks:
//  - every local_overrun entry, at the store (inv. 47, 62).
//
// Does not check:
//  - loads past the end, which copy helpers may make (inv. 48);
//  - arrays that are not LocalArray: silicon does not see them.
#pragma once

#include <optional>

#include "harness/base/violation.hpp"
#include "harness/oracle/provenance.hpp"

namespace cqfuzz {

std::optional<Violation> judge_local_overrun(const LogEntry& entry, const MachineView& machine,
                                             const Provenance& provenance);

}  // namespace cqfuzz
