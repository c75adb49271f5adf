#include "harness/oracle/never_written.hpp"

#include <algorithm>
#include <string>

#include "harness/oracle/page_ownership.hpp"
#include "runtime_under_test/protocol/commands.hpp"

namespace cqfuzz {
namespace {

constexpr std::uint32_t kHeaderWordBytes = 4;

}  // namespace

void NeverWritten::reset(const MachineView& machine, const MemoryView& memory,
                         const Provenance& provenance) {
    machine_ = &machine;
    memory_ = &memory;
    provenance_ = &provenance;
}

std::optional<Violation> NeverWritten::observe(const LogEntry& entry) const {
    if (entry.kind == LogKind::noc_depart) {
        const Role role = machine_->tiles[entry.tile].role;
        if (entry.noc_kind != NocKind::write || is_tunnel_role(role)) return std::nullopt;
        const std::uint32_t address = entry.source_address & kL1OffsetMask;
        std::uint32_t written = memory_->written_from(entry.tile, address, entry.length);
        if (written >= kHeaderWordBytes && written < rt::kSplitHeaderBytes &&
            role == Role::prefetch_h) {
            const std::uint32_t header = std::min(rt::kSplitHeaderBytes, entry.length);
            written =
                header + memory_->written_from(entry.tile, address + header, entry.length - header);
        }
        if (written == entry.length) return std::nullopt;
        return at(entry, "sent", "inv. 44", entry.tile, address + written, "sent");
    }
    if (entry.kind == LogKind::l1_load) {
        const std::uint32_t address = entry.source_address & kL1OffsetMask;
        const std::uint32_t spare =
            std::min(kOverreadBytesMax, entry.length - std::min(entry.length, 4u));
        const std::uint32_t length = entry.length - spare;
        const std::uint32_t written = memory_->written_from(entry.tile, address, length);
        if (written == length || is_allowed_over_read(entry)) return std::nullopt;
        return at(entry, "loaded", "inv. 34", entry.tile, address + written, "loaded");
    }
    const std::uint32_t written =
        memory_->written_from(entry.target, entry.source_address, entry.length);
    if (written == entry.length) return std::nullopt;
    return at(entry, "fetched", "inv. 42", entry.target, entry.source_address + written, "fetched");
}

// Of a page; whether it was the right page's turn, page ownership judges.
bool NeverWritten::is_allowed_over_read(const LogEntry& entry) const {
    const std::uint32_t begin = entry.source_address & kL1OffsetMask;
    const std::uint32_t end = begin + entry.length;
    for (std::uint32_t behind = 4; behind <= machine_->tiles[entry.tile].over_read_bytes;
         behind += 4)
        if (begin >= behind && memory_->written_from(entry.tile, begin - behind, 4) == 4)
            return true;
    for (const RingView& ring : machine_->rings) {
        if (ring.over_read_bytes == 0 || ring.consumer != entry.tile || end <= ring.base) continue;
        const std::uint32_t into_ring = end - ring.base;
        if (into_ring > ring.page_size_bytes * ring.page_count + ring.over_read_bytes) continue;
        const std::uint32_t into_page = into_ring % ring.page_size_bytes;
        if (into_page != 0 && into_page <= ring.over_read_bytes) return true;
    }
    return false;
}

Violation NeverWritten::at(const LogEntry& entry, const char* property, const char* invariant,
                           TileIndex memory, std::uint32_t address, const std::string& deed) const {
    const Doing& doing = provenance_->doing(entry.tile);
    Violation violation;
    violation.property = std::string("never-written/") + property;
    const TileView& of = machine_->tiles[memory];
    violation.place = of.kind == TileKind::pcie ? std::string("issue region") : std::string("L1");
    violation.actor = machine_->actor(entry.tile);
    violation.command = command_name(doing);
    violation.op_index = doing.op;
    violation.invariant = invariant;
    violation.step = entry.step;
    violation.summary = machine_->describe(entry.tile) + " " + deed +
                        " bytes that nobody has written, during " + phrase(doing);
    violation.expected = "bytes that were written since the device was opened";
    violation.actual = std::to_string(entry.length) + " bytes from " +
                       std::to_string(entry.source_address & kL1OffsetMask) +
                       " on, of which the one at " + std::to_string(address) + " of " +
                       machine_->describe(memory) + " was never written";
    violation.story = {violation.summary, violation.actual};
    if (const RingPage page = provenance_->page_at(memory, address); page.ring != nullptr)
        violation.story.push_back(
            "it lies in page " + std::to_string(page.page) + " of " + page.ring->name + ", which " +
            machine_->describe(page.ring->producer) + " filled last for " + phrase(page.filler));
    else if (const RingPage before = provenance_->page_at(memory, address - 1);
             before.ring != nullptr)
        violation.story.push_back("it lies right behind the last page of " + before.ring->name);
    return violation;
}

}  // namespace cqfuzz
