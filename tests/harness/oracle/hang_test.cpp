// The wait-for chain: parked actors put together by hand, and the words that come of them.
#include <gtest/gtest.h>

#include "runtime_under_test/protocol/commands.hpp"
#include "tests/harness/oracle/log_builder.hpp"

namespace cqfuzz::test {
namespace {

ParkedActor waits(TileIndex tile, std::uint32_t address, std::uint32_t seen = 0,
                  const char* waypoint = "") {
    ParkedActor actor;
    actor.tile = tile;
    actor.watches = {{ParkedWatch::Kind::l1_word, 0, address, seen}};
    actor.waypoint = waypoint;
    return actor;
}

bool tells(const Violation& violation, const std::string& part) {
    for (const std::string& line : violation.story)
        if (line.find(part) != std::string::npos) return true;
    return false;
}

TEST(HangTest, FollowsTheChainFromTheHostToTheCycle) {
    LogBuilder log;
    log.fill(1, 0, 8).hand_over(1, 8);
    log.begin(kDispatchD, static_cast<std::uint32_t>(rt::DispatchId::write_packed),
              log.page_address(0));
    const std::vector<ParkedActor> parked = {waits(kHost, 0, 0, "waits for the completion queue"),
                                             waits(kPrefetchH, 0x5000),
                                             waits(kPrefetchD, kCredits),
                                             waits(kDispatchD, kReady, 8),
                                             waits(kDispatchH, kReady),
                                             waits(kWorker0, kGoWord)};
    const auto violation = log.oracles().explain_hang(parked);
    ASSERT_TRUE(violation);
    EXPECT_EQ(violation->property, "hang");
    EXPECT_EQ(violation->place, "pages and credits of dispatch_cb");
    EXPECT_TRUE(tells(*violation,
                      "dispatch_d, in WRITE_PACKED, waits for pages of dispatch_cb (ready word 8"));
    EXPECT_TRUE(tells(*violation, "a cycle: dispatch_d waits for prefetch_d waits for dispatch_d"));
    EXPECT_TRUE(
        tells(*violation, "besides, prefetch_h waits for the host's next entry in prefetch_q"));
    EXPECT_EQ(violation->actor, "dispatch_d");
}

TEST(HangTest, GivesTheSameSignatureForOtherCounts) {
    LogBuilder log;
    const std::vector<ParkedActor> one = {waits(kHost, 0, 0, "completion queue"),
                                          waits(kDispatchH, kReady, 1)};
    const std::vector<ParkedActor> other = {waits(kHost, 4, 9, "completion queue"),
                                            waits(kDispatchH, kReady, 77)};
    EXPECT_EQ(log.oracles().explain_hang(one)->signature(),
              log.oracles().explain_hang(other)->signature());
}

TEST(HangTest, NamesTheStallAndTheWaitThatWouldEndIt) {
    LogBuilder log;
    const std::vector<ParkedActor> parked = {waits(kHost, 0, 0, "room in prefetch_q"),
                                             waits(kPrefetchH, kCredits),
                                             waits(kPrefetchD, kSync, 2),
                                             waits(kDispatchD, kCompletions, 5),
                                             waits(kWorker0, kGoWord),
                                             waits(kWorker1, 0x3000)};
    const auto violation = log.oracles().explain_hang(parked);
    ASSERT_TRUE(violation);
    EXPECT_TRUE(tells(*violation, "prefetch_d waits for the notification that ends its STALL"));
    EXPECT_TRUE(tells(*violation, "worker(2,1) still owes"));
    EXPECT_TRUE(tells(*violation, "worker(2,1) waits for the word at 12288"));
}

TEST(HangTest, SaysThatEveryCoreIsBackWhenACompletionIsMissing) {
    LogBuilder log;
    const std::vector<ParkedActor> parked = {
        waits(kHost, 0, 0, "completion queue"), waits(kDispatchH, kReady),
        waits(kDispatchD, kCompletions, 5), waits(kWorker0, kGoWord)};
    EXPECT_TRUE(tells(*log.oracles().explain_hang(parked), "every core is back at its go word"));
}

TEST(HangTest, ExplainsAWaitForACounterThatCannotBeMet) {
    LogBuilder log;
    ParkedActor dispatcher;
    dispatcher.tile = kDispatchH;
    dispatcher.watches = {{ParkedWatch::Kind::noc_counter, 1, 2, 40}};
    const std::vector<ParkedActor> parked = {waits(kHost, 0, 0, "completion queue"), dispatcher};
    EXPECT_TRUE(tells(*log.oracles().explain_hang(parked),
                      "its writes to be acknowledged on NoC 1 (counter 40)"));
}

TEST(HangTest, SaysThatAnActorHasEnded) {
    LogBuilder log;
    const std::vector<ParkedActor> parked = {waits(kHost, 0, 0, "completion queue")};
    EXPECT_TRUE(
        tells(*log.oracles().explain_hang(parked), "dispatch_h has ended or does not wait"));
}

TEST(HangTest, ALivelockNamesWhoGoesOnInVainAndWhoWaitsForIt) {
    LogBuilder log;
    log.begin(kDispatchD, static_cast<std::uint32_t>(rt::DispatchId::wait), log.page_address(0));
    const std::vector<BusyActor> busy = {{kWorker0, 7, "kernel"},
                                         {kDispatchD, 90'000, "WAIT: looks again"}};
    const std::vector<ParkedActor> parked = {waits(kHost, 0, 0, "waits for the completion queue"),
                                             waits(kPrefetchD, kCredits)};
    const auto violation = log.oracles().explain_livelock(busy, parked);
    ASSERT_TRUE(violation);
    EXPECT_EQ(violation->signature(), "livelock||dispatch|WAIT");
    EXPECT_TRUE(tells(*violation, "dispatch_d, in WAIT, goes on, 90000 steps so far"));
    EXPECT_TRUE(tells(*violation, "prefetch_d waits for credits of dispatch_cb"));
    EXPECT_EQ(violation->waits.size(), 2u);
}

TEST(HangTest, IsSilentWhenSwitchedOff) {
    LogBuilder log(split_machine(), kAllOracles & ~(1u << static_cast<unsigned>(OracleId::hang)));
    EXPECT_FALSE(log.oracles().explain_hang({}));
}

}  // namespace
}  // namespace cqfuzz::test
