// Differential: one list of commands on the built-in firmware and on hosted kernels, and what both
// did with it.
//
// Compared: every byte of workers, ethernet cores, DRAM and the host's completion region that
// either wrote, and the pages that went through each ring (handed over and given back, in the end
// the same whatever blocks they went in). Both run in order at O1, where a stream has one outcome.
// Not compared: the memories of the dispatch cores themselves, which are each firmware's own.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/hosting/hosted_kernels.hpp"
#include "harness/run/run.hpp"

namespace cqfuzz::hosting {

struct Difference {
    Verdict built_in;                // not a pass: nothing is compared
    Verdict hosted;                  // not a pass: a finding of its own
    std::vector<std::string> lines;  // the first ones, in words; empty: alike
};

// `oracles`: those that judge both runs. REQUIRES: `scenario` is adapted to `kernels`, and a stream
// of commands.
Difference compare(Runner& runner, HostedKernels& kernels, const Scenario& scenario,
                   std::uint32_t oracles = kAllOracles);

}  // namespace cqfuzz::hosting
