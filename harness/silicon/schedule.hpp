// MoveSchedule: the list of enabled moves, and the choice of the next one (design §4).
//
// An enabled move stays enabled until it is made. A strategy decides which structures keep the
// moves, so that a choice costs O(1), or O(log) in order; nothing here walks over the tiles.
//
// Invariants:
//  1. The choice depends on plan and history alone.
//  2. `in_order` with the holds of a recording makes the moves of that recording: each time the
//  recorded run chose another
//     move than in-order would have, the passed-over move gets a hold that ends with the move made
//     just before it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "harness/base/rng.hpp"
#include "harness/silicon/holds.hpp"
#include "harness/silicon/in_order.hpp"
#include "harness/silicon/moves.hpp"

namespace cqfuzz {

// What the schedule asks of the machine about a move.
class MoveFacts {
public:
    virtual MachineMoveName name_of(MoveId move) const = 0;
    // Is it an atomic's arrival at `receiver`, not younger than `age`?
    virtual bool leads_to(MoveId move, TileIndex receiver, std::uint64_t age) const = 0;
    virtual bool departs(MoveId move) const = 0;
    virtual bool has_link(TileIndex tile) const = 0;

protected:
    ~MoveFacts() = default;
};

class MoveSchedule {
public:
    explicit MoveSchedule(const MoveFacts& facts) : facts_(facts) {}

    // `idle_moves_max`: the run is a livelock after so many moves of which nothing came. Before
    // that every strategy becomes fair, so that no hold, starvation or priority makes a livelock of
    // a busy loop.
    void reset(const SchedulePlan& plan, MachineOrder order, std::uint32_t tile_count,
               std::uint64_t idle_moves_max);
    // `key`: age, for in-order. `actor`: whose move it is.
    void enable(MoveId move, std::uint64_t key, ActorId actor);
    void enable_step(TileIndex tile) { enable(tile, 0, tile); }
    // The next move, no longer enabled; kNoMove when none is. `idle_moves`: moves since anything
    // came of them.
    MoveId pick(std::uint64_t idle_moves);

    void step_ended(TileIndex tile, StepEnd how) {
        if (keeps_order_) in_order_.step_ended(tile, how);
    }
    bool splits(TileIndex source, std::uint32_t noc, std::uint32_t ordinal);
    // An atomic that returns credits has been issued: "producer runs at once".
    void credit_issued(TileIndex issuer, std::uint32_t noc, TileIndex receiver, std::uint64_t age);

    const std::vector<MachineMoveName>& recorded_moves() const { return recorded_; }
    std::vector<MachineHold> holds_of_recording() const;
    bool recording_complete() const { return recording_ == Recording::on; }

private:
    static constexpr std::uint32_t kNone = 0xffffffff;
    static constexpr std::uint32_t kRanksMax = kActorsMax + 256;
    static constexpr std::uint32_t kBurstMovesMax = 1u << 16;
    static constexpr std::uint64_t kPatienceMoves = 10'000;
    enum class Recording : std::uint8_t { off, on, overflown };

    struct MoveState {
        std::uint64_t key = 0;
        ActorId actor = 0;
        std::uint32_t position = kNone;  // in pool_ or deferred_
        MoveId previous = kNoMove;       // in the actor's list
        MoveId next = kNoMove;
        std::uint32_t skipped = kNone;  // index of the hold that the recording gave it
        bool deferred = false;
    };
    struct ActorList {
        MoveId head = kNoMove;
        MoveId tail = kNoMove;
        std::uint32_t rank = 0;
    };
    struct Held {
        MachineMoveName name;
        MoveId move = kNoMove;
    };

    void add(MoveId move);
    void remove(MoveId move);
    void pool_add(std::vector<MoveId>& pool, MoveId move);
    void pool_remove(std::vector<MoveId>& pool, MoveId move);
    void list_add(MoveId move);
    void list_remove(MoveId move);

    MoveId choose(bool impatient);
    MoveId choose_from(const std::vector<MoveId>& pool);
    MoveId choose_in_order();
    MoveId choose_by_priority(bool impatient);
    MoveId choose_in_burst();
    bool is_starved(MoveId move, ActorId actor) const;
    void release_oldest_held();
    void release_held();
    void record(MoveId move);
    void draw_priorities(std::uint32_t tile_count);
    void draw_change_points(std::uint32_t count);
    void demote(ActorId actor);
    ActorId actor_from_rank(std::uint32_t from) const;

    const MoveFacts& facts_;
    MachineStrategy strategy_ = MachineStrategy::in_order;
    std::uint32_t split_one_in_ = 0;
    Rng rng_{0};
    Rng split_rng_{0};
    std::uint64_t patience_ = 0;
    std::uint64_t picks_ = 0;
    std::vector<MoveState> states_;

    bool keeps_order_ = false;  // in_order_ is kept
    bool keeps_pool_ = false;
    bool keeps_lists_ = false;
    InOrder in_order_;
    std::vector<MoveId> pool_;
    std::vector<MoveId> deferred_;
    std::array<ActorList, kActorsMax> actors_;

    Holds holds_;
    std::vector<Held> held_;  // oldest first

    TileIndex starved_ = kNoTile;
    bool starves_departures_ = false;

    // pct
    std::array<std::uint64_t, (kRanksMax + 63) / 64>
        ranks_{};  // bit: the actor of that rank has a move
    std::array<ActorId, kRanksMax> actor_at_{};
    std::uint32_t next_low_rank_ = 0;
    std::vector<std::uint64_t> change_at_;  // ascending
    std::size_t next_change_ = 0;

    // producer_at_once
    bool bursting_ = false;
    ActorId burst_issuer_ = 0;  // the traffic that carries the atomic
    TileIndex burst_receiver_ = kNoTile;
    std::uint64_t burst_age_ = 0;
    std::uint32_t burst_moves_ = 0;

    Recording recording_ = Recording::off;
    std::vector<MachineMoveName> recorded_;
    std::vector<MachineHold> passed_over_;
    std::vector<MachineHold> plan_holds_;
};

}  // namespace cqfuzz
