// Buffer: pages of one size, interleaved over the DRAM banks or the workers' L1, or sharded over
// some workers (facts §7). Plain data, and where each page lies.
//
//   interleaved: page p is in bank p mod banks, row p div banks; L1 banks are the workers, row by
//   row sharded: pages are rows of `row_pages` each (the last may be short); each core holds one
//   block of
//            rows and columns, without gaps, at the same address
//
//     height        width         block
//     | core 0 |    |core|core|   | 0,0 | 1,0 |
//     | core 1 |    | 0  | 1  |   | 0,1 | 1,1 |
#pragma once

#include <cstdint>
#include <vector>

#include "runtime_under_test/host/program.hpp"

namespace cqfuzz::rt {

enum class BufferPlacement : std::uint8_t {
    dram,
    l1,
    height_sharded,
    width_sharded,
    block_sharded,
};

inline bool is_sharded(BufferPlacement placement) {
    return placement >= BufferPlacement::height_sharded;
}

struct BufferSpec {
    std::uint32_t page_count = 0;
    std::uint32_t page_size_bytes = 0;  // a multiple of 32
    BufferPlacement placement = BufferPlacement::dram;
    // Sharded only:
    CoreRange cores{};
    std::uint32_t row_pages = 1;
};

struct BufferInfo {
    std::uint32_t address = 0;  // the same in every bank and on every core
    std::uint32_t page_count = 0;
    std::uint32_t page_size_bytes = 0;
    BufferPlacement placement = BufferPlacement::dram;
    CoreRange cores{};
    std::uint32_t row_pages = 1;
};

// Interleaved: where page `page` lies when there are so many banks.
struct PagePlace {
    std::uint32_t bank = 0;
    std::uint32_t address = 0;
};
PagePlace place_of(const BufferInfo& info, std::uint32_t page, std::uint32_t banks);

// Sharded: pages that follow each other in the L1 of one core.
struct ShardPiece {
    std::uint32_t noc_xy = 0;
    std::uint32_t address = 0;
    std::vector<std::uint32_t> pages;
};
std::vector<ShardPiece> shard_pieces(const BufferInfo& info, const ChipDescription& chip);

// Bytes that the buffer takes of each bank or core.
std::uint64_t bytes_per_bank(const BufferSpec& spec, std::uint32_t banks);

}  // namespace cqfuzz::rt
