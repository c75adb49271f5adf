// Holds: the deviations of an in-order run: "this move waits until that one has been made".
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harness/silicon/moves.hpp"

namespace cqfuzz {

class Holds {
public:
    void reset(std::span<const MachineHold> holds);
    bool any() const { return !by_hold_.empty(); }
    bool holds(const MachineMoveName& name) const;
    // Does a hold speak of single receivers of this multicast?
    bool singles_out(TileIndex source, std::uint32_t noc, std::uint32_t ordinal) const;
    // `name` has been made. True when some hold waited for it: held moves may be free now.
    bool made(const MachineMoveName& name);
    // Whatever this move waits for, it waits no longer.
    void give_up(const MachineMoveName& name);

private:
    struct Entry {
        std::uint64_t name = 0;
        std::uint32_t hold = 0;
    };
    static bool speaks_of_parts(const std::vector<Entry>& entries, TileIndex source,
                                std::uint32_t noc, std::uint32_t ordinal);

    std::vector<Entry> by_hold_;  // sorted by name, then hold
    std::vector<Entry> by_until_;
    std::vector<std::uint8_t> fulfilled_;
};

}  // namespace cqfuzz
