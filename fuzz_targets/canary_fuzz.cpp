// The canary: target trace_replay with a fault that the oracles must catch. It fails on purpose; a
// canary that stays quiet means that the alarm does not ring, and then the silence of the other
// targets means nothing.
#include "fuzz_targets/target.hpp"

CQFUZZ_TARGET_ENTRY_POINTS(cqfuzz::Domain::trace_replay, "late-orphan-write")
