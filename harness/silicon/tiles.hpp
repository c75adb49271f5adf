// TileTable: which tiles the chips have, where they lie and how the runtime sees them.
//
// Coordinates are a chip's own, the same on both NoCs: DRAM bank b at (0, b); PCIe at (0, 20);
// worker (col, row) at (1 + col, 1 + row); ethernet core e at (1 + e, 12); dispatch cores at y =
// 13; the ethernet core of the tunnel at (20, 12).
//
// Order of tiles, chip after chip: pcie, dispatch cores, tunneler, ethernet cores, workers row by
// row, DRAM banks. Several chips are pairs: even chips have PCIe and a merged pipeline of their
// own, and host the h side of the next chip, which is reached through the tunnel (facts §1.2).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "harness/base/machine_view.hpp"
#include "harness/silicon/machine.hpp"

namespace cqfuzz {

// 8 chips of 80 cores, 16 banks and a PCIe bridge, rounded up.
inline constexpr std::uint32_t kTilesMax = 832;
inline constexpr std::uint32_t kTilesOfChipMax = 128;
inline constexpr TileIndex kPcieTile = 0;            // also stands for the host as an actor
inline constexpr std::uint32_t kFirstL1Slot = 1;     // the first tile, PCIe, has none
inline constexpr std::uint32_t kCoordinateMax = 64;  // coordinates have 6 bits (facts §8.1)

class TileTable {
public:
    TileTable();

    // Costs nothing when the machine is the one of the last call.
    void lay_out(const MachineConfig& config);

    // kNoTile where there is none. REQUIRES: x, y < kCoordinateMax; chip < kChipsMax.
    TileIndex at(std::uint32_t chip, std::uint32_t x, std::uint32_t y) const {
        return at_[(chip * kCoordinateMax + y) * kCoordinateMax + x];
    }
    // The row of `at`, by x.
    const TileIndex* row(std::uint32_t chip, std::uint32_t y) const {
        return &at_[(chip * kCoordinateMax + y) * kCoordinateMax];
    }
    std::uint32_t count() const { return static_cast<std::uint32_t>(views_.size()); }
    bool has_l1(TileIndex tile) const {
        const TileKind kind = views_[tile].kind;
        return kind != TileKind::dram && kind != TileKind::pcie;
    }
    // Of byte 0 of the tile's L1 in the low-mapped region: slots are dealt out in tile order.
    std::uint32_t l1_address_of(TileIndex tile) const;
    NocCoord coord(TileIndex tile) const { return views_[tile].coord; }
    std::uint32_t chip_of(TileIndex tile) const { return chip_of_[tile]; }
    // The lowest tile of a chip.
    TileIndex first_of(std::uint32_t chip) const { return firsts_[chip]; }
    // The other end of an ethernet core's link; kNoTile when it has none.
    TileIndex peer_of(TileIndex tile) const { return peers_[tile]; }
    // Of the hugepage channel; kNoTile when no chip has it.
    TileIndex pcie_of_channel(std::uint32_t channel) const {
        return channel < pcies_.size() ? pcies_[channel] : kNoTile;
    }
    const std::vector<TileView>& views() const { return views_; }
    std::uint32_t chip_count() const { return static_cast<std::uint32_t>(chips_.size()); }
    const rt::ChipDescription& chip(std::uint32_t chip) const { return chips_[chip]; }

private:
    TileIndex add(TileKind kind, Role role, NocCoord coord, std::uint8_t bank = 0);
    void add_dispatch_cores(const MachineConfig& config, bool remote);
    void add_second_queue(const MachineConfig& config);
    void add_chip(const MachineConfig& config);
    void link(TileIndex a, TileIndex b);
    void link_chips(const MachineConfig& config);

    std::vector<TileView> views_;
    std::vector<TileIndex> peers_;
    std::vector<rt::ChipDescription> chips_;
    std::vector<TileIndex> pcies_;
    std::array<TileIndex, kChipsMax> firsts_{};
    std::array<std::uint8_t, kTilesMax> chip_of_{};
    std::array<TileIndex, kChipsMax * kCoordinateMax * kCoordinateMax> at_;
    std::uint64_t shape_ = ~0ull;  // what lay_out last saw
};

}  // namespace cqfuzz
