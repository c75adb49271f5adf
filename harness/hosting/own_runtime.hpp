// OwnRuntime: a hosted runtime that is not of our family, as the machine and the oracles take it:
// its cores, its rings, and the words it works on. For a manifest with runtime = "own".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/machine_view.hpp"
#include "harness/base/result.hpp"
#include "harness/hosting/manifest.hpp"
#include "runtime_under_test/host/cluster.hpp"

namespace cqfuzz::hosting {

inline constexpr std::uint32_t kInputWordsMax = 64;

class OwnRuntime {
public:
    // The error names ring or input and what is wrong with it.
    static Result<OwnRuntime> make(const Manifest& manifest, const HostedGeometry& geometry);

    // Rings and names of its cores in place of ours.
    void describe(MachineView& view) const;
    // First words and input, then the cores, in the order of the manifest, until all have ended.
    void drive(rt::Cluster& machine, const Scenario& scenario) const;
    // What is left of a drawn scenario: its schedule, and an op for each word of input.
    static void adapt(Scenario& scenario);

private:
    struct Core {
        std::string name;
        rt::CoreRole role = rt::CoreRole::none;
    };
    struct Ring {
        RingView view;  // but for the tiles
        rt::CoreRole producer = rt::CoreRole::none;
        rt::CoreRole consumer = rt::CoreRole::none;
    };
    struct Input {
        rt::CoreRole role = rt::CoreRole::none;
        std::uint32_t base = 0;
    };

    std::vector<Core> cores_;
    std::vector<Ring> rings_;
    std::optional<Input> input_;
};

// The tile's role that oracles know a hosted role by.
Role tile_role_of(rt::CoreRole role);

}  // namespace cqfuzz::hosting
