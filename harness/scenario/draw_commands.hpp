// Command streams, drawn and changed. As draw.hpp: the caller ends with `legalise` and
// `fit_commands`.
#pragma once

#include <cstdint>

#include "harness/scenario/draw.hpp"

namespace cqfuzz {

// What a whole stream has or has not, and how large its writes are.
struct StreamFeatures {
    bool relays = true;
    bool cache = true;
    bool host_writes = true;
    bool goes = true;
    bool bodies = true;
    bool host_side = true;
    bool offsets = true;
    bool submits = true;
    std::uint32_t bytes_max = 2048;  // of one write
};

StreamFeatures draw_stream_features(Rng& rng);
Command draw_command(const StreamFeatures& features, const Scenario& scenario, Rng& rng);
CommandCorrupt draw_corrupt(Rng& rng);

// Topology, geometry, order and behaviour stand. Adds commands and bodies.
void draw_stream(Domain domain, Scenario& scenario, Rng& rng, bool swarm = true);

// One small change of a scenario that has commands. False when there was nothing to change.
bool mutate_stream(Domain domain, Scenario& scenario, Rng& rng, std::uint32_t edits = kAllEdits);

// Cuts commands until there are at most `commands_max`, and about `cost_max` NoC transactions.
void fit_commands(Scenario& scenario, std::uint32_t commands_max, std::uint32_t cost_max);

}  // namespace cqfuzz
