#include "harness/oracle/ownership_report.hpp"

#include <algorithm>
#include <utility>

namespace cqfuzz {
namespace {

std::string at_step(const Deed& deed) { return " at step " + std::to_string(deed.step); }

const char* words_for(PageState state) {
    switch (state) {
        case PageState::release_in_flight: return "released, the credit on its way to the producer";
        case PageState::consumers: return "the consumer's";
        case PageState::hand_over_in_flight:
            return "handed over, the hand-over on its way to the consumer";
        case PageState::producers: return "the producer's";
    }
    return "?";
}

Violation frame(const MachineView& machine, std::uint64_t step, const OwnershipFinding& finding) {
    Violation violation;
    violation.property = std::string("page-ownership/") + finding.property;
    violation.invariant = finding.invariant;
    if (finding.actor < machine.tiles.size())
        violation.actor = machine.actor(finding.actor);
    violation.command = command_name(finding.blamed);
    violation.op_index = finding.blamed.op;
    violation.summary = finding.summary;
    violation.expected = finding.expected;
    violation.step = step;
    return violation;
}

// In the order in which it happened.
void tell_page(const MachineView& machine, const RingLedger& ring, std::uint32_t page,
               std::vector<std::string>& story) {
    const PageRecord& record = ring.record(page);
    const std::string producer = machine.describe(ring.view().producer);
    const std::string consumer = machine.describe(ring.view().consumer);
    std::vector<std::pair<std::uint64_t, std::string>> told;
    const auto tell = [&told](const Deed& deed, const std::string& line) {
        if (deed.done()) told.emplace_back(deed.step, line);
    };
    tell(record.filled_before, "filled by " + producer + at_step(record.filled_before) + ", for " +
                                   phrase(record.filled_before.doing) + ", in the lap before");
    std::string fill =
        "filled by " + producer + at_step(record.filled) + ", for " + phrase(record.filled.doing);
    if (record.handed_over.done() && record.handed_over.step >= record.filled.step)
        fill += "; handed over" + at_step(record.handed_over);
    tell(record.filled, fill);
    std::string use = "held by " + consumer + ": " +
                      (record.used_by_write ? "a write was issued from it" : "last read") +
                      at_step(record.used) + ", for " + phrase(record.used.doing);
    if (record.pending_sources != 0)
        use += "; " + std::to_string(record.pending_sources) +
               " of its writes from here had not departed";
    tell(record.used, use);
    tell(record.released, "released by " + consumer + at_step(record.released) + ", after " +
                              phrase(record.released.doing));
    std::stable_sort(told.begin(), told.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto& [step, line] : told) story.push_back(std::move(line));
}

}  // namespace

std::string page_name(const RingLedger& ring, std::uint32_t page) {
    return "page " + std::to_string(page) + " of " + ring.view().name;
}

Violation ring_violation(const MachineView& machine, const RingLedger& ring, std::uint32_t page,
                         std::uint64_t step, const OwnershipFinding& finding) {
    Violation violation = frame(machine, step, finding);
    violation.place = ring.view().name;
    violation.story.push_back(finding.summary);
    violation.story.push_back("the ring at step " + std::to_string(step) + ": " +
                              std::to_string(ring.pages()) + " pages, hand-overs " +
                              std::to_string(ring.handed_issued()) + " issued and " +
                              std::to_string(ring.handed_arrived()) + " arrived, releases " +
                              std::to_string(ring.released_issued()) + " issued and " +
                              std::to_string(ring.released_arrived()) + " arrived");
    if (page != kNoPage) {
        violation.page = page;
        violation.actual = page_name(ring, page) + " is " + words_for(ring.state_of(page));
        tell_page(machine, ring, page, violation.story);
    }
    if (violation.actual.empty()) violation.actual = violation.story[1];
    return violation;
}

Violation staging_violation(const std::string& place, std::uint32_t begin, std::uint32_t end,
                            std::uint64_t step, const MachineView& machine,
                            const OwnershipFinding& finding) {
    Violation violation = frame(machine, step, finding);
    violation.place = place;
    violation.story.push_back(finding.summary);
    violation.actual = "bytes " + std::to_string(begin) + " to " + std::to_string(end) +
                       " of the L1 of " + machine.describe(finding.actor);
    return violation;
}

}  // namespace cqfuzz
