#include "harness/oracle/local_arrays.hpp"

#include <cstring>
#include <string>

namespace cqfuzz {

std::optional<Violation> judge_local_overrun(const LogEntry& entry, const MachineView& machine,
                                             const Provenance& provenance) {
    if (entry.kind != LogKind::local_overrun) return std::nullopt;
    const Doing& doing = provenance.doing(entry.tile);
    Violation violation;
    violation.property = "local-arrays/store-past-end";
    // `data` is the array's name; a name without an end is not believed beyond what a name can be.
    if (entry.data != nullptr) {
        const char* name = reinterpret_cast<const char*>(entry.data);
        violation.place.assign(name, strnlen(name, 64));
    }
    violation.actor = name_of(machine.tiles[entry.tile].role);
    violation.command = command_name(doing);
    violation.op_index = doing.op;
    violation.invariant = "inv. 47";
    violation.step = entry.step;
    violation.expected = "index below " + std::to_string(entry.length);
    violation.actual = "index " + std::to_string(entry.value);
    violation.summary = machine.describe(entry.tile) + " stored past the end of its local array " +
                        violation.place + ": index " + std::to_string(entry.value) + " of " +
                        std::to_string(entry.length) + ", during " + phrase(doing);
    violation.story.push_back(violation.summary);
    return violation;
}

}  // namespace cqfuzz
