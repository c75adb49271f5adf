// Page ownership of rings: for each report one planted mistake that must be caught under its exact
// name, and clean sequences on which nothing is said. Logs are synthetic; ring 1 is dispatch_cb of
// a small split machine.
#include <gtest/gtest.h>

#include <deque>

#include "harness/base/rng.hpp"
#include "runtime_under_test/protocol/commands.hpp"
#include "tests/harness/oracle/log_builder.hpp"

namespace cqfuzz::test {
namespace {

constexpr std::uint32_t kOwnership = 1u << static_cast<unsigned>(OracleId::page_ownership);

constexpr std::size_t kCb = 1;
constexpr std::uint32_t kWritePacked = static_cast<std::uint32_t>(rt::DispatchId::write_packed);
constexpr std::uint32_t kExecBuf = static_cast<std::uint32_t>(rt::PrefetchId::exec_buf);
constexpr std::uint32_t kExecBufEnd = static_cast<std::uint32_t>(rt::PrefetchId::exec_buf_end);
constexpr std::uint32_t kRelayInline = static_cast<std::uint32_t>(rt::PrefetchId::relay_inline);

// --- clean sequences -----------------------------------------------------------------

TEST(PageOwnershipTest, IsSilentOnManyLapsOfOrderlyUse) {
    LogBuilder log;
    for (std::uint64_t page = 0; page < 10 * kPages; page += 2) {
        log.fill(kCb, page, 2).hand_over(kCb, 2);
        log.begin(kDispatchD, kWritePacked, log.page_address(page))
            .load(kDispatchD, log.page_address(page), 16);
        log.use(kCb, page).use(kCb, page + 1).release(kCb, 2);
    }
    log.finish();
    EXPECT_EQ(log.property(), "nothing") << log.story();
}

TEST(PageOwnershipTest, IsSilentWhenTheRingIsFullAndRefilledAtOnce) {
    LogBuilder log;
    log.fill(kCb, 0, kPages).hand_over(kCb, kPages);
    for (std::uint64_t page = 0; page < 3 * kPages; page += 2) {
        log.use(kCb, page).use(kCb, page + 1).release(kCb, 2);
        log.fill(kCb, page + kPages, 2).hand_over(kCb, 2);
    }
    for (std::uint64_t page = 3 * kPages; page < 4 * kPages; page += 2) log.release(kCb, 2);
    log.finish();
    EXPECT_EQ(log.property(), "nothing") << log.story();
}

// Against a model of the four counts: any interleaving in which each side keeps to what has arrived
// is silent.
TEST(PageOwnershipTest, IsSilentOnRandomDelaysOfAnOrderlyRing) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        Rng rng(seed);
        LogBuilder log;
        std::deque<std::uint32_t> data, hand_overs, back;  // in flight, in order
        std::deque<std::uint32_t> sources;                 // not departed
        std::uint64_t filled = 0, credits = kPages, ready = 0, used = 0, released = 0;
        for (int i = 0; i < 400; ++i) {
            const std::uint32_t pick = rng.below(6);
            if (pick == 0 && credits > 0) {
                data.push_back(log.issue_fill(kCb, filled++));
                hand_overs.push_back(log.issue_hand_over(kCb, 1));
                --credits;
            } else if (pick == 1 && !hand_overs.empty()) {
                if (data.size() == hand_overs.size()) {
                    log.complete(data.front());
                    data.pop_front();
                } else {
                    log.complete(hand_overs.front());
                    hand_overs.pop_front();
                    ++ready;
                }
            } else if (pick == 2 && used < ready) {
                sources.push_back(log.issue_use(kCb, used++));
            } else if (pick == 3 && !sources.empty()) {
                log.depart(sources.front());
                sources.pop_front();
            } else if (pick == 4 && released + sources.size() < used) {
                back.push_back(log.issue_release(kCb, 1));
                ++released;
            } else if (pick == 5 && !back.empty()) {
                log.complete(back.front());
                back.pop_front();
                ++credits;
            }
        }
        ASSERT_EQ(log.property(), "nothing") << "seed " << seed << "\n" << log.story();
    }
}

