#include "harness/oracle/go_order.hpp"

#include <algorithm>

#include "runtime_under_test/protocol/commands.hpp"

namespace cqfuzz {
namespace {

constexpr std::uint32_t kGoBytes = 4;
constexpr std::size_t kWritesUsual = 512;  // kept from run to run

bool is_write(const LogEntry& entry) {
    return entry.noc_kind == NocKind::write || entry.noc_kind == NocKind::inline_write;
}

bool runs_programs(TileKind kind) { return kind == TileKind::worker || kind == TileKind::ethernet; }

}  // namespace

void GoOrder::reset(const MachineView& machine, const Provenance& provenance) {
    machine_ = &machine;
    provenance_ = &provenance;
    if (cores_.size() < machine.tiles.size()) cores_.resize(machine.tiles.size());
    for (Core& core : cores_) {
        core.part = Part::none;
        core.sends_to = -1;
        core.writes.clear();
        core.notifications = core.gos = 0;
        core.counted = false;
    }
    for (const TileIndex tile : machine.completion_counters) {
        cores_[tile].part = Part::dispatcher;
        cores_[tile].writes.reserve(kWritesUsual);
    }
    for (std::size_t i = 0; i < machine.go_senders.size(); ++i) {
        cores_[machine.go_senders[i].dispatcher].sends_to = static_cast<std::int16_t>(i);
        cores_[machine.go_senders[i].tile].part = Part::dispatch_s;
    }
}

// A multicast names no tile; its rectangle holds workers.
bool GoOrder::to_cores(const LogEntry& entry) const {
    if (entry.target == kNoTile) return (entry.flags & kLogMulticast) != 0;
    return runs_programs(machine_->tiles[entry.target].kind);
}

const MailboxView& GoOrder::mailbox_of(const LogEntry& entry) const {
    const bool ethernet =
        entry.target != kNoTile && machine_->tiles[entry.target].kind == TileKind::ethernet;
    return ethernet ? machine_->ethernet_mailbox : machine_->worker_mailbox;
}

bool GoOrder::is_notification(const LogEntry& entry, const GoSenderView& view) const {
    const std::uint32_t offset = (entry.target_address & kL1OffsetMask) - view.notify_address;
    return entry.noc_kind == NocKind::atomic && entry.target == view.tile &&
           entry.tile == view.dispatcher && offset < rt::kMaxGoIndices * 16;
}

std::uint32_t GoOrder::receivers_of(const LogEntry& entry) const {
    if (entry.target != kNoTile) return 1;
    const auto width = entry.receivers.last.x - entry.receivers.first.x + 1;
    const auto height = entry.receivers.last.y - entry.receivers.first.y + 1;
    return static_cast<std::uint32_t>(width * height);
}

std::optional<Violation> GoOrder::observe(const LogEntry& entry) {
    Core& core = cores_[entry.tile];
    if (core.part == Part::none) return std::nullopt;
    if (core.sends_to >= 0 && !core.writes.empty() &&
        is_notification(entry, machine_->go_senders[static_cast<std::size_t>(core.sends_to)]))
        return broken(entry, "notified-before-data", "inv. 70",
                      "notified dispatch_s" + unacknowledged(core),
                      "all that a go starts has been acknowledged before dispatch_s hears of it");
    if (!is_write(entry) || !to_cores(entry)) return std::nullopt;
    const MailboxView& box = mailbox_of(entry);
    const std::uint32_t address = entry.target_address & kL1OffsetMask;
    if (address == box.go_address && entry.length == kGoBytes) return go_issued(core, entry);
    const bool launch = address - box.launch_base < box.launch_size_bytes * box.launch_entries;
    const bool config = address - box.config_base < box.config_size_bytes;
    if (launch || config) core.writes.push_back({entry.transaction, receivers_of(entry)});
    return std::nullopt;
}

std::optional<Violation> GoOrder::go_issued(Core& core, const LogEntry& entry) {
    if (core.part == Part::dispatcher) {
        if (core.writes.empty()) return std::nullopt;
        return broken(entry, "go-before-data", "inv. 70", "sent a go" + unacknowledged(core),
                      "all that a go starts has been acknowledged before it leaves");
    }
    if (!core.counted) ++core.gos;
    core.counted = true;
    if (core.gos <= core.notifications) return std::nullopt;
    return broken(entry, "go-before-notification", "inv. 77",
                  "sent go " + std::to_string(core.gos) + " of its life after " +
                      std::to_string(core.notifications) + " notifications",
                  "a go leaves after the dispatcher's notification that its program has landed");
}

void GoOrder::arrived(const LogEntry& entry) {
    if (entry.target == kNoTile) return;
    Core& core = cores_[entry.target];
    if (core.part != Part::dispatch_s || entry.noc_kind != NocKind::atomic) return;
    for (const GoSenderView& view : machine_->go_senders)
        if (is_notification(entry, view)) core.notifications += entry.value;
}

// An acknowledgement without a target stands for all receivers that have not answered alone.
void GoOrder::acknowledged(const LogEntry& entry) {
    Core& core = cores_[entry.tile];
    if (core.part != Part::dispatcher || core.writes.empty()) return;
    const auto found = std::find_if(
        core.writes.begin(), core.writes.end(),
        [&entry](const Outstanding& write) { return write.transaction == entry.transaction; });
    if (found == core.writes.end()) return;
    if (entry.target != kNoTile && --found->receivers != 0) return;
    *found = core.writes.back();
    core.writes.pop_back();
}

std::string GoOrder::unacknowledged(const Core& core) const {
    return " while " + std::to_string(core.writes.size()) +
           " of its writes to launch and config rings had not been acknowledged";
}

Violation GoOrder::broken(const LogEntry& entry, const char* property, const char* invariant,
                          const std::string& deed, const char* expected) const {
    const Doing& doing = provenance_->doing(entry.tile);
    Violation violation;
    violation.property = std::string("go-order/") + property;
    violation.place = "launch messages and config rings";
    violation.actor = std::string(name_of(machine_->tiles[entry.tile].role));
    violation.command = command_name(doing);
    violation.summary = machine_->describe(entry.tile) + " " + deed;
    violation.story.push_back("in " + phrase(doing));
    violation.expected = expected;
    violation.actual = violation.summary;
    violation.invariant = invariant;
    violation.step = entry.step;
    violation.op_index = doing.op;
    return violation;
}

}  // namespace cqfuzz
