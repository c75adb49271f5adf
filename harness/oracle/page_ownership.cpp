#include "harness/oracle/page_ownership.hpp"

#include <algorithm>

#include "harness/base/check.hpp"
#include "runtime_under_test/protocol/commands.hpp"

namespace cqfuzz {
namespace {

// What dispatch_h gets begins with the preamble of its relay.
bool begins_commands_on_pages(Role role) {
    return role == Role::dispatch_hd || role == Role::dispatch_d;
}

}  // namespace

void PageOwnership::reset(const MachineView& machine, const Provenance& provenance) {
    machine_ = &machine;
    provenance_ = &provenance;
    ring_count_ = machine.rings.size();
    if (rings_.size() < ring_count_) rings_.resize(ring_count_);
    tiles_.assign(machine.tiles.size(), TileRings{});
    for (std::size_t r = 0; r < ring_count_; ++r) {
        Ring& ring = rings_[r];
        ring.ledger.reset(machine.rings[r]);
        ring.thefts = ring.returns_issued = ring.returns_arrived = ring.returns_at_exec_buf = 0;
        ring.batch_last_sequence = kNever;
        ring.refilling = ring.behind_debug = false;
        add(tiles_[machine.rings[r].consumer].consumed, r);
        add(tiles_[machine.rings[r].producer].produced, r);
    }
}

void PageOwnership::add(RingNumbers& numbers, std::size_t ring) {
    const auto place = std::find(numbers.begin(), numbers.end(), -1);
    CHECK(place != numbers.end(), "a core with more than %u rings to fill or to drain",
          kRingsOfTileMax);
    *place = static_cast<std::int8_t>(ring);
}

PageOwnership::Found PageOwnership::observe(const LogEntry& entry) {
    switch (entry.kind) {
        case LogKind::noc_issue:
            return provenance_->is_dispatch_core(entry.tile) ? on_issue(entry) : std::nullopt;
        case LogKind::noc_depart:
            return provenance_->is_dispatch_core(entry.tile) ? on_depart(entry) : std::nullopt;
        case LogKind::noc_arrive: return on_arrive(entry);
        case LogKind::l1_load: {
            const std::uint32_t spare =
                std::min(kOverreadBytesMax, entry.length - std::min(entry.length, 4u));
            return for_each(tiles_[entry.tile].consumed, [&](Ring& ring) {
                return consumer_touches(ring, entry, entry.source_address, entry.length - spare,
                                        false);
            });
        }
        case LogKind::l1_store: return on_store(entry);
        case LogKind::command_begin:
        case LogKind::command_end: return on_command(entry);
        case LogKind::host_write_arrive:
            if (entry.target >= tiles_.size()) return std::nullopt;
            return for_each(tiles_[entry.target].consumed, [&](Ring& ring) {
                return bytes_arrive(ring, entry, entry.target_address, entry.length);
            });
        default: return std::nullopt;
    }
}

template <class HandOver, class Release>
PageOwnership::Found PageOwnership::total_written(const LogEntry& entry, HandOver&& hand_over,
                                                  Release&& release) {
    const std::uint32_t address = entry.target_address & kL1OffsetMask;
    for (std::size_t r = 0; r < ring_count_; ++r) {
        Ring& ring = rings_[r];
        const RingView& view = ring.ledger.view();
        if (!view.totals_are_written) continue;
        LogEntry added = entry;
        if (entry.tile == view.producer && entry.target == view.consumer &&
            address == view.ready_address)
            return hand_over(ring, added);
        if (entry.tile == view.consumer && entry.target == view.producer &&
            address == view.credit_address)
            return release(ring, added);
    }
    return std::nullopt;
}

PageOwnership::Found PageOwnership::on_issue(const LogEntry& entry) {
    if (entry.noc_kind == NocKind::read) return std::nullopt;
    if (entry.noc_kind == NocKind::atomic) return atomic_issued(entry);
    const TileRings& of = tiles_[entry.tile];
    if (entry.noc_kind == NocKind::inline_write) {
        const Found found = total_written(
            entry,
            [this](Ring& ring, LogEntry& added) {
                added.value -= static_cast<std::uint32_t>(ring.ledger.handed_issued());
                return hand_over_issued(ring, added);
            },
            [this](Ring& ring, LogEntry& added) {
                added.value -= static_cast<std::uint32_t>(ring.ledger.released_issued());
                return release_issued(ring, added);
            });
        if (found) return found;
    }
    if (entry.noc_kind == NocKind::write)
        if (Found found = for_each(of.consumed,
                                   [&](Ring& ring) { return consumer_issues_write(ring, entry); }))
            return found;
    return for_each(of.produced, [&](Ring& ring) {
        return entry.target == ring.ledger.view().consumer ? producer_issues_write(ring, entry)
                                                           : std::nullopt;
    });
}

PageOwnership::Found PageOwnership::on_depart(const LogEntry& entry) {
    if (entry.noc_kind != NocKind::write) return std::nullopt;
    return for_each(tiles_[entry.tile].consumed, [&](Ring& ring) -> Found {
        RingLedger& ledger = ring.ledger;
        const PageRange range = ledger.pages_of(entry.source_address & kL1OffsetMask, entry.length);
        for (std::uint32_t p = range.first; p < range.first + range.count; ++p)
            if (ledger.record(p).pending_sources != 0) --ledger.record(p).pending_sources;
        return std::nullopt;
    });
}

PageOwnership::Found PageOwnership::on_arrive(const LogEntry& entry) {
    if (entry.noc_kind == NocKind::read) {
        return for_each(tiles_[entry.tile].consumed, [&](Ring& ring) {
            return bytes_arrive(ring, entry, entry.target_address, entry.length);
        });
    }
    if (entry.noc_kind == NocKind::atomic) return atomic_arrived(entry);
    if (entry.noc_kind == NocKind::inline_write) {
        const Found found = total_written(
            entry,
            [this](Ring& ring, LogEntry& added) {
                added.value -= static_cast<std::uint32_t>(ring.ledger.handed_arrived());
                return hand_over_arrived(ring, added);
            },
            [](Ring& ring, LogEntry& added) -> Found {
                added.value -= static_cast<std::uint32_t>(ring.ledger.released_arrived());
                ring.ledger.release_arrived(added.value);
                return std::nullopt;
            });
        if (found) return found;
    }
    if (entry.target != kNoTile) {
        return for_each(tiles_[entry.target].consumed, [&](Ring& ring) {
            return bytes_arrive(ring, entry, entry.target_address, entry.length);
        });
    }
    for (std::size_t r = 0; r < ring_count_;
         ++r) {  // a multicast whose rectangle covers a dispatch core
        const TileIndex consumer = rings_[r].ledger.view().consumer;
        if (machine_->tiles[consumer].chip != machine_->tiles[entry.tile].chip ||
            !entry.receivers.contains(machine_->tiles[consumer].coord))
            continue;
        if (Found found = bytes_arrive(rings_[r], entry, entry.target_address, entry.length))
            return found;
    }
    return std::nullopt;
}

PageOwnership::Found PageOwnership::on_store(const LogEntry& entry) {
    const std::uint32_t address = entry.target_address & kL1OffsetMask;
    const auto covers = [&](std::uint32_t word) { return word - address < entry.length; };
    if (Found found = for_each(tiles_[entry.tile].produced, [&](Ring& ring) -> Found {
            const RingView& view = ring.ledger.view();
            if (view.totals_are_written || !covers(view.credit_address)) return std::nullopt;
            return stored_semaphore(ring, entry);
        }))
        return found;
    return for_each(tiles_[entry.tile].consumed, [&](Ring& ring) -> Found {
        const RingView& view = ring.ledger.view();
        if (!view.totals_are_written && covers(view.ready_address))
            return stored_semaphore(ring, entry);
        return consumer_touches(ring, entry, entry.target_address, entry.length, true);
    });
}

Violation PageOwnership::stored_semaphore(const Ring& ring, const LogEntry& entry) const {
    return at_page(ring, kNoPage, entry,
                   {"plain-store-to-semaphore", "inv. 13", entry.tile, doing(entry.tile),
                    name(entry.tile) + " stored into a count of " + ring.ledger.view().name +
                        " that the other side increments",
                    "counts that both sides change are changed by atomics alone"});
}

Violation PageOwnership::command_off_page(const Ring& ring, std::uint32_t page,
                                          const LogEntry& entry) const {
    return at_page(
        ring, page, entry,
        {"command-off-page", "inv. 33", entry.tile, doing(entry.tile),
         name(entry.tile) + " begins a command inside " + page_name(ring.ledger, page) + ", " +
             std::to_string((entry.source_address & kL1OffsetMask) - ring.ledger.address_of(page)) +
             " bytes behind its start",
         "the pointer is rounded up to a page after each command"});
}

PageOwnership::Found PageOwnership::on_command(const LogEntry& entry) {
    const std::int8_t consumed = tiles_[entry.tile].consumed[0];  // command cores have one
    if (consumed < 0) return std::nullopt;
    Ring& ring = rings_[static_cast<std::size_t>(consumed)];
    const bool running =
        ring.ledger.view().consumer_refills_in_exec_buf && provenance_->in_exec_buf(entry.tile);
    const PageRange range = ring.ledger.pages_of(entry.source_address & kL1OffsetMask, 1);
    if (running && !ring.refilling) {
        ring.returns_at_exec_buf = thief_of(ring).returns_arrived;
        ring.batch_last_sequence = range.count == 0 ? kNever : ring.ledger.sequence_of(range.first);
    }
    ring.refilling = running;
    if (entry.kind == LogKind::command_begin &&
        begins_commands_on_pages(machine_->tiles[entry.tile].role)) {
        const bool behind_debug = ring.behind_debug;
        ring.behind_debug = entry.value == static_cast<std::uint32_t>(rt::DispatchId::debug);
        if (range.count != 0 && !behind_debug &&
            (entry.source_address & kL1OffsetMask) != ring.ledger.address_of(range.first))
            return command_off_page(ring, range.first, entry);
    }
    if (entry.kind == LogKind::command_begin && range.count != 0 && !running) {
        PageRecord& record = ring.ledger.record(range.first);
        record.used = {doing(entry.tile), entry.step};
        record.used_by_write = false;
    }
    return std::nullopt;
}

PageOwnership::Found PageOwnership::bytes_arrive(Ring& ring, const LogEntry& entry,
                                                 std::uint32_t address, std::uint32_t length) {
    RingLedger& ledger = ring.ledger;
    const RingView& view = ledger.view();
    const PageRange range = ledger.pages_of(address & kL1OffsetMask, length);
    const bool own_read = entry.noc_kind == NocKind::read && entry.kind == LogKind::noc_arrive;
    const bool data = entry.kind == LogKind::noc_arrive && !own_read && entry.tile == view.producer;
    for (std::uint32_t p = range.first; p < range.first + range.count; ++p) {
        PageRecord& record = ledger.record(p);
        if (data && record.writes_in_flight != 0) --record.writes_in_flight;
        const std::uint64_t sequence = ledger.sequence_of(p);
        const PageState state = ledger.state_of_sequence(sequence);
        bool owned = state == PageState::consumers;
        if (own_read && ring.refilling) {
            const bool behind_batch =
                state == PageState::consumers || state == PageState::hand_over_in_flight;
            owned = (behind_batch && sequence > ring.batch_last_sequence) ||
                    (state == PageState::producers && record.touched_sequence == sequence);
        }
        if (owned || record.pending_sources != 0) return overwritten(ring, p, entry, own_read);
    }
    return std::nullopt;
}

Violation PageOwnership::overwritten(const Ring& ring, std::uint32_t page, const LogEntry& entry,
                                     bool own_read) const {
    const RingLedger& ledger = ring.ledger;
    const RingView& view = ledger.view();
    const PageRecord& record = ledger.record(page);
    const std::string how = own_read ? " by a read that landed there" : "";
    const std::string why = record.pending_sources != 0
                                ? " while a write of " + name(view.consumer) + " (" +
                                      phrase(record.used.doing) + ") still had to read it"
                                : " while it was owned by " +
                                      std::string(own_read ? name(view.producer) + "'s next batch"
                                                           : name(view.consumer));
    return at_page(
        ring, page, entry,
        {"overwritten-while-owned", own_read && ring.refilling ? "inv. 60" : "inv. 4", entry.tile,
         record.used.doing, name(entry.tile) + " overwrote " + page_name(ledger, page) + how + why,
         "bytes arrive only in pages that are the producer's and that no write still has to read"});
}

PageOwnership::Found PageOwnership::finish(std::uint64_t step) {
    LogEntry end;
    end.step = step;
    for (std::size_t r = 0; r < ring_count_; ++r) {
        Ring& ring = rings_[r];
        RingLedger& ledger = ring.ledger;
        const RingView& view = ledger.view();
        for (std::uint32_t p = 0; p < ledger.pages(); ++p) {
            if (ledger.state_of(p) != PageState::producers) continue;
            if (ledger.record(p).touched_sequence != ledger.sequence_of(p)) continue;
            return at_page(
                ring, p, end,
                {"data-without-hand-over", "inv. 7", view.producer, ledger.record(p).filled.doing,
                 name(view.producer) + " filled " + page_name(ledger, p) +
                     " and never handed it over",
                 "every page that has been filled is handed over"});
        }
        if (ledger.released_arrived() != ledger.handed_issued())
            return at_page(ring, kNoPage, end,
                           {"balance-at-teardown", "inv. 97", view.consumer, doing(view.consumer),
                            std::to_string(ledger.handed_issued() - ledger.released_arrived()) +
                                " pages of " + view.name + " did not come home",
                            "at the end as many pages have been released as were handed over"});
        if (ring.thefts != ring.returns_arrived)
            return at_page(
                ring, kNoPage, end,
                {"credit-return", "inv. 63", view.producer, doing(view.producer),
                 "the credits of " + view.name + " were stolen " + std::to_string(ring.thefts) +
                     " times and returned " + std::to_string(ring.returns_arrived) + " times",
                 "each theft is returned exactly once"});
    }
    return std::nullopt;
}

}  // namespace cqfuzz
