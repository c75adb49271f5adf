// MoveId: an enabled or coming move as the schedule handles it.
#pragma once

#include <cstdint>

#include "harness/device_api/core_port.hpp"
#include "harness/silicon/machine.hpp"
#include "harness/silicon/tiles.hpp"
#include "harness/silicon/transaction.hpp"

namespace cqfuzz {

// Below kTilesMax: a step of that tile's core (the pcie tile: of the host). From there on: the next
// stage of a transaction.
// NoCs 0 and 1 of the chip, and the ethernet link of the core.
inline constexpr std::uint32_t kEthernetLink = device::kEthernetLink;
inline constexpr std::uint32_t kNocs = kEthernetLink + 1;

using MoveId = std::uint32_t;
inline constexpr MoveId kNoMove = 0xffffffff;
inline constexpr MoveId kHostMove = kPcieTile;

constexpr bool is_step(MoveId move) { return move < kTilesMax; }
constexpr MoveId move_of(Slot slot) { return slot + kTilesMax; }
constexpr Slot slot_of(MoveId move) { return move - kTilesMax; }

// Who makes moves, for priorities: the cores and the host, then the traffic of each (tile, NoC) and
// of each core's link.
using ActorId = std::uint32_t;
inline constexpr ActorId kActorsMax = kTilesMax * (1 + kNocs);
constexpr ActorId traffic_of(TileIndex tile, std::uint32_t noc) {
    return kTilesMax + tile * kNocs + noc;
}

// Names of parts of a multicast carry the part's number above the NoC's bit (machine.hpp).
constexpr std::uint8_t noc_and_part(std::uint32_t noc, std::uint32_t part) {
    return noc == kEthernetLink ? kEthernetMoves : static_cast<std::uint8_t>(noc | part << 1);
}
inline constexpr std::uint32_t kPartsMax = 126;

// A name as one number; equal names, equal numbers.
constexpr std::uint64_t packed(const MachineMoveName& name) {
    return static_cast<std::uint64_t>(name.ordinal) << 32 |
           static_cast<std::uint64_t>(name.actor) << 16 |
           static_cast<std::uint64_t>(name.kind) << 8 | name.noc;
}

}  // namespace cqfuzz
