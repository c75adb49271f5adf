// The fixed scenario of domain `schedule`: everything that interleavings can disturb, in one run
// that is short enough to be repeated thousands of times a second.
#pragma once

#include "harness/scenario/scenario.hpp"

namespace cqfuzz {

// Legal. Split prefetcher and dispatcher with small rings, so that every ring wraps; programs with
// multicast semaphores, arguments and binaries on worker and ethernet cores; writes, reads, a trace
// between enqueues, replays and a release. In-order schedule.
Scenario rich_scenario();

// The parts of `scenario` that domain `schedule` draws: order level, counters, behaviour and
// schedule; all else from rich_scenario().
void keep_only_schedule(Scenario& scenario);

}  // namespace cqfuzz
