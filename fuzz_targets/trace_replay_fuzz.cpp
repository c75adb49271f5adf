// Target trace_replay: programs, captures of them, replays and releases, with other work around
// them.
//
// Surface: trace capture, exec_buf, the prefetcher's stalls, the dispatcher's block accounting
// under long command streams, config and launch rings under replay. Oracles: all. Order levels: O0
// to O2. Cannot reach: sub-devices; commands that no host would encode. More chips are drawn by
// multi_chip, a second queue now and then.
#include "fuzz_targets/target.hpp"

CQFUZZ_TARGET_ENTRY_POINTS(cqfuzz::Domain::trace_replay, "")
