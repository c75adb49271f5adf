// Lanes: rule A of design §4. What entered a lane earlier and has a receiver in common goes first.
//
// A lane is (source tile, NoC, virtual channel) for what travels, (source tile, NoC) for what
// returns. Entering counts the transaction's blockers; leaving takes one from each that waited for
// it.
//
// Only the nearest earlier ones are remembered: one that covers all receivers of the newcomer
// stands for everything before it. Waiting for it is waiting for those too, since it waited for
// them itself.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "harness/silicon/tiles.hpp"
#include "harness/silicon/transaction.hpp"

namespace cqfuzz {

using LaneId = std::uint32_t;
inline constexpr LaneId kNoLane = 0xffffffff;

class Lanes {
public:
    explicit Lanes(Transactions& transactions) : transactions_(transactions) {}

    // Of a source whose receivers are the tiles from `first` on.
    LaneId open(TileIndex first);
    // Adds to `blockers` of the newcomer.
    void enter(LaneId lane, Slot slot);
    // Calls freed(slot) for each transaction that has no blocker left.
    template <class Freed>
    void leave(LaneId lane, Slot slot, Freed freed) {
        std::uint32_t edge = take_out(lane, slot);
        while (edge != kNoEdge) {
            const Edge followed = edges_[edge];
            edges_[edge].next = free_edge_;
            free_edge_ = edge;
            edge = followed.next;
            if (--transactions_[followed.to].blockers == 0) freed(followed.to);
        }
    }
    // No lane is open any more.
    void reset();

private:
    static constexpr std::uint32_t kNoEdge = 0xffffffff;
    struct Edge {
        Slot to = kNoSlot;
        std::uint32_t next = kNoEdge;
    };
    struct Lane {
        std::array<Slot, kTilesOfChipMax> last;  // unicast still in the lane, by receiver
        TileIndex first = 0;
        Slot unicast_tail = kNoSlot;
        Slot multicast_tail = kNoSlot;
        std::uint32_t unicasts = 0;
    };

    void wait_for(Slot earlier, Slot later);
    std::uint32_t take_out(LaneId lane, Slot slot);

    Transactions& transactions_;
    std::vector<Lane> lanes_;  // the first `open_` are in use
    std::uint32_t open_ = 0;
    std::vector<Edge> edges_;
    std::uint32_t free_edge_ = kNoEdge;
};

}  // namespace cqfuzz
