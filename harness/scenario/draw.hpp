// The parts that generate and mutate draw from the same urns. Every function makes a legal-looking
// part; the caller ends with `legalise` and `fit`.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "harness/base/rng.hpp"
#include "harness/scenario/scenario.hpp"
#include "harness/scenario/verbs.hpp"
#include "harness/scenario/weights.hpp"

namespace cqfuzz {

// Swarm: what a whole scenario has or has not (fuzzing lesson 5).
struct Features {
    Domain domain = Domain::trace_replay;
    bool ethernet = true;
    bool semaphores = true;
    bool circular_buffers = true;
    bool args = true;
    bool common_args = true;
    bool buffer_writes = true;
    bool buffer_reads = true;
    bool finishes = true;
    bool releases = true;
    bool repeats = true;
    bool traces = true;
    bool many_sub_commands = false;
    bool long_traces = false;
    bool two_queues = false;
    bool events = false;
};

// Without `swarm` a scenario has all of them.
Features draw_features(Domain domain, Rng& rng, bool swarm = true);

inline bool percent(Rng& rng, std::uint32_t chance) { return rng.below(100) < chance; }

// The number of one of the weights, drawn.
template <std::size_t N>
std::uint32_t draw_weighted(Rng& rng, const std::array<std::uint32_t, N>& weights) {
    std::uint32_t total = 0;
    for (const std::uint32_t weight : weights) {
        total += weight;
    }
    std::uint32_t left = rng.below(total);
    for (std::uint32_t i = 0; i < N; ++i) {
        if (left < weights[i]) {
            return i;
        }
        left -= weights[i];
    }
    return 0;
}

template <std::size_t N>
std::uint32_t draw_from(Rng& rng, const std::array<std::uint32_t, N>& values) {
    return values[rng.below(static_cast<std::uint32_t>(N))];
}

// A chip of the machine.
inline std::uint32_t draw_device(const Topology& topology, Rng& rng) {
    return topology.chips == 1 ? 0 : rng.below(topology.chips);
}

void draw_topology(const Features& features, Topology& topology, Rng& rng);
// REQUIRES: the topology stands.
void draw_geometry(const Features& features, const Topology& topology, Geometry& geometry,
                   Rng& rng);
void draw_counters(CounterStarts& counters, Rng& rng);
void draw_schedule(const Scenario& scenario, Schedule& schedule, Rng& rng);
Deviation draw_deviation(const Scenario& scenario, Rng& rng);
OrderLevel draw_order(Rng& rng);
void draw_behaviour(Behaviour& behaviour, Rng& rng);

// REQUIRES: topology and geometry stand and are legal.
CoreRange draw_range(const Topology& topology, bool on_ethernet, Rng& rng);
Kernel draw_kernel(const Features& features, const Scenario& scenario, Rng& rng);
SemaphoreInit draw_semaphore(const Program& program, const Topology& topology, Rng& rng);
CircularBuffer draw_circular_buffer(const Topology& topology, Rng& rng);
// `many_sub_commands`: the parts of its binaries reach 35.
Program draw_program(const Features& features, const Scenario& scenario, bool many_sub_commands,
                     Rng& rng);
std::uint32_t draw_binary_bytes(const Geometry& geometry, Rng& rng);
std::uint32_t draw_args_words(Rng& rng);

// REQUIRES: topology and geometry stand.
Buffer draw_buffer(const Scenario& scenario, Rng& rng);
// REQUIRES: there are programs.
Trace draw_trace(const Features& features, const Scenario& scenario, Rng& rng);
// An op whose references exist (traces need not be live). REQUIRES: there is a program.
Op draw_op(const Features& features, const Scenario& scenario, Rng& rng);

// About how many NoC transactions a run of the program makes.
std::uint32_t program_cost(const Program& program, const Topology& topology);
// Reduces repeats, then cuts ops, until op_weight is at most `ops_max` and the cost at most
// `cost_max`; the first run of a program or trace stays whatever it costs.
void fit(Scenario& scenario, std::uint32_t ops_max, std::uint32_t cost_max);

}  // namespace cqfuzz
