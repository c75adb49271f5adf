// Manifest: what somebody's own firmware is made of: per role its sources, defines and compile-time
// arguments, and the geometries to build it for; of a runtime that is not of our family also its
// cores, its rings and what it works on (docs/hosting.md).
#pragma once

#include <cstdint>
#include <optional>
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
    std::uint32_t over_read_words = 0;  // that it may load behind what it owns of a ring
};

// Of a runtime of its own: expressions, all in bytes and in the L1 of the role named.
struct HostedRing {
    std::string name;
    std::string producer;  // roles
    std::string consumer;
    std::string base;
    std::string page_size;
    std::string pages;
    std::string ready;    // word of the consumer: pages handed over
    std::string credits;  // word of the producer: pages that came back
    // The words are totals that inline writes put there; else atomics raise them, and the
    // producer's begins with all pages.
    bool totals = false;
};

// Of a runtime of its own: what it works on: a count, and so many words, in a role's L1. They are
// the content_seeds of the scenario's ops.
struct HostedInput {
    std::string role;
    std::string base;
};

struct HostedGeometry {
    std::string name;
    Scenario part;                                              // topology and geometry alone
    std::vector<std::pair<std::string, std::uint32_t>> values;  // more names for expressions
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
    // Not our host and commands: cores that start, work on their input, and end.
    bool own_runtime = false;
    std::vector<HostedRole> roles;
    std::vector<HostedRing> rings;
    std::optional<HostedInput> input;
    std::vector<HostedGeometry> geometries;
};

// The error names file and line, what is wrong and what is allowed.
Result<Manifest> manifest_from_toml(std::string_view text, const std::string& path);
// A geometry and topology that the scenario's rules allow; else why not.
std::string illegality_of(const HostedGeometry& geometry);

// Where a chip has the core of a role.
rt::Coord coord_of(rt::CoreRole role, const rt::ChipDescription& chip);

// What expressions may name, for a role in a geometry, on a command queue: "l1" is the core's own
// L1 as a pointer; "dispatch.ring_base" and so on are offsets in the core they name. A name whose
// own expression is wrong is left out.
Names names_for(const Manifest& manifest, const HostedRole& role, const HostedGeometry& geometry,
                std::uint32_t queue = 0);

}  // namespace cqfuzz::hosting
