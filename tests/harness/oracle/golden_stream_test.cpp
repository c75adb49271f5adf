// Golden memory of command streams: a plan by hand and arrivals by hand; then one thing wrong in
// each.
#include "harness/oracle/golden_stream.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "tests/harness/oracle/log_builder.hpp"

namespace cqfuzz::test {
namespace {

constexpr std::uint32_t kAt = 0x6000;

// Two writes of 16 bytes to worker 0, the second behind a barrier and over the first one's half.
StreamPlan plan_of_two(const MachineView& machine) {
    StreamPlan plan;
    const NocCoord worker = machine.tiles[kWorker0].coord;
    for (std::uint32_t i = 0; i < 2; ++i) {
        StreamWrite write;
        write.op = i;
        write.receivers = {worker, worker};
        write.address = kAt + 8 * i;
        write.barriers = i;
        write.bytes = {16 * i, 16};
        plan.writes.push_back(write);
        for (std::uint32_t b = 0; b < 16; ++b)
            plan.pool.push_back(static_cast<std::byte>(16 * (i + 1) + b));
    }
    return plan;
}

class GoldenStreamTest : public testing::Test {
protected:
    GoldenStreamTest() { begin(plan_of_two(machine)); }

    void begin(StreamPlan of) {
        plan = std::move(of);
        oracle.reset(machine, memory);
        HostCall open;
        open.stream = &plan;
        oracle.observe(open, false, 0);
    }

    // Bytes [offset, +length) of write `w` come to worker 0, and lie there.
    std::string arrives(std::size_t w, std::uint32_t offset, std::uint32_t length,
                        std::uint8_t flaw = 0, std::uint32_t aside = 0) {
        const StreamWrite& write = plan.writes[w];
        std::vector<std::byte> bytes(length);
        std::memcpy(bytes.data(), plan.bytes_of(write.bytes).data() + offset, length);
        bytes[0] ^= std::byte{flaw};
        LogEntry entry;
        entry.kind = LogKind::noc_arrive;
        entry.tile = kDispatchD;
        entry.target = kWorker0;
        entry.target_address = write.address + offset + aside;
        entry.length = length;
        entry.data = bytes.data();
        std::memcpy(memory.at(kWorker0, entry.target_address), bytes.data(), length);
        return property(oracle.observe(entry));
    }

    std::string go() {
        LogEntry entry;
        entry.kind = LogKind::kernel_begin;
        entry.tile = kWorker0;
        return property(oracle.observe(entry));
    }

    std::string at_end() { return property(oracle.finish(9)); }

    static std::string property(const std::optional<Violation>& found) {
        return found ? found->property : "nothing";
    }

    MachineView machine = split_machine();
    FakeMemory memory{machine.tiles.size()};
    StreamPlan plan;
    GoldenStream oracle;
};

TEST_F(GoldenStreamTest, PassesPiecesInAnyOrderThatTheStreamAllows) {
    EXPECT_EQ(arrives(0, 0, 8), "nothing");
    EXPECT_EQ(arrives(0, 8, 8), "nothing");
    EXPECT_EQ(arrives(1, 0, 16), "nothing");
    EXPECT_EQ(at_end(), "nothing");
}

TEST_F(GoldenStreamTest, CatchesAWrongByteAtItsArrival) {
    EXPECT_EQ(arrives(0, 0, 8, 1), "golden-memory/wrong-bytes");
}

TEST_F(GoldenStreamTest, CatchesAWriteThatNoCommandMakes) {
    EXPECT_EQ(arrives(0, 0, 8, 0, 0x100), "golden-memory/stray-write");
}

TEST_F(GoldenStreamTest, CatchesAWriteThatNeverCame) {
    EXPECT_EQ(arrives(0, 0, 16), "nothing");
    EXPECT_EQ(at_end(), "golden-memory/wrong-at-end");
}

TEST_F(GoldenStreamTest, CatchesWritesInTheWrongOrder) {
    EXPECT_EQ(arrives(1, 0, 16), "nothing");
    EXPECT_EQ(arrives(0, 0, 16), "nothing");
    EXPECT_EQ(at_end(), "golden-memory/wrong-at-end");
}

TEST_F(GoldenStreamTest, SaysNothingOfBytesThatNoOrderSettles) {
    StreamPlan unordered = plan_of_two(machine);
    unordered.split = true;
    unordered.writes[0].by_host_side = true;
    begin(unordered);
    EXPECT_EQ(arrives(1, 0, 16), "nothing");
    EXPECT_EQ(arrives(0, 0, 16), "nothing");
    EXPECT_EQ(at_end(), "nothing");
}

TEST_F(GoldenStreamTest, WantsWhatABarrierHasMadeCertainWhenACoreSeesGo) {
    StreamPlan with_go = plan_of_two(machine);
    with_go.gos.push_back({2, true, 0, 1});
    begin(with_go);
    EXPECT_EQ(go(), "golden-memory/wrong-at-go");
    begin(with_go);
    arrives(0, 0, 16);
    EXPECT_EQ(go(), "nothing");  // the second may still be on its way
    EXPECT_EQ(go(), "golden-memory/extra-go");
    begin(with_go);
    arrives(0, 0, 16);
    arrives(1, 0, 16);
    EXPECT_EQ(at_end(), "golden-memory/missing-go");
}

TEST_F(GoldenStreamTest, ComparesWhatTheHostReadsBack) {
    plan.completions.push_back({0, {0, 16}});
    std::vector<std::byte> bytes(plan.pool.begin(), plan.pool.begin() + 16);
    HostCall call;
    call.kind = HostCallKind::read_completion;
    call.data = &bytes;
    EXPECT_EQ(property(oracle.observe(call, true, 1)), "nothing");
    bytes[3] = std::byte{0};
    EXPECT_EQ(property(oracle.observe(call, true, 1)), "golden-memory/wrong-completion");
}

TEST_F(GoldenStreamTest, PredictsNothingOfBrokenCommands) {
    plan.predicted = false;
    EXPECT_EQ(arrives(0, 0, 8, 1), "nothing");
    EXPECT_EQ(at_end(), "nothing");
}

}  // namespace
}  // namespace cqfuzz::test
