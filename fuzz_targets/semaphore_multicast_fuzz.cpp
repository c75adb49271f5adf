// Target semaphore_multicast: programs with many semaphores over many core ranges, whose initial
// values go out as packed multicast writes at every phase of a dispatch ring's block.
//
// Surface: WRITE_PACKED unicast, multicast and no-stride, WRITE_PACKED_LARGE, straddles of page,
// block and ring end, sizes and counts at their limits. Oracles: all. Order levels: O0 to O2.
// Cannot reach: long traces (trace_replay draws them), more than one chip, commands that no host
// would encode.
#include "fuzz_targets/target.hpp"

CQFUZZ_TARGET_ENTRY_POINTS(cqfuzz::Domain::semaphore_multicast, "")
