#include "harness/base/machine_view.hpp"

#include <cstdio>

namespace cqfuzz {

namespace {

std::string queue_prefix(std::uint32_t queue) {
    return queue == 0 ? std::string() : "cq" + std::to_string(queue) + " ";
}

}  // namespace

MemoryRegion MailboxView::region_at(std::uint32_t address) const {
    for (const MemoryRegion& region :
         {MemoryRegion{"the launch ring", launch_base, launch_size_bytes * launch_entries},
          MemoryRegion{"the go word", go_address, 4},
          MemoryRegion{"the worker config ring", config_base, config_size_bytes}})
        if (address - region.base < region.size_bytes) return region;
    return {};
}

TileIndex MachineView::tile_of(Role role) const {
    for (std::size_t i = 0; i < tiles.size(); ++i)
        if (tiles[i].role == role) return static_cast<TileIndex>(i);
    return kNoTile;
}

TileIndex MachineView::tile_of(Role role, std::uint32_t chip) const {
    for (std::size_t i = 0; i < tiles.size(); ++i)
        if (tiles[i].role == role && tiles[i].chip == chip) return static_cast<TileIndex>(i);
    return kNoTile;
}

TileIndex MachineView::tile_at(NocCoord coord, std::uint32_t chip) const {
    for (std::size_t i = 0; i < tiles.size(); ++i)
        if (tiles[i].coord == coord && tiles[i].chip == chip) return static_cast<TileIndex>(i);
    return kNoTile;
}

namespace {

std::string name_on_its_chip(const TileView& view) {
    char text[64];
    switch (view.kind) {
        case TileKind::pcie: return "host";
        case TileKind::dispatch:
            if (!view.name.empty()) return view.name;
            return queue_prefix(view.queue) + std::string(name_of(view.role));
        case TileKind::dram:
            std::snprintf(text, sizeof text, "dram bank %u", view.bank);
            return text;
        case TileKind::worker:
        case TileKind::ethernet:
            std::snprintf(text, sizeof text, "%s(%u,%u)",
                          view.kind == TileKind::worker ? "worker" : "ethernet", view.coord.x,
                          view.coord.y);
            return text;
    }
    return "?";
}

}  // namespace

std::string MachineView::actor(TileIndex tile) const {
    const TileView& view = tiles[tile];
    return view.name.empty() ? std::string(name_of(view.role)) : view.name;
}

std::string MachineView::describe(TileIndex tile) const {
    if (tile >= tiles.size()) return "nobody";
    const TileView& view = tiles[tile];
    const std::string name = name_on_its_chip(view);
    if (chip_count() == 1 || view.kind == TileKind::pcie) return name;
    return "chip " + std::to_string(view.chip) + " " + name;
}

}  // namespace cqfuzz
