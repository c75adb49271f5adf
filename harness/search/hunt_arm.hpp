// Hunt arms: the ways in which a hunt draws its scenarios, to be compared with each other.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace cqfuzz {

enum class HuntArm : std::uint8_t {
    guided,    // generate, mutate and cross; what reached a new domain feature is kept
    blind,     // generate alone: no coverage, no memory
    bytes,     // havoc on encoded bytes, guided: no structure
    in_order,  // guided, every scenario under the in-order schedule without deviations
    coverage,  // the libFuzzer targets: edges and domain features (a process of its own)
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
