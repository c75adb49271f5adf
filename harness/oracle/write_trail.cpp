#include "harness/oracle/write_trail.hpp"

#include <algorithm>

namespace cqfuzz {

void WriteTrail::reset(const MachineView& machine, const Provenance& provenance) {
    machine_ = &machine;
    provenance_ = &provenance;
    for (std::uint32_t i = 0; i < std::min(newest_ + 1, kInFlight); ++i) issued_[i].transaction = 0;
    newest_ = 0;
    landed_count_ = 0;
}

void WriteTrail::issued(const LogEntry& entry) {
    if (entry.noc_kind == NocKind::read || entry.noc == kLogLink) return;
    if (entry.target != kNoTile && provenance_->is_dispatch_core(entry.target)) return;
    Write& write = issued_[entry.transaction % kInFlight];
    newest_ = entry.transaction;
    write.transaction = entry.transaction;
    write.source = entry.tile;
    write.target = entry.target;
    write.receivers = entry.receivers;
    write.begin = entry.target_address;
    write.end = entry.target_address + (entry.noc_kind == NocKind::atomic ? 4 : entry.length);
    write.step = entry.step;
    write.doing = provenance_->doing(entry.tile);
    write.page = entry.noc_kind == NocKind::write
                     ? provenance_->page_at(entry.tile, entry.source_address)
                     : RingPage{};
}

void WriteTrail::arrived(const LogEntry& entry) {
    const Write& write = issued_[entry.transaction % kInFlight];
    if (write.transaction != entry.transaction || entry.transaction == 0) return;
    landed_[landed_count_++ % kLanded] = write;
}

bool WriteTrail::reaches(const Write& write, TileIndex tile) const {
    if (write.target != kNoTile) return write.target == tile;
    const TileView& receiver = machine_->tiles[tile];
    return receiver.chip == machine_->tiles[write.source].chip &&
           write.receivers.contains(receiver.coord);
}

const WriteTrail::Write* WriteTrail::last_to(const ViolationBytes& bytes) const {
    const bool host = machine_->tiles[bytes.tile].kind == TileKind::pcie;
    const std::uint32_t mask = host ? 0xffffffff : kL1OffsetMask;
    const std::uint32_t begin = bytes.address & mask;
    for (std::uint64_t i = landed_count_; i > 0 && i + kLanded > landed_count_; --i) {
        const Write& write = landed_[(i - 1) % kLanded];
        const std::uint32_t from = write.begin & mask;
        if (!reaches(write, bytes.tile) || from >= begin + bytes.length ||
            from + (write.end - write.begin) <= begin)
            continue;
        return &write;
    }
    return nullptr;
}

std::string WriteTrail::by(const Write& write) const {
    const std::string text = machine_->describe(write.source) + " with a write of step " +
                             std::to_string(write.step) + ", for " + phrase(write.doing);
    if (write.page.ring == nullptr) return text;
    return text + ", from page " + std::to_string(write.page.page) + " of " +
           write.page.ring->name + ", which " + machine_->describe(write.page.ring->producer) +
           " had filled for " + phrase(write.page.filler);
}

// The last write that `source` issued to a worker or an ethernet core: what an event must not
// overtake.
const WriteTrail::Write* WriteTrail::last_of(TileIndex source) const {
    const Write* last = nullptr;
    for (const Write& write : issued_) {
        if (write.transaction == 0 || write.source != source) continue;
        if (write.target != kNoTile && machine_->tiles[write.target].kind == TileKind::pcie)
            continue;
        if (last == nullptr || write.transaction > last->transaction) last = &write;
    }
    return last;
}

void WriteTrail::tell_last_write(TileIndex source, Violation& violation) const {
    const Write* write = last_of(source);
    if (write == nullptr) return;
    const bool in_l1 =
        write->target == kNoTile || machine_->tiles[write->target].kind == TileKind::worker;
    const MemoryRegion region = machine_->worker_mailbox.region_at(write->begin & kL1OffsetMask);
    std::string where = write->target == kNoTile ? "workers" : machine_->describe(write->target);
    if (in_l1 && !region.name.empty()) where = std::string(region.name) + " of " + where;
    violation.story.push_back("its last write was to " + where + ", by " + by(*write));
}

void WriteTrail::tell(Violation& violation) const {
    const ViolationBytes& bytes = violation.bytes;
    if (bytes.tile == kNoTile) return;
    if (bytes.length == 0) return tell_last_write(bytes.tile, violation);
    if (const Write* write = last_to(bytes)) {
        violation.story.push_back(bytes.name + " written last by " + by(*write));
        return;
    }
    violation.story.push_back(bytes.name +
                              " not written by any dispatch core, as far back as is "
                              "remembered");
    const TileKind kind = machine_->tiles[bytes.tile].kind;
    if (kind != TileKind::worker && kind != TileKind::ethernet) return;
    const MailboxView& box =
        kind == TileKind::worker ? machine_->worker_mailbox : machine_->ethernet_mailbox;
    const MemoryRegion around = box.region_at(bytes.address & kL1OffsetMask);
    if (around.name.empty()) return;
    if (const Write* write = last_to({bytes.tile, around.base, around.size_bytes, ""}))
        violation.story.push_back(std::string(around.name) + " around it was written last by " +
                                  by(*write));
}

}  // namespace cqfuzz
