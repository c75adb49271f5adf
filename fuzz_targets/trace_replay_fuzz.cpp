// Target trace_replay: programs, captures of them, replays and releases, with other work around
// them.
//
// Surface: trace capture, exec_buf, the prefetcher's stalls, the dispatcher's block accounting
// under long command streams, config and launch rings under replay. Oracles: all. Order levels: O0
// to O2. Cannot reach: more than one chip, two command queues, sub-devices, events; commands that
// no host would encode.
#include "fuzz_targets/target.hpp"

CQFUZZ_TARGET_ENTRY_POINTS(cqfuzz::Domain::trace_replay, "")
