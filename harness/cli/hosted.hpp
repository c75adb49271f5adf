// What the host commands share: kernels of a manifest, built and loaded once per geometry.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "harness/cli/commands.hpp"
#include "harness/hosting/hosted_kernels.hpp"
#include "harness/scenario/verbs.hpp"

namespace cqfuzz::cli {

inline constexpr std::uint32_t kHostedOpsMax = 64;

struct Hosted {
    hosting::Manifest manifest;
    std::vector<std::unique_ptr<hosting::HostedKernels>> kernels;  // by geometry
};

Result<Hosted> build_all(const HostArguments& arguments);
// The manifest and what was defined beside it, as a command line has them.
std::string manifest_words(const HostArguments& arguments);
RunOptions options_for(hosting::HostedKernels& kernels);
// Those of the scenario's geometry; else of the first.
hosting::HostedKernels& kernels_of(Hosted& hosted, const Scenario& scenario);
// What the n-th scenario is drawn from.
Domain domain_of(const hosting::Manifest& manifest, std::uint64_t n);

int host_diff(const HostArguments& arguments, Hosted& hosted);

}  // namespace cqfuzz::cli
