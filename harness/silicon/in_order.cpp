#include "harness/silicon/in_order.hpp"

#include <algorithm>
#include <bit>

#include "harness/base/check.hpp"

namespace cqfuzz {

// The lowest core at or above `from` that can step, or kTilesMax.
std::uint32_t InOrder::lowest_from(std::uint32_t from) const {
    for (std::uint32_t word = from / 64; word < words_; ++word) {
        const std::uint64_t masked =
            word == from / 64 ? steps_[word] & (~0ull << (from % 64)) : steps_[word];
        if (masked != 0) return word * 64 + static_cast<std::uint32_t>(std::countr_zero(masked));
    }
    return kTilesMax;
}

void InOrder::reset(std::uint32_t tile_count) {
    words_ = (tile_count + 63) / 64;
    heap_.clear();
    steps_ = {};
    next_core_ = 1;
    in_a_row_ = 0;
    last_core_ = kNoTile;
}

void InOrder::add(MoveId move, std::uint64_t key) {
    if (is_step(move)) {
        steps_[move / 64] |= 1ull << (move % 64);
        return;
    }
    heap_.push_back(Entry{key, move});
    if (heap_.size() > 1)
        std::push_heap(heap_.begin(), heap_.end(),
                       [](const Entry& a, const Entry& b) { return a.key > b.key; });
}

MoveId InOrder::first() const {
    if (!heap_.empty()) return heap_.front().move;
    if ((steps_[0] & 1) != 0) return kHostMove;
    std::uint32_t core = lowest_from(next_core_);
    if (core == kTilesMax) core = lowest_from(1);
    return core == kTilesMax ? kNoMove : core;
}

void InOrder::remove_first(MoveId move) {
    if (is_step(move)) {
        steps_[move / 64] &= ~(1ull << (move % 64));
        return;
    }
    CHECK(!heap_.empty() && heap_.front().move == move, "move %u is not the first one in order",
          move);
    if (heap_.size() > 1)
        std::pop_heap(heap_.begin(), heap_.end(),
                      [](const Entry& a, const Entry& b) { return a.key > b.key; });
    heap_.pop_back();
}

void InOrder::step_ended(TileIndex tile, StepEnd how) {
    in_a_row_ = tile == last_core_ ? in_a_row_ + 1 : 1;
    last_core_ = tile;
    switch (how) {
        case StepEnd::goes_on: next_core_ = tile; break;
        case StepEnd::paused: next_core_ = tile + 1u; break;
        case StepEnd::parked: next_core_ = 1; break;
    }
    if (how != StepEnd::parked && in_a_row_ >= kStepsInARowMax) {
        next_core_ = tile + 1u;
        in_a_row_ = 0;
    }
    if (next_core_ >= kTilesMax) next_core_ = 1;
}

}  // namespace cqfuzz