TEST(PageOwnershipTest, AllowsTheGoWordToBeBuiltInTheCommandsOwnPage) {
    LogBuilder log;
    log.fill(kCb, 0).hand_over(kCb, 1);
    log.load(kDispatchD, log.page_address(0), 16).store(kDispatchD, log.page_address(0), 4);
    EXPECT_EQ(log.property(), "nothing") << log.story();
}

TEST(PageOwnershipTest, AllowsCopyHelpersToReadFiveWordsTooMany) {
    LogBuilder log;
    log.fill(kCb, 0).hand_over(kCb, 1);
    log.load(kDispatchD, log.page_address(0) + kPage - 4, 24);
    EXPECT_EQ(log.property(), "nothing") << log.story();
    log.load(kDispatchD, log.page_address(0) + kPage - 4, 28);
    EXPECT_EQ(log.property(), "page-ownership/read-before-ready");
}

TEST(PageOwnershipTest, IgnoresTheProducersOwnAcquisitions) {
    LogBuilder log;
    log.complete(log.atomic(kPrefetchD, kPrefetchD, kCredits, 0u - 3u));
    log.fill(kCb, 0, 3).hand_over(kCb, 3).release(kCb, 3).finish();
    EXPECT_EQ(log.property(), "nothing") << log.story();
}

TEST(PageOwnershipTest, IgnoresTheTeardownMark) {
    LogBuilder log;
    log.fill(kCb, 0).hand_over(kCb, 1);
    log.complete(log.atomic(kDispatchD, kPrefetchD, kCredits, 0x80000001u));
    log.finish();
    EXPECT_EQ(log.property(), "nothing") << log.story();
}

// --- planted mistakes ----------------------------------------------------------------

TEST(PageOwnershipTest, CatchesAPageOverwrittenWhileTheConsumerOwnsIt) {
    LogBuilder log;
    log.fill(kCb, 0).hand_over(kCb, 1);
    log.complete(log.write(kDispatchH, 0, kDispatchD, kRingBase + 32, 32));
    EXPECT_EQ(log.property(), "page-ownership/overwritten-while-owned");
    EXPECT_EQ(log.found()->place, "dispatch_cb");
    EXPECT_EQ(log.found()->actor, "dispatch_h");
}

TEST(PageOwnershipTest, CatchesAReleaseBeforeTheWritesFromThereHaveDeparted) {
    LogBuilder log;
    log.fill(kCb, 0, kPages).hand_over(kCb, kPages);
    log.begin(kDispatchD, kWritePacked, log.page_address(0));
    log.issue_use(kCb, 1);
    EXPECT_EQ(log.property(), "nothing");
    log.issue_release(kCb, 2);
    EXPECT_EQ(log.property(), "page-ownership/released-too-early");
    EXPECT_EQ(log.found()->command, "WRITE_PACKED");
    EXPECT_EQ(log.found()->actor, "dispatch_d");
}

TEST(PageOwnershipTest, CatchesAStrayWriteIntoTheSourceOfAnUndepartedWrite) {
    LogBuilder log;
    log.fill(kCb, 0).hand_over(kCb, 1);
    log.begin(kDispatchD, kWritePacked, log.page_address(0));
    log.issue_use(kCb, 0);
    log.complete(log.write(kPrefetchH, kCommandData, kDispatchD, kRingBase, 16));
    EXPECT_EQ(log.property(), "page-ownership/overwritten-while-owned");
    EXPECT_EQ(log.found()->command, "WRITE_PACKED");
    EXPECT_NE(log.found()->summary.find("still had to read it"), std::string::npos)
        << log.found()->summary;
}

TEST(PageOwnershipTest, CatchesAMulticastThatCoversADispatchCore) {
    LogBuilder log(split_machine(), 1u << static_cast<unsigned>(OracleId::page_ownership));
    log.fill(kCb, 0).hand_over(kCb, 1);
    log.complete(log.multicast(kDispatchD, 0, {{1, 13}, {4, 13}}, kRingBase, 64));
    EXPECT_EQ(log.property(), "page-ownership/overwritten-while-owned");
}

