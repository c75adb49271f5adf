#include "harness/silicon/tiles.hpp"

#include "harness/base/check.hpp"

namespace cqfuzz {
namespace {

constexpr std::uint8_t kEthernetRow = 12;
constexpr std::uint8_t kDispatchRow = 13;
constexpr std::uint8_t kPcieRow = 20;

// Places in the dispatch row. On a chip that is alone the h roles stand where the merged ones do.
constexpr std::uint8_t kPrefetchX = 1;
constexpr std::uint8_t kPrefetchDX = 2;
constexpr std::uint8_t kDispatchX = 3;
constexpr std::uint8_t kDispatchHX = 4;
constexpr std::uint8_t kRemotePrefetchHX = 5;
constexpr std::uint8_t kRemoteDispatchHX = 6;
constexpr std::uint8_t kMuxX = 7;
constexpr std::uint8_t kDemuxX = 8;
constexpr std::uint8_t kDispatchSX = 9;
constexpr NocCoord kTunneler{20, kEthernetRow};

constexpr std::uint8_t u8(std::uint32_t value) { return static_cast<std::uint8_t>(value); }

std::uint64_t shape_of(const MachineConfig& config) {
    return config.worker_cols | static_cast<std::uint64_t>(config.worker_rows) << 8 |
           static_cast<std::uint64_t>(config.ethernet_cores) << 16 |
           static_cast<std::uint64_t>(config.dram_banks) << 24 |
           static_cast<std::uint64_t>(config.chips) << 32 |
           static_cast<std::uint64_t>(config.split) << 40 |
           static_cast<std::uint64_t>(config.command_queues) << 48 |
           static_cast<std::uint64_t>(config.dispatch_s) << 56;
}

rt::ChipDescription description_of(const MachineConfig& config, std::uint8_t chip, bool remote) {
    const std::uint8_t host = remote ? u8(chip - 1u) : chip;  // the chip that has PCIe
    const auto dispatch_core = [](std::uint8_t x, std::uint8_t on) {
        return rt::Coord{x, kDispatchRow, on};
    };
    rt::ChipDescription description;
    description.chip = chip;
    description.remote = remote;
    description.hugepage_channel = host / 2u;
    description.worker_origin.chip = chip;
    description.worker_cols = config.worker_cols;
    description.worker_rows = config.worker_rows;
    description.pcie = rt::Coord{0, kPcieRow, host};
    description.prefetch = dispatch_core(remote ? kRemotePrefetchHX : kPrefetchX, host);
    description.prefetch_d = dispatch_core(kPrefetchDX, chip);
    description.dispatch = dispatch_core(kDispatchX, chip);
    description.dispatch_h = dispatch_core(remote ? kRemoteDispatchHX : kDispatchHX, host);
    description.dispatch_s = dispatch_core(kDispatchSX, chip);
    if (remote)
        description.tunnel = {dispatch_core(kMuxX, host),       dispatch_core(kDemuxX, host),
                              {kTunneler.x, kTunneler.y, host}, {kTunneler.x, kTunneler.y, chip},
                              dispatch_core(kMuxX, chip),       dispatch_core(kDemuxX, chip)};
    return description;
}

}  // namespace

TileTable::TileTable() { at_.fill(kNoTile); }

TileIndex TileTable::add(TileKind kind, Role role, NocCoord coord, std::uint8_t bank) {
    const auto tile = static_cast<TileIndex>(views_.size());
    CHECK(tile < kTilesMax, "more than %u tiles", kTilesMax);
    const rt::ChipDescription& chip = chips_.back();
    TileView view;
    view.kind = kind;
    view.role = role;
    view.coord = coord;
    view.bank = bank;
    view.chip = chip.chip;
    at_[(chip.chip * kCoordinateMax + coord.y) * kCoordinateMax + coord.x] = tile;
    chip_of_[tile] = chip.chip;
    views_.push_back(view);
    peers_.push_back(kNoTile);
    return tile;
}

void TileTable::add_dispatch_cores(const MachineConfig& config, bool remote) {
    const auto core = [this](Role role, std::uint8_t x) {
        add(TileKind::dispatch, role, {x, kDispatchRow});
    };
    const bool split = config.split || remote;
    if (!remote) core(split ? Role::prefetch_h : Role::prefetch_hd, kPrefetchX);
    if (split) core(Role::prefetch_d, kPrefetchDX);
    core(split ? Role::dispatch_d : Role::dispatch_hd, kDispatchX);
    if (config.split) core(Role::dispatch_h, kDispatchHX);
    if (config.dispatch_s) core(Role::dispatch_s, kDispatchSX);
    if (config.chips == 1) return;
    if (!remote) {
        core(Role::prefetch_h, kRemotePrefetchHX);
        core(Role::dispatch_h, kRemoteDispatchHX);
    }
    core(remote ? Role::mux_d : Role::mux, kMuxX);
    core(remote ? Role::demux_d : Role::demux, kDemuxX);
    add(TileKind::dispatch, Role::tunneler, kTunneler);
}

// A row of its own behind the first queue's (one chip only).
void TileTable::add_second_queue(const MachineConfig& config) {
    constexpr std::uint8_t row = kDispatchRow + 1;
    chips_.back().more_queues.push_back(
        {{kPrefetchX, row}, {kPrefetchDX, row}, {kDispatchX, row}, {kDispatchHX, row}, 0});
    const auto core = [this](Role role, std::uint8_t x) {
        views_[add(TileKind::dispatch, role, {x, row})].queue = 1;
    };
    core(config.split ? Role::prefetch_h : Role::prefetch_hd, kPrefetchX);
    if (config.split) core(Role::prefetch_d, kPrefetchDX);
    core(config.split ? Role::dispatch_d : Role::dispatch_hd, kDispatchX);
    if (config.split) core(Role::dispatch_h, kDispatchHX);
}

void TileTable::add_chip(const MachineConfig& config) {
    const auto number = u8(static_cast<std::uint32_t>(chips_.size()));
    const bool remote = number % 2 != 0;
    firsts_[number] = static_cast<TileIndex>(views_.size());
    chips_.push_back(description_of(config, number, remote));
    rt::ChipDescription& chip = chips_.back();
    if (!remote) pcies_.push_back(add(TileKind::pcie, Role::host, {0, kPcieRow}));
    add_dispatch_cores(config, remote);
    if (config.command_queues == 2) add_second_queue(config);
    for (std::uint32_t core = 0; core < config.ethernet_cores; ++core) {
        add(TileKind::ethernet, Role::ethernet, {u8(1 + core), kEthernetRow});
        chip.ethernet_cores.push_back(rt::Coord{u8(1 + core), kEthernetRow, number});
    }
    for (std::uint32_t row = 0; row < config.worker_rows; ++row)
        for (std::uint32_t col = 0; col < config.worker_cols; ++col)
            add(TileKind::worker, Role::worker, {u8(1 + col), u8(1 + row)});
    for (std::uint32_t bank = 0; bank < config.dram_banks; ++bank) {
        add(TileKind::dram, Role::none, {0, u8(bank)}, u8(bank));
        chip.dram_banks.push_back(rt::Coord{0, u8(bank), number});
    }
    CHECK(views_.size() - firsts_[number] <= kTilesOfChipMax, "a chip of %zu tiles; at most %u",
          views_.size() - firsts_[number], kTilesOfChipMax);
}

std::uint32_t TileTable::l1_address_of(TileIndex tile) const {
    std::uint32_t slot = kFirstL1Slot;
    for (TileIndex before = 0; before < tile; ++before) slot += has_l1(before) ? 1 : 0;
    return kL1RegionBase + slot * kL1SlotBytes;
}

void TileTable::link(TileIndex a, TileIndex b) {
    peers_[a] = b;
    peers_[b] = a;
}

// The tunnel of each pair; and a ring of chips for the programs' own traffic: ethernet core 0 of
// each chip with core 1 of the next.
void TileTable::link_chips(const MachineConfig& config) {
    if (config.chips == 1) return;
    for (std::uint32_t chip = 0; chip + 1 < config.chips; chip += 2)
        link(at(chip, kTunneler.x, kTunneler.y), at(chip + 1, kTunneler.x, kTunneler.y));
    if (config.ethernet_cores < 2) return;
    for (std::uint32_t chip = 0; chip < config.chips; ++chip) {
        link(at(chip, 1, kEthernetRow), at((chip + 1) % config.chips, 2, kEthernetRow));
        chips_[chip].linked_cores = 2;
    }
}

void TileTable::lay_out(const MachineConfig& config) {
    CHECK(config.worker_cols >= 1 && config.worker_cols <= 8 && config.worker_rows >= 1 &&
              config.worker_rows <= 8,
          "a worker grid of %u x %u; 1 to 8 each way are modelled", config.worker_cols,
          config.worker_rows);
    CHECK(config.command_queues == 1 || (config.command_queues == 2 && config.chips == 1),
          "%u command queues on %u chips; 1, or 2 on one chip", config.command_queues,
          config.chips);
    CHECK(!config.dispatch_s || config.command_queues == 1, "a dispatch_s and %u command queues",
          config.command_queues);
    CHECK(config.ethernet_cores <= 16, "%u ethernet cores; at most 16", config.ethernet_cores);
    CHECK(config.dram_banks >= 1 && config.dram_banks <= 16, "%u DRAM banks; 1 to 16",
          config.dram_banks);
    CHECK(config.chips == 1 || (config.chips % 2 == 0 && config.chips >= 2 &&
                                config.chips <= kChipsMax && !config.split),
          "%u chips; one, or up to four pairs, whose local chips are not split", config.chips);
    const std::uint64_t shape = shape_of(config);
    if (shape != shape_) {
        shape_ = shape;
        for (const TileView& view : views_)
            at_[(view.chip * kCoordinateMax + view.coord.y) * kCoordinateMax + view.coord.x] =
                kNoTile;
        views_.clear();
        peers_.clear();
        chips_.clear();
        pcies_.clear();
        for (std::uint32_t chip = 0; chip < config.chips; ++chip) add_chip(config);
        link_chips(config);
    }
    // Both chips of a pair share the channel of the one with PCIe.
    for (rt::ChipDescription& chip : chips_) {
        chip.hugepage_base = chip.remote ? config.hugepage_bytes : 0;
        const auto pointer_base = [&](rt::Coord core) {
            return config.absolute_pointers ? l1_address_of(at(chip.chip, core.x, core.y)) : 0;
        };
        chip.dispatch_pointer_base = pointer_base(chip.dispatch);
        chip.prefetch_pointer_base = pointer_base(chip.prefetch);
        for (rt::DispatchCores& cores : chip.more_queues) {
            cores.dispatch_pointer_base = pointer_base(cores.dispatch);
            cores.prefetch_pointer_base = pointer_base(cores.prefetch);
        }
    }
}

}  // namespace cqfuzz
