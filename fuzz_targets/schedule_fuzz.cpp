// Target schedule: interleavings of one fixed scenario that has everything in it
// (harness/scenario/rich.hpp): strategies, seeds, deviations, order levels, slow kernels, counters.
//
// Surface: what depends on order alone. Oracles: all. Order levels: O0 to O2. Cannot reach: what
// the fixed host calls do not do. Bytes that no mutation of ours made stand for whatever scenario
// they decode to.
#include "fuzz_targets/target.hpp"

CQFUZZ_TARGET_ENTRY_POINTS(cqfuzz::Domain::schedule, "")
