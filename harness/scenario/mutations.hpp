// The single changes that mutate chooses from. Each returns false when there is nothing to change;
// none keeps the scenario legal by itself.
#pragma once

#include <cstdint>

#include "harness/scenario/draw.hpp"

namespace cqfuzz {

enum class Mutation : std::uint32_t {
    op_insert,
    op_drop,  // one, or a range
    op_duplicate,
    op_move,
    op_splice,  // a range, copied elsewhere
    op_repeat,  // how often
    trace,      // a step more, less, or repeated; a trace more or less
    program,    // a part or a program more, less, or twice
    number,     // any number, bool, enum or reference outside geometry and topology
    geometry,
    topology,
    schedule,  // strategy, seed, deviations, order level, behaviour
    halve,     // ops, sizes or parts; what nothing refers to
    reset,     // topology, geometry, counters, behaviour or schedule to its defaults
    kCount,
};

bool mutate_op_insert(const Features& features, Scenario& scenario, Rng& rng);
bool mutate_op_drop(Scenario& scenario, Rng& rng);
bool mutate_op_duplicate(Scenario& scenario, Rng& rng);
bool mutate_op_move(Scenario& scenario, Rng& rng);
bool mutate_op_splice(Scenario& scenario, Rng& rng);
bool mutate_op_repeat(Scenario& scenario, Rng& rng);
bool mutate_trace(const Features& features, Scenario& scenario, Rng& rng);
bool mutate_program(const Features& features, Scenario& scenario, Rng& rng);
bool mutate_halve(Scenario& scenario, Rng& rng);

// One value of the command, which may be inside `scenario`.
bool mutate_leaf(Command& command, const Scenario& scenario, Rng& rng);
bool mutate_reset(Scenario& scenario, Rng& rng);
bool mutate_number(Scenario& scenario, Rng& rng);
bool mutate_geometry(const Features& features, Scenario& scenario, Rng& rng);
bool mutate_topology(Scenario& scenario, Rng& rng);
bool mutate_schedule(Scenario& scenario, Rng& rng);

// Some of the geometry's numbers to an end of their range or a unit beside it, and counters to just
// before their wrap.
void move_to_limits(Scenario& scenario, Rng& rng);

}  // namespace cqfuzz
