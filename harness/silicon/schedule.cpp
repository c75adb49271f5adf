#include "harness/silicon/schedule.hpp"

#include <algorithm>

#include "harness/base/check.hpp"

namespace cqfuzz {

void MoveSchedule::reset(const SchedulePlan& plan, MachineOrder order, std::uint32_t tile_count,
                         std::uint64_t idle_moves_max) {
    // At O0 cores run in fixed order, as in the simulators that it stands for.
    strategy_ = order == MachineOrder::o0 ? MachineStrategy::in_order : plan.strategy;
    split_one_in_ = plan.split_multicast_one_in;
    rng_ = Rng(plan.seed);
    // Apart, so that the same multicasts are split when the recorded run is made again in order.
    split_rng_ = rng_.split();
    // In order is made to repeat recorded runs exactly: its patience is as long as can be.
    patience_ = idle_moves_max / 2;
    if (strategy_ != MachineStrategy::in_order) patience_ = std::min(patience_, kPatienceMoves);
    picks_ = 0;
    // Those of transactions are made anew when their slots are first used.
    states_.resize(kTilesMax);
    std::fill_n(states_.begin(), tile_count, MoveState{});

    recording_ = plan.record ? Recording::on : Recording::off;
    recorded_.clear();
    passed_over_.clear();
    plan_holds_.clear();
    const bool in_order = strategy_ == MachineStrategy::in_order;
    if (in_order) plan_holds_ = plan.holds;
    holds_.reset(plan_holds_);
    held_.clear();

    keeps_order_ = in_order || plan.record;
    keeps_lists_ =
        strategy_ == MachineStrategy::pct || strategy_ == MachineStrategy::producer_at_once;
    keeps_pool_ = !in_order && strategy_ != MachineStrategy::pct;
    in_order_.reset(tile_count);
    pool_.clear();
    deferred_.clear();
    if (keeps_lists_) actors_.fill(ActorList{});

    starved_ = strategy_ == MachineStrategy::starve ? plan.starved_actor : kNoTile;
    bursting_ = false;
    if (strategy_ == MachineStrategy::starve) starves_departures_ = rng_.below(2) == 1;
    if (strategy_ == MachineStrategy::pct) {
        draw_priorities(tile_count);
        draw_change_points(plan.change_points);
    }
}

void MoveSchedule::enable(MoveId move, std::uint64_t key, ActorId actor) {
    if (move >= states_.size()) states_.resize(move + 1);
    states_[move].key = key;
    states_[move].actor = actor;
    if (holds_.any()) {
        const MachineMoveName name = facts_.name_of(move);
        if (holds_.holds(name)) {
            held_.push_back(Held{name, move});
            return;
        }
    }
    add(move);
}

void MoveSchedule::add(MoveId move) {
    MoveState& state = states_[move];
    if (keeps_order_) in_order_.add(move, state.key);
    if (keeps_pool_) {
        state.deferred = starved_ != kNoTile && is_starved(move, state.actor);
        pool_add(state.deferred ? deferred_ : pool_, move);
    }
    if (keeps_lists_) list_add(move);
}

// In-order keeps its own first place: `record` and `choose` have brought `move` there.
void MoveSchedule::remove(MoveId move) {
    MoveState& state = states_[move];
    if (keeps_order_) in_order_.remove_first(move);
    if (keeps_pool_) pool_remove(state.deferred ? deferred_ : pool_, move);
    if (keeps_lists_) list_remove(move);
}

void MoveSchedule::pool_add(std::vector<MoveId>& pool, MoveId move) {
    states_[move].position = static_cast<std::uint32_t>(pool.size());
    pool.push_back(move);
}

void MoveSchedule::pool_remove(std::vector<MoveId>& pool, MoveId move) {
    const std::uint32_t position = states_[move].position;
    pool[position] = pool.back();
    states_[pool[position]].position = position;
    pool.pop_back();
}

void MoveSchedule::list_add(MoveId move) {
    MoveState& state = states_[move];
    ActorList& list = actors_[state.actor];
    state.previous = list.tail;
    state.next = kNoMove;
    if (list.tail != kNoMove) {
        states_[list.tail].next = move;
    } else {
        list.head = move;
        ranks_[list.rank / 64] |= 1ull << (list.rank % 64);
    }
    list.tail = move;
}

void MoveSchedule::list_remove(MoveId move) {
    MoveState& state = states_[move];
    ActorList& list = actors_[state.actor];
    if (state.previous != kNoMove)
        states_[state.previous].next = state.next;
    else
        list.head = state.next;
    if (state.next != kNoMove)
        states_[state.next].previous = state.previous;
    else
        list.tail = state.previous;
    if (list.head == kNoMove) ranks_[list.rank / 64] &= ~(1ull << (list.rank % 64));
}

MoveId MoveSchedule::pick(std::uint64_t idle_moves) {
    ++picks_;
    const MoveId move = choose(idle_moves > patience_);
    if (move == kNoMove) return kNoMove;
    if (recording_ == Recording::on) record(move);
    remove(move);
    if (holds_.any()) {
        const MachineMoveName name = facts_.name_of(move);
        if (holds_.made(name)) release_held();
    }
    return move;
}

// --- holds ---------------------------------------------------------------------------------------

void MoveSchedule::release_held() {
    std::size_t kept = 0;
    for (std::size_t index = 0; index < held_.size(); ++index) {
        if (holds_.holds(held_[index].name))
            held_[kept++] = held_[index];
        else
            add(held_[index].move);
    }
    held_.resize(kept);
}

void MoveSchedule::release_oldest_held() {
    if (held_.empty()) return;
    holds_.give_up(held_.front().name);
    release_held();
}

bool MoveSchedule::splits(TileIndex source, std::uint32_t noc, std::uint32_t ordinal) {
    const bool drawn = split_one_in_ != 0 && split_rng_.one_in(split_one_in_);
    return drawn || holds_.singles_out(source, noc, ordinal);
}

// --- recording -----------------------------------------------------------------------------------

// `in_order_` holds the enabled moves that an in-order run with the holds found so far would not
// hold.
void MoveSchedule::record(MoveId move) {
    if (recorded_.size() == kRecordedMovesMax) {
        recording_ = Recording::overflown;
        keeps_order_ = strategy_ == MachineStrategy::in_order;
        return;
    }
    if (strategy_ != MachineStrategy::in_order) {
        MoveState& state = states_[move];
        if (state.skipped != kNone) {
            passed_over_[state.skipped].until = recorded_.back();
            state.skipped = kNone;
            in_order_.add(move, state.key);
        }
        for (MoveId first = in_order_.first(); first != move; first = in_order_.first()) {
            CHECK(first != kNoMove, "the in-order queue lost move %u", move);
            in_order_.remove_first(first);
            states_[first].skipped = static_cast<std::uint32_t>(passed_over_.size());
            // Should it never be made: until a move that nobody makes.
            passed_over_.push_back(
                MachineHold{facts_.name_of(first), {kNoTile, MachineMove::step, 0, 0}});
        }
    }
    recorded_.push_back(facts_.name_of(move));
}

std::vector<MachineHold> MoveSchedule::holds_of_recording() const {
    return strategy_ == MachineStrategy::in_order ? plan_holds_ : passed_over_;
}

}  // namespace cqfuzz
