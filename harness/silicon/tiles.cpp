#include "harness/silicon/tiles.hpp"

#include "harness/base/check.hpp"

namespace cqfuzz {
namespace {

constexpr std::uint8_t kEthernetRow = 12;
constexpr std::uint8_t kDispatchRow = 13;
constexpr std::uint8_t kPcieRow = 20;

constexpr std::uint8_t u8(std::uint32_t value) { return static_cast<std::uint8_t>(value); }

std::uint64_t shape_of(const MachineConfig& config) {
    return config.worker_cols | static_cast<std::uint64_t>(config.worker_rows) << 8 |
           static_cast<std::uint64_t>(config.ethernet_cores) << 16 |
           static_cast<std::uint64_t>(config.dram_banks) << 24 |
           static_cast<std::uint64_t>(config.split) << 32;
}

}  // namespace

TileTable::TileTable() { at_.fill(kNoTile); }

void TileTable::add(TileKind kind, Role role, NocCoord coord, std::uint8_t bank) {
    TileView view;
    view.kind = kind;
    view.role = role;
    view.coord = coord;
    view.bank = bank;
    at_[coord.y * kCoordinateMax + coord.x] = static_cast<TileIndex>(views_.size());
    views_.push_back(view);
}

void TileTable::lay_out(const MachineConfig& config) {
    CHECK(config.worker_cols >= 1 && config.worker_cols <= 8 && config.worker_rows >= 1 &&
              config.worker_rows <= 8,
          "a worker grid of %u x %u; 1 to 8 each way are modelled", config.worker_cols,
          config.worker_rows);
    CHECK(config.ethernet_cores <= 16, "%u ethernet cores; at most 16", config.ethernet_cores);
    CHECK(config.dram_banks >= 1 && config.dram_banks <= 16, "%u DRAM banks; 1 to 16",
          config.dram_banks);
    const std::uint64_t shape = shape_of(config);
    if (shape == shape_) return;
    shape_ = shape;

    for (const TileView& view : views_) at_[view.coord.y * kCoordinateMax + view.coord.x] = kNoTile;
    views_.clear();
    chip_ = rt::ChipDescription{};
    chip_.worker_cols = config.worker_cols;
    chip_.worker_rows = config.worker_rows;
    chip_.pcie = rt::Coord{0, kPcieRow};
    chip_.prefetch = rt::Coord{1, kDispatchRow};
    chip_.prefetch_d = rt::Coord{2, kDispatchRow};
    chip_.dispatch = rt::Coord{3, kDispatchRow};
    chip_.dispatch_h = rt::Coord{4, kDispatchRow};

    add(TileKind::pcie, Role::host, {0, kPcieRow});
    add(TileKind::dispatch, config.split ? Role::prefetch_h : Role::prefetch_hd, {1, kDispatchRow});
    if (config.split) add(TileKind::dispatch, Role::prefetch_d, {2, kDispatchRow});
    add(TileKind::dispatch, config.split ? Role::dispatch_d : Role::dispatch_hd, {3, kDispatchRow});
    if (config.split) add(TileKind::dispatch, Role::dispatch_h, {4, kDispatchRow});
    for (std::uint32_t core = 0; core < config.ethernet_cores; ++core) {
        add(TileKind::ethernet, Role::ethernet, {u8(1 + core), kEthernetRow});
        chip_.ethernet_cores.push_back(rt::Coord{u8(1 + core), kEthernetRow});
    }
    for (std::uint32_t row = 0; row < config.worker_rows; ++row)
        for (std::uint32_t col = 0; col < config.worker_cols; ++col)
            add(TileKind::worker, Role::worker, {u8(1 + col), u8(1 + row)});
    for (std::uint32_t bank = 0; bank < config.dram_banks; ++bank) {
        add(TileKind::dram, Role::none, {0, u8(bank)}, u8(bank));
        chip_.dram_banks.push_back(rt::Coord{0, u8(bank)});
    }
    CHECK(views_.size() <= kTilesMax, "%zu tiles; at most %u", views_.size(), kTilesMax);
}

}  // namespace cqfuzz
