// What the two sides of a ring do to its pages: the producer fills and hands over, the consumer
// uses and releases.
#include "harness/oracle/page_ownership.hpp"

namespace cqfuzz {
namespace {

std::uint32_t pages_in(const LogEntry& atomic) { return atomic.value & ~kTeardownMark; }

}  // namespace

PageOwnership::Found PageOwnership::consumer_issues_write(Ring& ring, const LogEntry& entry) {
    RingLedger& ledger = ring.ledger;
    const std::uint32_t address = entry.source_address & kL1OffsetMask;
    if (Found found = consumer_touches(ring, entry, address, entry.length, false)) return found;
    const PageRange range = ledger.pages_of(address, entry.length);
    for (std::uint32_t p = range.first; p < range.first + range.count; ++p) {
        PageRecord& record = ledger.record(p);
        ++record.pending_sources;
        record.used = {doing(entry.tile), entry.step};
        record.used_by_write = true;
    }
    return std::nullopt;
}

// Words that lie right behind a page which the consumer owns.
bool PageOwnership::is_allowed_over_read(const Ring& ring, const LogEntry& entry,
                                         std::uint32_t page) const {
    const RingLedger& ledger = ring.ledger;
    const std::uint32_t allowed = ledger.view().over_read_bytes;
    if (allowed == 0 || entry.kind != LogKind::l1_load || page == 0) return false;
    const std::uint32_t end = (entry.source_address & kL1OffsetMask) + entry.length;
    return end - ledger.address_of(page) <= allowed &&
           ledger.state_of(page - 1) == PageState::consumers;
}

PageOwnership::Found PageOwnership::consumer_touches(Ring& ring, const LogEntry& entry,
                                                     std::uint32_t address, std::uint32_t length,
                                                     bool store) {
    RingLedger& ledger = ring.ledger;
    const PageRange range = ledger.pages_of(address & kL1OffsetMask, length);
    if (range.count == 0 || ring.refilling) return std::nullopt;
    if (range.count == 1 && ledger.state_of(range.first) == PageState::consumers)
        return std::nullopt;
    const std::uint64_t last_sequence = ledger.sequence_of(range.first + range.count - 1);
    for (std::uint32_t p = range.first; p < range.first + range.count; ++p) {
        // Bytes in one piece come from pages handed over one after the other. A page that is ahead
        // of the one behind it has been released, filled and handed over again meanwhile.
        const bool lapped = ledger.sequence_of(p) > last_sequence;
        if (ledger.state_of(p) == PageState::consumers && !lapped) continue;
        if (is_allowed_over_read(ring, entry, p)) continue;
        return touched(ring, p, entry, lapped || ledger.is_late_use(p), store);
    }
    return std::nullopt;
}

Violation PageOwnership::touched(const Ring& ring, std::uint32_t page, const LogEntry& entry,
                                 bool late, bool store) const {
    const char* deed = entry.kind == LogKind::noc_issue ? " issued a write with source bytes in "
                       : store                          ? " stored into "
                                                        : " read ";
    return at_page(
        ring, page, entry,
        {late ? "used-after-release" : "read-before-ready", late ? "inv. 19" : "inv. 5", entry.tile,
         doing(entry.tile),
         name(entry.tile) + deed + page_name(ring.ledger, page) +
             (late ? " after it had released it" : " before it was handed over"),
         "the consumer touches a page only between the arrival of its hand-over and its release"});
}

PageOwnership::Found PageOwnership::release_issued(Ring& ring, const LogEntry& entry) {
    RingLedger& ledger = ring.ledger;
    const std::uint32_t count = pages_in(entry);
    if (ledger.released_issued() + count > ledger.handed_arrived())
        return at_page(ring, kNoPage, entry,
                       {"conservation", "inv. 2", entry.tile, doing(entry.tile),
                        name(entry.tile) + " released " + std::to_string(count) + " pages of " +
                            ledger.view().name + " but owned only " +
                            std::to_string(ledger.handed_arrived() - ledger.released_issued()),
                        "no more pages are released than have been handed over"});
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t p = ledger.page_of(ledger.released_issued() + i);
        PageRecord& record = ledger.record(p);
        record.released = {doing(entry.tile), entry.step};
        if (record.pending_sources == 0) continue;
        return at_page(
            ring, p, entry,
            {"released-too-early", "inv. 21", entry.tile, record.used.doing,
             name(entry.tile) + " released " + page_name(ledger, p) + " while " +
                 std::to_string(record.pending_sources) +
                 " of its writes from there had not departed",
             "a page is released only after every write with source bytes in it has departed"});
    }
    ledger.release_issued(count);
    return std::nullopt;
}

