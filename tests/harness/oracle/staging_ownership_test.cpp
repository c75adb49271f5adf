// Ownership of stagings: scratch halves, the ring-buffer cache over them, cmddat_q, and
// prefetch_d's ring while an exec_buf runs in it. One planted mistake for each report, and clean
// sequences.
#include <gtest/gtest.h>

#include "runtime_under_test/protocol/commands.hpp"
#include "tests/harness/oracle/log_builder.hpp"

namespace cqfuzz::test {
namespace {

constexpr std::uint32_t kRelayInline = static_cast<std::uint32_t>(rt::PrefetchId::relay_inline);
constexpr std::uint32_t kExecBuf = static_cast<std::uint32_t>(rt::PrefetchId::exec_buf);
constexpr std::uint32_t kLoad = static_cast<std::uint32_t>(rt::PrefetchId::paged_to_ringbuffer);
constexpr std::uint32_t kCacheRelay = static_cast<std::uint32_t>(rt::PrefetchId::relay_ringbuffer);
constexpr std::uint32_t kRelayPaged = static_cast<std::uint32_t>(rt::PrefetchId::relay_paged);
constexpr std::uint32_t kExecBufEnd = static_cast<std::uint32_t>(rt::PrefetchId::exec_buf_end);

// In the merged machine the hd prefetcher stands on the tile of prefetch_d.
constexpr TileIndex kHd = kPrefetchD;
constexpr std::size_t kMergedCb = 0;

LogBuilder merged() { return LogBuilder(merged_machine()); }

std::uint32_t push(LogBuilder& log, std::uint32_t source, std::uint64_t page) {
    return log.write(kPrefetchD, source, kDispatchD, log.page_address(page), kPage);
}

// --- scratch -------------------------------------------------------------------------

TEST(StagingOwnershipTest, IsSilentOnADoubleBufferedPull) {
    LogBuilder log;
    std::uint32_t reading = log.read(kPrefetchD, kScratch, kDram0, 0, kHalf);
    std::uint32_t half = kScratch;
    for (std::uint64_t round = 0; round < 20; ++round) {
        log.complete(reading);
        const std::uint32_t other = half == kScratch ? kScratch + kHalf : kScratch;
        reading = log.read(kPrefetchD, other, kDram0, 0, kHalf);
        for (std::uint32_t i = 0; i < kHalf / kPage; ++i)
            log.complete(push(log, half + i * kPage, 4 * round + i));
        log.hand_over(1, 4).release(1, 4);
        half = other;
    }
    EXPECT_EQ(log.property(), "nothing") << log.story();
}

TEST(StagingOwnershipTest, CatchesARefillOfAHalfWithAWriteToDepart) {
    LogBuilder log;
    log.complete(log.read(kPrefetchD, kScratch, kDram0, 0, kHalf));
    push(log, kScratch + kHalf - kPage, 0);
    log.read(kPrefetchD, kScratch, kDram0, 0, 64);
    EXPECT_EQ(log.property(), "page-ownership/overwritten-while-owned");
    EXPECT_EQ(log.found()->place, "scratch[0]");
    EXPECT_EQ(log.found()->invariant, "inv. 45");
}

TEST(StagingOwnershipTest, AllowsARefillOnceTheWritesHaveDeparted) {
    LogBuilder log;
    log.complete(log.read(kPrefetchD, kScratch, kDram0, 0, kHalf));
    log.depart(push(log, kScratch, 0));
    log.read(kPrefetchD, kScratch, kDram0, 0, 64);
    EXPECT_EQ(log.property(), "nothing") << log.story();
}

TEST(StagingOwnershipTest, CatchesAWriteFromBytesThatHaveNotLanded) {
    LogBuilder log;
    log.read(kPrefetchD, kScratch, kDram0, 0, kHalf);
    push(log, kScratch, 0);
    EXPECT_EQ(log.property(), "page-ownership/read-before-ready");
    EXPECT_EQ(log.found()->invariant, "inv. 45");
}

TEST(StagingOwnershipTest, FollowsDeparturesOutOfOrder) {
    LogBuilder log;
    const std::uint32_t first = push(log, kScratch, 0);
    const std::uint32_t second = push(log, kScratch + kHalf, 1);
    log.depart(second);
    log.read(kPrefetchD, kScratch + kHalf, kDram0, 0, 64);
    EXPECT_EQ(log.property(), "nothing") << log.story();
    log.read(kPrefetchD, kScratch, kDram0, 0, 64);
    EXPECT_EQ(log.property(), "page-ownership/overwritten-while-owned");
    (void)first;
}

// --- the ring-buffer cache -------------------------------------------------------------

// Loads all of the cache: over both halves of scratch and beyond.
void load_cache(LogBuilder& log) {
    log.begin(kHd, kLoad, kCommandData);
    for (std::uint32_t at = 0; at < kCacheBytes; at += 512)
        log.complete(log.read(kHd, kScratch + at, kDram0, at, 512));
    log.begin(kHd, kCacheRelay, kCommandData);
}

TEST(StagingOwnershipTest, IsSilentOnRelaysFromAnywhereInTheCache) {
    LogBuilder log = merged();
    load_cache(log);
    std::uint64_t page = 0;
    for (const std::uint32_t at : {0u, kHalf - 64, 2 * kHalf - 64, kCacheBytes - kPage, 128u}) {
        log.complete(push(log, kScratch + at, page++));
        log.hand_over(kMergedCb, 1).release(kMergedCb, 1);
    }
    EXPECT_EQ(log.property(), "nothing") << log.story();
}

// A half of scratch would be refused: its other bytes are still to depart.
TEST(StagingOwnershipTest, AllowsALoadBesideTheSourceOfAnUndepartedRelay) {
    LogBuilder log = merged();
    load_cache(log);
    push(log, kScratch, 0);
    log.begin(kHd, kLoad, kCommandData).read(kHd, kScratch + kPage, kDram0, 0, 64);
    EXPECT_EQ(log.property(), "nothing") << log.story();
}

TEST(StagingOwnershipTest, CatchesALoadOverTheSourceOfAnUndepartedRelay) {
    LogBuilder log = merged();
    load_cache(log);
    push(log, kScratch + kHalf - 64, 0);  // over the end of a half
    log.begin(kHd, kLoad, kCommandData).read(kHd, kScratch + kHalf, kDram0, 0, 64);
    EXPECT_EQ(log.property(), "page-ownership/overwritten-while-owned");
    EXPECT_EQ(log.found()->place, "ringbuffer");
    EXPECT_EQ(log.found()->invariant, "inv. 56");
}

TEST(StagingOwnershipTest, CatchesARefillOfScratchWithARelayOfTheCacheToDepart) {
    LogBuilder log = merged();
    load_cache(log);
    push(log, kScratch + kHalf - 64, 0);
    log.begin(kHd, kRelayPaged, kCommandData).read(kHd, kScratch + 2 * kHalf - 64, kDram0, 0, 64);
    EXPECT_EQ(log.property(), "page-ownership/overwritten-while-owned");
    EXPECT_EQ(log.found()->place, "scratch[1]");
}

TEST(StagingOwnershipTest, CatchesARelayOfBytesThatWereNeverLoaded) {
    LogBuilder log = merged();
    log.begin(kHd, kLoad, kCommandData);
    log.complete(log.read(kHd, kScratch, kDram0, 0, kPage));
    log.begin(kHd, kCacheRelay, kCommandData);
    push(log, kScratch + 32, 0);
    EXPECT_EQ(log.property(), "page-ownership/not-in-cache");
    EXPECT_EQ(log.found()->invariant, "inv. 56");
}

TEST(StagingOwnershipTest, CatchesARelayOfBytesThatScratchHasTaken) {
    LogBuilder log = merged();
    load_cache(log);
    log.begin(kHd, kRelayPaged, kCommandData);
    log.complete(log.read(kHd, kScratch + 512, kDram0, 0, 64));
    log.begin(kHd, kCacheRelay, kCommandData);
    log.complete(push(log, kScratch + 512 - kPage, 0));
    EXPECT_EQ(log.property(), "nothing") << log.story();
    push(log, kScratch + 512 - kPage + 32, 1);
    EXPECT_EQ(log.property(), "page-ownership/not-in-cache");
}

// --- cmddat_q of the hd prefetcher ---------------------------------------------------

TEST(StagingOwnershipTest, IsSilentOnPrefetchingAhead) {
    LogBuilder log = merged();
    std::uint32_t at = kCommandData;
    std::uint32_t reading = log.read(kHd, at, kHost, 0, 256);
    for (std::uint64_t page = 0; page < 60; ++page) {
        log.complete(reading);
        const std::uint32_t next =
            at + 512 > kCommandData + kCommandDataBytes ? kCommandData : at + 256;
        if (next != kCommandData) reading = log.read(kHd, next, kHost, 0, 256);
        log.begin(kHd, kRelayInline, at).load(kHd, at, 16);
        const std::uint32_t write =
            log.write(kHd, at + 16, kDispatchD, log.page_address(page), 200);
        log.complete(write).hand_over(kMergedCb, 1).release(kMergedCb, 1).end(kHd, at + 256);
        if (next == kCommandData) reading = log.read(kHd, next, kHost, 0, 256);
        at = next;
    }
    EXPECT_EQ(log.property(), "nothing") << log.story();
}

TEST(StagingOwnershipTest, CatchesAFetchOverCommandsThatWait) {
    LogBuilder log = merged();
    log.complete(log.read(kHd, kCommandData, kHost, 0, 256));
    log.begin(kHd, kRelayInline, kCommandData).end(kHd, kCommandData + 64);
    log.read(kHd, kCommandData, kHost, 256, 32);  // executed: free
    EXPECT_EQ(log.property(), "nothing") << log.story();
    log.read(kHd, kCommandData + 32, kHost, 288, 64);
    EXPECT_EQ(log.property(), "page-ownership/overwritten-while-owned");
    EXPECT_EQ(log.found()->invariant, "inv. 36");
}

TEST(StagingOwnershipTest, CatchesAFetchOverTheSourceOfAnUndepartedWrite) {
    LogBuilder log = merged();
    log.complete(log.read(kHd, kCommandData, kHost, 0, 256));
    log.begin(kHd, kRelayInline, kCommandData);
    log.write(kHd, kCommandData + 16, kDispatchD, log.page_address(0), 200);
    log.end(kHd, kCommandData + 256);
    log.read(kHd, kCommandData, kHost, 256, 256);
    EXPECT_EQ(log.property(), "page-ownership/overwritten-while-owned");
    EXPECT_EQ(log.found()->command, "RELAY_INLINE");
}

TEST(StagingOwnershipTest, CatchesAParseBeforeLanding) {
    LogBuilder log = merged();
    log.read(kHd, kCommandData, kHost, 0, 256);
    log.load(kHd, kCommandData, 16);
    EXPECT_EQ(log.property(), "page-ownership/read-before-ready");
    EXPECT_EQ(log.found()->invariant, "inv. 38");
}

TEST(StagingOwnershipTest, AllowsAnOverreadIntoTheNextFetch) {
    LogBuilder log = merged();
    log.complete(log.read(kHd, kCommandData, kHost, 0, 256));
    log.read(kHd, kCommandData + 256, kHost, 256, 256);
    log.load(kHd, kCommandData + 252, 24);
    EXPECT_EQ(log.property(), "nothing") << log.story();
}

TEST(StagingOwnershipTest, CatchesAStoreIntoTheSourceOfAnUndepartedWrite) {
    LogBuilder log;
    log.complete(log.read(kPrefetchH, kCommandData + 32, kHost, 0, 224));
    log.store(kPrefetchH, kCommandData, 4);
    EXPECT_EQ(log.property(), "nothing") << log.story();
    log.write(kPrefetchH, kCommandData, kPrefetchD, log.page_address(0), 256);
    log.store(kPrefetchH, kCommandData, 4);
    EXPECT_EQ(log.property(), "page-ownership/overwritten-while-owned");
}

TEST(StagingOwnershipTest, CatchesAFetchInFlightWhenAnExecBufBegins) {
    LogBuilder log = merged();
    log.complete(log.read(kHd, kCommandData, kHost, 0, 64));
    log.read(kHd, kCommandData + 64, kHost, 64, 64);
    log.begin(kHd, kExecBuf, kCommandData + 32);
    EXPECT_EQ(log.property(), "page-ownership/fetch-during-exec-buf");
    EXPECT_EQ(log.found()->invariant, "inv. 57");
}

TEST(StagingOwnershipTest, CatchesAFetchWhileAnExecBufRuns) {
    LogBuilder log = merged();
    log.complete(log.read(kHd, kCommandData, kHost, 0, 64));
    log.begin(kHd, kRelayInline, kCommandData)
        .end(kHd, kCommandData + 32)
        .begin(kHd, kExecBuf, kCommandData + 32);
    log.complete(log.read(kHd, kCommandData, kDram0, 0, 1024));
    EXPECT_EQ(log.property(), "nothing") << log.story();
    log.read(kHd, kCommandData + 2048, kHost, 64, 64);
    EXPECT_EQ(log.property(), "page-ownership/fetch-during-exec-buf");
    EXPECT_EQ(log.found()->invariant, "inv. 58");
}

TEST(StagingOwnershipTest, CatchesATraceChunkOverFetchedCommands) {
    LogBuilder log = merged();
    log.complete(log.read(kHd, kCommandData, kHost, 0, 128));
    log.begin(kHd, kExecBuf, kCommandData);  // not the last command of what was fetched
    log.read(kHd, kCommandData, kDram0, 0, 1024);
    EXPECT_EQ(log.property(), "page-ownership/overwritten-while-owned");
}

TEST(StagingOwnershipTest, IsSilentOnFetchesAfterAReplay) {
    LogBuilder log = merged();
    log.complete(log.read(kHd, kCommandData, kHost, 0, 32)).begin(kHd, kExecBuf, kCommandData);
    log.complete(log.read(kHd, kCommandData, kDram0, 0, 1024));
    log.begin(kHd, kRelayInline, kCommandData).end(kHd, kCommandData + 64);
    log.begin(kHd, kExecBufEnd, kCommandData + 64).end(kHd, kCommandData + 96);
    log.complete(log.read(kHd, kCommandData + 32, kHost, 32, 64));
    log.begin(kHd, kRelayInline, kCommandData + 32).end(kHd, kCommandData + 96);
    log.read(kHd, kCommandData + 32, kHost, 96, 64);
    EXPECT_EQ(log.property(), "nothing") << log.story();
}

// --- cmddat_q of prefetch_h ----------------------------------------------------------

TEST(StagingOwnershipTest, CatchesAFetchOverABatchThatWasNotForwarded) {
    LogBuilder log;
    log.complete(log.read(kPrefetchH, kCommandData + 32, kHost, 0, 224));
    log.complete(log.write(kPrefetchH, kCommandData, kPrefetchD, log.page_address(0), 128));
    log.read(kPrefetchH, kCommandData + 128, kHost, 224, 64);
    EXPECT_EQ(log.property(), "page-ownership/overwritten-while-owned");
}

TEST(StagingOwnershipTest, AllowsAFetchOverABatchThatWasForwarded) {
    LogBuilder log;
    log.complete(log.read(kPrefetchH, kCommandData + 32, kHost, 0, 224));
    log.complete(log.write(kPrefetchH, kCommandData, kPrefetchD, log.page_address(0), 256));
    log.read(kPrefetchH, kCommandData + 32, kHost, 224, 224);
    EXPECT_EQ(log.property(), "nothing") << log.story();
}

// --- prefetch_d's ring in an exec_buf ------------------------------------------------

TEST(StagingOwnershipTest, CatchesATraceChunkOverTheSourceOfAnUndepartedWrite) {
    LogBuilder log;
    log.fill(0, 0).hand_over(0, 1).begin(kPrefetchD, kExecBuf, log.page_address(0));
    log.complete(log.read(kPrefetchD, kRingBase, kDram0, 0, 1024));
    log.begin(kPrefetchD, kRelayInline, kRingBase);
    log.write(kPrefetchD, kRingBase + 16, kDispatchD, log.page_address(0), 64);
    log.read(kPrefetchD, kRingBase, kDram0, 1024, 1024);
    EXPECT_EQ(log.property(), "page-ownership/overwritten-while-owned");
    EXPECT_EQ(log.found()->invariant, "inv. 60");
    EXPECT_EQ(log.found()->command, "RELAY_INLINE");
}

TEST(StagingOwnershipTest, CatchesAParseOfATraceChunkThatHasNotLanded) {
    LogBuilder log;
    log.fill(0, 0).hand_over(0, 1).begin(kPrefetchD, kExecBuf, log.page_address(0));
    log.read(kPrefetchD, kRingBase, kDram0, 0, 1024);
    log.load(kPrefetchD, kRingBase, 16);
    EXPECT_EQ(log.property(), "page-ownership/read-before-ready");
}

}  // namespace
}  // namespace cqfuzz::test
