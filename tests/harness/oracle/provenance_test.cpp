// Provenance: the number of an op travels from the host's writes to the dispatcher's command.
#include "harness/oracle/provenance.hpp"

#include <gtest/gtest.h>

#include "runtime_under_test/protocol/commands.hpp"
#include "tests/harness/oracle/log_builder.hpp"

namespace cqfuzz::test {
namespace {

constexpr std::uint32_t kRelayInline = static_cast<std::uint32_t>(rt::PrefetchId::relay_inline);
constexpr std::uint32_t kExecBuf = static_cast<std::uint32_t>(rt::PrefetchId::exec_buf);
constexpr std::uint32_t kExecBufEnd = static_cast<std::uint32_t>(rt::PrefetchId::exec_buf_end);
constexpr std::uint32_t kWait = static_cast<std::uint32_t>(rt::DispatchId::wait);

struct Trail {
    MachineView machine = split_machine();
    Provenance provenance;

    Trail() { provenance.reset(machine); }

    Trail& see(LogKind kind, NocKind noc, TileIndex tile, TileIndex target, std::uint32_t source,
               std::uint32_t to, std::uint32_t length, std::uint32_t value = 0) {
        LogEntry e;
        e.kind = kind;
        e.noc_kind = noc;
        e.tile = tile;
        e.target = target;
        e.source_address = source;
        e.target_address = to;
        e.length = length;
        e.value = value;
        if (kind == LogKind::host_call_begin || kind == LogKind::host_call_end)
            e.transaction = value;
        provenance.observe(e);
        return *this;
    }
    // One op's bytes: written by the host, fetched, forwarded to page `page` of prefetch_d's ring.
    Trail& deliver(std::uint32_t op, std::uint32_t page) {
        const std::uint32_t at = op * 256;
        see(LogKind::host_call_begin, NocKind::write, kHost, kNoTile, 0, 0, 0, op);
        see(LogKind::host_write_issue, NocKind::write, kHost, kHost, 0, at, 256);
        see(LogKind::host_call_end, NocKind::write, kHost, kNoTile, 0, 0, 0, op);
        see(LogKind::noc_issue, NocKind::read, kPrefetchH, kHost, at, kCommandData + 32, 224);
        begin(kPrefetchH, kRelayInline, kCommandData + 32);
        return see(LogKind::noc_issue, NocKind::write, kPrefetchH, kPrefetchD, kCommandData + 32,
                   kRingBase + page * kPage, 256);
    }
    Trail& begin(TileIndex tile, std::uint32_t command, std::uint32_t address) {
        return see(LogKind::command_begin, NocKind::write, tile, kNoTile, address, 0, 0, command);
    }
    Trail& relay(std::uint32_t page) {
        return see(LogKind::noc_issue, NocKind::write, kPrefetchD, kDispatchD, kScratch,
                   kRingBase + page * kPage, 256);
    }
};

TEST(ProvenanceTest, CarriesAnOpFromTheHostToTheDispatcher) {
    Trail trail;
    for (std::uint32_t op = 0; op < 40; ++op) {
        trail.deliver(op, op % kPages)
            .begin(kPrefetchD, kRelayInline, kRingBase + op % kPages * kPage + 32)
            .relay(op % kPages);
        trail.begin(kDispatchD, kWait, kRingBase + op % kPages * kPage);
        ASSERT_EQ(trail.provenance.doing(kPrefetchD).op, op);
        ASSERT_EQ(phrase(trail.provenance.doing(kDispatchD)), "WAIT of op " + std::to_string(op));
    }
}

TEST(ProvenanceTest, TellsTheTwoOpsOfAJoinedBatchApart) {
    Trail trail;
    for (const std::uint32_t op : {3u, 4u}) {
        trail.see(LogKind::host_call_begin, NocKind::write, kHost, kNoTile, 0, 0, 0, op);
        trail.see(LogKind::host_write_issue, NocKind::write, kHost, kHost, 0, op * 64, 64);
        trail.see(LogKind::noc_issue, NocKind::read, kPrefetchH, kHost, op * 64,
                  kCommandData + 32 + (op - 3) * 64, 64);
    }
    trail.begin(kPrefetchH, kRelayInline, kCommandData + 32);
    trail.see(LogKind::noc_issue, NocKind::write, kPrefetchH, kPrefetchD, kCommandData,
              kRingBase + kPage, 160);
    trail.begin(kPrefetchD, kRelayInline, kRingBase + kPage + 64);
    EXPECT_EQ(trail.provenance.doing(kPrefetchD).op, 3u);
    trail.begin(kPrefetchD, kExecBuf, kRingBase + kPage + 96);
    EXPECT_EQ(trail.provenance.doing(kPrefetchD).op, 4u);
}

TEST(ProvenanceTest, GivesTheCommandsOfATraceTheOpThatReplaysIt) {
    Trail trail;
    trail.deliver(5, 0).begin(kPrefetchD, kExecBuf, kRingBase + 32);
    EXPECT_TRUE(trail.provenance.in_exec_buf(kPrefetchD));
    trail.begin(kPrefetchD, kRelayInline, kRingBase + 3 * kPage)
        .relay(2)
        .begin(kDispatchD, kWait, kRingBase + 2 * kPage);
    EXPECT_EQ(trail.provenance.doing(kDispatchD).op, 5u);
    trail.begin(kPrefetchD, kExecBufEnd, kRingBase + 4 * kPage);
    EXPECT_TRUE(trail.provenance.in_exec_buf(kPrefetchD));
    trail.see(LogKind::command_end, NocKind::write, kPrefetchD, kNoTile, 0, 0, 0);
    EXPECT_FALSE(trail.provenance.in_exec_buf(kPrefetchD));
}

TEST(ProvenanceTest, KnowsTheOpThatTheHostIsMaking) {
    Trail trail;
    EXPECT_EQ(trail.provenance.host_op(), kNoOp);
    trail.see(LogKind::host_call_begin, NocKind::write, kHost, kNoTile, 0, 0, 0, 8);
    EXPECT_EQ(trail.provenance.host_op(), 8u);
    trail.see(LogKind::host_call_end, NocKind::write, kHost, kNoTile, 0, 0, 0, 8);
    EXPECT_EQ(trail.provenance.host_op(), kNoOp);
}

TEST(ProvenanceTest, HasNoOpForBytesThatNobodyTagged) {
    Trail trail;
    trail.begin(kDispatchD, kWait, kRingBase);
    EXPECT_EQ(phrase(trail.provenance.doing(kDispatchD)), "WAIT");
    EXPECT_EQ(phrase(trail.provenance.doing(kPrefetchD)), "no command");
}

}  // namespace
}  // namespace cqfuzz::test
