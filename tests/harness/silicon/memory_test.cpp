// Memory: what is touched is restored, what is not stays zero, and nobody's bytes are anybody
// else's.
#include "harness/silicon/memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/harness/silicon/bench_chip.hpp"

namespace cqfuzz {
namespace {

class MemoryTest : public testing::Test {
protected:
    MemoryTest() {
        tiles.lay_out(config);
        memory.reset(tiles, config);
    }
    TileIndex dram(std::uint32_t bank) const { return tiles.at(0, 0, bank); }
    void fill(TileIndex tile, std::uint32_t address, std::uint32_t length) {
        const std::vector<std::byte> ones(length, std::byte{0xff});
        memory.write(tile, address, ones.data(), length);
    }
    bool is_zero(TileIndex tile, std::uint32_t address, std::uint32_t length) const {
        const std::byte* begin = memory.bytes(tile) + address;
        return std::all_of(begin, begin + length, [](std::byte b) { return b == std::byte{0}; });
    }

    MachineConfig config;
    TileTable tiles;
    Memory memory;
};

TEST_F(MemoryTest, L1SlotsLieBelowTwoGibibytesAndTwoMebibytesApart) {
    for (TileIndex tile = 1; tile < 5; ++tile)
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.bytes(tile)),
                  kL1RegionBase + tile * kL1SlotBytes);
}

TEST_F(MemoryTest, AResetZeroesExactlyTheTouchedPages) {
    EXPECT_EQ(memory.touched_pages(), 0u);
    fill(1, 100, 4);
    EXPECT_EQ(memory.touched_pages(), 1u);
    fill(1, 4090, 12);  // across a page end
    EXPECT_EQ(memory.touched_pages(), 2u);
    fill(1, kL1SlotBytes - 4, 4);
    fill(2, 0, 1);
    fill(kPcieTile, config.hugepage_bytes - 1, 1);
    fill(dram(0), 8192, 8192);
    fill(dram(11), config.dram_bank_bytes - 4096, 4096);
    EXPECT_EQ(memory.touched_pages(), 8u);
    fill(dram(0), 8192, 8192);
    EXPECT_EQ(memory.touched_pages(), 8u);
    memory.reset(tiles, config);
    EXPECT_EQ(memory.touched_pages(), 0u);
    EXPECT_TRUE(is_zero(1, 0, 8192));
    EXPECT_TRUE(is_zero(1, kL1SlotBytes - 4096, 4096));
    EXPECT_TRUE(is_zero(2, 0, 4096));
    EXPECT_TRUE(is_zero(kPcieTile, config.hugepage_bytes - 4096, 4096));
    EXPECT_TRUE(is_zero(dram(0), 8192, 8192));
    EXPECT_TRUE(is_zero(dram(11), config.dram_bank_bytes - 4096, 4096));
}

TEST_F(MemoryTest, ALotOfTouchedPagesAreGivenBack) {
    for (std::uint32_t round = 0; round < 4; ++round) {
        for (std::uint32_t bank = 0; bank < 8; ++bank) {
            const std::byte one{1};
            for (std::uint32_t page = 0; page < 4096; ++page)
                memory.write(dram(bank), page * kMemoryPageBytes, &one, 1);
        }
        EXPECT_EQ(memory.touched_pages(), 8u * 4096u);
        memory.reset(tiles, config);
        for (std::uint32_t bank = 0; bank < 8; ++bank)
            EXPECT_TRUE(is_zero(dram(bank), 4095 * kMemoryPageBytes, 4096));
    }
}

TEST_F(MemoryTest, WhatLiesOutsideAMemoryIsNotContained) {
    EXPECT_TRUE(memory.contains(1, kL1SlotBytes - 4, 4));
    EXPECT_FALSE(memory.contains(1, kL1SlotBytes - 4, 5));
    EXPECT_FALSE(memory.contains(1, 0xfffffffc, 8));
    EXPECT_FALSE(memory.contains(dram(0), config.dram_bank_bytes, 1));
    EXPECT_FALSE(memory.contains(kPcieTile, 0, config.hugepage_bytes + 1));
}

TEST(MachineMemoryTest, ARunLeavesNothingForTheNext) {
    BenchChip chip;
    chip.on(kPrefetch, [] {
        device::l1_store_u32(0x1000, 1);
        write({.source = 0x1000, .coordinate = rt::Coord{0, 2}.noc_xy(), .target = 0x4000});
        write({.source = 0x1000, .coordinate = worker(1, 1).noc_xy(), .target = 0x4000});
        write({.source = 0x1000, .coordinate = rt::Coord{0, 20}.noc_xy(), .target = 0x4000});
        write_barrier(0);
    });
    chip.run();
    EXPECT_EQ(chip.word({0, 2}, 0x4000), 1u);
    EXPECT_EQ(chip.word(worker(1, 1), 0x4000), 1u);
    EXPECT_EQ(chip.word({0, 20}, 0x4000), 1u);
    chip.firmware.clear();
    chip.run();
    for (const rt::Coord coord : {rt::Coord{0, 2}, worker(1, 1), rt::Coord{0, 20}})
        EXPECT_EQ(chip.word(coord, 0x4000), 0u);
    EXPECT_EQ(chip.word(kPrefetch, 0x1000), 0u);
}

TEST(MachineMemoryTest, AbsoluteL1AddressesMeanTheSameAsOffsets) {
    BenchChip chip;
    chip.on(kPrefetch, [] {
        const std::uint32_t own = kL1RegionBase + kL1SlotBytes;  // tile 1
        device::l1_store_u32(own + 0x100, 5);
        FIRMWARE_ASSERT(device::l1_load_u32(0x100) == 5);
        write({.source = own + 0x100,
               .coordinate = worker(0, 0).noc_xy(),
               .target = kL1RegionBase + 0x200});
        write_barrier(0);
    });
    chip.run();
    EXPECT_EQ(chip.count(LogKind::firmware_assert), 0u);
    EXPECT_EQ(chip.word(worker(0, 0), 0x200), 5u);
    EXPECT_EQ(chip.entries(LogKind::noc_issue).at(0).source_address, 0x100u);
    EXPECT_EQ(chip.entries(LogKind::noc_issue).at(0).target_address, 0x200u);
}

// Every word on its own, against a set kept by hand.
TEST_F(MemoryTest, KnowsWhichWordsWereEverWritten) {
    EXPECT_EQ(memory.written_from(1, 0, 64), 0u);
    fill(1, 4096 - 300, 700);  // across a page end, and several marks' words
    std::vector<bool> written(8192 / 4);
    for (std::uint32_t at = 4096 - 300; at < 4096 + 400; ++at) written[at / 4] = true;
    for (std::uint32_t begin = 3700; begin < 4600; ++begin)
        for (const std::uint32_t length : {1u, 3u, 4u, 17u, 300u, 900u}) {
            std::uint32_t expected = 0;
            while (expected < length && written[(begin + expected) / 4]) ++expected;
            ASSERT_EQ(memory.written_from(1, begin, length), expected) << begin << " " << length;
        }
    EXPECT_EQ(memory.written_from(2, 4096 - 300, 4), 0u);
    memory.reset(tiles, config);
    EXPECT_EQ(memory.written_from(1, 4096 - 300, 700), 0u);
}

}  // namespace
}  // namespace cqfuzz
