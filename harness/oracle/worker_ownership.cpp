#include "harness/oracle/worker_ownership.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "harness/oracle/ownership_report.hpp"
#include "runtime_under_test/protocol/dev_msgs.hpp"

namespace cqfuzz {
namespace {

constexpr std::uint32_t kSlotsMax = 32;  // bits of Core::pending

bool inside(std::uint32_t address, std::uint32_t length, std::uint32_t base, std::uint32_t size) {
    return address - base < size && length <= size - (address - base);
}

bool is_program_core(const TileView& tile) {
    return tile.kind == TileKind::worker || tile.kind == TileKind::ethernet;
}

}  // namespace

void WorkerOwnership::Launch::add(std::uint32_t from, std::uint32_t to) {
    begin = begin == end ? from : std::min(begin, from);
    end = std::max(end, to);
}

void WorkerOwnership::reset(const MachineView& machine, const Provenance& provenance) {
    machine_ = &machine;
    provenance_ = &provenance;
    phases_ = 0;
    slots_ = std::min(kSlotsMax, std::max(machine.worker_mailbox.launch_entries,
                                          machine.ethernet_mailbox.launch_entries));
    core_index_.assign(machine.tiles.size(), -1);
    source_index_.assign(machine.tiles.size(), -1);
    cores_.clear();
    first_core_.assign(machine.chip_count() + 1, 0);
    std::size_t sources = 0;
    for (TileIndex t = 0; t < machine.tiles.size(); ++t) {
        const TileView& tile = machine.tiles[t];
        if (tile.kind == TileKind::dispatch) source_index_[t] = static_cast<std::int8_t>(sources++);
        if (!is_program_core(tile)) continue;
        core_index_[t] = static_cast<std::int16_t>(cores_.size());
        Core core;
        core.tile = t;
        core.coord = tile.coord;
        core.mailbox =
            tile.kind == TileKind::ethernet ? &machine.ethernet_mailbox : &machine.worker_mailbox;
        cores_.push_back(core);
        first_core_[tile.chip + 1u] = static_cast<std::uint32_t>(cores_.size());
    }
    for (std::size_t chip = 1; chip < first_core_.size(); ++chip)
        first_core_[chip] = std::max(first_core_[chip], first_core_[chip - 1]);
    launches_.resize(std::max(launches_.size(), cores_.size() * slots_));
    if (sources_.size() < sources) sources_.resize(sources);
    for (std::size_t s = 0; s < sources; ++s) {
        sources_[s].count = 0;
        sources_[s].sent.fill({});
        sources_[s].sent_count = 0;
        sources_[s].launched.fill(-1);
    }
}

void WorkerOwnership::observe(const LogEntry& entry) {
    if (entry.kind == LogKind::noc_issue) return on_issue(entry);
    Core* core = core_of(entry.tile);
    if (core == nullptr) return;
    switch (entry.kind) {
        case LogKind::core_start:
            core->pending = 0;
            core->open = {};
            core->running = core->last_run = -1;
            core->go_unanswered = false;
            return;
        case LogKind::l1_store:
            if (place_of(*core->mailbox, entry.target_address & kL1OffsetMask, entry.length) ==
                Place::go)
                core->go_unanswered = false;
            return;
        case LogKind::kernel_begin: {
            const std::uint32_t offset =
                (entry.source_address & kL1OffsetMask) - core->mailbox->launch_base;
            const std::uint32_t slot = offset / core->mailbox->launch_size_bytes;
            core->running = slot < slots_ ? static_cast<std::int32_t>(slot) : -1;
            return;
        }
        case LogKind::kernel_end:
            if (core->running < 0) return;
            core->pending &= ~(1u << core->running);
            core->last_run = core->running;
            core->running = -1;
            return;
        default: return;
    }
}

WorkerOwnership::Place WorkerOwnership::place_of(const MailboxView& mailbox, std::uint32_t address,
                                                 std::uint32_t length) {
    if (inside(address, length, mailbox.config_base, mailbox.config_size_bytes))
        return Place::config;
    if (inside(address, length, mailbox.launch_base,
               mailbox.launch_size_bytes * mailbox.launch_entries))
        return Place::launch;
    return inside(address, length, mailbox.go_address, 4) ? Place::go : Place::elsewhere;
}

// Only workers are reached by multicast (facts §6.1).
const MailboxView* WorkerOwnership::mailbox_of_target(const LogEntry& entry,
                                                      bool& on_ethernet) const {
    on_ethernet = false;
    if (entry.target == kNoTile)
        return (entry.flags & kLogMulticast) != 0 ? &machine_->worker_mailbox : nullptr;
    const TileView& tile = machine_->tiles[entry.target];
    on_ethernet = tile.kind == TileKind::ethernet;
    if (!is_program_core(tile)) return nullptr;
    return on_ethernet ? &machine_->ethernet_mailbox : &machine_->worker_mailbox;
}

void WorkerOwnership::on_issue(const LogEntry& entry) {
    if (entry.noc_kind != NocKind::write) return;
    bool on_ethernet = false;
    const MailboxView* mailbox = mailbox_of_target(entry, on_ethernet);
    if (mailbox == nullptr || source_index_[entry.tile] < 0) return;
    const std::uint32_t address = entry.target_address & kL1OffsetMask;
    const Place place = place_of(*mailbox, address, entry.length);
    if (place == Place::elsewhere) return;
    Source& source = sources_[static_cast<std::size_t>(source_index_[entry.tile])];
    source.sent[source.sent_count++ % kSentKept] = {entry.transaction,
                                                    provenance_->doing(entry.tile)};
    if (place == Place::go) return;
    const auto slot =
        static_cast<std::int32_t>((address - mailbox->launch_base) / mailbox->launch_size_bytes);
    const std::int32_t launched = source.launched[on_ethernet ? 1 : 0];
    const bool begins = source.count == 0 ||
                        (place == Place::config ? source.launched[0] >= 0 || source.launched[1] >= 0
                                                : launched >= 0 && launched != slot);
    if (begins) {
        source.launched.fill(-1);
        source.phases[source.count++ % kPhasesKept] = {++phases_, entry.transaction,
                                                       provenance_->doing(entry.tile).op};
    }
    if (place == Place::launch) source.launched[on_ethernet ? 1 : 0] = slot;
}

const WorkerOwnership::Phase* WorkerOwnership::phase_of(const LogEntry& entry) const {
    if (source_index_[entry.tile] < 0) return nullptr;
    const Source& source = sources_[static_cast<std::size_t>(source_index_[entry.tile])];
    for (std::uint32_t back = 1; back <= std::min(source.count, kPhasesKept); ++back) {
        const Phase& phase = source.phases[(source.count - back) % kPhasesKept];
        if (phase.first_transaction <= entry.transaction) return &phase;
    }
    return nullptr;
}

std::uint32_t WorkerOwnership::op_of(std::uint32_t number) const {
    for (const Source& source : sources_)
        for (std::uint32_t i = 0; i < std::min(source.count, kPhasesKept); ++i)
            if (source.phases[i].number == number) return source.phases[i].op;
    return kNoOp;
}

Doing WorkerOwnership::doing_at_issue(const LogEntry& entry) const {
    if (source_index_[entry.tile] >= 0)
        for (const Sent& sent : sources_[static_cast<std::size_t>(source_index_[entry.tile])].sent)
            if (sent.transaction == entry.transaction) return sent.doing;
    return provenance_->doing(entry.tile);
}

std::optional<Violation> WorkerOwnership::arrived(const LogEntry& entry) {
    if (entry.noc_kind == NocKind::atomic || entry.noc_kind == NocKind::read) return std::nullopt;
    bool on_ethernet = false;
    const MailboxView* mailbox = mailbox_of_target(entry, on_ethernet);
    if (mailbox == nullptr) return std::nullopt;
    const Place place = place_of(*mailbox, entry.target_address & kL1OffsetMask, entry.length);
    if (place == Place::elsewhere) return std::nullopt;
    const Phase* known = phase_of(entry);
    if (known == nullptr && place != Place::go) return std::nullopt;
    const Phase phase = known != nullptr ? *known : Phase{};
    if (entry.target != kNoTile) return arrives_at(*core_of(entry.target), entry, phase);
    const std::size_t chip = machine_->tiles[entry.tile].chip;
    for (std::uint32_t c = first_core_[chip]; c < first_core_[chip + 1]; ++c) {
        Core& core = cores_[c];
        if (core.mailbox != mailbox || !entry.receivers.contains(core.coord)) continue;
        if (Found found = arrives_at(core, entry, phase)) return found;
    }
    return std::nullopt;
}

WorkerOwnership::Found WorkerOwnership::arrives_at(Core& core, const LogEntry& entry,
                                                   const Phase& phase) {
    const std::uint32_t address = entry.target_address & kL1OffsetMask;
    switch (place_of(*core.mailbox, address, entry.length)) {
        case Place::config: return config_arrives(core, entry, phase, address);
        case Place::launch: return message_arrives(core, entry, phase, address);
        case Place::go: return go_arrives(core, entry);
        case Place::elsewhere: break;
    }
    return std::nullopt;
}

WorkerOwnership::Found WorkerOwnership::config_arrives(Core& core, const LogEntry& entry,
                                                       const Phase& phase, std::uint32_t address) {
    const std::uint32_t end = address + entry.length;
    Launch* own = &core.open;
    for (std::int32_t slot = 0; core.pending >> slot != 0; ++slot) {
        if ((core.pending >> slot & 1u) == 0) continue;
        Launch& of = launch(core, slot);
        if (of.phase == phase.number) {
            own = &of;
        } else if (of.meets(address, end)) {
            return overwritten(
                core, entry, "config ring", "inv. 71",
                "bytes " + std::to_string(std::max(address, of.begin)) + " to " +
                    std::to_string(std::min(end, of.end)) + " are of the launch in slot " +
                    std::to_string(slot) + ", of op " + std::to_string(op_of(of.phase)) +
                    ": they came from step " + std::to_string(of.step) + " on, and its kernel " +
                    (core.running == slot ? "runs" : "has not begun"));
        }
    }
    if (own->phase != phase.number) *own = {phase.number, 0, 0, entry.step};
    own->add(address, end);
    return std::nullopt;
}

WorkerOwnership::Found WorkerOwnership::message_arrives(Core& core, const LogEntry& entry,
                                                        const Phase& phase, std::uint32_t address) {
    const auto slot = static_cast<std::int32_t>((address - core.mailbox->launch_base) /
                                                core.mailbox->launch_size_bytes);
    if (slot >= static_cast<std::int32_t>(slots_)) return std::nullopt;
    Launch& of = launch(core, slot);
    if ((core.pending >> slot & 1u) != 0) {
        if (of.phase == phase.number) return std::nullopt;
        return overwritten(core, entry, "launch ring", "inv. 72",
                           "slot " + std::to_string(slot) + " is of op " +
                               std::to_string(op_of(of.phase)) + ", whose kernel " +
                               (core.running == slot ? "runs" : "has not begun"));
    }
    if (slot == core.last_run)
        return overwritten(core, entry, "launch ring", "inv. 72",
                           "slot " + std::to_string(slot) +
                               " is the one that the core has run last, the spare one of " +
                               std::to_string(core.mailbox->launch_entries));
    of = core.open.phase == phase.number ? core.open : Launch{phase.number, 0, 0, entry.step};
    core.pending |= 1u << slot;
    return std::nullopt;
}

WorkerOwnership::Found WorkerOwnership::go_arrives(Core& core, const LogEntry& entry) {
    if (core.go_unanswered)
        return overwritten(core, entry, "go word", "inv. 78",
                           "a go came at step " + std::to_string(core.go_step) +
                               ", and the core has not answered it");
    core.go_unanswered = true;
    core.go_step = entry.step;
    if (entry.data == nullptr || entry.length != 4) return std::nullopt;
    std::uint32_t word = 0;
    std::memcpy(&word, entry.data, sizeof word);
    const std::uint8_t signal = rt::decode_go(word).signal;
    if (signal == rt::kGoResetReadPtr || signal == rt::kGoResetReadPtrFromHost) core.last_run = -1;
    if (signal == rt::kGoDone || signal == rt::kGoInit) core.go_unanswered = false;
    return std::nullopt;
}

Violation WorkerOwnership::overwritten(const Core& core, const LogEntry& entry, const char* place,
                                       const char* invariant, const std::string& owner) const {
    const std::string who = machine_->describe(entry.tile);
    const std::string whose = std::string("the ") + place + " of " + machine_->describe(core.tile);
    Violation violation = staging_violation(
        place, entry.target_address & kL1OffsetMask, 0, entry.step, *machine_,
        {"overwritten-while-owned", invariant, entry.tile, doing_at_issue(entry),
         who + " wrote into " + whose + " where it still belonged to an earlier launch",
         "what a launch has on a core stays as it is until its kernel there has ended"});
    violation.actual = std::to_string(entry.length) + " bytes came at " +
                       std::to_string(entry.target_address & kL1OffsetMask);
    const Phase* phase = phase_of(entry);
    if (phase != nullptr && phase->op != kNoOp) violation.op_index = phase->op;
    violation.story.push_back(owner);
    violation.story.push_back(violation.actual + (phase != nullptr
                                                      ? ", sent for op " + std::to_string(phase->op)
                                                      : std::string()));
    return violation;
}

}  // namespace cqfuzz
