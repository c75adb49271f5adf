// Target command_stream: well-formed commands of every kind, straight to the prefetcher, with no
// host runtime that makes sense of them.
//
// Surface: prefetcher and dispatcher alone: every relay, packed and linked writes, exec_buf bodies,
// the ring-buffer cache, in orders, sizes and at block phases that no host sends. Oracles: all;
// golden memory predicts from the commands as values. Order levels: O0 to O2. Cannot reach: the
// host runtime, programs, more than one chip, two command queues, dispatch commands that only a
// dispatch_s takes.
#include "fuzz_targets/target.hpp"

CQFUZZ_TARGET_ENTRY_POINTS(cqfuzz::Domain::command_stream, "")
