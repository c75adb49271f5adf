// Goal: multicasts of WRITE_PACKED_LARGE are one linked chain until UNLINK, and nothing else goes
// out on the NoC meanwhile (inv. 92, 108). Method: chains of every length, longer than the ring
// too, so that pages are waited for and given back while one is open; the links are read from the
// log.
#include <gtest/gtest.h>

#include "tests/runtime_under_test/firmware/pipeline_bench.hpp"

namespace cqfuzz::fw {
namespace {

class LinkedChainTest : public testing::TestWithParam<Mode> {
protected:
    void SetUp() override {
        set_mode(bench, GetParam());
        bench.on_entry = [this](const LogEntry& entry) { note(entry); };
    }

    void note(const LogEntry& entry) {
        if (entry.kind != LogKind::noc_issue) return;
        if (entry.tile != bench.machine.tile_at(bench.config.chip.dispatch)) return;
        if (entry.noc_kind == NocKind::atomic && open) ++released_while_open;
        if (entry.noc_kind != NocKind::write) return;
        const bool linked = (entry.flags & kLogLinked) != 0;
        EXPECT_TRUE(!linked || (entry.flags & kLogMulticast) != 0);
        if (open && !linked) ++chains;
        packets_linked += linked ? 1 : 0;
        open = linked;
    }

    std::uint32_t rectangle(std::uint32_t which) const {
        return which % 2 == 0 ? rt::multicast_xy(1, 1, 2, 2) : rt::multicast_xy(1, 2, 2, 2);
    }
    std::uint8_t receivers(std::uint32_t which) const { return which % 2 == 0 ? 4 : 2; }
    void expect_on(std::uint32_t which, std::uint32_t address, const Bytes& data) {
        for (std::uint32_t row = which % 2; row < 2; ++row)
            for (std::uint32_t col = 0; col < 2; ++col)
                bench.expect(bench.worker(col, row), address, data);
    }

    PipelineBench bench;
    Rng rng{8};
    bool open = false;
    std::uint32_t chains = 0;  // of two packets or more
    std::uint32_t packets_linked = 0;
    std::uint32_t released_while_open = 0;
};

// Runs of 1, 2, … sub-commands to a rectangle each, a unicast between them.
TEST_P(LinkedChainTest, RunsAreLinkedUpToTheirUnlink) {
    bench.run([&] {
        std::vector<LargeTarget> targets;
        std::uint32_t address = 0x2000;
        for (std::uint32_t run = 1; run <= 6; ++run) {
            for (std::uint32_t i = 1; i <= run; ++i, address += 64) {
                const Bytes data = noise(rng, 4 + 7 * i);
                expect_on(run, address, data);
                targets.push_back({rectangle(run), address, receivers(run), data,
                                   i == run ? rt::kPackedLargeUnlink : std::uint8_t{0}});
            }
            const Bytes data = noise(rng, 20);
            bench.expect(bench.worker(0, 0), address, data);
            targets.push_back({bench.worker(0, 0).noc_xy(), address, 0, data, 0});
            address += 64;
        }
        const Bytes command = write_packed_large(16, targets);
        ASSERT_LE(command.size(), bench.inline_max());
        bench.submit_inline(command);
    });
    EXPECT_EQ(chains, 5u);  // the run of one needs no link, unless a page ends in it
    EXPECT_GE(packets_linked, 15u);
    EXPECT_FALSE(open);
}

// 35 sub-commands of 608 bytes in one chain, through a ring of 4 KB.
TEST_P(LinkedChainTest, AChainStaysOpenWhilePagesAreWaitedForAndGivenBack) {
    constexpr std::uint32_t kLength = 608;
    bench.run([&] {
        const Bytes stored = noise(rng, rt::kMaxPackedSubCommands * kLength);
        bench.fill_bank(1, 0, stored);
        std::vector<LargeTarget> targets;
        for (std::uint32_t i = 0; i < rt::kMaxPackedSubCommands; ++i) {
            const bool last = i + 1 == rt::kMaxPackedSubCommands;
            targets.push_back({rectangle(0), 0x2000 + i * 640, 4,
                               slice(stored, i * kLength, kLength),
                               last ? rt::kPackedLargeUnlink : std::uint8_t{0}});
            expect_on(0, targets.back().address, targets.back().data);
        }
        const std::uint32_t head = rt::align_up(16 + rt::kMaxPackedSubCommands * 12, 16);
        bench.submit(Stream()
                         .noflush(slice(write_packed_large(32, targets), 0, head))
                         .relay_linear({bench.config.chip.dram_banks[1].noc_xy(), 0,
                                        static_cast<std::uint32_t>(stored.size())}));
    });
    EXPECT_EQ(chains, 1u);
    EXPECT_GE(packets_linked, rt::kMaxPackedSubCommands - 1);
    EXPECT_GT(released_while_open, 0u);
    EXPECT_FALSE(open);
}

INSTANTIATE_TEST_SUITE_P(Modes, LinkedChainTest, testing::ValuesIn(all_modes()));

class LinkedChainMistakeTest : public testing::Test {
protected:
    static LargeTarget grid(std::uint8_t flags) {
        return {rt::multicast_xy(1, 1, 2, 2), 0x2000, 4, Bytes(32), flags};
    }
    static LargeTarget row(std::uint8_t flags) {
        return {rt::multicast_xy(1, 2, 2, 2), 0x3000, 2, Bytes(32), flags};
    }
    void expect_assertion(const std::vector<LargeTarget>& targets) {
        bench.run_unchecked([&] { bench.submit_inline(write_packed_large(16, targets)); });
        ASSERT_TRUE(bench.violation.has_value());
        EXPECT_EQ(bench.violation->property, "firmware-asserts/failed");
    }

    PipelineBench bench;
};

TEST_F(LinkedChainMistakeTest, AChainThatDoesNotEndFailsAnAssertion) {
    expect_assertion({grid(0)});
}

TEST_F(LinkedChainMistakeTest, AnotherRectangleInAChainFailsAnAssertion) {
    expect_assertion({grid(0), row(rt::kPackedLargeUnlink)});
}

TEST_F(LinkedChainMistakeTest, AUnicastInAChainFailsAnAssertion) {
    expect_assertion({grid(0), {rt::Coord{1, 1}.noc_xy(), 0x2000, 0, Bytes(32), 0}});
}

TEST_F(LinkedChainMistakeTest, AnEmptyPayloadFailsAnAssertion) {
    LargeTarget empty = grid(rt::kPackedLargeUnlink);
    empty.data.clear();
    expect_assertion({empty});
}

}  // namespace
}  // namespace cqfuzz::fw
