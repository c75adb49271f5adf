// Page ownership of the rings between dispatch actors: whose a page is (ring_ledger.hpp), and who
// touches it all the same.
//
// Checks, at once at each event:
//  - overwritten-while-owned (inv. 4): bytes arrive in a page that is the consumer's, or that is
//    still the source of a write of his that has not departed;
//  - used-after-release, read-before-ready (inv. 5, 19, 20): the consumer issues a write with
//    source bytes in a page that is not his, or loads or stores there;
//  - released-too-early (inv. 4, 21, 52): a release is issued while writes from its pages have not
//    departed;
//  - filled-without-credit (inv. 3): the producer issues a write into a page that has not come back
//    to it;
//  - outside-ring (inv. 16): a prefetcher writes to its consumer's L1 beside the ring;
//  - handed-over-out-of-order, hand-over-without-data (inv. 7, 15): a hand-over covers a page whose
//    first byte the producer has not written since it got it back;
//  - hand-over-before-data (inv. 5, 6): a hand-over arrives before a write to its pages;
//  - conservation (inv. 2): hand-overs issued beyond releases arrived + N, or releases issued
//    beyond hand-overs arrived;
//  - credit-return (inv. 63): stolen credits come back without a theft, or not as many as were
//    stolen;
//  - command-off-page (inv. 33): dispatch_d begins a command inside a page, save behind a DEBUG,
//    whose stride may end there;
//  - plain-store-to-semaphore (inv. 13): a core stores into a word that the other side increments;
//  - at finish: data-without-hand-over, balance-at-teardown (inv. 9, 97).
//
// Does not check:
//  - which credits the producer took: it does so in its own L1, and only filling without them does
//    harm;
//  - the last 20 bytes of a load: copy helpers read up to five words too many, and may (inv. 48);
//  - loads behind the last page that the consumer owns, as far as RingView::over_read_bytes goes;
//  - a late use of a page that has come round meanwhile and is the consumer's again, unless the
//    same write has bytes of the page behind it, which is a lap older;
//  - whole pages against their commands (inv. 8): a wrong count shows as one of the above, or as a
//    hang;
//  - pages of a ring whose consumer runs an exec_buf in it: they are a staging then
//    (staging_ownership.hpp), all but those that hold batches handed over behind the current one.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "harness/oracle/ownership_report.hpp"
#include "harness/oracle/ring_ledger.hpp"

namespace cqfuzz {

inline constexpr std::uint32_t kOverreadBytesMax = 20;  // inv. 48
inline constexpr std::uint32_t kRingsOfTileMax = 2;     // a tunneler has a lane each way
inline constexpr std::uint32_t kTeardownMark =
    0x80000000u;  // bit 31 of a last release (facts §4.1)

class PageOwnership {
public:
    // `provenance` is fed before this oracle and outlives the run, as `machine` does.
    void reset(const MachineView& machine, const Provenance& provenance);
    std::optional<Violation> observe(const LogEntry& entry);
    std::optional<Violation> finish(std::uint64_t step);

    // The books of MachineView::rings[ring].
    const RingLedger& ledger(std::size_t ring) const { return rings_[ring].ledger; }

private:
    using Found = std::optional<Violation>;
    struct Ring {
        RingLedger ledger;
        std::uint64_t thefts = 0;
        std::uint64_t returns_issued = 0;
        std::uint64_t returns_arrived = 0;
        std::uint64_t returns_at_exec_buf = 0;
        std::uint64_t batch_last_sequence = kNever;  // page of the EXEC_BUF that runs
        bool refilling = false;                      // between EXEC_BUF and the end of EXEC_BUF_END
        bool behind_debug = false;                   // the consumer's last command was a DEBUG
    };
    // The rings that a tile drains and fills, the used ones first; -1 for none.
    using RingNumbers = std::array<std::int8_t, kRingsOfTileMax>;
    struct TileRings {
        RingNumbers consumed = none();
        RingNumbers produced = none();
    };
    static constexpr RingNumbers none() {
        RingNumbers numbers{};
        numbers.fill(-1);
        return numbers;
    }
    static void add(RingNumbers& numbers, std::size_t ring);
    // The first violation that visit(ring) finds.
    template <class Visit>
    std::optional<Violation> for_each(const RingNumbers& numbers, Visit&& visit) {
        for (const std::int8_t ring : numbers) {
            if (ring < 0) break;
            if (std::optional<Violation> found = visit(rings_[static_cast<std::size_t>(ring)]))
                return found;
        }
        return std::nullopt;
    }
    // The ring whose credits are taken away while this one's consumer runs an exec_buf.
    const Ring& thief_of(const Ring& ring) const {
        const std::int32_t other = ring.ledger.view().thief_ring;
        return other < 0 ? ring : rings_[static_cast<std::size_t>(other)];
    }

