// PageLink: both ends of the rings that carry packets between chips (facts §1.5, §4.1).
//
// Both words of a ring only grow: each side keeps its own free-running count, so that nobody
// subtracts from a word that another core adds to. Bit 31 of the credit word is the consumer's mark
// that it is gone.
#pragma once

#include <cstdint>

#include "runtime_under_test/protocol/layout.hpp"

namespace cqfuzz::fw {

inline constexpr std::uint32_t kTeardownMark = 0x80000000u;

// A word of another core and the way to it: NoC 0 or 1, or the core's ethernet link.
struct RemoteWord {
    std::uint32_t noc = 0;
    std::uint32_t noc_xy = 0;
    std::uint32_t address = 0;

    void add(std::uint32_t value) const;
};

// The producer's end.
class PageSink {
public:
    // `ready`: the consumer's word; its ring begins at `ring_base`.
    PageSink(std::uint32_t credits_address, RemoteWord ready, std::uint32_t ring_base,
             const rt::RingGeometry& ring)
        : credits_address_(credits_address),
          ready_(ready),
          base_(ring_base),
          page_(ring.page_size_bytes()),
          pages_(ring.pages),
          pointer_(ring_base) {}

    // Polls: pages that may be filled.
    std::uint32_t poll_room();
    // As last polled: the consumer is gone, and has given everything back.
    bool closed() const { return (seen_ & kTeardownMark) != 0 && room() == pages_; }
    std::uint32_t page_bytes() const { return page_; }
    std::uint32_t pages_for(std::uint32_t bytes) const { return (bytes + page_ - 1) / page_; }
    std::uint32_t pages_to_end() const { return (base_ + pages_ * page_ - pointer_) / page_; }

    // Copies own L1 to the write pointer, around the ring's end if need be; departs later.
    void write(std::uint32_t source, std::uint32_t length);
    // What was written, up to the end of its last page, is the consumer's.
    void hand_over(std::uint32_t pages);
    // Until what was written has left this core.
    void flush() const;

private:
    std::uint32_t room() const { return (seen_ & ~kTeardownMark) - taken_; }

    std::uint32_t credits_address_;
    RemoteWord ready_;
    std::uint32_t base_;
    std::uint32_t page_;
    std::uint32_t pages_;
    std::uint32_t pointer_;
    std::uint32_t seen_ = 0;   // of the credit word
    std::uint32_t taken_ = 0;  // pages handed over since the start
};

// The consumer's end.
class PageSource {
public:
    PageSource(std::uint32_t ready_address, RemoteWord credits, std::uint32_t ring_base,
               const rt::RingGeometry& ring, std::uint32_t count_start)
        : ready_address_(ready_address),
          credits_(credits),
          base_(ring_base),
          page_(ring.page_size_bytes()),
          pages_(ring.pages),
          pointer_(ring_base),
          count_(count_start) {}

    // Polls: pages that were handed over and not released.
    std::uint32_t poll_pages();
    std::uint32_t pointer() const { return pointer_; }
    std::uint32_t page_bytes() const { return page_; }
    std::uint32_t pages_for(std::uint32_t bytes) const { return (bytes + page_ - 1) / page_; }
    std::uint32_t pages_to_end() const { return (base_ + pages_ * page_ - pointer_) / page_; }
    // Sends [offset, +length) behind the pointer, which may lie behind the ring's end, on to the
    // sink.
    void send_to(PageSink& sink, std::uint32_t offset, std::uint32_t length) const;
    // Past pages whose bytes have left; they are the producer's when they are given back.
    void advance(std::uint32_t pages);
    void give_back(std::uint32_t pages) const { credits_.add(pages); }
    // The last word to the producer: nobody drains this ring any more.
    void close() const { credits_.add(kTeardownMark); }

private:
    std::uint32_t ready_address_;
    RemoteWord credits_;
    std::uint32_t base_;
    std::uint32_t page_;
    std::uint32_t pages_;
    std::uint32_t pointer_;
    std::uint32_t count_;
};

}  // namespace cqfuzz::fw
