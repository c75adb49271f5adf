#include "harness/run/broken_commands.hpp"

#include <algorithm>

namespace cqfuzz {

bool has_broken_commands(const Scenario& scenario) {
    return std::any_of(
        scenario.commands.begin(), scenario.commands.end(),
        [](const Command& c) { return std::holds_alternative<CommandCorrupt>(c); });
}

bool explained_by_broken_commands(const Scenario& scenario, const Verdict& verdict) {
    if (!has_broken_commands(scenario)) return false;
    switch (verdict.kind) {
        case VerdictKind::violation:
            return verdict.violation.property.rfind("local-arrays/", 0) != 0;
        case VerdictKind::hang: return !verdict.violation.story.empty();
        case VerdictKind::pass:
        case VerdictKind::livelock:
        case VerdictKind::refused: return true;
        case VerdictKind::harness_fault: break;
    }
    return false;
}

}  // namespace cqfuzz
