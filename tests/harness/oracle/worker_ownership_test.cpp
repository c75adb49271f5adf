// Ownership of a core's config ring, launch ring and go word: launches laid out as event lists by
// hand, sound ones first, then each with one mistake. Bytes are equal throughout: nothing but
// ownership can tell.
#include "harness/oracle/worker_ownership.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "runtime_under_test/protocol/dev_msgs.hpp"
#include "tests/harness/oracle/log_builder.hpp"

namespace cqfuzz::test {
namespace {

constexpr std::uint32_t kSlotBytes = rt::kLaunchMessageBytes;
constexpr std::uint32_t kOwnershipOnly = 1u << static_cast<unsigned>(OracleId::page_ownership);
constexpr NocRectangle kBothWorkers{{1, 1}, {2, 1}};

class WorkerOwnershipTest : public testing::Test {
protected:
    LogBuilder log{split_machine(), kOwnershipOnly};
    std::uint32_t go_word = 0;

    static constexpr std::uint32_t source() { return 0x800; }  // in no ring
    std::uint32_t issue_config(std::uint32_t at, std::uint32_t length, TileIndex to = kWorker0) {
        return log.write(kDispatchD, source(), to, kConfigBase + at, length);
    }
    void config(std::uint32_t at, std::uint32_t length, TileIndex to = kWorker0) {
        log.complete(issue_config(at, length, to));
    }
    void message(std::uint32_t slot, TileIndex to = kWorker0) {
        log.complete(
            log.write(kDispatchD, source(), to, kLaunchBase + slot * kSlotBytes, kSlotBytes));
    }
    void go(TileIndex to = kWorker0, std::uint8_t signal = rt::kGoGo) {
        go_word = rt::encode(rt::GoMessage{0, 3, 13, signal});
        const std::uint32_t transaction = log.write(kDispatchD, source(), to, kGoWord, 4);
        LogEntry e;
        e.kind = LogKind::noc_arrive;
        e.tile = kDispatchD;
        e.target = to;
        e.source_address = source();
        e.target_address = kGoWord;
        e.length = 4;
        e.transaction = transaction;
        e.data = reinterpret_cast<const std::byte*>(&go_word);
        log.depart(transaction).entry(e).ack(transaction);
    }
    void kernel(LogKind kind, std::uint32_t slot, TileIndex tile = kWorker0) {
        LogEntry e;
        e.kind = kind;
        e.tile = tile;
        e.source_address = kLaunchBase + slot * kSlotBytes;
        log.entry(e);
    }
    void answer(TileIndex tile = kWorker0) { log.store(tile, kGoWord, 4); }
    void run(std::uint32_t slot, TileIndex tile = kWorker0) {
        kernel(LogKind::kernel_begin, slot, tile);
        kernel(LogKind::kernel_end, slot, tile);
        answer(tile);
    }
    void launch(std::uint32_t slot, std::uint32_t at, std::uint32_t length) {
        config(at, length);
        message(slot);
        go();
    }
    void expect_found(const char* place, const char* invariant) {
        ASSERT_EQ(log.property(), "page-ownership/overwritten-while-owned") << log.story();
        EXPECT_EQ(log.found()->place, place);
        EXPECT_EQ(log.found()->invariant, invariant);
        EXPECT_EQ(log.found()->actor, "dispatch_d");
    }
};

TEST_F(WorkerOwnershipTest, RangesThatTakeTurnsAreSilent) {
    for (std::uint32_t lap = 0; lap < 3; ++lap)
        for (std::uint32_t slot = 0; slot < 8; ++slot) {
            // The next launch's bytes come beside those of the one that runs.
            launch(slot, slot % 2 * 0x400, 0x400);
            kernel(LogKind::kernel_begin, slot);
            config((slot + 1) % 2 * 0x400, 0x100);
            kernel(LogKind::kernel_end, slot);
            answer();
        }
    EXPECT_FALSE(log.found()) << log.story();
}

TEST_F(WorkerOwnershipTest, ALaunchMayWriteItsOwnRangeTwice) {
    config(0, 0x100);
    config(0x80, 0x100);
    message(0);
    go();
    run(0);
    EXPECT_FALSE(log.found()) << log.story();
}

TEST_F(WorkerOwnershipTest, EqualBytesOverARunningKernelAreSeen) {
    launch(0, 0, 0x100);
    kernel(LogKind::kernel_begin, 0);
    config(0xf0, 0x20);
    expect_found("config ring", "inv. 71");
    EXPECT_NE(log.story().find("bytes 8432 to 8448"), std::string::npos) << log.story();
    EXPECT_NE(log.story().find("its kernel runs"), std::string::npos) << log.story();
}

TEST_F(WorkerOwnershipTest, BytesOverALaunchThatHasNotBegunAreSeen) {
    launch(0, 0, 0x100);
    config(0, 16);
    expect_found("config ring", "inv. 71");
    EXPECT_NE(log.story().find("its kernel has not begun"), std::string::npos) << log.story();
}

TEST_F(WorkerOwnershipTest, EndOfTheKernelFreesItsRange) {
    launch(0, 0, 0x100);
    run(0);
    config(0, 0x100);
    EXPECT_FALSE(log.found()) << log.story();
}

// A write of the same launch may arrive after its message; what comes later is another's.
TEST_F(WorkerOwnershipTest, OrderOfIssueNotOfArrivalTellsLaunchesApart) {
    const std::uint32_t late = issue_config(0x100, 0x100);
    config(0, 0x100);
    message(0);
    const std::uint32_t next = issue_config(0x180, 0x10);
    log.complete(late);
    EXPECT_FALSE(log.found()) << log.story();
    log.complete(next);
    expect_found("config ring", "inv. 71");
}

TEST_F(WorkerOwnershipTest, AMulticastIsJudgedOnEachCore) {
    for (const TileIndex tile : {kWorker0, kWorker1}) config(0, 0x100, tile);
    for (const TileIndex tile : {kWorker0, kWorker1}) message(0, tile);
    for (const TileIndex tile : {kWorker0, kWorker1}) go(tile);
    run(0, kWorker0);
    log.complete(log.multicast(kDispatchD, source(), kBothWorkers, kConfigBase, 32));
    expect_found("config ring", "inv. 71");
    EXPECT_NE(log.found()->summary.find(log.machine().describe(kWorker1)), std::string::npos);
}

// A core without a launch message has bytes that nobody runs with.
TEST_F(WorkerOwnershipTest, BytesWithoutALaunchAreNobodys) {
    config(0, 0x100, kWorker1);
    launch(0, 0x200, 0x100);
    go(kWorker1);
    run(0);
    run(0, kWorker1);
    config(0, 0x100, kWorker1);
    config(0x200, 0x100);
    EXPECT_FALSE(log.found()) << log.story();
}

TEST_F(WorkerOwnershipTest, ASlotWhoseKernelHasNotEndedIsSeen) {
    launch(3, 0, 0x100);
    config(0x200, 16);
    message(3);
    expect_found("launch ring", "inv. 72");
}

TEST_F(WorkerOwnershipTest, TheSlotThatRanLastStaysForADebugger) {
    launch(3, 0, 0x100);
    run(3);
    config(0x200, 16);
    message(3);
    expect_found("launch ring", "inv. 72");
    EXPECT_NE(log.story().find("the spare one"), std::string::npos) << log.story();
}

TEST_F(WorkerOwnershipTest, AfterAResetTheFirstSlotMayComeAgain) {
    launch(0, 0, 0x100);
    run(0);
    go(kWorker0, rt::kGoResetReadPtr);
    answer();
    launch(0, 0, 0x100);
    run(0);
    EXPECT_FALSE(log.found()) << log.story();
}

TEST_F(WorkerOwnershipTest, AGoBeforeTheAnswerIsSeen) {
    launch(0, 0, 0x100);
    kernel(LogKind::kernel_begin, 0);
    kernel(LogKind::kernel_end, 0);
    go();
    expect_found("go word", "inv. 78");
}

TEST_F(WorkerOwnershipTest, IsSilentWhenOwnershipIsOff) {
    LogBuilder off(split_machine(), 0);
    off.complete(off.write(kDispatchD, source(), kWorker0, kConfigBase, 64));
    off.complete(off.write(kDispatchD, source(), kWorker0, kLaunchBase, kSlotBytes));
    off.complete(off.write(kDispatchD, source(), kWorker0, kConfigBase, 64));
    EXPECT_FALSE(off.found());
}

}  // namespace
}  // namespace cqfuzz::test
