// Target cb_geometry: rings, pages, blocks, queues, scratch and circular buffers at the ends of
// their ranges, and counters just before their wrap.
//
// Surface: wraps of every ring, conservation of pages, block accounting in blocks of one page,
// refusal of geometries that nothing fits into. Oracles: all. Order levels: O0 to O2. Cannot reach:
// more than one chip; geometries that the rules forbid (they are refused at open, unit tests hold
// that).
#include "fuzz_targets/target.hpp"

CQFUZZ_TARGET_ENTRY_POINTS(cqfuzz::Domain::cb_geometry, "")
