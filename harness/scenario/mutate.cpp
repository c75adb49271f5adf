// mutate: one small change of a drawn kind; the result is legal and within the bounds of `fit`.
#include "harness/scenario/draw_commands.hpp"
#include "harness/scenario/mutations.hpp"
#include "harness/scenario/rich.hpp"

namespace cqfuzz {
namespace {

constexpr std::uint32_t kAttemptsMax = 8;

std::uint32_t edit_of(Mutation mutation) {
    if (mutation == Mutation::schedule) return kEditSchedule;
    const bool value = mutation == Mutation::number || mutation == Mutation::geometry ||
                       mutation == Mutation::topology;
    return value ? kEditValues : kEditLists;
}

bool apply(Mutation mutation, const Features& features, Scenario& scenario, Rng& rng) {
    switch (mutation) {
        case Mutation::op_insert: return mutate_op_insert(features, scenario, rng);
        case Mutation::op_drop: return mutate_op_drop(scenario, rng);
        case Mutation::op_duplicate: return mutate_op_duplicate(scenario, rng);
        case Mutation::op_move: return mutate_op_move(scenario, rng);
        case Mutation::op_splice: return mutate_op_splice(scenario, rng);
        case Mutation::op_repeat: return mutate_op_repeat(scenario, rng);
        case Mutation::trace: return mutate_trace(features, scenario, rng);
        case Mutation::program: return mutate_program(features, scenario, rng);
        case Mutation::number: return mutate_number(scenario, rng);
        case Mutation::geometry: return mutate_geometry(features, scenario, rng);
        case Mutation::topology: return mutate_topology(scenario, rng);
        case Mutation::schedule: return mutate_schedule(scenario, rng);
        case Mutation::halve: return mutate_halve(scenario, rng);
        case Mutation::reset: return mutate_reset(scenario, rng);
        case Mutation::kCount: break;
    }
    return false;
}

}  // namespace

static_assert(kGeneratorWeights.mutation.size() == static_cast<std::size_t>(Mutation::kCount),
              "a weight for each");

void mutate(Scenario& scenario, Domain domain, Rng& rng, std::uint32_t ops_max,
            const DrawChoices& choices) {
    Features features;
    features.domain = domain;
    features.traces = domain == Domain::trace_replay || !scenario.traces.empty();
    // What legalise or fit takes back has changed nothing; then another change is drawn.
    if (domain == Domain::schedule) {
        keep_only_schedule(scenario);
        mutate_schedule(scenario, rng);
        legalise(scenario);
        return;
    }
    const Scenario before = scenario;
    if (!scenario.commands.empty()) {
        for (std::uint32_t attempt = 0; attempt < kAttemptsMax; ++attempt) {
            if (!mutate_stream(domain, scenario, rng, choices.edits)) continue;
            legalise(scenario);
            fit_commands(scenario, ops_max, kGeneratorWeights.cost_max);
            legalise(scenario);
            if (!scenario.commands.empty() && !equal(before, scenario)) return;
        }
        return;
    }
    for (std::uint32_t attempt = 0; attempt < kAttemptsMax; ++attempt) {
        const auto mutation = static_cast<Mutation>(draw_weighted(rng, kGeneratorWeights.mutation));
        if ((choices.edits & edit_of(mutation)) == 0 || !apply(mutation, features, scenario, rng)) {
            continue;
        }
        legalise(scenario);
        fit(scenario, ops_max, kGeneratorWeights.cost_max);
        if (!equal(before, scenario)) {
            return;
        }
    }
    legalise(scenario);
    fit(scenario, ops_max, kGeneratorWeights.cost_max);
}

}  // namespace cqfuzz
