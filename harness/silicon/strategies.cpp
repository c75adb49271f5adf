// How each strategy chooses among the enabled moves.
#include <algorithm>
#include <bit>
#include <utility>

#include "harness/silicon/schedule.hpp"

namespace cqfuzz {

MoveId MoveSchedule::choose(bool impatient) {
    switch (strategy_) {
        case MachineStrategy::in_order:
            if (impatient) release_oldest_held();
            return choose_in_order();
        case MachineStrategy::random_walk: return choose_from(pool_);
        case MachineStrategy::pct: return choose_by_priority(impatient);
        case MachineStrategy::producer_at_once:
            if (bursting_ && !impatient) {
                const MoveId move = choose_in_burst();
                if (move != kNoMove) return move;
            }
            bursting_ = false;
            return choose_from(pool_);
        case MachineStrategy::starve:
            if (impatient && !deferred_.empty() && rng_.below(2) == 0)
                return choose_from(deferred_);
            return choose_from(pool_.empty() ? deferred_ : pool_);
    }
    return kNoMove;
}

MoveId MoveSchedule::choose_from(const std::vector<MoveId>& pool) {
    if (pool.empty()) return kNoMove;
    return pool[rng_.below(static_cast<std::uint32_t>(pool.size()))];
}

MoveId MoveSchedule::choose_in_order() {
    MoveId move = in_order_.first();
    while (move == kNoMove && !held_.empty()) {
        release_oldest_held();
        move = in_order_.first();
    }
    return move;
}

// --- starve --------------------------------------------------------------------------------------

// The host's departures are the arrivals of its posted writes.
bool MoveSchedule::is_starved(MoveId move, ActorId actor) const {
    if (!starves_departures_) return actor == starved_;
    if (is_step(move) || actor < traffic_of(starved_, 0) ||
        actor > traffic_of(starved_, kEthernetLink))
        return false;
    return starved_ == kPcieTile || facts_.departs(move);
}

// --- pct -----------------------------------------------------------------------------------------

// Every core and every (tile, NoC)'s traffic gets a rank; the highest (0) with an enabled move
// goes, its oldest first.
void MoveSchedule::draw_priorities(std::uint32_t tile_count) {
    ranks_ = {};
    std::uint32_t count = 0;
    for (TileIndex tile = 0; tile < tile_count; ++tile) {
        actor_at_[count++] = tile;
        actor_at_[count++] = traffic_of(tile, 0);
        actor_at_[count++] = traffic_of(tile, 1);
    }
    for (TileIndex tile = 0; tile < tile_count; ++tile)
        if (facts_.has_link(tile)) actor_at_[count++] = traffic_of(tile, kEthernetLink);
    for (std::uint32_t left = count; left > 1; --left)
        std::swap(actor_at_[left - 1], actor_at_[rng_.below(left)]);
    for (std::uint32_t rank = 0; rank < count; ++rank) actors_[actor_at_[rank]].rank = rank;
    next_low_rank_ = count;
}

// The length of the run is unknown, so its scale is drawn too.
void MoveSchedule::draw_change_points(std::uint32_t count) {
    change_at_.clear();
    next_change_ = 0;
    const std::uint32_t scale_log = 6 + rng_.below(14);
    for (std::uint32_t point = 0; point < count; ++point)
        change_at_.push_back(rng_.below(1u << scale_log));
    std::sort(change_at_.begin(), change_at_.end());
}

void MoveSchedule::demote(ActorId actor) {
    if (next_low_rank_ == kRanksMax) return;
    const std::uint32_t old = actors_[actor].rank;
    ranks_[old / 64] &= ~(1ull << (old % 64));
    const std::uint32_t rank = next_low_rank_++;
    actors_[actor].rank = rank;
    actor_at_[rank] = actor;
    if (actors_[actor].head != kNoMove) ranks_[rank / 64] |= 1ull << (rank % 64);
}

// The first rank at or behind `from` whose actor has a move; from rank 0 again at the end.
ActorId MoveSchedule::actor_from_rank(std::uint32_t from) const {
    const std::uint32_t words = static_cast<std::uint32_t>(ranks_.size());
    for (std::uint32_t step = 0; step <= words; ++step) {
        const std::uint32_t word = (from / 64 + step) % words;
        std::uint64_t bits = ranks_[word];
        if (step == 0) bits &= ~0ull << (from % 64);
        if (bits != 0)
            return actor_at_[word * 64 + static_cast<std::uint32_t>(std::countr_zero(bits))];
    }
    return kNone;
}

MoveId MoveSchedule::choose_by_priority(bool impatient) {
    const std::uint32_t from = impatient ? rng_.below(kRanksMax) : 0;
    ActorId actor = actor_from_rank(from);
    if (actor == kNone) return kNoMove;
    bool falls = false;
    while (next_change_ < change_at_.size() && picks_ >= change_at_[next_change_]) {
        ++next_change_;
        falls = true;
    }
    if (falls) {
        demote(actor);
        actor = actor_from_rank(from);
    }
    return actors_[actor].head;
}

// --- producer at once ----------------------------------------------------------------------------

void MoveSchedule::credit_issued(TileIndex issuer, std::uint32_t noc, TileIndex receiver,
                                 std::uint64_t age) {
    if (strategy_ != MachineStrategy::producer_at_once || bursting_) return;
    bursting_ = true;
    burst_issuer_ = traffic_of(issuer, noc);
    burst_receiver_ = receiver;
    burst_age_ = age;
    burst_moves_ = 0;
}

// The credit flies first, then its receiver does all that it can do; meanwhile nothing of the
// issuer departs.
MoveId MoveSchedule::choose_in_burst() {
    if (++burst_moves_ > kBurstMovesMax) return kNoMove;
    std::array<MoveId, 5> candidates{};
    std::uint32_t count = 0;
    for (MoveId move = actors_[burst_issuer_].head; move != kNoMove; move = states_[move].next) {
        if (!facts_.leads_to(move, burst_receiver_, burst_age_)) continue;
        candidates[count++] = move;
        break;
    }
    for (const ActorId actor :
         {ActorId{burst_receiver_}, traffic_of(burst_receiver_, 0), traffic_of(burst_receiver_, 1),
          traffic_of(burst_receiver_, kEthernetLink)})
        if (actors_[actor].head != kNoMove) candidates[count++] = actors_[actor].head;
    if (count == 0) return kNoMove;
    return candidates[rng_.below(count)];
}

}  // namespace cqfuzz
