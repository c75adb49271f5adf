#include "harness/oracle/staging_ownership.hpp"

#include <algorithm>

#include "harness/oracle/page_ownership.hpp"
#include "runtime_under_test/protocol/commands.hpp"

namespace cqfuzz {
namespace {

constexpr std::size_t kDroppedAtOnce = 256;
constexpr std::size_t kUntoldFetchesMax = 64;  // of a core that tells no commands

bool is_ringbuffer_command(std::uint8_t command) {
    const auto id = static_cast<rt::PrefetchId>(command);
    return id == rt::PrefetchId::paged_to_ringbuffer || id == rt::PrefetchId::relay_ringbuffer;
}

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
            core.tells_commands = false;
            core.loads_begin = core.loads_end = 0;
            core.tallies.fill({});
            core.cached.clear();
        }
        cores_[static_cast<std::size_t>(core_index_[tile])].regions.push_back(
            {&name, kind, base, base + size});
    };
    const auto kind_of = [](StagingKind kind) {
        switch (kind) {
            case StagingKind::scratch_half: return RegionKind::scratch_half;
            case StagingKind::ringbuffer: return RegionKind::ringbuffer;
            case StagingKind::command_data: break;
        }
        return RegionKind::command_data;
    };
    for (const StagingView& s : machine.stagings)
        add(s.tile, s.name, kind_of(s.kind), s.base, s.size_bytes);
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

StagingOwnership::Memory StagingOwnership::memory_of(RegionKind kind) {
    switch (kind) {
        case RegionKind::command_data: return Memory::command_data;
        case RegionKind::refilled_ring: return Memory::refilled_ring;
        case RegionKind::scratch_half:
        case RegionKind::ringbuffer: break;
    }
    return Memory::scratch;
}

const StagingOwnership::Region* StagingOwnership::region_at(const Core& core,
                                                            std::uint32_t address) const {
    const Region* other_view = nullptr;
    for (const Region& region : core.regions) {
        if (address < region.begin || address >= region.end) continue;
        if (memory_of(region.kind) != Memory::scratch) return &region;
        const bool cache = is_ringbuffer_command(provenance_->doing(core.tile).command);
        if (cache == (region.kind == RegionKind::ringbuffer)) return &region;
        other_view = &region;
    }
    return other_view;
}

// A read into scratch ends what the cache held there; a load brings it.
void StagingOwnership::note_scratch_read(Core& core, RegionKind kind, std::uint32_t begin,
                                         std::uint32_t end) {
    std::vector<Range>& cached = core.cached;
    for (std::size_t i = cached.size(); i-- != 0;) {
        const Range old = cached[i];
        if (old.end <= begin || end <= old.begin) continue;
        cached.erase(cached.begin() + static_cast<std::ptrdiff_t>(i));
        if (old.begin < begin) cached.push_back({old.begin, begin});
        if (end < old.end) cached.push_back({end, old.end});
    }
    if (kind != RegionKind::ringbuffer) return;
    if (!cached.empty() && cached.back().end == begin)
        cached.back().end = end;
    else
        cached.push_back({begin, end});
}

StagingOwnership::Found StagingOwnership::on_cache_relay(const Core& core, const Region& region,
                                                         const LogEntry& entry, std::uint32_t begin,
                                                         std::uint32_t end) const {
    for (std::uint32_t at = begin; at < end;) {
        const auto holds = [at](const Range& r) { return r.begin <= at && at < r.end; };
        const auto range = std::find_if(core.cached.begin(), core.cached.end(), holds);
        if (range == core.cached.end())
            return at_bytes(region, {0, at, end, 0, {}, false}, entry,
                            {"not-in-cache", "inv. 56", entry.tile, provenance_->doing(entry.tile),
                             machine_->describe(entry.tile) + " relayed bytes of " + *region.name +
                                 " that no load had brought, or that scratch had taken since",
                             "a relay takes bytes that a load has brought and nothing overwrote"});
        at = range->end;
    }
    return std::nullopt;
}

const StagingOwnership::Flight* StagingOwnership::overlapping(const std::vector<Flight>& flights,
                                                              std::size_t from, std::uint32_t begin,
                                                              std::uint32_t end) {
    for (std::size_t i = from; i < flights.size(); ++i)
        if (flights[i].begin < end && begin < flights[i].end) return &flights[i];
    return nullptr;
}

const char* StagingOwnership::refill_invariant(RegionKind kind) {
    switch (kind) {
        case RegionKind::scratch_half: return "inv. 45";
        case RegionKind::command_data: return "inv. 36";
        case RegionKind::refilled_ring: return "inv. 60";
        case RegionKind::ringbuffer: break;
    }
    return "inv. 56";
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
    const Region* region = region_at(core, begin);
    if (region == nullptr) return std::nullopt;
    const std::uint32_t end = begin + entry.length;
    const Doing& doing = provenance_->doing(entry.tile);
    if (tally_of(core, *region).reads_in_flight != 0) {
        if (const Flight* read = overlapping(core.reads, 0, begin, end))
            return at_bytes(*region, *read, entry,
                            {"read-before-ready",
                             memory_of(region->kind) == Memory::scratch ? "inv. 45" : "inv. 38",
                             entry.tile, doing,
                             machine_->describe(entry.tile) + " issued a write from bytes of " +
                                 *region->name + " whose read had not landed",
                             "bytes are sent on only after the read that brings them has landed"});
    }
    if (region->kind == RegionKind::ringbuffer)
        if (Found found = on_cache_relay(core, *region, entry, begin, end)) return found;
    // Departures come nearly always in issue order; what has left at the front is dropped in bulk.
    if (core.writes_head == core.writes.size() || core.writes_head >= kDroppedAtOnce) {
        core.writes.erase(core.writes.begin(),
                          core.writes.begin() + static_cast<std::ptrdiff_t>(core.writes_head));
        core.writes_head = 0;
    }
    core.writes.push_back({entry.transaction, begin, end, 0, {doing, entry.step}, false});
    ++tally_of(core, *region).writes_pending;
    if (core.role == Role::prefetch_h && region->kind == RegionKind::command_data)
        used_up_to(core, end);
    return std::nullopt;
}

