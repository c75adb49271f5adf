#include "harness/oracle/staging_ownership.hpp"

#include <algorithm>

#include "harness/oracle/page_ownership.hpp"
#include "runtime_under_test/protocol/commands.hpp"

namespace cqfuzz {
namespace {

constexpr std::size_t kDroppedAtOnce = 256;

}  // namespace

void StagingOwnership::reset(const MachineView& machine, const Provenance& provenance) {
    machine_ = &machine;
    provenance_ = &provenance;
    core_index_.assign(machine.tiles.size(), -1);
    core_count_ = 0;
    const auto add = [&](TileIndex tile, const std::string& name, RegionKind kind,
                         std::uint32_t base, std::uint32_t size) {
        if (core_index_[tile] < 0) {
            core_index_[tile] = static_cast<std::int8_t>(core_count_);
            if (cores_.size() == core_count_) cores_.emplace_back();
            Core& core = cores_[core_count_++];
            core.tile = tile;
            core.role = machine.tiles[tile].role;
            core.regions.clear();
            core.writes.clear();
            core.writes_head = 0;
            core.reads.clear();
            core.fetches.clear();
        }
        cores_[static_cast<std::size_t>(core_index_[tile])].regions.push_back(
            {&name, kind, base, base + size, 0, 0});
    };
    for (const StagingView& s : machine.stagings)
        add(s.tile, s.name,
            s.kind == StagingKind::scratch_half ? RegionKind::scratch_half
                                                : RegionKind::command_data,
            s.base, s.size_bytes);
    for (const RingView& ring : machine.rings)
        if (ring.consumer_refills_in_exec_buf)
            add(ring.consumer, ring.name, RegionKind::refilled_ring, ring.base,
                ring.page_count * ring.page_size_bytes);
}

std::optional<Violation> StagingOwnership::observe(const LogEntry& entry) {
    if (entry.tile >= core_index_.size()) return std::nullopt;
    Core* core = core_of(entry.tile);
    if (core == nullptr) return std::nullopt;
    switch (entry.kind) {
        case LogKind::noc_issue:
            if (entry.noc_kind == NocKind::write) return on_write_issue(*core, entry);
            return entry.noc_kind == NocKind::read ? on_read_issue(*core, entry) : std::nullopt;
        case LogKind::noc_depart:
            if (entry.noc_kind == NocKind::write) on_depart(*core, entry);
            return std::nullopt;
        case LogKind::noc_arrive:
            if (entry.noc_kind == NocKind::read) on_landing(*core, entry);
            return std::nullopt;
        case LogKind::l1_load: return on_load(*core, entry);
        case LogKind::l1_store: return on_store(*core, entry);
        case LogKind::command_begin:
        case LogKind::command_end: return on_command(*core, entry);
        default: return std::nullopt;
    }
}

StagingOwnership::Region* StagingOwnership::region_at(Core& core, std::uint32_t address) const {
    for (Region& region : core.regions)
        if (address >= region.begin && address < region.end) return &region;
    return nullptr;
}

const StagingOwnership::Flight* StagingOwnership::overlapping(const std::vector<Flight>& flights,
                                                              std::size_t from, std::uint32_t begin,
                                                              std::uint32_t end) {
    for (std::size_t i = from; i < flights.size(); ++i)
        if (flights[i].begin < end && begin < flights[i].end) return &flights[i];
    return nullptr;
}

Violation StagingOwnership::at_bytes(const Region& region, const Flight& bytes,
                                     const LogEntry& entry, const OwnershipFinding& finding) const {
    Violation violation =
        staging_violation(*region.name, bytes.begin, bytes.end, entry.step, *machine_, finding);
    if (bytes.issued.done())
        violation.story.push_back("those bytes: a transaction issued at step " +
                                  std::to_string(bytes.issued.step) + ", for " +
                                  phrase(bytes.issued.doing));
    return violation;
}

StagingOwnership::Found StagingOwnership::on_write_issue(Core& core, const LogEntry& entry) {
    const std::uint32_t begin = entry.source_address & kL1OffsetMask;
    Region* region = region_at(core, begin);
    if (region == nullptr) return std::nullopt;
    const std::uint32_t end = begin + entry.length;
    const Doing& doing = provenance_->doing(entry.tile);
    if (region->reads_in_flight != 0) {
        if (const Flight* read = overlapping(core.reads, 0, begin, end))
            return at_bytes(*region, *read, entry,
                            {"read-before-ready",
                             region->kind == RegionKind::scratch_half ? "inv. 45" : "inv. 38",
                             entry.tile, doing,
                             machine_->describe(entry.tile) + " issued a write from bytes of " +
                                 *region->name + " whose read had not landed",
                             "bytes are sent on only after the read that brings them has landed"});
    }
    // Departures come nearly always in issue order; what has left at the front is dropped in bulk.
    if (core.writes_head == core.writes.size() || core.writes_head >= kDroppedAtOnce) {
        core.writes.erase(core.writes.begin(),
                          core.writes.begin() + static_cast<std::ptrdiff_t>(core.writes_head));
        core.writes_head = 0;
    }
    core.writes.push_back({entry.transaction, begin, end, 0, {doing, entry.step}, false});
    ++region->writes_pending;
    if (core.role == Role::prefetch_h && region->kind == RegionKind::command_data)
        used_up_to(core, end);
    return std::nullopt;
}

void StagingOwnership::on_depart(Core& core, const LogEntry& entry) {
    Region* region = region_at(core, entry.source_address & kL1OffsetMask);
    if (region == nullptr) return;
    for (std::size_t i = core.writes_head; i < core.writes.size(); ++i) {
        if (core.writes[i].transaction != entry.transaction) continue;
        if (region->writes_pending != 0) --region->writes_pending;
        if (i == core.writes_head)
            ++core.writes_head;
        else
            core.writes.erase(core.writes.begin() + static_cast<std::ptrdiff_t>(i));
        return;
    }
}

StagingOwnership::Found StagingOwnership::on_read_issue(Core& core, const LogEntry& entry) {
    const std::uint32_t begin = entry.target_address & kL1OffsetMask;
    Region* region = region_at(core, begin);
    if (region == nullptr) return std::nullopt;
    const std::uint32_t end = begin + entry.length;
    if (region->writes_pending != 0) {
        const bool half = region->kind == RegionKind::scratch_half;
        const Flight* write =
            half ? overlapping(core.writes, core.writes_head, region->begin, region->end)
                 : overlapping(core.writes, core.writes_head, begin, end);
        if (write != nullptr)
            return at_bytes(
                *region, *write, entry,
                {"overwritten-while-owned",
                 half ? "inv. 45"
                      : (region->kind == RegionKind::refilled_ring ? "inv. 60" : "inv. 36"),
                 entry.tile, write->issued.doing,
                 machine_->describe(entry.tile) + " issued a read into " + *region->name +
                     " while a write from there had not departed",
                 "a staging is refilled only after the writes from it have departed"});
    }
    if (region->kind == RegionKind::command_data)
        if (Found found = on_fetch(core, *region, entry, begin, end)) return found;
    core.reads.push_back({entry.transaction,
                          begin,
                          end,
                          entry.length,
                          {provenance_->doing(entry.tile), entry.step},
                          entry.target == machine_->pcie});
    ++region->reads_in_flight;
    return std::nullopt;
}

StagingOwnership::Found StagingOwnership::on_fetch(Core& core, const Region& region,
                                                   const LogEntry& entry, std::uint32_t begin,
                                                   std::uint32_t end) {
    const Doing& doing = provenance_->doing(entry.tile);
    for (const Fetch& fetch : core.fetches) {
        if (fetch.next >= end || begin >= fetch.end) continue;
        return at_bytes(region, {0, fetch.next, fetch.end, 0, {}, true}, entry,
                        {"overwritten-while-owned", "inv. 36", entry.tile, doing,
                         machine_->describe(entry.tile) + " issued a read over commands in " +
                             region.name->c_str() + " that it had not used yet",
                         "a read lands only in free bytes of cmddat_q"});
    }
    if (entry.target != machine_->pcie) return std::nullopt;
    if (provenance_->in_exec_buf(entry.tile))
        return at_bytes(region, {0, begin, end, 0, {}, true}, entry,
                        {"fetch-during-exec-buf", "inv. 58", entry.tile, doing,
                         machine_->describe(entry.tile) +
                             " fetched from the host while an exec_buf ran in " + *region.name,
                         "between EXEC_BUF and EXEC_BUF_END nothing is fetched"});
    if (!core.fetches.empty() && core.fetches.back().end == begin)
        core.fetches.back().end = end;
    else
        core.fetches.push_back({begin, begin, end});
    return std::nullopt;
}

void StagingOwnership::on_landing(Core& core, const LogEntry& entry) {
    Region* region = region_at(core, entry.target_address & kL1OffsetMask);
    if (region == nullptr) return;
    for (std::size_t i = 0; i < core.reads.size(); ++i) {
        Flight& read = core.reads[i];
        if (read.transaction != entry.transaction) continue;
        read.bytes_left -= std::min(read.bytes_left, entry.length);
        if (read.bytes_left != 0) return;
        core.reads.erase(core.reads.begin() + static_cast<std::ptrdiff_t>(i));
        if (region->reads_in_flight != 0) --region->reads_in_flight;
        return;
    }
}

StagingOwnership::Found StagingOwnership::on_load(Core& core, const LogEntry& entry) {
    if (core.reads.empty()) return std::nullopt;
    const std::uint32_t begin = entry.source_address & kL1OffsetMask;
    const Region* region = region_at(core, begin);
    if (region == nullptr || region->reads_in_flight == 0) return std::nullopt;
    const std::uint32_t spare =
        std::min(kOverreadBytesMax, entry.length - std::min(entry.length, 4u));
    const Flight* read = overlapping(core.reads, 0, begin, begin + entry.length - spare);
    if (read == nullptr) return std::nullopt;
    return at_bytes(*region, *read, entry,
                    {"read-before-ready", "inv. 38", entry.tile, provenance_->doing(entry.tile),
                     machine_->describe(entry.tile) + " read bytes of " + *region->name +
                         " whose read had not landed",
                     "a read barrier comes before the bytes are parsed"});
}

StagingOwnership::Found StagingOwnership::on_store(Core& core, const LogEntry& entry) {
    const std::uint32_t begin = entry.target_address & kL1OffsetMask;
    const Region* region = region_at(core, begin);
    if (region == nullptr || region->writes_pending == 0) return std::nullopt;
    const Flight* write = overlapping(core.writes, core.writes_head, begin, begin + entry.length);
    if (write == nullptr) return std::nullopt;
    return at_bytes(*region, *write, entry,
                    {"overwritten-while-owned", "inv. 36", entry.tile, write->issued.doing,
                     machine_->describe(entry.tile) + " stored into bytes of " + *region->name +
                         " that a write still had to read",
                     "source bytes stay as they are until their write has departed"});
}

void StagingOwnership::used_up_to(Core& core, std::uint32_t address) {
    if (core.fetches.empty()) return;
    Fetch& fetch = core.fetches.front();
    if (address > fetch.begin && address < fetch.end) {
        fetch.next = std::max(fetch.next, address);
        return;
    }
    core.fetches.erase(core.fetches.begin());
}

StagingOwnership::Found StagingOwnership::on_command(Core& core, const LogEntry& entry) {
    if (core.role != Role::prefetch_hd) return std::nullopt;
    const std::uint32_t address = entry.source_address & kL1OffsetMask;
    const bool exec_buf = entry.kind == LogKind::command_begin &&
                          entry.value == static_cast<std::uint32_t>(rt::PrefetchId::exec_buf);
    if (exec_buf) {
        for (const Flight& read : core.reads) {
            const Region* region = region_at(core, read.begin);
            if (!read.from_host || region == nullptr) continue;
            return at_bytes(
                *region, read, entry,
                {"fetch-during-exec-buf", "inv. 57", entry.tile, provenance_->doing(entry.tile),
                 "EXEC_BUF began while a fetch from the host was in flight",
                 "EXEC_BUF starts with no read in flight"});
        }
        used_up_to(core, address + rt::kBareMinBytes);
        return std::nullopt;
    }
    // Inside an exec_buf addresses are those of trace chunks, which come over the same bytes.
    if (entry.kind == LogKind::command_end && !provenance_->in_exec_buf(entry.tile) &&
        !core.fetches.empty() &&
        provenance_->doing(entry.tile).command !=
            static_cast<std::uint8_t>(rt::PrefetchId::exec_buf_end))
        used_up_to(core, address);
    return std::nullopt;
}

}  // namespace cqfuzz