TEST(PageOwnershipTest, CatchesAWriteFromAPageThatWasReleased) {
    LogBuilder log;
    log.fill(kCb, 0, 4).hand_over(kCb, 4);
    log.begin(kDispatchD, kWritePacked, log.page_address(0));
    log.use(kCb, 0).release(kCb, 2);
    log.issue_use(kCb, 1, kPage - 16, 32);  // the orphan of page 1 and the rest in page 2
    EXPECT_EQ(log.property(), "page-ownership/used-after-release");
    EXPECT_EQ(log.found()->signature(),
              "page-ownership/released-too-early|dispatch_cb|dispatch|WRITE_PACKED");
}

TEST(PageOwnershipTest, CatchesALateUseEvenAfterTheCreditHasBeenUsed) {
    LogBuilder log;
    log.fill(kCb, 0, kPages).hand_over(kCb, kPages).release(kCb, 2);
    log.fill(kCb, kPages, 2);
    log.load(kDispatchD, log.page_address(1), 16);
    EXPECT_EQ(log.property(), "page-ownership/used-after-release");
}

// The released page has come round a whole lap and is the consumer's again: only the page behind it
// tells.
TEST(PageOwnershipTest, CatchesALateUseOfAPageThatWasHandedOverAgain) {
    LogBuilder log;
    log.fill(kCb, 0, kPages).hand_over(kCb, kPages).release(kCb, 2);
    log.fill(kCb, kPages, 2).hand_over(kCb, 2);
    log.issue_use(kCb, 1, kPage - 16, 32);
    EXPECT_EQ(log.property(), "page-ownership/used-after-release");
}

TEST(PageOwnershipTest, CatchesALateUseWhileTheReleaseIsOnItsWay) {
    LogBuilder log;
    log.fill(kCb, 0, 2).hand_over(kCb, 2);
    log.issue_release(kCb, 2);
    log.load(kDispatchD, log.page_address(1), 16);
    EXPECT_EQ(log.property(), "page-ownership/used-after-release");
}

TEST(PageOwnershipTest, CatchesAReadBeforeTheHandOverArrives) {
    LogBuilder log;
    log.fill(kCb, 0);
    log.issue_hand_over(kCb, 1);
    log.load(kDispatchD, log.page_address(0), 16);
    EXPECT_EQ(log.property(), "page-ownership/read-before-ready");
}

TEST(PageOwnershipTest, CatchesAWriteFromAPageThatIsNotReady) {
    LogBuilder log;
    log.fill(kCb, 0).hand_over(kCb, 1);
    log.issue_use(kCb, 0, kPage - 16, 32);
    EXPECT_EQ(log.property(), "page-ownership/read-before-ready");
}

TEST(PageOwnershipTest, CatchesAFillWithoutCredit) {
    LogBuilder log;
    log.fill(kCb, 0, kPages).hand_over(kCb, kPages);
    log.issue_release(kCb, 2);  // on its way: the page is nobody's
    log.issue_fill(kCb, kPages);
    EXPECT_EQ(log.property(), "page-ownership/filled-without-credit");
    EXPECT_EQ(log.found()->actor, "prefetch_d");
}

TEST(PageOwnershipTest, CatchesAPrefetcherThatWritesPastTheRing) {
    LogBuilder log;
    log.write(kPrefetchD, kScratch, kDispatchD, kRingBase + kPages * kPage, 32);
    EXPECT_EQ(log.property(), "page-ownership/outside-ring");
}

TEST(PageOwnershipTest, CatchesAHandOverWithoutData) {
    LogBuilder log;
    log.fill(kCb, 0).issue_hand_over(kCb, 2);
    EXPECT_EQ(log.property(), "page-ownership/hand-over-without-data");
}

TEST(PageOwnershipTest, CatchesAHandOverOfAPageFilledInTheLapBefore) {
    LogBuilder log;
    log.fill(kCb, 0, kPages).hand_over(kCb, kPages).release(kCb, 2);
    log.issue_hand_over(kCb, 1);
    EXPECT_EQ(log.property(), "page-ownership/hand-over-without-data");
}

TEST(PageOwnershipTest, CatchesAHandOverOutOfOrder) {
    LogBuilder log;
    log.fill(kCb, 1);
    log.issue_hand_over(kCb, 1);
    EXPECT_EQ(log.property(), "page-ownership/handed-over-out-of-order");
}

