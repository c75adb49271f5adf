// CbWriter: the producer's side of a page ring (facts §4.1): takes credits, hands pages over, keeps
// the write pointer.
//
// Invariants:
//  1. Pages are taken before they are written and handed over after, in ring order (inv. 3, 7).
//  2. Data and hand-over go on one NoC and one virtual channel to the consumer, so the count never
//  overtakes the data
//     (inv. 5, 6).
//  3. The pointer may stand at the ring's end; every use wraps it first (inv. 16).
#pragma once

#include <cstdint>

#include "runtime_under_test/faults/faults.hpp"
#include "runtime_under_test/protocol/layout.hpp"

namespace cqfuzz::fw {

inline constexpr std::uint32_t kDataNoc = 0;      // a role's own traffic (facts §1.3)
inline constexpr std::uint32_t kUpstreamNoc = 1;  // releases and notifications towards the producer

class CbWriter {
public:
    CbWriter(rt::Coord self, const rt::DispatchCoreLayout& self_layout, rt::Coord consumer,
             const rt::DispatchCoreLayout& consumer_layout, const rt::RingGeometry& ring,
             rt::FaultSet& faults, const char* waypoint,
             rt::Semaphore credits = rt::Semaphore::downstream_credits);

    // Waits until `pages` may be filled and takes them. Credits can be negative while a trace is
    // replayed (inv. 64).
    void acquire(std::uint32_t pages);
    // Takes all of the consumer's pages away without waiting (facts §5.4).
    void steal_all();
    void hand_over(std::uint32_t pages);

    // Copies [source, +length) of own L1 to the write pointer, around the ring's end if need be.
    // Departs later.
    void write(std::uint32_t source, std::uint32_t length);
    // The mistake of facts §14.14: no wrap of a pointer that stands at the ring's end.
    void write_past_end(std::uint32_t source, std::uint32_t length);
    // One word, inline, `offset` bytes behind the write pointer; the pointer stays. The word lies
    // within the page.
    void write_word(std::uint32_t offset, std::uint32_t value);
    void skip(std::uint32_t length) { pointer_ += length; }
    void round_up_to_page() { pointer_ = base_ + (pointer_ - base_ + page_ - 1) / page_ * page_; }
    void wrap_if_at_end() {
        if (pointer_ == end_) pointer_ = base_;
    }

    bool at_end() const { return pointer_ == end_; }
    std::uint32_t page_bytes() const { return page_; }
    // Bytes left in the page the pointer is in; a whole page at a page's start.
    std::uint32_t room_in_page() const { return page_ - (pointer_ - base_) % page_; }
    std::uint32_t pages_for(std::uint32_t bytes) const { return (bytes + page_ - 1) / page_; }

    // At exit: every credit has come home (inv. 97).
    void wait_all_home(const char* waypoint = "waits for all credits to come home");

private:
    void add_to_own_credits(std::uint32_t delta);

    std::uint32_t credits_address_;
    std::uint32_t self_xy_;
    std::uint32_t consumer_xy_;
    std::uint32_t ready_address_;
    std::uint32_t base_;
    std::uint32_t end_;
    std::uint32_t page_;
    std::uint32_t pages_;
    std::uint32_t pointer_;
    rt::FaultSet& faults_;
    const char* waypoint_;
};

}  // namespace cqfuzz::fw
