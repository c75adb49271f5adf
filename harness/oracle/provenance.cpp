#include "harness/oracle/provenance.hpp"

#include <algorithm>

#include "runtime_under_test/protocol/commands.hpp"

namespace cqfuzz {
namespace {

bool is_prefetch_role(Role role) {
    return role == Role::prefetch_hd || role == Role::prefetch_h || role == Role::prefetch_d;
}

bool is_dispatch_role(Role role) {
    return role == Role::dispatch_hd || role == Role::dispatch_h || role == Role::dispatch_d ||
           role == Role::dispatch_s;
}

}  // namespace

std::string command_name(const Doing& doing) {
    if (doing.command == 0) return {};
    if (is_prefetch_role(doing.role))
        return std::string(rt::name_of(static_cast<rt::PrefetchId>(doing.command)));
    if (is_dispatch_role(doing.role))
        return std::string(rt::name_of(static_cast<rt::DispatchId>(doing.command)));
    return {};
}

std::string phrase(const Doing& doing) {
    std::string text = command_name(doing);
    if (doing.op == kNoOp) return text.empty() ? "no command" : text;
    if (!text.empty()) text += " of ";
    return text + "op " + std::to_string(doing.op);
}

template <std::uint32_t kSize>
void Provenance::Tags<kSize>::clear() {
    entries.fill(Tagged{});
    next = 0;
    cursor = kSize - 1;
    cursor_end = 0;
}

template <std::uint32_t kSize>
void Provenance::Tags<kSize>::add(std::uint32_t begin, std::uint32_t length, std::uint32_t op) {
    Tagged& last = entries[(next + kSize - 1) % kSize];
    if (last.op == op && last.end == begin && last.end != 0) {
        last.end += length;
        return;
    }
    entries[next] = {begin, begin + length, op};
    next = (next + 1) % kSize;
}

template <std::uint32_t kSize>
Provenance::Tagged Provenance::Tags<kSize>::find(std::uint32_t address) const {
    for (std::uint32_t i = 1; i <= kSize; ++i) {
        const Tagged& tagged = entries[(next + kSize - i) % kSize];
        if (tagged.holds(address)) return tagged;
    }
    return {};
}

// Nearly always the last one found, when the read goes on where it stopped, or the one behind it:
// no search.
template <std::uint32_t kSize>
std::uint32_t Provenance::Tags<kSize>::op_of_next(std::uint32_t address, std::uint32_t length) {
    const bool goes_on = address == cursor_end && entries[cursor].holds(address);
    cursor_end = address + length;
    if (goes_on) return entries[cursor].op;
    for (std::uint32_t at = (cursor + 1) % kSize; at != next; at = (at + 1) % kSize) {
        if (!entries[at].holds(address)) continue;
        cursor = at;
        return entries[at].op;
    }
    return entries[cursor].holds(address) ? entries[cursor].op : find(address).op;
}

void Provenance::reset(const MachineView& machine) {
    host_op_ = kNoOp;
    host_device_ = 0;
    host_queue_ = 0;
    tiles_.assign(machine.tiles.size(), TileState{});
    for (TileIndex t = 0; t < tiles_.size(); ++t) {
        const Role role = machine.tiles[t].role;
        tiles_[t].doing.role = role;
        tiles_[t].prefetcher = is_prefetch_role(role);
        tiles_[t].tunnel = is_tunnel_role(role);
        tiles_[t].dispatch_core = is_prefetch_role(role) || is_dispatch_role(role) ||
                                  tiles_[t].tunnel || !machine.tiles[t].name.empty();
    }
    fetcher_count_ = machine.issue_regions.size();
    if (fetchers_.size() < fetcher_count_) fetchers_.resize(fetcher_count_);
    for (std::size_t f = 0; f < fetcher_count_; ++f) {
        fetchers_[f].region = machine.issue_regions[f];
        fetchers_[f].issue_region.clear();
        fetchers_[f].command_data.clear();
        tiles_[machine.issue_regions[f].fetcher].fetcher = static_cast<std::int8_t>(f);
    }
    rings_.resize(machine.rings.size());
    for (std::size_t r = 0; r < rings_.size(); ++r) {
        const RingView& view = machine.rings[r];
        rings_[r].view = &view;
        rings_[r].producer = view.producer;
        rings_[r].consumer = view.consumer;
        rings_[r].base = view.base;
        rings_[r].page_size = view.page_size_bytes;
        rings_[r].pages.assign(view.page_count, PageTag{});
        if (view.consumer < tiles_.size() && tiles_[view.consumer].consumed_ring < 0)
            tiles_[view.consumer].consumed_ring = static_cast<std::int8_t>(r);
    }
}

std::uint32_t Provenance::op_of_bytes(TileIndex tile, std::uint32_t address) {
    const TileState& state = tiles_[tile];
    address &= kL1OffsetMask;
    if (state.in_exec_buf) return state.exec_buf_op;
    if (state.consumed_ring >= 0) {
        const RingTags& ring = rings_[static_cast<std::size_t>(state.consumed_ring)];
        const std::uint32_t page =
            (address - ring.base) / ring.page_size;  // below the base: huge, no page
        if (page < ring.pages.size()) {
            const PageTag& tag = ring.pages[page];
            return (address - ring.base) % ring.page_size < tag.split ? tag.op : tag.op_behind;
        }
    }
    return state.fetcher < 0
               ? kNoOp
               : fetchers_[static_cast<std::size_t>(state.fetcher)].command_data.find(address).op;
}

RingPage Provenance::page_at(TileIndex tile, std::uint32_t address) const {
    const TileState& state = tiles_[tile];
    if (state.consumed_ring < 0) return {};
    const RingTags& ring = rings_[static_cast<std::size_t>(state.consumed_ring)];
    const std::uint32_t page = ((address & kL1OffsetMask) - ring.base) / ring.page_size;
    if (page >= ring.pages.size()) return {};
    const PageTag& tag = ring.pages[page];
    return {ring.view, page, {tag.command, tiles_[ring.producer].doing.role, tag.op}};
}

// prefetch_h executes nothing: it forwards what it fetched, and two fetches may be one batch.
Provenance::PageTag Provenance::tag_of_forwarded(const TileState& state, std::uint32_t source,
                                                 std::uint32_t length) const {
    if (state.fetcher < 0) return {};
    const Tags<64>& command_data = fetchers_[static_cast<std::size_t>(state.fetcher)].command_data;
    // The header in front of a batch was not fetched.
    const std::uint32_t header_end = state.command_address;
    const bool header = source < header_end && header_end - source <= rt::kSplitHeaderBytes &&
                        length > header_end - source;
    const Tagged first = command_data.find(header ? header_end : source);
    const Tagged last = command_data.find(source + length - 1);
    if (last.op == first.op || first.op == kNoOp) return {first.op, 0xffffffff, kNoOp, 0};
    return {first.op, first.end - source, last.op, 0};
}

// What a tunnel carries keeps the op of the page it came from; a split in it is lost, since packets
// are not pages.
Provenance::PageTag Provenance::tag_of_tunneled(TileIndex tile, std::uint32_t source) const {
    for (const RingTags& ring : rings_) {
        const std::uint32_t page = (source - ring.base) / ring.page_size;
        if (ring.consumer == tile && page < ring.pages.size())
            return {ring.pages[page].op, 0xffffffff, kNoOp, 0};
    }
    return {};
}

Provenance::RingTags* Provenance::ring_between(TileIndex producer, TileIndex consumer) {
    for (RingTags& ring : rings_)
        if (ring.producer == producer && ring.consumer == consumer) return &ring;
    return nullptr;
}

void Provenance::on_issue(const LogEntry& entry) {
    TileState& state = tiles_[entry.tile];
    if (entry.noc_kind == NocKind::read) {
        if (state.fetcher < 0) return;
        Fetcher& fetcher = fetchers_[static_cast<std::size_t>(state.fetcher)];
        if (entry.target != fetcher.region.pcie) return;
        const std::uint32_t op =
            fetcher.issue_region.op_of_next(entry.source_address, entry.length);
        fetcher.command_data.add(entry.target_address & kL1OffsetMask, entry.length, op);
        return;
    }
    if (entry.noc_kind != NocKind::write || entry.target == kNoTile ||
        !tiles_[entry.target].dispatch_core)
        return;
    RingTags* ring = ring_between(entry.tile, entry.target);
    if (ring == nullptr) return;
    const std::uint32_t begin = (entry.target_address & kL1OffsetMask) - ring->base;
    const std::uint32_t end = begin + entry.length;
    const std::uint32_t source = entry.source_address & kL1OffsetMask;
    for (std::uint32_t p = begin / ring->page_size;
         p < ring->pages.size() && p * ring->page_size < end; ++p) {
        const std::uint32_t from = std::max(begin, p * ring->page_size);
        const std::uint32_t to = std::min(end, (p + 1) * ring->page_size);
        if (state.tunnel)
            ring->pages[p] = tag_of_tunneled(entry.tile, source + from - begin);
        else if (state.doing.role == Role::prefetch_h)
            ring->pages[p] = tag_of_forwarded(state, source + from - begin, to - from);
        else
            ring->pages[p] = {state.doing.op, 0xffffffff, kNoOp, 0};
        ring->pages[p].command = state.doing.command;  // a tunnel has none
    }
}

void Provenance::on_command_begin(const LogEntry& entry) {
    TileState& state = tiles_[entry.tile];
    state.before = state.doing;
    state.doing.command = static_cast<std::uint8_t>(entry.value);
    state.doing.op = op_of_bytes(entry.tile, entry.source_address);
    state.command_address = entry.source_address & kL1OffsetMask;
    if (!state.prefetcher) return;
    if ((entry.flags & kLogSeen) != 0) return on_command_seen(state);
    // prefetch_h only forwards it, and goes on fetching (facts §5.4).
    if (state.doing.role != Role::prefetch_h &&
        state.doing.command == static_cast<std::uint8_t>(rt::PrefetchId::exec_buf)) {
        state.in_exec_buf = true;
        state.exec_buf_ending = false;
        state.exec_buf_op = state.doing.op;
    }
    if (state.doing.command == static_cast<std::uint8_t>(rt::PrefetchId::exec_buf_end))
        state.exec_buf_ending = true;
}

// Where an exec_buf begins and ends can be told only when its next command is seen: enough for the
// op of its commands, not to judge by.
void Provenance::on_command_seen(TileState& state) {
    const auto id = static_cast<rt::PrefetchId>(state.doing.command);
    if (state.exec_buf_ending) state.seen_exec_buf_op = kNoOp;
    state.exec_buf_ending = id == rt::PrefetchId::exec_buf_end;
    if (state.seen_exec_buf_op != kNoOp) state.doing.op = state.seen_exec_buf_op;
    if (id == rt::PrefetchId::exec_buf) state.seen_exec_buf_op = state.doing.op;
}

void Provenance::observe(const LogEntry& entry) {
    switch (entry.kind) {
        case LogKind::noc_issue:
            if (tiles_[entry.tile].dispatch_core) on_issue(entry);
            break;
        case LogKind::command_begin: on_command_begin(entry); break;
        case LogKind::command_end: {
            TileState& state = tiles_[entry.tile];
            if (state.exec_buf_ending) state.in_exec_buf = false;
            break;
        }
        case LogKind::host_call_begin:
            host_op_ = entry.transaction;
            host_device_ = entry.length;
            break;
        case LogKind::host_call_end: host_op_ = kNoOp; break;
        case LogKind::host_write_issue:
            for (std::size_t f = 0; f < fetcher_count_; ++f) {
                Fetcher& fetcher = fetchers_[f];
                if (entry.target != fetcher.region.pcie ||
                    entry.target_address - fetcher.region.base >= fetcher.region.size_bytes)
                    continue;
                fetcher.issue_region.add(entry.target_address, entry.length, host_op_);
                host_queue_ = static_cast<std::uint32_t>(f);
            }
            break;
        default: break;
    }
}

}  // namespace cqfuzz
