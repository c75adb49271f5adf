// Log entries as lines a person reads, for `diff`, `--twice` and listings.
#pragma once

#include <string>

#include "harness/base/log_entry.hpp"
#include "harness/base/machine_view.hpp"

namespace cqfuzz {

// "step 512  noc-arrive write  dispatch_d -> worker(3,4)  NoC 0  #77  0x4a00 -> 0x6a000  64 bytes".
// `view` may be null.
std::string describe(const LogEntry& entry, const MachineView* view);

// Equal in everything that the fingerprint sees, bytes aside.
bool same_event(const LogEntry& a, const LogEntry& b);

}  // namespace cqfuzz
