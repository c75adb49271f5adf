// Goal: the story of wrong bytes names who wrote them last, for which command, and where that core
// had them from. Method: synthetic logs of a dispatcher that writes to a worker.
#include "harness/oracle/write_trail.hpp"

#include <gtest/gtest.h>

#include "runtime_under_test/protocol/commands.hpp"
#include "tests/harness/oracle/log_builder.hpp"

namespace cqfuzz::test {
namespace {

constexpr std::uint32_t kPacked = static_cast<std::uint32_t>(rt::DispatchId::write_packed);
constexpr std::uint32_t kRelayInline = static_cast<std::uint32_t>(rt::PrefetchId::relay_inline);
constexpr std::uint32_t kNowhere = 0x18000;  // of a worker's L1

// One write of 64 bytes, transaction 7, from page 3 of dispatch_cb.
struct Written {
    MachineView machine = split_machine();
    Provenance provenance;
    WriteTrail trail;

    Written() {
        provenance.reset(machine);
        trail.reset(machine, provenance);
        const std::uint32_t page = kRingBase + 3 * kPage;
        see(LogKind::command_begin, kPrefetchD, kNoTile, kRingBase, 0, kRelayInline);
        see(LogKind::noc_issue, kPrefetchD, kDispatchD, kRingBase, page, 0);
        see(LogKind::command_begin, kDispatchD, kNoTile, page, 0, kPacked);
        see(LogKind::noc_issue, kDispatchD, kWorker0, page + 32, kNowhere, 0);
    }
    void see(LogKind kind, TileIndex tile, TileIndex target, std::uint32_t source, std::uint32_t to,
             std::uint32_t value) {
        LogEntry entry;
        entry.kind = kind;
        entry.tile = tile;
        entry.target = target;
        entry.source_address = source;
        entry.target_address = to;
        entry.length = 64;
        entry.value = value;
        entry.transaction = 7;
        provenance.observe(entry);
        if (kind == LogKind::noc_issue) trail.issued(entry);
        if (kind == LogKind::noc_arrive) trail.arrived(entry);
    }
    std::string told(std::uint32_t address) const {
        Violation violation;
        violation.bytes = {kWorker0, address, 4, "it was"};
        trail.tell(violation);
        std::string text;
        for (const std::string& line : violation.story) text += line + "; ";
        return text;
    }
};

TEST(WriteTrailTest, NamesTheCommandAndThePageThatTheBytesCameFrom) {
    Written log;
    EXPECT_NE(log.told(kNowhere).find("it was not written"), std::string::npos) << "in flight";
    log.see(LogKind::noc_arrive, kDispatchD, kWorker0, 0, kNowhere, 0);
    const std::string text = log.told(kNowhere + 60);
    EXPECT_NE(text.find("it was written last by dispatch_d"), std::string::npos) << text;
    EXPECT_NE(text.find("for WRITE_PACKED, from page 3 of dispatch_cb, which prefetch_d had "
                        "filled for RELAY_INLINE;"),
              std::string::npos)
        << text;
    EXPECT_NE(log.told(kNowhere + 64).find("it was not written"), std::string::npos);
}

TEST(WriteTrailTest, TellsOfTheRegionAroundBytesThatNobodyWrote) {
    Written log;
    log.see(LogKind::noc_issue, kDispatchD, kWorker0, kRingBase, kConfigBase, 0);
    log.see(LogKind::noc_arrive, kDispatchD, kWorker0, 0, kConfigBase, 0);
    const std::string text = log.told(kConfigBase + 0x100);
    EXPECT_NE(text.find("it was not written"), std::string::npos) << text;
    EXPECT_NE(text.find("the worker config ring around it was written last by dispatch_d"),
              std::string::npos)
        << text;
}

TEST(WriteTrailTest, AStrayWriteTellsOfItsCommand) {
    LogBuilder log;
    log.begin(kDispatchD, kPacked, kCommandData);
    const std::uint32_t write = log.write(kDispatchD, kCommandData, kWorker0, kNowhere, 64);
    log.depart(write).arrive(write);
    ASSERT_EQ(log.property(), "golden-memory/stray-write");
    EXPECT_NE(log.story().find("for WRITE_PACKED"), std::string::npos) << log.story();
}

}  // namespace
}  // namespace cqfuzz::test
