// BlockReader: the consumer's side of a page ring, with release by whole blocks (facts §4.2, §4.3).
//
// The fence is the end of the pages acquired; it never crosses the end of the current block in one
// acquire (inv. 18). A block goes back to the producer when it is not current any more and every
// write that took bytes from it has departed (inv. 4, 21). How that is known is geometry: per-block
// write counts, or one snapshot.
//
//        block 0        block 1        block 2        block 3
//      |....|....|    |####|####|    |##==|====|    |    |    |      # finished, not yet released
//      = unread
//                      ^ oldest       ^ pointer ^ fence
#pragma once

#include <array>
#include <cstdint>

#include "runtime_under_test/faults/faults.hpp"
#include "runtime_under_test/protocol/layout.hpp"

namespace cqfuzz::fw {

inline constexpr std::uint32_t kBlocksMax = 8;

class BlockReader {
public:
    // Whether an acquire in the middle of a command looks for blocks to release.
    enum class Release : std::uint8_t { after_acquire, at_command_end };

    BlockReader(const rt::DispatchCoreLayout& self, const rt::RingGeometry& ring,
                rt::Coord producer, const rt::DispatchCoreLayout& producer_layout,
                const rt::DispatchGeometry& geometry, rt::FaultSet& faults, const char* waypoint);

    std::uint32_t base() const { return base_; }
    std::uint32_t page_bytes() const { return page_; }
    std::uint32_t fence() const { return fence_; }
    rt::BlockAccounting accounting() const { return accounting_; }

    // Waits until at least one page of the next command is there; `pointer` is at a page's start
    // and may wrap.
    void wait_command(std::uint32_t& pointer);
    // Makes [pointer, +n) readable and returns n: at most `wanted` and at most a page. What would
    // straddle a block's end is cut there, so that it is issued while its block is current (inv.
    // 19). The mistake of facts §12.3, named by `late_orphan`, does not cut at inner block ends:
    // the whole piece goes out after the move.
    std::uint32_t next_piece(std::uint32_t& pointer, std::uint32_t wanted, rt::Fault late_orphan,
                             Release release);
    // As much as is there, up to the fence (facts §4.3): never straddles.
    std::uint32_t next_chunk(std::uint32_t& pointer, std::uint32_t wanted);
    // Passes over `length` bytes, over block and ring ends too (inv. 31).
    void skip(std::uint32_t& pointer, std::uint32_t length);
    // After each packet of a write from the current block, also words that are not from the ring
    // (inv. 23).
    void count_packet();
    // Hands back what may be; once per command at least (inv. 26).
    void release_completed();
    std::uint32_t round_up_to_page(std::uint32_t pointer) const {
        return base_ + (pointer - base_ + page_ - 1) / page_ * page_;
    }
    // At exit, all writes acknowledged: everything up to `pointer` goes back (inv. 97).
    void release_all(std::uint32_t pointer);
    // After it: nobody drains this ring any more (facts §4.1, bit 31).
    void close();

private:
    bool at_block_end() const { return fence_ == block_end_; }
    void acquire_pages();
    bool pages_ready();
    void move_to_next_block(std::uint32_t& pointer);
    void send_release(std::uint32_t pages);
    bool oldest_has_departed(std::uint32_t sent) const;

    std::uint32_t base_;
    std::uint32_t end_;
    std::uint32_t page_;
    std::uint32_t pages_per_block_;
    std::uint32_t blocks_;
    rt::BlockAccounting accounting_;
    std::uint32_t ready_address_;
    std::uint32_t producer_xy_;
    std::uint32_t credits_address_;
    rt::FaultSet& faults_;
    const char* waypoint_;

    std::uint32_t fence_;
    std::uint32_t block_end_;
    std::uint32_t local_count_;    // pages acquired since the start; free-running
    std::uint32_t available_ = 0;  // pages seen ready, not acquired
    std::uint32_t current_ =
        0;  // block that holds the fence; lags when the fence is at a block's end
    std::uint32_t oldest_ = 0;      // write_counts: oldest block not released
    bool orphan_out_ = false;       // the piece handed out last is an orphan
    std::uint32_t late_count_ = 0;  // packets not yet counted to a block; the sound reader has none
    // write_counts: hardware count at which the block's writes have all departed; one more while it
    // is current (inv. 22).
    std::array<std::uint32_t, kBlocksMax> target_{};
    // snapshot: the finished block that is held back, and its target.
    bool finished_held_ = false;
    std::uint32_t snapshot_ = 0;
};

}  // namespace cqfuzz::fw
