#include "harness/oracle/firmware_asserts.hpp"

#include <string>

namespace cqfuzz {

std::optional<Violation> judge_firmware_assert(const LogEntry& entry, const MachineView& machine,
                                               const Provenance& provenance) {
    if (entry.kind != LogKind::firmware_assert) return std::nullopt;
    const Doing& doing = provenance.doing(entry.tile);
    std::string text;
    if (entry.data != nullptr) text.assign(reinterpret_cast<const char*>(entry.data), entry.length);
    Violation violation;
    violation.property = "firmware-asserts/failed";
    violation.place = text;  // the same assertion, the same signature
    violation.actor = name_of(machine.tiles[entry.tile].role);
    violation.command = command_name(doing);
    violation.op_index = doing.op;
    violation.step = entry.step;
    violation.expected = text;
    violation.actual = "it does not hold";
    violation.summary = "an assertion of " + machine.describe(entry.tile) + " failed during " +
                        phrase(doing) + ": " + text;
    violation.story.push_back(violation.summary);
    return violation;
}

}  // namespace cqfuzz