TEST(PageOwnershipTest, CatchesAHandOverThatOvertakesItsData) {
    LogBuilder log;
    log.issue_fill(kCb, 0);
    log.hand_over(kCb, 1);
    EXPECT_EQ(log.property(), "page-ownership/hand-over-before-data");
}

TEST(PageOwnershipTest, CatchesMoreHandOversThanCredits) {
    LogBuilder log;
    log.fill(kCb, 0, kPages).hand_over(kCb, kPages).issue_hand_over(kCb, 1);
    EXPECT_EQ(log.property(), "page-ownership/conservation");
    EXPECT_EQ(log.found()->actor, "prefetch_d");
}

TEST(PageOwnershipTest, CatchesMoreReleasesThanHandOvers) {
    LogBuilder log;
    log.fill(kCb, 0, 2).hand_over(kCb, 2).issue_release(kCb, 3);
    EXPECT_EQ(log.property(), "page-ownership/conservation");
    EXPECT_EQ(log.found()->actor, "dispatch_d");
}

TEST(PageOwnershipTest, CatchesDataThatIsNeverHandedOver) {
    LogBuilder log;
    log.fill(kCb, 0).finish();
    EXPECT_EQ(log.property(), "page-ownership/data-without-hand-over");
}

TEST(PageOwnershipTest, CatchesPagesThatDoNotComeHome) {
    LogBuilder log;
    log.fill(kCb, 0, 2).hand_over(kCb, 2).release(kCb, 1).finish();
    EXPECT_EQ(log.property(), "page-ownership/balance-at-teardown");
}

// --- replays through the split pair (facts §5.4) -------------------------------------

// A batch of one page with EXEC_BUF, the theft of the sender's credits, chunks over the whole ring,
// and the return.
void replay(LogBuilder& log, std::uint64_t page, bool steal) {
    log.fill(0, page);
    if (steal) log.complete(log.atomic(kPrefetchH, kPrefetchH, kCredits, 0u - kPages));
    log.hand_over(0, 1);
    log.load(kPrefetchD, log.page_address(page), 32);
    log.begin(kPrefetchD, kExecBuf, log.page_address(page) + 32);
    for (int chunk = 0; chunk < 2; ++chunk) {
        const std::uint32_t read = log.read(kPrefetchD, kRingBase, kDram0, 0, kPages * kPage);
        log.complete(read);
        log.load(kPrefetchD, kRingBase + 3 * kPage, 16)
            .begin(kPrefetchD, kRelayInline, kRingBase + 3 * kPage);
        log.complete(log.write(kPrefetchD, kRingBase + 3 * kPage + 16, kDispatchD,
                               log.page_address(2 * page + static_cast<unsigned>(chunk)), 64));
        log.hand_over(kCb, 1).release(kCb, 1);
        log.end(kPrefetchD, kRingBase + 4 * kPage);
    }
    log.begin(kPrefetchD, kExecBufEnd, kRingBase + 64);
}

TEST(PageOwnershipTest, IsSilentOnStealAndReturn) {
    LogBuilder log;
    for (std::uint64_t page = 0; page < 3 * kPages; ++page) {
        replay(log, page, true);
        log.complete(log.atomic(kDispatchH, kPrefetchH, kCredits, kPages));
        log.end(kPrefetchD, kRingBase + 96).release(0, 1);
    }
    log.finish();
    EXPECT_EQ(log.property(), "nothing") << log.story();
}

TEST(PageOwnershipTest, CatchesTheSenderFillingTheRingDuringAReplay) {
    LogBuilder log;
    replay(log, 0, true);
    log.issue_fill(0, 1);
    EXPECT_EQ(log.property(), "page-ownership/filled-without-credit");
    EXPECT_EQ(log.found()->invariant, "inv. 58");
}

TEST(PageOwnershipTest, AllowsTheSenderToFillTheRingOnceItsCreditsAreBack) {
    LogBuilder log;
    replay(log, 0, true);
    log.complete(log.atomic(kDispatchH, kPrefetchH, kCredits, kPages));
    log.fill(0, 1);
    EXPECT_EQ(log.property(), "nothing") << log.story();
}

