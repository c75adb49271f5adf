// Target program_sequence: programs, buffers of every placement, reads and writes one after the
// other, often on two command queues with events between them.
//
// Surface: the host's order of calls, config and launch rings, binary residency, events across
// queues, transfers to and from DRAM and L1. Oracles: all. Order levels: O0 to O2. Cannot reach:
// several chips, sub-devices; commands that no host would encode.
#include "fuzz_targets/target.hpp"

CQFUZZ_TARGET_ENTRY_POINTS(cqfuzz::Domain::program_sequence, "")
