// Sizes, alignments and encodings of the NoC (facts §8.1, §8.2).
#pragma once

#include <cstdint>

#define NUM_NOCS 2
#define NOC_MULTICAST_ENCODING(x0, y0, x1, y1)                                                    \
    ((static_cast<uint32_t>(y1) << 6 | static_cast<uint32_t>(x1)) |                               \
     ((static_cast<uint32_t>(y0) << 6 | static_cast<uint32_t>(x0)) << 12))
#define NOC_X(x) (x)
#define NOC_Y(y) (y)

inline constexpr std::uint32_t L1_ALIGNMENT = 16;
inline constexpr std::uint32_t DRAM_ALIGNMENT = 32;
inline constexpr std::uint32_t NOC_PCIE_READ_ALIGNMENT_BYTES = 32;
inline constexpr std::uint32_t NOC_PCIE_WRITE_ALIGNMENT_BYTES = 16;
