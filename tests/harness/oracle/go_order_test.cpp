// Go order: a go or a notification that overtakes what it starts is caught when it is issued; the
// order that the runtime keeps is silent.
#include <gtest/gtest.h>

#include "runtime_under_test/protocol/commands.hpp"
#include "tests/harness/oracle/log_builder.hpp"

namespace cqfuzz::test {
namespace {

constexpr std::uint32_t kOnlyGoOrder = 1u << static_cast<unsigned>(OracleId::go_order);
constexpr TileIndex kDispatchS = kPrefetchH;  // the merged machine leaves that tile free
constexpr std::uint32_t kNotify = 0x400;
constexpr auto kSendGo = static_cast<std::uint32_t>(rt::DispatchId::send_go_signal);
constexpr NocRectangle kWorkers{{1, 1}, {2, 1}};

LogBuilder plain_log() { return LogBuilder(merged_machine(), kOnlyGoOrder); }

LogBuilder dispatch_s_log() {
    MachineView machine = merged_machine();
    machine.tiles[kDispatchS].role = Role::dispatch_s;
    machine.go_senders = {{kDispatchS, kDispatchD, kNotify}};
    return LogBuilder(std::move(machine), kOnlyGoOrder);
}

TEST(GoOrderTest, IsSilentWhenEverythingWasAcknowledged) {
    LogBuilder log = plain_log();
    log.complete(log.multicast(kDispatchD, 0, kWorkers, kConfigBase, 64));
    log.complete(log.write(kDispatchD, 0, kEthernet, kLaunchBase, 96));
    log.begin(kDispatchD, kSendGo, kRingBase);
    log.multicast(kDispatchD, 0, kWorkers, kGoWord, 4);
    log.write(kDispatchD, 0, kEthernet, kGoWord, 4);
    EXPECT_EQ(log.property(), "nothing") << log.story();
}

TEST(GoOrderTest, CatchesAGoBeforeTheLastAcknowledgement) {
    for (const bool to_ethernet : {false, true}) {
        LogBuilder log = plain_log();
        const std::uint32_t last = to_ethernet
                                       ? log.write(kDispatchD, 0, kEthernet, kLaunchBase + 96, 96)
                                       : log.multicast(kDispatchD, 0, kWorkers, kConfigBase, 64);
        log.depart(last).arrive(last);
        log.begin(kDispatchD, kSendGo, kRingBase);
        log.multicast(kDispatchD, 0, kWorkers, kGoWord, 4);
        EXPECT_EQ(log.property(), "go-order/go-before-data");
        EXPECT_EQ(log.found()->actor, "dispatch_hd");
        EXPECT_EQ(log.found()->command, "SEND_GO_SIGNAL");
    }
}

// A buffer in a worker's L1 is not what a go starts.
TEST(GoOrderTest, LeavesOtherWritesAlone) {
    LogBuilder log = plain_log();
    log.write(kDispatchD, 0, kWorker0, kConfigBase + kConfigBytes, 64);
    log.write(kDispatchD, 0, kDram0, 0, 64);
    log.begin(kDispatchD, kSendGo, kRingBase);
    log.multicast(kDispatchD, 0, kWorkers, kGoWord, 4);
    EXPECT_EQ(log.property(), "nothing") << log.story();
}

TEST(GoOrderTest, CatchesANotificationBeforeTheLastAcknowledgement) {
    LogBuilder log = dispatch_s_log();
    log.write(kDispatchD, 0, kWorker0, kLaunchBase, 96);
    log.atomic(kDispatchD, kDispatchS, kNotify, 1);
    EXPECT_EQ(log.property(), "go-order/notified-before-data");
    EXPECT_EQ(log.found()->actor, "dispatch_hd");
}

TEST(GoOrderTest, AGoOfDispatchSNeedsANotificationThatHasArrived) {
    for (const bool has_arrived : {true, false}) {
        LogBuilder log = dispatch_s_log();
        // A go to both kinds of core is one go.
        for (int go = 0; go < 2; ++go) {
            const std::uint32_t notification = log.atomic(kDispatchD, kDispatchS, kNotify, 1);
            if (go == 0 || has_arrived) log.complete(notification);
            log.begin(kDispatchS, kSendGo, kRingBase);
            log.multicast(kDispatchS, 0, kWorkers, kGoWord, 4);
            log.write(kDispatchS, 0, kEthernet, kGoWord, 4);
        }
        EXPECT_EQ(log.property(), has_arrived ? "nothing" : "go-order/go-before-notification");
        if (!has_arrived) {
            EXPECT_EQ(log.found()->actor, "dispatch_s");
        }
    }
}

}  // namespace
}  // namespace cqfuzz::test