TEST(PageOwnershipTest, CatchesATraceChunkOverABatchThatWaits) {
    LogBuilder log;
    log.fill(0, 0, 2).hand_over(0, 2);
    log.begin(kPrefetchD, kExecBuf, log.page_address(0) + 32);
    log.complete(log.read(kPrefetchD, kRingBase, kDram0, 0, 4 * kPage));
    EXPECT_EQ(log.property(), "page-ownership/overwritten-while-owned");
    EXPECT_EQ(log.found()->place, "prefetch_d.cmddat_q");
}

TEST(PageOwnershipTest, CatchesARefillWithoutAnExecBuf) {
    LogBuilder log;
    log.fill(0, 0, 2).hand_over(0, 2);
    log.complete(log.read(kPrefetchD, kRingBase, kDram0, 0, kPage));
    EXPECT_EQ(log.property(), "page-ownership/overwritten-while-owned");
}

TEST(PageOwnershipTest, CatchesAReturnWithoutATheft) {
    LogBuilder log;
    log.atomic(kDispatchH, kPrefetchH, kCredits, kPages);
    EXPECT_EQ(log.property(), "page-ownership/credit-return");
}

TEST(PageOwnershipTest, CatchesAReturnOfOtherThanWhatWasStolen) {
    LogBuilder log;
    log.complete(log.atomic(kPrefetchH, kPrefetchH, kCredits, 0u - kPages));
    log.atomic(kDispatchH, kPrefetchH, kCredits, kPages - 1);
    EXPECT_EQ(log.property(), "page-ownership/credit-return");
}

TEST(PageOwnershipTest, CatchesATheftThatIsNeverReturned) {
    LogBuilder log;
    log.complete(log.atomic(kPrefetchH, kPrefetchH, kCredits, 0u - kPages)).finish();
    EXPECT_EQ(log.property(), "page-ownership/credit-return");
}

// --- stories -------------------------------------------------------------------------

TEST(PageOwnershipTest, TellsWhoFilledHeldAndReleasedThePage) {
    LogBuilder log;
    log.fill(kCb, 0, 2).hand_over(kCb, 2);
    log.begin(kDispatchD, kWritePacked, log.page_address(0)).use(kCb, 1).release(kCb, 2);
    log.issue_use(kCb, 1);
    ASSERT_EQ(log.property(), "page-ownership/used-after-release");
    const std::string story = log.story();
    for (const char* part :
         {"filled by prefetch_d", "held by dispatch_d", "WRITE_PACKED", "released by dispatch_d"})
        EXPECT_NE(story.find(part), std::string::npos) << part << " is missing in:\n" << story;
}

TEST(PageOwnershipTest, CatchesACommandInsideAPage) {
    constexpr auto kWait = static_cast<std::uint32_t>(rt::DispatchId::wait);
    constexpr auto kDebug = static_cast<std::uint32_t>(rt::DispatchId::debug);
    LogBuilder log(split_machine(), kOwnership);
    log.fill(1, 0, 3).hand_over(1, 3);
    log.begin(kDispatchD, kDebug, log.page_address(0)).end(kDispatchD, log.page_address(0) + 64);
    log.begin(kDispatchD, kWait, log.page_address(0) + 64).end(kDispatchD, log.page_address(1));
    log.begin(kDispatchD, kWait, log.page_address(1));
    EXPECT_FALSE(log.found()) << log.story();
    log.begin(kDispatchD, kWait, log.page_address(2) + 16);
    ASSERT_EQ(log.property(), "page-ownership/command-off-page");
    EXPECT_EQ(log.found()->invariant, "inv. 33");
}

TEST(PageOwnershipTest, CatchesAPlainStoreToACount) {
    for (const bool producer : {false, true}) {
        LogBuilder log(split_machine(), kOwnership);
        log.store(kDispatchD, kSync, 4).store(kPrefetchD, kSync, 4);
        EXPECT_FALSE(log.found()) << log.story();
        log.store(producer ? kPrefetchD : kDispatchD, producer ? kCredits : kReady, 4);
        ASSERT_EQ(log.property(), "page-ownership/plain-store-to-semaphore");
        EXPECT_EQ(log.found()->invariant, "inv. 13");
    }
}

}  // namespace
}  // namespace cqfuzz::test
