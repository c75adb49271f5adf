// The oracles behind one face: names, switches, and a fresh start with every reset.
#include "harness/oracle/oracles.hpp"

#include <gtest/gtest.h>

#include "tests/harness/oracle/log_builder.hpp"

namespace cqfuzz::test {
namespace {

TEST(OraclesTest, NameEachOracleAndFindItByThatName) {
    for (std::uint8_t i = 0; i < static_cast<std::uint8_t>(OracleId::kCount); ++i) {
        const OracleId id = static_cast<OracleId>(i);
        EXPECT_EQ(oracle_named(name_of(id)), id);
    }
    EXPECT_FALSE(oracle_named("nonsense"));
}

TEST(OraclesTest, SayNothingWhenAllAreSwitchedOff) {
    LogBuilder log(split_machine(), 0);
    log.fill(1, 0).issue_hand_over(1, 3);
    log.complete(log.write(kDispatchD, 0, kWorker0, 0, 16)).finish();
    EXPECT_EQ(log.property(), "nothing");
}

TEST(OraclesTest, ForgetTheRunBefore) {
    LogBuilder log;
    log.fill(1, 0, 3).hand_over(1, 3);
    log.oracles().reset(log.machine(), log.memory(), kAllOracles);
    log.fill(1, 0, 1).hand_over(1, 1).release(1, 1).finish();
    EXPECT_EQ(log.property(), "nothing") << log.story();
}

TEST(OraclesTest, ServeMachinesOfDifferentShapeInTurn) {
    LogBuilder log;
    log.fill(0, 0, 2).hand_over(0, 2);
    const MachineView merged = merged_machine();
    log.oracles().reset(merged, log.memory(), kAllOracles);
    log.complete(log.write(kPrefetchD, kScratch, kDispatchD, kRingBase, kPage));
    log.complete(log.atomic(kPrefetchD, kDispatchD, kReady, 1));
    log.complete(log.atomic(kDispatchD, kPrefetchD, kCredits, 1)).finish();
    EXPECT_EQ(log.property(), "nothing") << log.story();
}

}  // namespace
}  // namespace cqfuzz::test
