// Sizes, alignments and encodings of the NoC (facts §8.1, §8.2). A coordinate is y << 6 | x, in a
// NoC address above bit 36; both NoCs have the same coordinates, so nothing is mirrored.
#pragma once

#include <cstdint>

#include "harness/device_api/dataflow_api.h"

#define NUM_NOCS 2
#define NOC_MULTICAST_ENCODING(x0, y0, x1, y1)                                                    \
    ((static_cast<uint32_t>(y1) << 6 | static_cast<uint32_t>(x1)) |                               \
     ((static_cast<uint32_t>(y0) << 6 | static_cast<uint32_t>(x0)) << 12))
#define NOC_X(x) (x)
#define NOC_Y(y) (y)
#define NOC_0_X(noc, size, x) (x)
#define NOC_0_Y(noc, size, y) (y)
// (x, y) or (x, y, noc): of the tile that leads to the host.
#define NOC_XY_PCIE_ENCODING(x, y, ...) NOC_XY_ENCODING(x, y)
#define NOC_ADDR_NODE_ID_BITS 6
#define NOC_ADDR_COORD_SHIFT 36
#define NOC_COORD_REG_OFFSET 0
#define NOC_UNICAST_ADDR_X(addr) (static_cast<uint32_t>((addr) >> 36) & 0x3f)
#define NOC_UNICAST_ADDR_Y(addr) (static_cast<uint32_t>((addr) >> 42) & 0x3f)
#define NOC_LOCAL_ADDR(addr) ((addr) & ((1ull << 36) - 1))
#define NOC_LOCAL_ADDR_OFFSET(addr) NOC_LOCAL_ADDR(addr)

inline constexpr std::uint32_t noc_size_x = 64;
inline constexpr std::uint32_t noc_size_y = 64;
inline constexpr std::uint32_t NOC_WORD_BYTES = 32;
inline constexpr std::uint32_t NOC_MAX_BURST_WORDS = NOC_MAX_BURST_SIZE / NOC_WORD_BYTES;

inline constexpr std::uint32_t L1_ALIGNMENT = 16;
inline constexpr std::uint32_t DRAM_ALIGNMENT = 32;
inline constexpr std::uint32_t NOC_L1_READ_ALIGNMENT_BYTES = 16;
inline constexpr std::uint32_t NOC_L1_WRITE_ALIGNMENT_BYTES = 16;
inline constexpr std::uint32_t NOC_DRAM_READ_ALIGNMENT_BYTES = 32;
inline constexpr std::uint32_t NOC_DRAM_WRITE_ALIGNMENT_BYTES = 16;
inline constexpr std::uint32_t NOC_PCIE_READ_ALIGNMENT_BYTES = 32;
inline constexpr std::uint32_t NOC_PCIE_WRITE_ALIGNMENT_BYTES = 16;
inline constexpr std::uint32_t PCIE_ALIGNMENT = 32;
