// Memory: the bytes of the simulated chip: an L1 slot per tile in one low-mapped region, DRAM
// banks, the host's hugepage.
//
// The arenas are mapped once per process at their largest size; what a run does not touch costs
// nothing. A reset restores exactly the 4 KiB pages that were written (a list kept here, never
// asked of the OS).
//
// Invariants:
//  1. Every byte of an untouched page is zero.
//  2. `write` and `writable` are the only ways to change a byte, so the list of touched pages is
//  complete, and so are the marks of what has ever been written (one for each word of 4 bytes).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "harness/silicon/tiles.hpp"

namespace cqfuzz {

inline constexpr std::uint32_t kMemoryPageBytes = 4096;
inline constexpr std::uint32_t kDramBankBytesMax = 64u << 20;
inline constexpr std::uint32_t kHugepageBytesMax = 256u << 20;  // of a device (facts §1.4)
inline constexpr std::uint32_t kL1AddressMask = kL1SlotBytes - 1;

class Memory {
public:
    Memory();
    ~Memory();
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    // All bytes zero again; then the memories of these tiles.
    void reset(const TileTable& tiles, const MachineConfig& config);

    const std::byte* bytes(TileIndex tile) const { return areas_[tile].base; }
    std::uint32_t size_bytes(TileIndex tile) const { return areas_[tile].size; }
    // [address, +length) inside the memory of the tile?
    bool contains(TileIndex tile, std::uint32_t address, std::uint32_t length) const {
        const std::uint32_t size = areas_[tile].size;
        return address <= size && length <= size - address;
    }

    // REQUIRES of all below: `contains`.
    std::byte* writable(TileIndex tile, std::uint32_t address, std::uint32_t length) {
        touch(areas_[tile], address, length);
        return areas_[tile].base + address;
    }
    void write(TileIndex tile, std::uint32_t address, const std::byte* from, std::uint32_t length) {
        if (length != 0) std::memcpy(writable(tile, address, length), from, length);
    }
    std::uint32_t word(TileIndex tile, std::uint32_t address) const {
        std::uint32_t value;
        std::memcpy(&value, areas_[tile].base + address, sizeof value);
        return value;
    }

    // How many of `length` bytes from `address` on have been written since the reset, until the
    // first that has not.
    std::uint32_t written_from(TileIndex tile, std::uint32_t address, std::uint32_t length) const;

    std::size_t touched_pages() const { return touched_.size(); }

private:
    struct Area {
        std::byte* base = nullptr;
        std::uint32_t size = 0;
        std::uint32_t first_page = 0;  // of the arena, in the numbering of `touched_`
    };

    void touch(const Area& area, std::uint32_t address, std::uint32_t length) {
        if (length == 0) return;
        const std::uint32_t first = area.first_page + address / kMemoryPageBytes;
        const std::uint32_t last = area.first_page + (address + length - 1) / kMemoryPageBytes;
        for (std::uint32_t page = first; page <= last; ++page) {
            const std::uint64_t bit = 1ull << (page % 64);
            if ((bitmap_[page / 64] & bit) == 0) {
                bitmap_[page / 64] |= bit;
                touched_.push_back(page);
            }
        }
        mark(area, address, length);
    }
    void mark(const Area& area, std::uint32_t address, std::uint32_t length) {
        const std::uint64_t at = std::uint64_t{area.first_page} * kWordsOfPage;
        const std::uint64_t first = at + address / 4;
        const std::uint64_t last = at + (address + length - 1) / 4;
        const std::uint64_t head = ~0ull << (first % 64);
        const std::uint64_t tail = ~0ull >> (63 - last % 64);
        std::uint64_t* word = written_ + first / 64;
        std::uint64_t* const end = written_ + last / 64;
        if (word == end) {
            *word |= head & tail;
            return;
        }
        *word++ |= head;
        while (word != end) *word++ = ~0ull;
        *word |= tail;
    }
    void zero_touched();

    std::array<Area, kTilesMax> areas_{};
    std::uint32_t areas_used_ = 0;
    static constexpr std::uint32_t kWordsOfPage = kMemoryPageBytes / 4;
    std::uint64_t* written_ = nullptr;  // a bit for each word of each page
    std::vector<std::uint64_t> bitmap_;
    std::vector<std::uint32_t> touched_;
    std::uint64_t maybe_resident_ = 0;  // upper bound of the pages the OS has given us
};

}  // namespace cqfuzz
