// Tiles of the simulated chips, as every room of the harness names them.
//
// A tile is one stop on a NoC: a worker, an ethernet or dispatch core, a DRAM bank or the PCIe
// bridge. The machine numbers its tiles densely from 0 in a fixed order; a `TileIndex` is that
// number and means nothing outside one run.
#pragma once

#include <cstdint>
#include <string_view>

namespace cqfuzz {

using TileIndex = std::uint16_t;

inline constexpr TileIndex kNoTile = 0xffff;

enum class TileKind : std::uint8_t { worker, ethernet, dispatch, dram, pcie };

// What runs on a tile (facts §1.1). The host is an actor too, so that reports can name it.
enum class Role : std::uint8_t {
    none,
    host,
    prefetch_hd,
    prefetch_h,
    prefetch_d,
    dispatch_hd,
    dispatch_h,
    dispatch_d,
    worker,
    ethernet,
    // The tunnel between the two chips of a pair (facts §1.5); …_d: on the remote chip.
    mux,
    demux,
    mux_d,
    demux_d,
    tunneler,
    dispatch_s,  // sends the go signals, on a core of its own
};

// Cores that carry packets between chips, and run no commands.
constexpr bool is_tunnel_role(Role role) {
    return role == Role::mux || role == Role::demux || role == Role::mux_d ||
           role == Role::demux_d || role == Role::tunneler;
}

inline constexpr std::uint32_t kChipsMax = 8;

std::string_view name_of(Role role);
std::string_view name_of(TileKind kind);

struct NocCoord {
    std::uint8_t x = 0;
    std::uint8_t y = 0;
    friend bool operator==(const NocCoord&, const NocCoord&) = default;
};

// A rectangle of coordinates, both corners inside.
struct NocRectangle {
    NocCoord first;
    NocCoord last;
    friend bool operator==(const NocRectangle&, const NocRectangle&) = default;
    bool contains(NocCoord c) const {
        return c.x >= first.x && c.x <= last.x && c.y >= first.y && c.y <= last.y;
    }
    bool intersects(const NocRectangle& other) const {
        return first.x <= other.last.x && other.first.x <= last.x && first.y <= other.last.y &&
               other.first.y <= last.y;
    }
};

}  // namespace cqfuzz
