// TileTable: which tiles the chip has, where they lie and how the runtime sees them.
//
// Coordinates (both NoCs use the same ones): DRAM bank b at (0, b); PCIe at (0, 20); worker (col,
// row) at (1 + col, 1 + row); ethernet core e at (1 + e, 12); dispatch cores at y = 13. Order of
// tiles: pcie, dispatch cores, ethernet cores, workers row by row, DRAM banks.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "harness/base/machine_view.hpp"
#include "harness/silicon/machine.hpp"

namespace cqfuzz {

inline constexpr std::uint32_t kTilesMax = 128;      // 1 + 4 + 16 + 64 + 16, rounded up
inline constexpr TileIndex kPcieTile = 0;            // also stands for the host as an actor
inline constexpr std::uint32_t kCoordinateMax = 64;  // coordinates have 6 bits (facts §8.1)

class TileTable {
public:
    TileTable();

    // Costs nothing when the chip is the one of the last call.
    void lay_out(const MachineConfig& config);

    // kNoTile where there is none. REQUIRES: x, y < kCoordinateMax.
    TileIndex at(std::uint32_t x, std::uint32_t y) const { return at_[y * kCoordinateMax + x]; }
    std::uint32_t count() const { return static_cast<std::uint32_t>(views_.size()); }
    bool has_l1(TileIndex tile) const {
        const TileKind kind = views_[tile].kind;
        return kind != TileKind::dram && kind != TileKind::pcie;
    }
    NocCoord coord(TileIndex tile) const { return views_[tile].coord; }
    const std::vector<TileView>& views() const { return views_; }
    const rt::ChipDescription& chip() const { return chip_; }

private:
    void add(TileKind kind, Role role, NocCoord coord, std::uint8_t bank = 0);

    std::vector<TileView> views_;
    rt::ChipDescription chip_;
    std::array<TileIndex, kCoordinateMax * kCoordinateMax> at_;
    std::uint64_t shape_ = ~0ull;  // what lay_out last saw
};

}  // namespace cqfuzz
