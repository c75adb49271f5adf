// Manifest: what somebody's own firmware is made of: per role its sources, defines and compile-time
// arguments, and the geometries to build it for (docs/hosting.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/hosting/expression.hpp"
#include "harness/scenario/scenario.hpp"
#include "runtime_under_test/protocol/core_launch.hpp"
#include "runtime_under_test/protocol/generation.hpp"

namespace cqfuzz::hosting {

struct HostedRole {
    std::string name;
    rt::CoreRole role = rt::CoreRole::none;
    std::vector<std::string> sources;  // absolute, or beside the manifest
    std::vector<std::string> includes;
    std::vector<std::string> flags;  // for the compiler, as they stand
    std::vector<std::string> args;   // expressions, by position
    // NAME = expression, or NAME alone for a define without a value.
    std::vector<std::pair<std::string, std::string>> defines;
    std::uint32_t noc = 0;
    std::uint32_t edge_budget = 1'000'000;
};

struct HostedGeometry {
    std::string name;
    Scenario part;  // topology and geometry alone
};

// What drives the kernels.
enum class Stimuli : std::uint8_t {
    commands,  // streams of raw commands
    host,      // the host runtime, which is late 2024's
    both,      // in turns
};

struct Manifest {
    std::string path;
    // What prefetchers and dispatchers of these sources know, and by which ids.
    rt::Generation encoding = rt::late_2024();
    Stimuli stimuli = Stimuli::both;
    std::vector<HostedRole> roles;
    std::vector<HostedGeometry> geometries;
};

// The error names file and line, what is wrong and what is allowed.
Result<Manifest> manifest_from_toml(std::string_view text, const std::string& path);
// A geometry and topology that the scenario's rules allow; else why not.
std::string illegality_of(const HostedGeometry& geometry);

// What expressions may name, for a role in a geometry: "l1" is the core's own L1 as a pointer;
// "dispatch.ring_base" and so on are offsets in the core they name.
Names names_for(const HostedRole& role, const HostedGeometry& geometry);

}  // namespace cqfuzz::hosting
