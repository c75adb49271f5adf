// NoC rules: every rule that silicon reports becomes a violation of its own name; what is open at
// exit is found here.
#include <gtest/gtest.h>

#include "tests/harness/oracle/log_builder.hpp"

namespace cqfuzz::test {
namespace {

LogBuilder noc_log() {
    return LogBuilder(split_machine(), 1u << static_cast<unsigned>(OracleId::noc_rules));
}

void exit_core(LogBuilder& log, TileIndex tile) {
    LogEntry e;
    e.kind = LogKind::core_exit;
    e.tile = tile;
    log.entry(e);
}

TEST(NocRulesTest, TurnsEachRuleIntoAViolationOfItsName) {
    const std::pair<NocRule, const char*> rows[] = {
        {NocRule::zero_length, "zero-length"},
        {NocRule::burst_exceeded, "burst-exceeded"},
        {NocRule::misaligned, "misaligned"},
        {NocRule::unknown_target, "unknown-target"},
        {NocRule::wrong_receiver_count, "wrong-receiver-count"},
        {NocRule::linked_chain_broken, "linked-chain-broken"},
        {NocRule::busy_register_write, "busy-register-write"},
        {NocRule::in_flight_at_exit, "in-flight-at-exit"},
        {NocRule::counter_mismatch, "counter-mismatch"}};
    for (const auto& [rule, name] : rows) {
        LogBuilder log = noc_log();
        LogEntry e;
        e.kind = LogKind::noc_rule;
        e.tile = kDispatchD;
        e.value = static_cast<std::uint32_t>(rule);
        log.entry(e);
        EXPECT_EQ(log.property(), std::string("noc-rules/") + name);
        EXPECT_EQ(log.found()->actor, "dispatch_d");
        EXPECT_FALSE(log.found()->invariant.empty());
    }
}

TEST(NocRulesTest, IsSilentWhenEverythingIsAcknowledgedAtExit) {
    LogBuilder log = noc_log();
    log.complete(log.write(kDispatchD, 0, kWorker0, kConfigBase, 64));
    log.complete(log.multicast(kDispatchD, 0, {{1, 1}, {2, 1}}, kConfigBase, 64));
    log.complete(log.atomic(kDispatchD, kPrefetchD, kCredits, 1));
    log.complete(log.read(kPrefetchD, kScratch, kDram0, 0, 64));
    exit_core(log, kDispatchD);
    exit_core(log, kPrefetchD);
    EXPECT_EQ(log.property(), "nothing") << log.story();
}

TEST(NocRulesTest, CatchesEachKindInFlightAtExit) {
    for (int kind = 0; kind < 4; ++kind) {
        LogBuilder log = noc_log();
        std::uint32_t transaction = 0;
        if (kind == 0) transaction = log.write(kDispatchD, 0, kWorker0, kConfigBase, 64);
        if (kind == 1)
            transaction = log.multicast(kDispatchD, 0, {{1, 1}, {2, 1}}, kConfigBase, 64);
        if (kind == 2) transaction = log.atomic(kDispatchD, kPrefetchD, kCredits, 1);
        if (kind == 3) transaction = log.read(kDispatchD, kScratch, kDram0, 0, 64);
        log.depart(transaction).arrive(transaction);
        exit_core(log, kDispatchD);
        EXPECT_EQ(log.property(), "noc-rules/in-flight-at-exit") << kind;
    }
}

TEST(NocRulesTest, WaitsForEveryReceiverThatWasSingledOut) {
    for (const std::uint32_t acknowledged : {1u, 2u}) {
        LogBuilder log = noc_log();
        const std::uint32_t transaction =
            log.multicast(kDispatchD, 0, {{1, 1}, {2, 1}}, kConfigBase, 64);
        for (std::uint32_t i = 0; i < acknowledged; ++i) {
            LogEntry e;
            e.kind = LogKind::noc_ack;
            e.tile = kDispatchD;
            e.target = static_cast<TileIndex>(kWorker0 + i);
            e.flags = kLogMulticast;
            e.transaction = transaction;
            log.entry(e);
        }
        exit_core(log, kDispatchD);
        EXPECT_EQ(log.property(), acknowledged == 2 ? "nothing" : "noc-rules/in-flight-at-exit");
    }
}

TEST(NocRulesTest, CatchesALinkedChainOpenAtExit) {
    LogBuilder log = noc_log();
    LogEntry e;
    e.kind = LogKind::noc_issue;
    e.tile = kDispatchD;
    e.target = kWorker0;
    e.flags = kLogLinked | kLogPosted;
    log.entry(e);
    exit_core(log, kDispatchD);
    EXPECT_EQ(log.property(), "noc-rules/linked-chain-open-at-exit");
}

TEST(NocRulesTest, AllowsALinkedChainThatWasClosed) {
    LogBuilder log = noc_log();
    LogEntry e;
    e.kind = LogKind::noc_issue;
    e.tile = kDispatchD;
    e.target = kWorker0;
    e.flags = kLogLinked | kLogPosted;
    log.entry(e);
    e.flags = kLogPosted;
    log.entry(e);
    exit_core(log, kDispatchD);
    EXPECT_EQ(log.property(), "nothing") << log.story();
}

}  // namespace
}  // namespace cqfuzz::test
