// Mutations of command streams.
#include <algorithm>

#include "harness/scenario/draw_commands.hpp"
#include "harness/scenario/limits.hpp"
#include "harness/scenario/mutations.hpp"

namespace cqfuzz {
namespace {

enum class Change : std::uint32_t {
    insert,
    drop,
    duplicate,
    move,
    splice,
    value,
    parts,
    body,
    corrupt,
    geometry,
    topology,
    schedule,
    reset,
    kCount,
};

constexpr std::array<std::uint32_t, static_cast<std::size_t>(Change::kCount)> kChangeWeights{
    18, 12, 6, 6, 6, 24, 5, 6, 0, 7, 3, 12, 2};

std::uint32_t size_of(const std::vector<Command>& commands) {
    return static_cast<std::uint32_t>(commands.size());
}
auto place(std::vector<Command>& commands, std::uint32_t at) {
    return commands.begin() + static_cast<std::ptrdiff_t>(at);
}

std::vector<Command> drawn_commands(const Scenario& scenario, Rng& rng) {
    const StreamFeatures features = draw_stream_features(rng);
    std::vector<Command> commands;
    for (std::uint32_t left = 1 + rng.below(3); left != 0; --left)
        commands.push_back(draw_command(features, scenario, rng));
    return commands;
}

bool change_parts(std::vector<Command>& commands, Rng& rng) {
    std::vector<CommandWriteLarge*> larges;
    for (Command& command : commands)
        if (auto* large = std::get_if<CommandWriteLarge>(&command)) larges.push_back(large);
    if (larges.empty()) return false;
    std::vector<LargePart>& parts =
        larges[rng.below(static_cast<std::uint32_t>(larges.size()))]->parts;
    const auto count = static_cast<std::uint32_t>(parts.size());
    if (count > 1 && rng.one_in(2)) {
        parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(rng.below(count)));
        return true;
    }
    if (count == 0 || count >= limits::kLargePartsMax) return false;
    const LargePart copy = parts[rng.below(count)];
    parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(rng.below(count + 1)), copy);
    return true;
}

bool change_list(Change change, Scenario& scenario, std::vector<Command>& commands, Rng& rng) {
    if (change == Change::insert || commands.empty()) {
        std::vector<Command> more = drawn_commands(scenario, rng);
        const std::uint32_t at = rng.below(size_of(commands) + 1);
        commands.insert(place(commands, at), more.begin(), more.end());
        return true;
    }
    const std::uint32_t first = rng.below(size_of(commands));
    const std::uint32_t length = rng.one_in(3) ? 1 + rng.below(8) : 1;
    const std::uint32_t last = std::min(first + length, size_of(commands));
    switch (change) {
        case Change::drop:
            commands.erase(place(commands, first), place(commands, last));
            return true;
        case Change::move: {
            const Command moved = commands[first];
            commands.erase(place(commands, first));
            commands.insert(place(commands, rng.below(size_of(commands) + 1)), moved);
            return true;
        }
        case Change::value: return mutate_leaf(commands[first], scenario, rng);
        case Change::parts: return change_parts(commands, rng);
        default: break;
    }
    const std::vector<Command> slice(place(commands, first), place(commands, last));
    const std::uint32_t at = change == Change::duplicate ? first : rng.below(size_of(commands) + 1);
    commands.insert(place(commands, at), slice.begin(), slice.end());
    return true;
}

bool change_body(Scenario& scenario, Rng& rng) {
    if (scenario.bodies.size() < limits::kBodiesMax && (scenario.bodies.empty() || rng.one_in(6))) {
        scenario.bodies.push_back({drawn_commands(scenario, rng)});
        const std::uint32_t at = rng.below(size_of(scenario.commands) + 1);
        const auto body = static_cast<std::uint32_t>(scenario.bodies.size() - 1);
        scenario.commands.insert(place(scenario.commands, at), CommandExecBuf{body});
        return true;
    }
    const std::uint32_t body = rng.below(static_cast<std::uint32_t>(scenario.bodies.size()));
    const auto change = static_cast<Change>(rng.below(static_cast<std::uint32_t>(Change::body)));
    return change_list(change, scenario, scenario.bodies[body].commands, rng);
}

std::uint32_t edit_of(Change change) {
    if (change == Change::schedule) return kEditSchedule;
    const bool value =
        change == Change::value || change == Change::geometry || change == Change::topology;
    return value ? kEditValues : kEditLists;
}

bool apply(Change change, Domain domain, Scenario& scenario, Rng& rng) {
    Features features;
    features.domain = domain;
    switch (change) {
        case Change::body: return change_body(scenario, rng);
        case Change::corrupt:
            scenario.commands.insert(
                place(scenario.commands, rng.below(size_of(scenario.commands) + 1)),
                draw_corrupt(rng));
            return true;
        case Change::geometry: return mutate_geometry(features, scenario, rng);
        case Change::topology: return mutate_topology(scenario, rng);
        case Change::schedule: return mutate_schedule(scenario, rng);
        case Change::reset: return mutate_reset(scenario, rng);
        default: return change_list(change, scenario, scenario.commands, rng);
    }
}

}  // namespace

bool mutate_stream(Domain domain, Scenario& scenario, Rng& rng, std::uint32_t edits) {
    const bool corrupts = domain == Domain::malformed_stream && rng.one_in(6);
    const auto change =
        corrupts ? Change::corrupt : static_cast<Change>(draw_weighted(rng, kChangeWeights));
    if ((edits & edit_of(change)) == 0) return false;
    return apply(change, domain, scenario, rng);
}

}  // namespace cqfuzz
