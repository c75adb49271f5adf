// One trial of arm `coverage`: the libFuzzer targets beside this program, with a fault by
// environment.
#pragma once

#include <cstdint>
#include <string>

#include "harness/search/hunt_results.hpp"

namespace cqfuzz::cli {

// The folder of this program, where the targets are; "" when it cannot be told.
std::string own_folder();
// Empty, or why the arm cannot be run: targets that are missing or have no engine.
std::string coverage_refusal();
// Fills in what the trial gave. `result` has fault, seed and cap. Odd seeds take trace_replay, even
// ones semaphore_multicast. Blocks until the target ends; its corpus starts empty and is removed.
void run_coverage_trial(HuntResult& result);

}  // namespace cqfuzz::cli
