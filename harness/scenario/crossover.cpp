// crossover: a's programs, buffers and traces with b's behind them; ops of both; each of topology,
// geometry, counters, order, behaviour and schedule from one of the two.
#include <algorithm>

#include "harness/scenario/draw.hpp"
#include "harness/scenario/draw_commands.hpp"
#include "harness/scenario/edit.hpp"

namespace cqfuzz {
namespace {

// Some of `theirs` at one place of `ours`, or instead of its tail.
template <class T>
std::vector<T> joined(const std::vector<T>& ours, const std::vector<T>& theirs, Rng& rng) {
    const std::uint32_t at = rng.below(static_cast<std::uint32_t>(ours.size()) + 1);
    const std::uint32_t from = rng.below(static_cast<std::uint32_t>(theirs.size()) + 1);
    const auto split = ours.begin() + static_cast<std::ptrdiff_t>(at);
    std::vector<T> ops(ours.begin(), split);
    // A suffix loses the captures before it; half of the time all of theirs comes.
    const bool all = rng.one_in(2);
    ops.insert(ops.end(), theirs.begin() + (all ? 0 : static_cast<std::ptrdiff_t>(from)),
               theirs.end());
    if (rng.one_in(2)) {
        ops.insert(ops.end(), split, ours.end());
    }
    return ops;
}

}  // namespace

Scenario crossover(const Scenario& a, const Scenario& b, Rng& rng, std::uint32_t ops_max) {
    Scenario child = a;
    if (!a.commands.empty()) {
        child.commands = joined(a.commands, append_bodies(child, b), rng);
    } else if (b.commands.empty()) {
        child.ops = joined(a.ops, append_tables(child, b), rng);
    }
    if (rng.one_in(3)) {
        child.topology = b.topology;
    }
    if (rng.one_in(2)) {
        child.geometry = b.geometry;
    }
    if (rng.one_in(2)) {
        child.counters = b.counters;
        child.behaviour = b.behaviour;
    }
    if (rng.one_in(2)) {
        child.order = b.order;
        child.schedule = b.schedule;
    }
    legalise(child);
    fit(child, ops_max, kGeneratorWeights.cost_max);
    fit_commands(child, ops_max, kGeneratorWeights.cost_max);
    // What no op reaches any more would only grow from child to child.
    for (const Table table : {Table::traces, Table::programs, Table::buffers, Table::bodies}) {
        keep_entries(child, table, used_entries(child, table));
    }
    return child;
}

}  // namespace cqfuzz