PageOwnership::Found PageOwnership::producer_issues_write(Ring& ring, const LogEntry& entry) {
    RingLedger& ledger = ring.ledger;
    const std::uint32_t address = entry.target_address & kL1OffsetMask;
    const PageRange range = ledger.pages_of(address, entry.length);
    const std::uint64_t ring_end =
        std::uint64_t{ledger.address_of(0)} + ledger.pages() * ledger.view().page_size_bytes;
    if (provenance_->is_prefetcher(entry.tile) &&
        (address < ledger.view().base || std::uint64_t{address} + entry.length > ring_end))
        return outside_ring(ring, entry);
    for (std::uint32_t p = range.first; p < range.first + range.count; ++p) {
        PageRecord& record = ledger.record(p);
        const std::uint64_t sequence = ledger.sequence_of(p);
        const bool stolen =
            ring.refilling && thief_of(ring).returns_arrived == ring.returns_at_exec_buf;
        if (ledger.state_of_sequence(sequence) != PageState::producers || stolen)
            return filled_without_credit(ring, p, entry, stolen);
        ++record.writes_in_flight;
        if (record.touched_sequence != sequence) {
            record.filled_before = record.filled;
            record.filled = {doing(entry.tile), entry.step};
            record.touched_sequence = sequence;
        }
        if (address <= ledger.address_of(p)) record.started_sequence = sequence;
    }
    return std::nullopt;
}

Violation PageOwnership::outside_ring(const Ring& ring, const LogEntry& entry) const {
    return at_page(ring, kNoPage, entry,
                   {"outside-ring", "inv. 16", entry.tile, doing(entry.tile),
                    name(entry.tile) + " wrote " + std::to_string(entry.length) + " bytes beside " +
                        ring.ledger.view().name,
                    "a prefetcher writes to its consumer's L1 only inside the ring"});
}

Violation PageOwnership::filled_without_credit(const Ring& ring, std::uint32_t page,
                                               const LogEntry& entry, bool stolen) const {
    return at_page(
        ring, page, entry,
        {"filled-without-credit", stolen ? "inv. 58" : "inv. 3", entry.tile, doing(entry.tile),
         name(entry.tile) + " wrote into " + page_name(ring.ledger, page) +
             (stolen ? " while an exec_buf ran in it" : " which had not come back to it"),
         "the producer fills only pages whose release has arrived"});
}

PageOwnership::Found PageOwnership::hand_over_issued(Ring& ring, const LogEntry& entry) {
    RingLedger& ledger = ring.ledger;
    const std::uint32_t count = pages_in(entry);
    if (ledger.handed_issued() + count > ledger.released_arrived() + ledger.pages())
        return at_page(ring, kNoPage, entry,
                       {"conservation", "inv. 2", entry.tile, doing(entry.tile),
                        name(entry.tile) + " handed over " + std::to_string(count) + " pages of " +
                            ledger.view().name + " but owned only " +
                            std::to_string(ledger.released_arrived() + ledger.pages() -
                                           ledger.handed_issued()),
                        "no more pages are handed over than have come back"});
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint64_t sequence = ledger.handed_issued() + i;
        PageRecord& record = ledger.record(ledger.page_of(sequence));
        if (record.started_sequence != sequence)
            return empty_hand_over(ring, entry, sequence, count);
        record.handed_over = {doing(entry.tile), entry.step};
    }
    ledger.hand_over_issued(count);
    return std::nullopt;
}

