// The search of the host commands: scenarios drawn and mutated until hosted kernels fail, guided by
// the domain's features and the kernels' own edges.
#pragma once

#include <cstdint>
#include <functional>

#include "harness/cli/hosted.hpp"

namespace cqfuzz::cli {

struct HostedTrial {
    bool found = false;
    std::uint64_t scenarios = 0;                // run, the finding included
    std::uint64_t commands = 0;                 // dispatched, where kernels tell of their commands
    std::size_t edges = 0;                      // of the kernels, different ones
    hosting::HostedKernels* kernels = nullptr;  // that failed
    Scenario scenario;
    Verdict verdict;
};

// Kernels of all geometries take turns. `on_progress` after each scenario: false stops.
HostedTrial search_hosted(Hosted& hosted, Runner& runner, std::uint64_t seed,
                          std::uint64_t scenarios_max,
                          const std::function<bool(const HostedTrial&)>& on_progress);

}  // namespace cqfuzz::cli
