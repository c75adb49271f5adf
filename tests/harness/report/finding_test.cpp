// How schedules and deviations read.
#include <gtest/gtest.h>

#include "harness/report/finding.hpp"

namespace cqfuzz {
namespace {

// Tile 1 is prefetch_d, tile 2 dispatch_d.
MachineView two_tiles() {
    MachineView view;
    view.pcie = 0;
    view.tiles.resize(3);
    view.tiles[0].kind = TileKind::pcie;
    view.tiles[1].kind = TileKind::dispatch;
    view.tiles[1].role = Role::prefetch_d;
    view.tiles[2].kind = TileKind::dispatch;
    view.tiles[2].role = Role::dispatch_d;
    return view;
}

TEST(FindingTest, DeviationNamesActorsAndOrdinals) {
    const MachineView view = two_tiles();
    const Deviation deviation{{2, MoveKind::departure, 0, 12}, {1, MoveKind::step, 0, 8}};
    EXPECT_EQ(describe(deviation, &view),
              "hold dispatch_d's 12th departure on NoC 0 until prefetch_d has made 8 steps");
    EXPECT_EQ(describe(deviation, nullptr),
              "hold tile 2's 12th departure on NoC 0 until tile 1 has made 8 steps");
}

TEST(FindingTest, OrdinalsHaveTheirEndings) {
    const auto text = [](std::uint32_t ordinal) {
        const std::string whole =
            describe({{9, MoveKind::arrival, 1, ordinal}, {8, MoveKind::arrival, 0, 1}}, nullptr);
        return whole.substr(0, whole.find(" arrival"));
    };
    EXPECT_EQ(text(1), "hold tile 9's 1st");
    EXPECT_EQ(text(2), "hold tile 9's 2nd");
    EXPECT_EQ(text(3), "hold tile 9's 3rd");
    EXPECT_EQ(text(11), "hold tile 9's 11th");
    EXPECT_EQ(text(12), "hold tile 9's 12th");
    EXPECT_EQ(text(21), "hold tile 9's 21st");
    EXPECT_EQ(text(113), "hold tile 9's 113th");
}

TEST(FindingTest, HostIsCalledHost) {
    const MachineView view = two_tiles();
    const Deviation deviation{{0, MoveKind::step, 0, 1}, {1, MoveKind::step, 0, 1}};
    EXPECT_EQ(describe(deviation, &view), "hold host's 1st step until prefetch_d has made 1 step");
}

TEST(FindingTest, HoldThatNobodyEndsLastsUntilNothingElseCanMove) {
    const MachineView view = two_tiles();
    const Deviation deviation{{2, MoveKind::arrival, 1, 4}, {2, MoveKind::arrival, 1, 4}};
    EXPECT_EQ(describe(deviation, &view),
              "hold dispatch_d's 4th arrival on NoC 1 until nothing else can move");
}

TEST(FindingTest, EachStrategyHasItsWords) {
    const MachineView view = two_tiles();
    Schedule schedule;
    EXPECT_EQ(describe_schedule(schedule, &view), "in order");
    schedule.seed = 5;
    schedule.strategy = Strategy::random_walk;
    EXPECT_EQ(describe_schedule(schedule, &view), "random walk, seed 5");
    schedule.strategy = Strategy::pct;
    EXPECT_EQ(describe_schedule(schedule, &view), "PCT with 3 change points, seed 5");
    schedule.strategy = Strategy::starve;
    schedule.starved_actor = 2;
    schedule.split_multicast_one_in = 4;
    EXPECT_EQ(
        describe_schedule(schedule, &view),
        "dispatch_d moves only when nothing else can, seed 5, one multicast receiver in 4 apart");
}

}  // namespace
}  // namespace cqfuzz
