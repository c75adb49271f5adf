// Receivers: logical cores as the NoC names them.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime_under_test/host/program.hpp"
#include "runtime_under_test/protocol/commands.hpp"

namespace cqfuzz::rt {

inline std::uint32_t core_xy(const ChipDescription& chip, CoreKind kind, std::uint32_t x,
                             std::uint32_t y) {
    if (kind == CoreKind::ethernet) return chip.ethernet_cores[x].noc_xy();
    return Coord{static_cast<std::uint8_t>(chip.worker_origin.x + x),
                 static_cast<std::uint8_t>(chip.worker_origin.y + y)}
        .noc_xy();
}

// Row by row.
inline void append_cores(const ChipDescription& chip, CoreKind kind, const CoreRange& range,
                         std::vector<std::uint32_t>& to) {
    for (std::uint32_t y = range.y0; y <= range.y1; y++)
        for (std::uint32_t x = range.x0; x <= range.x1; x++)
            to.push_back(core_xy(chip, kind, x, y));
}

// Workers only.
inline PackedMulticastSub multicast_receiver(const ChipDescription& chip, const CoreRange& range) {
    const auto x = [&chip](std::uint8_t col) {
        return static_cast<std::uint8_t>(chip.worker_origin.x + col);
    };
    const auto y = [&chip](std::uint8_t row) {
        return static_cast<std::uint8_t>(chip.worker_origin.y + row);
    };
    return PackedMulticastSub{multicast_xy(x(range.x0), y(range.y0), x(range.x1), y(range.y1)),
                              range.count()};
}

inline CoreRange whole_grid(const ChipDescription& chip) {
    return CoreRange{0, 0, static_cast<std::uint8_t>(chip.worker_cols - 1),
                     static_cast<std::uint8_t>(chip.worker_rows - 1)};
}

// Entries of the dispatcher's go-signal table: the worker grid as {rectangle, receivers}, then a
// word per ethernet core.
inline constexpr std::uint8_t kGoGridIndex = 0;
inline constexpr std::uint8_t kGoEthernetIndex = 2;

}  // namespace cqfuzz::rt
