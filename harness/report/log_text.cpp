#include "harness/report/log_text.hpp"

#include <fmt/core.h>

namespace cqfuzz {

namespace {

std::string tile_text(TileIndex tile, const MachineView* view) {
    if (view != nullptr && tile < view->tiles.size()) return view->describe(tile);
    return fmt::format("tile {}", tile);
}

bool is_transaction(LogKind kind) {
    switch (kind) {
        case LogKind::noc_issue:
        case LogKind::noc_depart:
        case LogKind::noc_sample:
        case LogKind::noc_arrive:
        case LogKind::noc_ack: return true;
        default: return false;
    }
}

}  // namespace

std::string describe(const LogEntry& entry, const MachineView* view) {
    std::string text = fmt::format("step {}  {}", entry.step, name_of(entry.kind));
    if (is_transaction(entry.kind)) text += fmt::format(" {}", name_of(entry.noc_kind));
    if (entry.tile != kNoTile) text += fmt::format("  {}", tile_text(entry.tile, view));
    if (entry.target != kNoTile) {
        text += fmt::format(" -> {}", tile_text(entry.target, view));
    } else if ((entry.flags & kLogMulticast) != 0) {
        const NocRectangle& r = entry.receivers;
        text += fmt::format(" -> ({},{})…({},{})", r.first.x, r.first.y, r.last.x, r.last.y);
    }
    if (is_transaction(entry.kind))
        text += entry.noc == kLogLink ? fmt::format("  link  #{}", entry.transaction)
                                      : fmt::format("  NoC {}  #{}", entry.noc, entry.transaction);
    if (entry.source_address != 0 || entry.target_address != 0) {
        text += fmt::format("  {:#x} -> {:#x}", entry.source_address, entry.target_address);
    }
    if (entry.length != 0) text += fmt::format("  {} bytes", entry.length);
    if (entry.value != 0) text += fmt::format("  value {:#x}", entry.value);
    return text;
}

bool same_event(const LogEntry& a, const LogEntry& b) {
    return a.step == b.step && a.kind == b.kind && a.noc_kind == b.noc_kind && a.noc == b.noc &&
           a.flags == b.flags && a.tile == b.tile && a.target == b.target &&
           a.transaction == b.transaction && a.source_address == b.source_address &&
           a.target_address == b.target_address && a.length == b.length && a.value == b.value &&
           a.receivers == b.receivers;
}

}  // namespace cqfuzz
