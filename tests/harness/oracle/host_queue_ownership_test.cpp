// Ownership of issue region and prefetch_q: a host and a prefetcher that take turns, as event lists
// by hand; sound first, then each with one mistake.
#include "harness/oracle/host_queue_ownership.hpp"

#include <gtest/gtest.h>

#include "tests/harness/oracle/log_builder.hpp"

namespace cqfuzz::test {
namespace {

constexpr std::uint32_t kRegion = 0x1000;
constexpr std::uint32_t kRegionBytes = 0x400;
constexpr std::uint32_t kQueue = 0x400;
constexpr std::uint32_t kEntries = 4;

MachineView machine() {
    MachineView view = split_machine();
    view.issue_regions = {{kPrefetchH, kHost, kRegion, kRegionBytes, kQueue, 2, kEntries}};
    return view;
}

class HostQueueOwnershipTest : public testing::Test {
protected:
    LogBuilder log{machine(), 1u << static_cast<unsigned>(OracleId::page_ownership)};
    std::uint32_t next = 1000;

    LogEntry host_write(TileIndex target, std::uint32_t address, std::uint32_t length) {
        LogEntry e;
        e.kind = LogKind::host_write_issue;
        e.tile = kHost;
        e.target = target;
        e.target_address = address;
        e.length = length;
        e.transaction = next++;
        log.entry(e);
        e.kind = LogKind::host_write_arrive;
        return e;
    }
    void bytes(std::uint32_t offset, std::uint32_t length) {
        log.entry(host_write(kHost, kRegion + offset, length));
    }
    void entry(std::uint32_t number, std::uint32_t length = 2) {
        log.entry(host_write(kPrefetchH, kQueue + number * 2, length));
    }
    void take(std::uint32_t number) { log.store(kPrefetchH, kQueue + number * 2, 2); }
    std::uint32_t issue_fetch(std::uint32_t offset, std::uint32_t length) {
        return log.read(kPrefetchH, 0x800, kHost, kRegion + offset, length);
    }
};

TEST_F(HostQueueOwnershipTest, TurnsAreSilentForLaps) {
    for (std::uint32_t i = 0; i < 20; ++i) {
        bytes(i % 4 * 0x100, 0x100);
        entry(i % kEntries);
        const std::uint32_t fetch = issue_fetch(i % 4 * 0x100, 0x100);
        take(i % kEntries);
        // The next slot may come while this one flies, elsewhere.
        log.complete(fetch);
    }
    EXPECT_FALSE(log.found()) << log.story();
}

TEST_F(HostQueueOwnershipTest, BytesOverASlotThatWasNotFetchedAreSeen) {
    bytes(0, 0x100);
    bytes(0x100, 0x100);
    bytes(0x80, 0x40);
    ASSERT_EQ(log.property(), "page-ownership/overwritten-while-owned");
    EXPECT_EQ(log.found()->place, "issue region");
    EXPECT_EQ(log.found()->invariant, "inv. 39");
    EXPECT_EQ(log.found()->actor, "host");
}

// The entry has been zeroed, the read is out: its bytes are the device's until they have landed.
TEST_F(HostQueueOwnershipTest, BytesUnderAFetchInFlightAreSeen) {
    bytes(0, 0x100);
    entry(0);
    const std::uint32_t fetch = issue_fetch(0, 0x100);
    take(0);
    log.depart(fetch);
    bytes(0, 0x20);
    EXPECT_EQ(log.property(), "page-ownership/overwritten-while-owned");
}

// Reads land in any order: a slot's middle packet first, its ends later.
TEST_F(HostQueueOwnershipTest, PacketsOfAFetchLandInAnyOrder) {
    bytes(0, 0xc0);
    entry(0);
    const std::uint32_t head = issue_fetch(0, 0x40);
    const std::uint32_t middle = issue_fetch(0x40, 0x40);
    const std::uint32_t tail = issue_fetch(0x80, 0x40);
    take(0);
    log.complete(middle).complete(tail);
    bytes(0x40, 0x80);
    EXPECT_FALSE(log.found()) << log.story();
    bytes(0x30, 0x10);
    EXPECT_EQ(log.property(), "page-ownership/overwritten-while-owned");
    log.complete(head);
}

TEST_F(HostQueueOwnershipTest, AFetchOfPartFreesThatPart) {
    bytes(0, 0x100);
    log.complete(issue_fetch(0, 0x80));
    bytes(0, 0x80);
    EXPECT_FALSE(log.found()) << log.story();
    bytes(0x80, 0x10);
    EXPECT_EQ(log.property(), "page-ownership/overwritten-while-owned");
}

TEST_F(HostQueueOwnershipTest, AFetchOfBytesThatHaveNotArrivedIsSeen) {
    const LogEntry late = host_write(kHost, kRegion, 0x100);
    entry(0);
    const std::uint32_t fetch = issue_fetch(0, 0x100);
    EXPECT_FALSE(log.found()) << log.story();
    log.depart(fetch);
    ASSERT_EQ(log.property(), "page-ownership/read-before-ready");
    EXPECT_EQ(log.found()->invariant, "inv. 40");
    log.entry(late);
}

TEST_F(HostQueueOwnershipTest, AnEntryThatWasNotTakenIsSeen) {
    entry(0);
    entry(1);
    take(0);
    entry(0);
    EXPECT_FALSE(log.found()) << log.story();
    entry(1);
    ASSERT_EQ(log.property(), "page-ownership/overwritten-while-owned");
    EXPECT_EQ(log.found()->place, "prefetch_q");
    EXPECT_EQ(log.found()->invariant, "inv. 40");
}

TEST_F(HostQueueOwnershipTest, AWriteThatIsNoBlockCopyIsSeen) {
    bytes(0, 0x20);
    EXPECT_FALSE(log.found()) << log.story();
    bytes(0x20, 0x18);
    ASSERT_EQ(log.property(), "page-ownership/unaligned");
    EXPECT_EQ(log.found()->invariant, "inv. 106");
}

TEST_F(HostQueueOwnershipTest, AWordIsTwoEntries) {
    entry(1);
    entry(0, 4);
    EXPECT_EQ(log.property(), "page-ownership/overwritten-while-owned");
}

}  // namespace
}  // namespace cqfuzz::test
