// RingLedger against the four counts written out: whose each page is, for every state of a small
// ring.
#include "harness/oracle/ring_ledger.hpp"

#include <gtest/gtest.h>

namespace cqfuzz {
namespace {

RingView small_ring(std::uint32_t pages) {
    RingView view;
    view.base = 0x1000;
    view.page_size_bytes = 256;
    view.page_count = pages;
    return view;
}

// Enumerates every reachable combination of counts with up to two laps.
TEST(RingLedgerTest, SaysWhosePageItIsForEveryStateOfTheCounts) {
    constexpr std::uint32_t n = 4;
    const RingView view = small_ring(n);
    for (std::uint64_t ra = 0; ra <= 2 * n; ++ra)
        for (std::uint64_t ri = ra; ri <= ra + n; ++ri)
            for (std::uint64_t ha = ri; ha <= ra + n; ++ha)
                for (std::uint64_t hi = ha; hi <= ra + n; ++hi) {
                    RingLedger ledger;
                    ledger.reset(view);
                    ledger.hand_over_issued(static_cast<std::uint32_t>(hi));
                    ledger.hand_over_arrived(static_cast<std::uint32_t>(ha));
                    ledger.release_issued(static_cast<std::uint32_t>(ri));
                    ledger.release_arrived(static_cast<std::uint32_t>(ra));
                    for (std::uint64_t s = ra; s < ra + n; ++s) {
                        const auto page = static_cast<std::uint32_t>(s % n);
                        ASSERT_EQ(ledger.sequence_of(page), s);
                        const PageState expected = s < ri   ? PageState::release_in_flight
                                                   : s < ha ? PageState::consumers
                                                   : s < hi ? PageState::hand_over_in_flight
                                                            : PageState::producers;
                        ASSERT_EQ(ledger.state_of(page), expected);
                    }
                }
}

TEST(RingLedgerTest, FindsThePagesThatBytesTouch) {
    const RingView view = small_ring(4);
    RingLedger ledger;
    ledger.reset(view);
    EXPECT_EQ(ledger.pages_of(0x1000, 1).first, 0u);
    EXPECT_EQ(ledger.pages_of(0x10ff, 2).count, 2u);
    EXPECT_EQ(ledger.pages_of(0x13f0, 0x100).first, 3u);
    EXPECT_EQ(ledger.pages_of(0x13f0, 0x100).count, 1u);
    EXPECT_EQ(ledger.pages_of(0xff0, 0x20).first, 0u);
    EXPECT_EQ(ledger.pages_of(0xff0, 0x20).count, 1u);
    EXPECT_EQ(ledger.pages_of(0x1400, 16).count, 0u);
    EXPECT_EQ(ledger.pages_of(0xff0, 16).count, 0u);
    EXPECT_EQ(ledger.pages_of(0x1000, 0).count, 0u);
    EXPECT_EQ(ledger.pages_of(0xfffffff0u, 0x20).count, 0u);
}

TEST(RingLedgerTest, TellsLateUseFromEarlyUse) {
    const RingView view = small_ring(8);
    RingLedger ledger;
    ledger.reset(view);
    EXPECT_FALSE(ledger.is_late_use(0));
    ledger.hand_over_issued(4);
    ledger.hand_over_arrived(4);
    EXPECT_FALSE(ledger.is_late_use(4));
    ledger.release_issued(2);
    EXPECT_TRUE(ledger.is_late_use(1));  // on its way
    ledger.release_arrived(2);
    EXPECT_TRUE(ledger.is_late_use(1));
    EXPECT_FALSE(ledger.is_late_use(4));
}

}  // namespace
}  // namespace cqfuzz
