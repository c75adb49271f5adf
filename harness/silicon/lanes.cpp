#include "harness/silicon/lanes.hpp"

namespace cqfuzz {
namespace {

bool covers(const NocRectangle& outer, const NocRectangle& inner) {
    return outer.contains(inner.first) && outer.contains(inner.last);
}

}  // namespace

LaneId Lanes::open(TileIndex first) {
    if (open_ == lanes_.size()) {
        lanes_.emplace_back();
        lanes_.back().last.fill(kNoSlot);
    }
    lanes_[open_].first = first;
    return open_++;
}

void Lanes::wait_for(Slot earlier, Slot later) {
    std::uint32_t edge = free_edge_;
    if (edge != kNoEdge) {
        free_edge_ = edges_[edge].next;
    } else {
        edge = static_cast<std::uint32_t>(edges_.size());
        edges_.emplace_back();
    }
    Transaction& first = transactions_[earlier];
    edges_[edge] = Edge{later, first.lane_edges};
    first.lane_edges = edge;
    ++transactions_[later].blockers;
}

void Lanes::enter(LaneId lane_id, Slot slot) {
    Lane& lane = lanes_[lane_id];
    Transaction& newcomer = transactions_[slot];
    newcomer.lane_edges = kNoEdge;
    for (Slot earlier = lane.multicast_tail; earlier != kNoSlot;
         earlier = transactions_[earlier].lane_previous) {
        const NocRectangle& taken = transactions_[earlier].receivers;
        if (!taken.intersects(newcomer.receivers)) continue;
        wait_for(earlier, slot);
        if (covers(taken, newcomer.receivers)) break;
    }
    Slot* tail = &lane.multicast_tail;
    if (newcomer.multicast()) {
        if (lane.unicasts != 0) {
            for (Slot earlier = lane.unicast_tail; earlier != kNoSlot;
                 earlier = transactions_[earlier].lane_previous)
                if (newcomer.receivers.contains(transactions_[earlier].receivers.first))
                    wait_for(earlier, slot);
        }
    } else {
        Slot& last = lane.last[newcomer.target - lane.first];
        if (last != kNoSlot) wait_for(last, slot);
        last = slot;
        ++lane.unicasts;
        tail = &lane.unicast_tail;
    }
    newcomer.lane_previous = *tail;
    newcomer.lane_next = kNoSlot;
    if (*tail != kNoSlot) transactions_[*tail].lane_next = slot;
    *tail = slot;
}

std::uint32_t Lanes::take_out(LaneId lane_id, Slot slot) {
    Lane& lane = lanes_[lane_id];
    Transaction& leaver = transactions_[slot];
    Slot* tail = &lane.multicast_tail;
    if (!leaver.multicast()) {
        Slot& last = lane.last[leaver.target - lane.first];
        if (last == slot) last = kNoSlot;
        --lane.unicasts;
        tail = &lane.unicast_tail;
    }
    if (leaver.lane_previous != kNoSlot)
        transactions_[leaver.lane_previous].lane_next = leaver.lane_next;
    if (leaver.lane_next != kNoSlot)
        transactions_[leaver.lane_next].lane_previous = leaver.lane_previous;
    else
        *tail = leaver.lane_previous;
    const std::uint32_t edges = leaver.lane_edges;
    leaver.lane_edges = kNoEdge;
    return edges;
}

// A run may end with transactions in flight; only lanes that were opened can be dirty.
void Lanes::reset() {
    for (LaneId id = 0; id < open_; ++id) {
        Lane& lane = lanes_[id];
        if (lane.unicasts != 0) lane.last.fill(kNoSlot);
        lane.unicast_tail = kNoSlot;
        lane.multicast_tail = kNoSlot;
        lane.unicasts = 0;
    }
    open_ = 0;
    edges_.clear();
    free_edge_ = kNoEdge;
}

}  // namespace cqfuzz
