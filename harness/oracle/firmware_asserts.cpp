#include "harness/oracle/firmware_asserts.hpp"

#include <string>

namespace cqfuzz {

namespace {

// Where the actor's command lies, and who put it there.
void tell_command(TileIndex tile, const MachineView& machine, const Provenance& provenance,
                  std::vector<std::string>& story) {
    const RingPage here = provenance.page_at(tile, provenance.command_address(tile));
    if (here.ring != nullptr) {
        const std::string producer = machine.describe(here.ring->producer);
        story.push_back("its command lies in page " + std::to_string(here.page) + " of " +
                        here.ring->name + ", which " + producer + " filled for " +
                        phrase(here.filler));
        const std::uint32_t before =
            (here.page + here.ring->page_count - 1) % here.ring->page_count;
        const RingPage there =
            provenance.page_at(tile, here.ring->base + before * here.ring->page_size_bytes);
        story.push_back("the page before it was filled for " + phrase(there.filler));
    } else if (provenance.is_fetcher(tile) && !provenance.in_exec_buf(tile)) {
        const std::uint32_t op = provenance.doing(tile).op;
        story.push_back("its command was fetched from the issue region of the host, which " +
                        (op != kNoOp ? "wrote there for op " + std::to_string(op)
                                     : std::string("never wrote there")));
    }
    story.push_back("the command before it was " + phrase(provenance.done_before(tile)));
}

}  // namespace

std::optional<Violation> judge_firmware_assert(const LogEntry& entry, const MachineView& machine,
                                               const Provenance& provenance) {
    if (entry.kind != LogKind::firmware_assert) return std::nullopt;
    const Doing& doing = provenance.doing(entry.tile);
    std::string text;
    if (entry.data != nullptr) text.assign(reinterpret_cast<const char*>(entry.data), entry.length);
    Violation violation;
    violation.property = "firmware-asserts/failed";
    violation.place = text;  // the same assertion, the same signature
    violation.actor = machine.actor(entry.tile);
    violation.command = command_name(doing);
    violation.op_index = doing.op;
    violation.step = entry.step;
    violation.expected = text;
    violation.actual = "it does not hold";
    violation.summary = "an assertion of " + machine.describe(entry.tile) + " failed during " +
                        phrase(doing) + ": " + text;
    violation.story.push_back(violation.summary);
    tell_command(entry.tile, machine, provenance, violation.story);
    return violation;
}

}  // namespace cqfuzz
