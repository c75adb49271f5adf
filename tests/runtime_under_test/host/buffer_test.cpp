// Goal: every page of a buffer has one place, no two share one, and pieces tell the places of all.
// Method: worked examples by hand, then every small shape.
#include "runtime_under_test/host/buffer.hpp"

#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "tests/runtime_under_test/host/fake_cluster.hpp"

namespace cqfuzz::rt {
namespace {

constexpr std::uint32_t kPage = 64;
constexpr std::uint32_t kBase = 0x20000;

BufferInfo sharded(BufferPlacement placement, CoreRange cores, std::uint32_t pages,
                   std::uint32_t row_pages) {
    return {kBase, pages, kPage, placement, cores, row_pages};
}

TEST(BufferTest, InterleavedPagesGoRoundTheBanks) {
    const BufferInfo info{kBase, 7, 96, BufferPlacement::dram, {}, 1};
    EXPECT_EQ(place_of(info, 4, 3).bank, 1u);
    EXPECT_EQ(place_of(info, 4, 3).address, kBase + 96);
    EXPECT_EQ(bytes_per_bank(BufferSpec{7, 96}, 3), 3 * 96u);
}

// Five pages in rows of two: rows {0, 1}, {2, 3}, {4}.
TEST(BufferTest, ShardsByHeightWidthAndBlock) {
    const ChipDescription chip = small_chip(2, 2, 0, 1);
    const std::uint32_t core00 = Coord{1, 1}.noc_xy();
    const std::uint32_t core10 = Coord{2, 1}.noc_xy();
    const std::uint32_t core01 = Coord{1, 2}.noc_xy();

    auto pieces = shard_pieces(sharded(BufferPlacement::height_sharded, {0, 0, 1, 0}, 5, 2), chip);
    ASSERT_EQ(pieces.size(), 2u);
    EXPECT_EQ(pieces[0].noc_xy, core00);
    EXPECT_EQ(pieces[0].pages, (std::vector<std::uint32_t>{0, 1, 2, 3}));
    EXPECT_EQ(pieces[1].noc_xy, core10);
    EXPECT_EQ(pieces[1].pages, (std::vector<std::uint32_t>{4}));

    pieces = shard_pieces(sharded(BufferPlacement::width_sharded, {0, 0, 0, 1}, 5, 2), chip);
    ASSERT_EQ(pieces.size(), 2u);
    EXPECT_EQ(pieces[0].pages, (std::vector<std::uint32_t>{0, 2, 4}));
    EXPECT_EQ(pieces[1].noc_xy, core01);
    EXPECT_EQ(pieces[1].pages, (std::vector<std::uint32_t>{1, 3}));

    pieces = shard_pieces(sharded(BufferPlacement::block_sharded, {0, 0, 0, 1}, 6, 3), chip);
    ASSERT_EQ(pieces.size(), 2u);
    EXPECT_EQ(pieces[1].pages, (std::vector<std::uint32_t>{3, 4, 5}));
}

// Rows of three pages over two cores: the second has room for two columns and uses one.
TEST(BufferTest, UnusedColumnSplitsThePiece) {
    const ChipDescription chip = small_chip(2, 2, 0, 1);
    const auto pieces =
        shard_pieces(sharded(BufferPlacement::width_sharded, {0, 0, 1, 0}, 7, 3), chip);
    ASSERT_EQ(pieces.size(), 3u);
    EXPECT_EQ(pieces[0].pages, (std::vector<std::uint32_t>{0, 1, 3, 4, 6}));
    EXPECT_EQ(pieces[1].pages, (std::vector<std::uint32_t>{2}));
    EXPECT_EQ(pieces[2].pages, (std::vector<std::uint32_t>{5}));
    EXPECT_EQ(pieces[2].address, pieces[1].address + 2 * kPage);
}

TEST(BufferTest, EveryPageHasOnePlaceWithinWhatTheBufferTakes) {
    const ChipDescription chip = small_chip(3, 3, 0, 1);
    const CoreRange ranges[] = {
        {0, 0, 0, 0}, {0, 0, 2, 0}, {1, 0, 1, 2}, {0, 1, 1, 2}, {0, 0, 2, 2}};
    for (const BufferPlacement placement :
         {BufferPlacement::height_sharded, BufferPlacement::width_sharded,
          BufferPlacement::block_sharded})
        for (const CoreRange& cores : ranges)
            for (std::uint32_t pages = 1; pages <= 13; pages++)
                for (std::uint32_t row = 1; row <= pages; row++) {
                    const BufferInfo info = sharded(placement, cores, pages, row);
                    const std::uint64_t room =
                        bytes_per_bank(BufferSpec{pages, kPage, placement, cores, row}, 9);
                    std::set<std::pair<std::uint32_t, std::uint32_t>> places;
                    std::set<std::uint32_t> seen;
                    for (const ShardPiece& piece : shard_pieces(info, chip))
                        for (std::size_t i = 0; i < piece.pages.size(); i++) {
                            const std::uint32_t address =
                                piece.address + static_cast<std::uint32_t>(i) * kPage;
                            EXPECT_TRUE(places.insert({piece.noc_xy, address}).second);
                            EXPECT_TRUE(seen.insert(piece.pages[i]).second);
                            EXPECT_LE(address + kPage - kBase, room);
                        }
                    EXPECT_EQ(seen.size(), pages);
                }
}

}  // namespace
}  // namespace cqfuzz::rt
