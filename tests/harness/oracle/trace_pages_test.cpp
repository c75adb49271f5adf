// Trace pages: a replay as an event list by hand; sound, then with a read past its end, and with
// writes over its pages before and after its release.
#include "harness/oracle/trace_pages.hpp"

#include <gtest/gtest.h>

#include "runtime_under_test/protocol/commands.hpp"
#include "tests/harness/oracle/log_builder.hpp"

namespace cqfuzz::test {
namespace {

constexpr std::uint32_t kTraceBase = 0x2000;
constexpr std::uint32_t kTracePage = 0x400;
constexpr std::uint32_t kTracePages = 3;  // bank 0: two, bank 1: one

class TracePagesTest : public testing::Test {
protected:
    LogBuilder log{merged_machine(), 1u << static_cast<unsigned>(OracleId::page_ownership)};

    TracePagesTest() {
        rt::ExecBuf command;
        command.base_addr = kTraceBase;
        command.log_page_size = 10;
        command.pages = kTracePages;
        rt::encode(log.memory().at(kPrefetchD, kCommandData), command);
    }
    void call(HostCallKind kind, bool ended) {
        HostCall of;
        of.kind = kind;
        of.op_index = kind == HostCallKind::replay_trace ? 4u : 5u;
        of.trace = 1;
        log.call(of, ended);
    }
    // The host's bytes, fetched, so that the command has an op.
    void begin_replay() {
        call(HostCallKind::replay_trace, false);
        LogEntry e;
        e.kind = LogKind::host_write_issue;
        e.tile = kHost;
        e.target = kHost;
        e.target_address = 0x100;
        e.length = 32;
        e.transaction = 900;
        log.entry(e);
        e.kind = LogKind::host_write_arrive;
        log.entry(e);
        call(HostCallKind::replay_trace, true);
        log.complete(log.read(kPrefetchD, kCommandData, kHost, 0x100, 32));
        log.begin(kPrefetchD, static_cast<std::uint32_t>(rt::PrefetchId::exec_buf), kCommandData);
    }
    void end_replay() {
        log.begin(kPrefetchD, static_cast<std::uint32_t>(rt::PrefetchId::exec_buf_end),
                  kCommandData + 64);
        log.end(kPrefetchD, kCommandData + 96);
    }
    void refill(std::uint32_t page) {
        log.complete(log.read(kPrefetchD, kCommandData + page % 2 * kTracePage,
                              page % 2 == 0 ? kDram0 : kDram1, kTraceBase + page / 2 * kTracePage,
                              kTracePage));
    }
    void write_dram(TileIndex bank, std::uint32_t address, std::uint32_t length) {
        log.complete(log.write(kDispatchD, 0x800, bank, address, length));
    }
};

TEST_F(TracePagesTest, AReplayWithinItsPagesIsSilent) {
    begin_replay();
    for (std::uint32_t page = 0; page < kTracePages; ++page) refill(page);
    end_replay();
    write_dram(kDram0, kTraceBase - 0x400, 0x400);
    write_dram(kDram0, kTraceBase + 2 * kTracePage, 0x400);
    write_dram(kDram1, kTraceBase + kTracePage, 0x400);
    EXPECT_FALSE(log.found()) << log.story();
}

TEST_F(TracePagesTest, APageBehindTheLastIsSeenAtItsRead) {
    begin_replay();
    for (std::uint32_t page = 0; page < kTracePages; ++page) refill(page);
    EXPECT_FALSE(log.found()) << log.story();
    refill(3);
    ASSERT_EQ(log.property(), "page-ownership/read-past-end");
    EXPECT_EQ(log.found()->place, "trace");
    EXPECT_EQ(log.found()->invariant, "inv. 61");
    EXPECT_EQ(log.found()->actor, "prefetch_hd");
}

TEST_F(TracePagesTest, ATraceHoldsNoCommandOfAFetchsEnd) {
    begin_replay();
    log.begin(kPrefetchD, static_cast<std::uint32_t>(rt::PrefetchId::relay_inline),
              kCommandData + 32);
    EXPECT_FALSE(log.found()) << log.story();
    log.begin(kPrefetchD, static_cast<std::uint32_t>(rt::PrefetchId::terminate), kCommandData + 64);
    ASSERT_EQ(log.property(), "page-ownership/not-in-a-trace");
    EXPECT_EQ(log.found()->invariant, "inv. 69");
}

TEST_F(TracePagesTest, DataReadDuringATraceIsNotItsCommands) {
    begin_replay();
    refill(0);
    log.complete(log.read(kPrefetchD, kScratch, kDram1, 0x100, 0x100));
    EXPECT_FALSE(log.found()) << log.story();
}

TEST_F(TracePagesTest, AWriteOverATraceThatLivesIsSeen) {
    begin_replay();
    end_replay();
    write_dram(kDram1, kTraceBase + 0x3fc, 8);
    ASSERT_EQ(log.property(), "page-ownership/overwritten-while-owned");
    EXPECT_EQ(log.found()->place, "trace");
    EXPECT_EQ(log.found()->invariant, "inv. 65");
}

TEST_F(TracePagesTest, AReleasedTraceIsFreeOnlyWhenNoReplayRuns) {
    begin_replay();
    call(HostCallKind::release_trace, false);
    call(HostCallKind::release_trace, true);
    end_replay();
    write_dram(kDram0, kTraceBase, 16);
    EXPECT_FALSE(log.found()) << log.story();
}

// Released in the stream's future: the replay is played afterwards, and no trace is left behind it.
TEST_F(TracePagesTest, AReplayThatBeginsAfterTheReleaseLeavesNothing) {
    begin_replay();
    end_replay();
    call(HostCallKind::release_trace, false);
    call(HostCallKind::release_trace, true);
    log.begin(kPrefetchD, static_cast<std::uint32_t>(rt::PrefetchId::exec_buf), kCommandData);
    refill(0);
    end_replay();
    write_dram(kDram0, kTraceBase, 16);
    EXPECT_FALSE(log.found()) << log.story();
}

TEST_F(TracePagesTest, AReleasedTraceThatStillPlaysIsOwned) {
    begin_replay();
    call(HostCallKind::release_trace, false);
    call(HostCallKind::release_trace, true);
    write_dram(kDram0, kTraceBase, 16);
    EXPECT_EQ(log.property(), "page-ownership/overwritten-while-owned");
}

}  // namespace
}  // namespace cqfuzz::test