void StagingOwnership::on_depart(Core& core, const LogEntry& entry) {
    const Region* region = region_at(core, entry.source_address & kL1OffsetMask);
    if (region == nullptr) return;
    Tally& tally = tally_of(core, *region);
    for (std::size_t i = core.writes_head; i < core.writes.size(); ++i) {
        if (core.writes[i].transaction != entry.transaction) continue;
        if (tally.writes_pending != 0) --tally.writes_pending;
        if (i == core.writes_head)
            ++core.writes_head;
        else
            core.writes.erase(core.writes.begin() + static_cast<std::ptrdiff_t>(i));
        return;
    }
}

StagingOwnership::Found StagingOwnership::on_read_issue(Core& core, const LogEntry& entry) {
    const std::uint32_t begin = entry.target_address & kL1OffsetMask;
    const Region* region = region_at(core, begin);
    if (region == nullptr) return std::nullopt;
    const std::uint32_t end = begin + entry.length;
    Tally& tally = tally_of(core, *region);
    if (tally.writes_pending != 0) {
        const bool half = region->kind == RegionKind::scratch_half;
        const Flight* write =
            half ? overlapping(core.writes, core.writes_head, region->begin, region->end)
                 : overlapping(core.writes, core.writes_head, begin, end);
        if (write != nullptr)
            return at_bytes(*region, *write, entry,
                            {"overwritten-while-owned", refill_invariant(region->kind), entry.tile,
                             write->issued.doing,
                             machine_->describe(entry.tile) + " issued a read into " +
                                 *region->name + " while a write from there had not departed",
                             "a staging is refilled only after the writes from it have departed"});
    }
    if (region->kind == RegionKind::command_data)
        if (Found found = on_fetch(core, *region, entry, begin, end)) return found;
    if (memory_of(region->kind) == Memory::scratch)
        note_scratch_read(core, region->kind, begin, end);
    core.reads.push_back({entry.transaction,
                          begin,
                          end,
                          entry.length,
                          {provenance_->doing(entry.tile), entry.step},
                          entry.target == machine_->pcie});
    ++tally.reads_in_flight;
    return std::nullopt;
}

StagingOwnership::Found StagingOwnership::on_fetch(Core& core, const Region& region,
                                                   const LogEntry& entry, std::uint32_t begin,
                                                   std::uint32_t end) {
    if (core.role == Role::prefetch_hd && !core.tells_commands &&
        core.fetches.size() >= kUntoldFetchesMax)
        core.fetches.clear();
    const Doing& doing = provenance_->doing(entry.tile);
    for (const Fetch& fetch : core.fetches) {
        if (core.role == Role::prefetch_hd && !core.tells_commands) break;
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
    const Region* region = region_at(core, entry.target_address & kL1OffsetMask);
    if (region == nullptr) return;
    Tally& tally = tally_of(core, *region);
    for (std::size_t i = 0; i < core.reads.size(); ++i) {
        Flight& read = core.reads[i];
        if (read.transaction != entry.transaction) continue;
        read.bytes_left -= std::min(read.bytes_left, entry.length);
        if (read.bytes_left != 0) return;
        core.reads.erase(core.reads.begin() + static_cast<std::ptrdiff_t>(i));
        if (tally.reads_in_flight != 0) --tally.reads_in_flight;
        return;
    }
}

StagingOwnership::Found StagingOwnership::on_load(Core& core, const LogEntry& entry) {
    const std::uint32_t begin = entry.source_address & kL1OffsetMask;
    if (begin != core.loads_end) core.loads_begin = begin;
    core.loads_end = begin + entry.length;
    if (core.reads.empty()) return std::nullopt;
    const Region* region = region_at(core, begin);
    if (region == nullptr || tally_of(core, *region).reads_in_flight == 0) return std::nullopt;
    const std::uint32_t spare =
        std::min(kOverreadBytesMax, entry.length - std::min(entry.length, 4u));
    const Flight* read = overlapping(core.reads, 0, begin, begin + entry.length - spare);
    if (read == nullptr) return std::nullopt;
    if (core.loads_begin < read->begin &&
        core.loads_end - read->begin <= machine_->tiles[core.tile].over_read_bytes)
        return std::nullopt;
    return at_bytes(*region, *read, entry,
                    {"read-before-ready", "inv. 38", entry.tile, provenance_->doing(entry.tile),
                     machine_->describe(entry.tile) + " read bytes of " + *region->name +
                         " whose read had not landed",
                     "a read barrier comes before the bytes are parsed"});
}

StagingOwnership::Found StagingOwnership::on_store(Core& core, const LogEntry& entry) {
    const std::uint32_t begin = entry.target_address & kL1OffsetMask;
    const Region* region = region_at(core, begin);
    if (region == nullptr || tally_of(core, *region).writes_pending == 0) return std::nullopt;
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
    if (core.role != Role::prefetch_hd || (entry.flags & kLogSeen) != 0) return std::nullopt;
    core.tells_commands = true;
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
