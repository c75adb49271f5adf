// InOrder: the in-order schedule as a queue: the oldest NoC or PCIe move, then the host, then the
// cores.
//
// Cores: the lowest tile goes on until it parks. One that gives way without having waited for
// anything (`pause`), or that has gone on for very long, lets those behind it go first, so that no
// busy loop starves the rest.
//
// Invariant: `first` depends on the moves in the queue and on the steps made, not on how they came
// in. So a recorded run can be written as this order plus what it passed over.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "harness/silicon/moves.hpp"

namespace cqfuzz {

enum class StepEnd : std::uint8_t { goes_on, paused, parked };

class InOrder {
public:
    void reset(std::uint32_t tile_count);
    void add(MoveId move, std::uint64_t key);
    // kNoMove when empty.
    MoveId first() const;
    // REQUIRES: `move` is first().
    void remove_first(MoveId move);
    void step_ended(TileIndex tile, StepEnd how);

private:
    static constexpr std::uint32_t kStepsInARowMax = 256;
    struct Entry {
        std::uint64_t key = 0;
        MoveId move = kNoMove;
    };

    std::vector<Entry> heap_;               // of transactions; smallest key on top
    std::uint32_t lowest_from(std::uint32_t from) const;

    std::array<std::uint64_t, kTilesMax / 64> steps_{};  // bit per tile; bit 0: the host
    std::uint32_t words_ = 0;                            // of steps_ that have tiles
    std::uint32_t next_core_ = 1;           // where the search for a core begins
    std::uint32_t in_a_row_ = 0;
    TileIndex last_core_ = kNoTile;
};

}  // namespace cqfuzz
