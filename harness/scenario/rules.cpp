#include "harness/scenario/rules.hpp"

#include "harness/scenario/verbs.hpp"

namespace cqfuzz::rules {
namespace {

// The host has told each chip the same when it waits for one of them.
bool waits_for_itself(const Op& op) {
    if (const auto* enqueue = std::get_if<OpEnqueue>(&op)) return enqueue->times != 1;
    const auto* replay = std::get_if<OpReplay>(&op);
    return replay != nullptr && (replay->times != 1 || replay->blocking);
}

bool exchanges_on(const Program& program, std::uint32_t core) {
    return std::any_of(program.kernels.begin(), program.kernels.end(), [core](const Kernel& k) {
        return k.on_ethernet && k.exchange_bytes != 0 && k.cores.x0 <= core && core <= k.cores.x1;
    });
}

}  // namespace

bool in_step(const Scenario& scenario) {
    const std::size_t chips = scenario.topology.chips;
    if (chips == 1 || scenario.ops.size() % chips != 0) return false;
    for (std::size_t i = 0; i < scenario.ops.size(); ++i) {
        const Op& op = scenario.ops[i];
        Op first = scenario.ops[i / chips * chips];
        const auto device = static_cast<std::uint32_t>(i % chips);
        if (device_of(op) != device || waits_for_itself(op)) return false;
        std::visit([device](auto& of) { of.device = device; }, first);
        if (!equal(op, first)) return false;
    }
    return scenario.topology.ethernet_cores >= 2 &&
           std::all_of(scenario.programs.begin(), scenario.programs.end(),
                       [](const Program& p) { return exchanges_on(p, 0) == exchanges_on(p, 1); });
}

}  // namespace cqfuzz::rules
