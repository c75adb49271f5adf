// Hunt arms: the ways in which a hunt draws its scenarios, to be compared with each other.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace cqfuzz {

enum class HuntArm : std::uint8_t {
    guided,           // generate, mutate and cross; what reached a new domain feature is kept
    blind,            // generate alone: no coverage, no memory
    bytes,            // havoc on encoded bytes, guided: no structure
    in_order,         // guided, every scenario under the in-order schedule without deviations
    coverage,         // the libFuzzer targets: edges and domain features (a process of its own)
    baseline_random,  // what is used today (next_scenario.hpp)
    // What a part of the guided search is worth: the same without it, or with one strategy alone.
    no_features,
    no_swarm,
    no_list_edits,
    no_value_edits,
    no_schedule_edits,
    random_walk,
    pct,
    producer_at_once,
};

struct HuntArmName {
    HuntArm arm;
    std::string_view name;
    std::string_view sentence;  // for the table's legend
};

inline constexpr std::array kHuntArms{
    HuntArmName{
        HuntArm::guided, "guided",
        "draws, mutates and crosses scenarios; keeps those that reach a new domain feature"},
    HuntArmName{HuntArm::blind, "blind", "draws every scenario anew: no coverage"},
    HuntArmName{HuntArm::bytes, "bytes",
                "changes encoded bytes without knowing what they mean: no structure"},
    HuntArmName{HuntArm::in_order, "in-order",
                "as guided, but every run under the in-order schedule"},
    HuntArmName{HuntArm::coverage, "coverage", "the libFuzzer targets: edges and domain features"},
    HuntArmName{HuntArm::baseline_random, "baseline-random",
                "relay-paged and relay-inline alone, linear and packed unicast writes to rising "
                "addresses, one geometry, in order, data compared once at the end"},
    HuntArmName{HuntArm::no_features, "no-features",
                "as guided, but keeps one scenario in 32, whatever it reaches"},
    HuntArmName{HuntArm::no_swarm, "no-swarm",
                "as guided, but every kind of thing may be in every scenario"},
    HuntArmName{HuntArm::no_list_edits, "no-list-edits",
                "as guided, but mutants keep the list of their ops and commands"},
    HuntArmName{HuntArm::no_value_edits, "no-value-edits",
                "as guided, but mutants keep their numbers, geometry and topology"},
    HuntArmName{HuntArm::no_schedule_edits, "no-schedule-edits",
                "as guided, but mutants keep their schedule"},
    HuntArmName{HuntArm::random_walk, "random-walk", "as guided, every run a random walk"},
    HuntArmName{HuntArm::pct, "pct", "as guided, every run under PCT"},
    HuntArmName{HuntArm::producer_at_once, "producer-at-once",
                "as guided, in every run the producer runs at once after a release"},
};

constexpr std::string_view name_of(HuntArm arm) {
    for (const HuntArmName& entry : kHuntArms)
        if (entry.arm == arm) return entry.name;
    return "?";
}

constexpr std::optional<HuntArm> hunt_arm_named(std::string_view name) {
    for (const HuntArmName& entry : kHuntArms)
        if (entry.name == name) return entry.arm;
    return std::nullopt;
}

}  // namespace cqfuzz
