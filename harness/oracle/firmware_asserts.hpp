// Firmware asserts: firmware's own assertions, as verdicts.
//
// Checks:
//  - every firmware_assert entry, when it fails.
//
// Does not check:
//  - whether the assertion is right: it is the runtime's own word.
#pragma once

#include <optional>

#include "harness/base/violation.hpp"
#include "harness/oracle/provenance.hpp"

namespace cqfuzz {

std::optional<Violation> judge_firmware_assert(const LogEntry& entry, const MachineView& machine,
                                               const Provenance& provenance);

}  // namespace cqfuzz
