#include "harness/oracle/noc_rules.hpp"

#include <string>

namespace cqfuzz {
namespace {

const char* invariant_of(NocRule rule) {
    switch (rule) {
        case NocRule::zero_length: return "inv. 32";
        case NocRule::burst_exceeded:
        case NocRule::misaligned:
        case NocRule::unknown_target: return "inv. 90";
        case NocRule::wrong_receiver_count:
        case NocRule::counter_mismatch: return "inv. 91";
        case NocRule::linked_chain_broken: return "inv. 92";
        case NocRule::busy_register_write: return "inv. 94";
        case NocRule::in_flight_at_exit: return "inv. 99";
    }
    return "";
}

}  // namespace

void NocRules::reset(const MachineView& machine, const Provenance& provenance) {
    machine_ = &machine;
    provenance_ = &provenance;
    tiles_.resize(machine.tiles.size());
    for (TileState& state : tiles_) {
        state.unacknowledged = 0;
        state.linked.fill(false);
        state.multicasts.clear();
    }
}

Violation NocRules::broken(const LogEntry& entry, const char* property,
                           const char* invariant) const {
    Violation violation;
    violation.property = std::string("noc-rules/") + property;
    const std::string network =
        entry.noc < 2 ? "NoC " + std::to_string(entry.noc) : std::string("the ethernet link");
    violation.place = network;
    violation.actor = machine_->actor(entry.tile);
    const Doing& doing = provenance_->doing(entry.tile);
    violation.command = command_name(doing);
    violation.op_index = doing.op;
    violation.invariant = invariant;
    violation.step = entry.step;
    violation.summary = machine_->describe(entry.tile) + " broke a rule of " + network + ": " +
                        property + ", during " + phrase(doing);
    violation.story.push_back(violation.summary);
    return violation;
}

// What a worker does it does for a go; what a dispatcher sends to workers is named after the place.
void NocRules::tell_memory(const LogEntry& entry, Violation& violation) const {
    const TileKind kind = machine_->tiles[entry.tile].kind;
    if (kind == TileKind::worker || kind == TileKind::ethernet) {
        const MailboxView& box =
            kind == TileKind::worker ? machine_->worker_mailbox : machine_->ethernet_mailbox;
        violation.bytes = {entry.tile, box.go_address, 4, "its go word was"};
    } else if (entry.target == kNoTile && entry.noc_kind == NocKind::write) {
        const MemoryRegion region =
            machine_->worker_mailbox.region_at(entry.target_address & kL1OffsetMask);
        if (!region.name.empty())
            violation.story.push_back("on a worker that is in " + std::string(region.name));
    }
}

std::optional<Violation> NocRules::observe(const LogEntry& entry) {
    switch (entry.kind) {
        case LogKind::noc_issue:
            if (provenance_->is_dispatch_core(entry.tile)) on_issue(tiles_[entry.tile], entry);
            return std::nullopt;
        case LogKind::noc_ack:
            if (provenance_->is_dispatch_core(entry.tile)) on_ack(tiles_[entry.tile], entry);
            return std::nullopt;
        case LogKind::core_exit: return on_exit(tiles_[entry.tile], entry);
        case LogKind::noc_rule: {
            const auto rule = static_cast<NocRule>(entry.value);
            const std::string property(name_of(rule));
            Violation violation = broken(entry, property.c_str(), invariant_of(rule));
            violation.actual =
                std::string(name_of(entry.noc_kind)) + " of " + std::to_string(entry.length) +
                " bytes from " + std::to_string(entry.source_address) + " to " +
                std::to_string(entry.target_address) + " of " +
                (entry.target == kNoTile ? "no single tile" : machine_->describe(entry.target));
            violation.story.push_back(violation.actual);
            tell_memory(entry, violation);
            return violation;
        }
        default: return std::nullopt;
    }
}

void NocRules::on_issue(TileState& state, const LogEntry& entry) {
    if (entry.noc < state.linked.size()) state.linked[entry.noc] = (entry.flags & kLogLinked) != 0;
    if ((entry.flags & kLogPosted) != 0) return;
    if ((entry.flags & kLogMulticast) == 0) {
        ++state.unacknowledged;
        return;
    }
    state.multicasts.push_back({entry.transaction, 0, entry.receivers});
}

std::uint32_t NocRules::receivers_in(const NocRectangle& rectangle, std::uint32_t chip) const {
    std::uint32_t count = 0;
    for (const TileView& tile : machine_->tiles)
        if (tile.chip == chip && tile.kind != TileKind::dram && tile.kind != TileKind::pcie &&
            rectangle.contains(tile.coord))
            ++count;
    return count;
}

void NocRules::on_ack(TileState& state, const LogEntry& entry) {
    if ((entry.flags & kLogMulticast) == 0) {
        if (state.unacknowledged != 0) --state.unacknowledged;
        return;
    }
    for (std::size_t i = 0; i < state.multicasts.size(); ++i) {
        Multicast& multicast = state.multicasts[i];
        if (multicast.transaction != entry.transaction) continue;
        // A fused entry stands for all receivers that have not been singled out.
        const bool all = entry.target == kNoTile;
        if (!all && multicast.receivers_left == 0)
            multicast.receivers_left =
                receivers_in(multicast.receivers, machine_->tiles[entry.tile].chip);
        if (!all && multicast.receivers_left > 1)
            --multicast.receivers_left;
        else
            state.multicasts.erase(state.multicasts.begin() + static_cast<std::ptrdiff_t>(i));
        return;
    }
}

std::optional<Violation> NocRules::on_exit(const TileState& state, const LogEntry& entry) const {
    for (std::uint8_t noc = 0; noc < state.linked.size(); ++noc) {
        if (!state.linked[noc]) continue;
        LogEntry at = entry;
        at.noc = noc;
        Violation violation = broken(at, "linked-chain-open-at-exit", "inv. 92");
        violation.expected = "the last packet of a linked chain is unlinked";
        return violation;
    }
    const std::size_t in_flight = state.unacknowledged + state.multicasts.size();
    if (in_flight == 0) return std::nullopt;
    Violation violation = broken(entry, "in-flight-at-exit", "inv. 99");
    violation.place = "NoC";
    violation.expected = "nothing in flight when firmware returns";
    violation.actual = std::to_string(in_flight) + " transactions without their acknowledgement";
    violation.story.push_back(violation.actual);
    return violation;
}

}  // namespace cqfuzz
