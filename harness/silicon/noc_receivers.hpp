// The tiles that a multicast reaches: every one with L1 in its rectangle, but the sender only when
// asked for.
#pragma once

#include "harness/silicon/chip.hpp"

namespace cqfuzz {

template <class Visit>
void Noc::for_each_receiver(const Transaction& transaction, Visit visit) const {
    const NocRectangle& area = transaction.receivers;
    const std::uint32_t chip = chip_.tiles.chip_of(transaction.source);
    for (std::uint32_t y = area.first.y; y <= area.last.y; ++y) {
        const TileIndex* row = chip_.tiles.row(chip, y);
        for (std::uint32_t x = area.first.x; x <= area.last.x; ++x) {
            const TileIndex tile = row[x];
            if (tile == kNoTile || !chip_.tiles.has_l1(tile)) continue;
            if (tile == transaction.source && (transaction.flags & kLogLoopback) == 0) continue;
            visit(tile);
        }
    }
}

}  // namespace cqfuzz