// A hand-over of a page without data. If a page beyond has data, the producer's pointer and its
// counts disagree.
PageOwnership::Found PageOwnership::empty_hand_over(Ring& ring, const LogEntry& entry,
                                                    std::uint64_t sequence, std::uint32_t count) {
    RingLedger& ledger = ring.ledger;
    bool later_filled = false;
    for (std::uint64_t s = sequence + 1; s < ledger.released_arrived() + ledger.pages(); ++s)
        if (ledger.record(ledger.page_of(s)).touched_sequence == s) later_filled = true;
    const std::uint32_t page = ledger.page_of(sequence);
    return at_page(
        ring, page, entry,
        {later_filled ? "handed-over-out-of-order" : "hand-over-without-data",
         later_filled ? "inv. 7" : "inv. 15", entry.tile, doing(entry.tile),
         name(entry.tile) + " handed over " + page_name(ledger, page) + " (one of " +
             std::to_string(count) + ") without having written its first byte" +
             (later_filled ? ", but had written pages after it" : ""),
         "a hand-over covers the next pages in ring order, each with data from its first byte on"});
}

PageOwnership::Found PageOwnership::hand_over_arrived(Ring& ring, const LogEntry& entry) {
    RingLedger& ledger = ring.ledger;
    const std::uint32_t count = pages_in(entry);
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t p = ledger.page_of(ledger.handed_arrived() + i);
        if (ledger.record(p).writes_in_flight == 0) continue;
        return at_page(
            ring, p, entry,
            {"hand-over-before-data", "inv. 6", entry.tile, ledger.record(p).filled.doing,
             "the hand-over of " + page_name(ledger, p) + " arrived while " +
                 std::to_string(ledger.record(p).writes_in_flight) + " writes of its data had not",
             "data lands before the hand-over that announces it"});
    }
    ledger.hand_over_arrived(count);
    return std::nullopt;
}

PageOwnership::Found PageOwnership::atomic_issued(const LogEntry& entry) {
    const std::uint32_t address = entry.target_address & kL1OffsetMask;
    for (std::size_t r = 0; r < ring_count_; ++r) {
        Ring& ring = rings_[r];
        const RingView& view = ring.ledger.view();
        if (entry.target == view.consumer && address == view.ready_address &&
            entry.tile == view.producer)
            return hand_over_issued(ring, entry);
        if (entry.target != view.producer || address != view.credit_address) continue;
        if (entry.tile == view.consumer) return release_issued(ring, entry);
        if (view.credit_thief_return == kNoTile) return std::nullopt;
        if (entry.tile == view.producer && entry.value == 0u - view.page_count) ++ring.thefts;
        if (entry.tile != view.credit_thief_return) return std::nullopt;
        if (++ring.returns_issued <= ring.thefts && entry.value == view.page_count)
            return std::nullopt;
        return at_page(ring, kNoPage, entry,
                       {"credit-return", "inv. 63", entry.tile, doing(entry.tile),
                        name(entry.tile) + " returned " + std::to_string(entry.value) +
                            " credits of " + view.name + " (" + std::to_string(ring.thefts) +
                            " thefts, " + std::to_string(ring.returns_issued) + " returns)",
                        "each theft of all the ring's credits is returned exactly once"});
    }
    return std::nullopt;
}

PageOwnership::Found PageOwnership::atomic_arrived(const LogEntry& entry) {
    if (entry.target == kNoTile) return std::nullopt;
    const TileRings& of = tiles_[entry.target];
    const std::uint32_t address = entry.target_address & kL1OffsetMask;
    if (Found found = for_each(of.consumed, [&](Ring& ring) {
            const RingView& view = ring.ledger.view();
            return address == view.ready_address && entry.tile == view.producer
                       ? hand_over_arrived(ring, entry)
                       : bytes_arrive(ring, entry, entry.target_address, 4);
        }))
        return found;
    return for_each(of.produced, [&](Ring& ring) -> Found {
        const RingView& view = ring.ledger.view();
        if (address != view.credit_address) return std::nullopt;
        if (entry.tile == view.consumer)
            ring.ledger.release_arrived(pages_in(entry));
        else if (entry.tile == view.credit_thief_return)
            ++ring.returns_arrived;
        return std::nullopt;
    });
}

}  // namespace cqfuzz
