// RingLedger: the books of one page ring, kept from logged events alone (design §7). It answers
// whose a page is; it judges nothing.
//
// A ring is four counts that only grow: hand-overs issued and arrived, releases issued and arrived.
// The k-th page ever handed over lies at page k mod N; `sequence` is k. Since
//
//     releases arrived <= releases issued <= hand-overs arrived <= hand-overs issued
//                      <= releases arrived + N
//
// each page of the ring has exactly one sequence in [releases arrived, releases arrived + N), and
// its place among the counts says in which one state it is (inv. 1):
//
//     releases   releases     hand-overs      hand-overs    releases
//     arrived    issued       arrived         issued        arrived + N
//     | released | consumer's | handed over   | producer's  |
//     | (flying) |            | (flying)      |             |
//
// Invariants:
//  1. The order of the counts above; the caller reports an event that would break it before it
//     enters it here.
//  2. Pages are a power of two bytes long (facts §3.2); counts are 64 bit and start at 0, whatever
//     the words in L1 start at.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/base/machine_view.hpp"
#include "harness/oracle/provenance.hpp"

namespace cqfuzz {

enum class PageState : std::uint8_t {
    release_in_flight,
    consumers,
    hand_over_in_flight,
    producers
};

inline constexpr std::uint64_t kNever = ~std::uint64_t{0};

// Who did something to a page, and when.
struct Deed {
    Doing doing;
    std::uint64_t step = kNever;

    bool done() const { return step != kNever; }
};

struct PageRecord {
    std::uint32_t pending_sources =
        0;  // the consumer's writes with source bytes here that have not departed
    std::uint32_t writes_in_flight = 0;  // the producer's writes to it that have not arrived
    std::uint64_t started_sequence =
        kNever;  // the latest sequence of which the producer has written the first byte
    std::uint64_t touched_sequence = kNever;  // … any byte
    Deed filled, filled_before;  // by the producer: for this sequence, and for the one before
    Deed handed_over;            // issue of the hand-over
    Deed used;                   // the consumer's latest write from it, load or command start in it
    Deed released;               // issue of the release
    bool used_by_write = false;
};

struct PageRange {
    std::uint32_t first = 0;
    std::uint32_t count = 0;  // 0: the bytes do not touch the ring
};

class RingLedger {
public:
    void reset(const RingView& view);

    const RingView& view() const { return *view_; }
    std::uint32_t pages() const { return view_->page_count; }
    // Pages that [address, +length) of the consumer's L1 touches; bytes outside the ring are
    // ignored.
    PageRange pages_of(std::uint32_t address, std::uint32_t length) const {
        const std::uint32_t offset = address - base_;
        if (offset < size_bytes_ && length != 0 && length <= size_bytes_ - offset) [[likely]] {
            const std::uint32_t first = offset >> page_shift_;
            return {first, ((offset + length - 1) >> page_shift_) - first + 1};
        }
        return pages_partly_inside(address, length);
    }
    std::uint32_t address_of(std::uint32_t page) const {
        return view_->base + page * view_->page_size_bytes;
    }

    std::uint64_t sequence_of(std::uint32_t page) const {
        return released_arrived_ + (page >= oldest_ ? page - oldest_ : page + pages() - oldest_);
    }
    std::uint32_t page_of(std::uint64_t sequence) const {
        return static_cast<std::uint32_t>(sequence % pages());
    }
    PageState state_of_sequence(std::uint64_t sequence) const {
        if (sequence < released_issued_) return PageState::release_in_flight;
        if (sequence < handed_arrived_) return PageState::consumers;
        return sequence < handed_issued_ ? PageState::hand_over_in_flight : PageState::producers;
    }
    PageState state_of(std::uint32_t page) const { return state_of_sequence(sequence_of(page)); }

    PageRecord& record(std::uint32_t page) { return records_[page]; }
    const PageRecord& record(std::uint32_t page) const { return records_[page]; }

    std::uint64_t handed_issued() const { return handed_issued_; }
    std::uint64_t handed_arrived() const { return handed_arrived_; }
    std::uint64_t released_issued() const { return released_issued_; }
    std::uint64_t released_arrived() const { return released_arrived_; }
    void hand_over_issued(std::uint32_t count) { handed_issued_ += count; }
    void hand_over_arrived(std::uint32_t count) { handed_arrived_ += count; }
    void release_issued(std::uint32_t count) { released_issued_ += count; }
    void release_arrived(std::uint32_t count);

    // A page that is not the consumer's was used: does the use come late (the page was his and he
    // gave it back), rather than early? The nearer of both ends of what he owns decides.
    bool is_late_use(std::uint32_t page) const;

private:
    PageRange pages_partly_inside(std::uint32_t address, std::uint32_t length) const;

    const RingView* view_ = nullptr;
    std::uint32_t base_ = 0;
    std::uint32_t size_bytes_ = 0;
    std::uint32_t page_shift_ = 0;
    std::uint64_t handed_issued_ = 0;
    std::uint64_t handed_arrived_ = 0;
    std::uint64_t released_issued_ = 0;
    std::uint64_t released_arrived_ = 0;
    std::uint32_t oldest_ = 0;  // page of sequence released_arrived_
    std::vector<PageRecord> records_;
};

}  // namespace cqfuzz