    Found on_issue(const LogEntry& entry);
    Found on_depart(const LogEntry& entry);
    Found on_arrive(const LogEntry& entry);
    Found on_command(const LogEntry& entry);
    Found on_store(const LogEntry& entry);

    // Consumer's side.
    Found consumer_issues_write(Ring& ring, const LogEntry& entry);
    bool is_allowed_over_read(const Ring& ring, const LogEntry& entry, std::uint32_t page) const;
    Found consumer_touches(Ring& ring, const LogEntry& entry, std::uint32_t address,
                           std::uint32_t length, bool store);
    Found release_issued(Ring& ring, const LogEntry& entry);
    // Producer's side.
    Found producer_issues_write(Ring& ring, const LogEntry& entry);
    Found hand_over_issued(Ring& ring, const LogEntry& entry);
    Found empty_hand_over(Ring& ring, const LogEntry& entry, std::uint64_t sequence,
                          std::uint32_t count);
    // Anybody's.
    Found bytes_arrive(Ring& ring, const LogEntry& entry, std::uint32_t address,
                       std::uint32_t length);
    Found hand_over_arrived(Ring& ring, const LogEntry& entry);
    // Where totals are written: the pages since the last one, as an atomic would add them.
    template <class HandOver, class Release>
    Found total_written(const LogEntry& entry, HandOver&& hand_over, Release&& release);
    Found atomic_issued(const LogEntry& entry);
    Found atomic_arrived(const LogEntry& entry);

    // The words of findings, out of the way of what runs.
    [[gnu::cold]] Violation overwritten(const Ring& ring, std::uint32_t page, const LogEntry& entry,
                                        bool own_read) const;
    [[gnu::cold]] Violation touched(const Ring& ring, std::uint32_t page, const LogEntry& entry,
                                    bool late, bool store) const;
    [[gnu::cold]] Violation command_off_page(const Ring& ring, std::uint32_t page,
                                             const LogEntry& entry) const;
    [[gnu::cold]] Violation stored_semaphore(const Ring& ring, const LogEntry& entry) const;
    [[gnu::cold]] Violation outside_ring(const Ring& ring, const LogEntry& entry) const;
    [[gnu::cold]] Violation filled_without_credit(const Ring& ring, std::uint32_t page,
                                                  const LogEntry& entry, bool stolen) const;

    const Doing& doing(TileIndex tile) const { return provenance_->doing(tile); }
    std::string name(TileIndex tile) const { return machine_->describe(tile); }
    [[gnu::cold]] Violation at_page(const Ring& ring, std::uint32_t page, const LogEntry& entry,
                                    const OwnershipFinding& finding) const {
        return ring_violation(*machine_, ring.ledger, page, entry.step, finding);
    }

    const MachineView* machine_ = nullptr;
    const Provenance* provenance_ = nullptr;
    std::size_t ring_count_ = 0;
    std::vector<Ring> rings_;  // never shrinks: its page records keep their memory
    std::vector<TileRings> tiles_;
};

}  // namespace cqfuzz
