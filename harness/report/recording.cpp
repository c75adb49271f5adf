#include "harness/report/recording.hpp"

#include <algorithm>

namespace cqfuzz {

namespace {

constexpr std::uint32_t kPagesOfHandOver = ~(1u << 31);  // bit 31 marks a last release

std::uint16_t short_op(std::uint32_t op) {
    return op < kNoOpShort ? static_cast<std::uint16_t>(op) : kNoOpShort;
}

std::uint32_t short_step(std::uint64_t step) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(step, 0xffffffff));
}

SpanKind kind_of(NocKind kind) {
    switch (kind) {
        case NocKind::write: return SpanKind::write;
        case NocKind::inline_write: return SpanKind::inline_write;
        case NocKind::atomic: return SpanKind::atomic;
        case NocKind::read: break;
    }
    return SpanKind::read;
}

}  // namespace

Recording::Recording(const MachineView& view)
    : view_(view),
      rings_(view.rings.size()),
      open_command_(view.tiles.size()),
      open_kernel_(view.tiles.size()) {
    provenance_.reset(view_);
    for (std::size_t i = 0; i < rings_.size(); ++i) rings_[i].reset(view_.rings[i]);
}

void Recording::observe(const LogEntry& entry) {
    provenance_.observe(entry);
    last_step_ = std::max(last_step_, short_step(entry.step));
    ring_events(entry);
    core_events(entry);
    transaction_events(entry);
}

void Recording::page_changes(std::size_t ring, std::uint64_t sequence, std::uint32_t count,
                             DrawnState state, const LogEntry& entry) {
    const Doing doing = entry.tile == kNoTile ? Doing{} : provenance_.doing(entry.tile);
    for (std::uint32_t i = 0; i < count; ++i) {
        PageRecordPacked record;
        record.step = short_step(entry.step);
        record.ring = static_cast<std::uint8_t>(ring);
        record.state = state;
        record.page = static_cast<std::uint16_t>(rings_[ring].page_of(sequence + i));
        record.command = doing.command;
        record.role = doing.role;
        record.op = short_op(doing.op);
        pages_.push_back(record);
        if (pages_.size() <= kRecordsMax) continue;
        pages_.pop_front();
        ++pages_dropped_;
    }
}

// The counts are entered only where they keep their order; what breaks it is the finding itself,
// and ends the recording.
void Recording::ring_events(const LogEntry& entry) {
    if (entry.kind != LogKind::noc_issue && entry.kind != LogKind::noc_arrive) return;
    const bool issued = entry.kind == LogKind::noc_issue;
    const std::uint32_t address = entry.target_address & kL1OffsetMask;
    for (std::size_t r = 0; r < rings_.size(); ++r) {
        const RingView& ring = view_.rings[r];
        RingLedger& ledger = rings_[r];
        if (entry.noc_kind != NocKind::atomic) {
            if (!issued || entry.tile != ring.producer || entry.target != ring.consumer ||
                entry.noc_kind == NocKind::read)
                continue;
            const PageRange range = ledger.pages_of(address, entry.length);
            for (std::uint32_t p = range.first; p < range.first + range.count; ++p) {
                if (ledger.record(p).touched_sequence == ledger.sequence_of(p)) continue;
                ledger.record(p).touched_sequence = ledger.sequence_of(p);
                page_changes(r, ledger.sequence_of(p), 1, DrawnState::filling, entry);
            }
            continue;
        }
        const std::uint32_t count = entry.value & kPagesOfHandOver;
        if (entry.tile == ring.producer && entry.target == ring.consumer &&
            address == ring.ready_address) {
            const std::uint64_t limit =
                issued ? ledger.released_arrived() + ledger.pages() : ledger.handed_issued();
            const std::uint64_t from = issued ? ledger.handed_issued() : ledger.handed_arrived();
            if (from + count > limit) continue;
            page_changes(r, from, count,
                         issued ? DrawnState::hand_over_in_flight : DrawnState::consumers, entry);
            issued ? ledger.hand_over_issued(count) : ledger.hand_over_arrived(count);
        } else if (entry.tile == ring.consumer && entry.target == ring.producer &&
                   address == ring.credit_address) {
            const std::uint64_t limit = issued ? ledger.handed_arrived() : ledger.released_issued();
            const std::uint64_t from =
                issued ? ledger.released_issued() : ledger.released_arrived();
            if (from + count > limit) continue;
            page_changes(r, from, count,
                         issued ? DrawnState::release_in_flight : DrawnState::producers, entry);
            issued ? ledger.release_issued(count) : ledger.release_arrived(count);
        }
    }
}

void Recording::core_events(const LogEntry& entry) {
    const bool command = entry.kind == LogKind::command_begin || entry.kind == LogKind::command_end;
    const bool kernel = entry.kind == LogKind::kernel_begin || entry.kind == LogKind::kernel_end;
    if (!command && !kernel) return;
    std::uint64_t& open = (command ? open_command_ : open_kernel_)[entry.tile];
    if (open != 0) close_span(open - 1, entry.step);
    open = 0;
    if (entry.kind != LogKind::command_begin && entry.kind != LogKind::kernel_begin) return;
    SpanPacked span;
    span.begin = short_step(entry.step);
    span.tile = entry.tile;
    span.target = kNoTile;
    span.kind = command ? SpanKind::command : SpanKind::kernel;
    span.detail = command ? static_cast<std::uint8_t>(entry.value) : std::uint8_t{0};
    span.op = short_op(provenance_.doing(entry.tile).op);
    open = open_span(span) + 1;
}

void Recording::transaction_events(const LogEntry& entry) {
    if (entry.transaction == 0) return;
    if (entry.kind == LogKind::noc_issue) {
        SpanPacked span;
        span.begin = short_step(entry.step);
        span.tile = entry.tile;
        span.target = entry.target;
        span.kind = kind_of(entry.noc_kind);
        span.detail = entry.noc;
        span.op = short_op(provenance_.doing(entry.tile).op);
        if (span_of_transaction_.size() <= entry.transaction)
            span_of_transaction_.resize(entry.transaction + 1);
        span_of_transaction_[entry.transaction] = open_span(span) + 1;
    } else if (entry.kind == LogKind::noc_arrive || entry.kind == LogKind::noc_ack) {
        if (entry.transaction < span_of_transaction_.size() &&
            span_of_transaction_[entry.transaction] != 0)
            close_span(span_of_transaction_[entry.transaction] - 1, entry.step);
    }
}

std::uint64_t Recording::open_span(const SpanPacked& span) {
    spans_.push_back(span);
    if (spans_.size() > kRecordsMax) {
        spans_.pop_front();
        ++spans_dropped_;
    }
    return spans_dropped_ + spans_.size() - 1;
}

void Recording::close_span(std::uint64_t number, std::uint64_t step) {
    if (number >= spans_dropped_)
        spans_[static_cast<std::size_t>(number - spans_dropped_)].end = short_step(step);
}

}  // namespace cqfuzz
