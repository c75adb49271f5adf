// Goal: a trace runs as if its commands came in slots, wherever its chunks end (facts §5.3, §12.2).
// Method: one-bank chunks of 1 KB, so that a command straddles at every 32-byte phase by
// enumeration; all traces of a sweep in one run.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/runtime_under_test/firmware/pipeline_bench.hpp"

namespace cqfuzz::fw {
namespace {

constexpr std::uint32_t kChunk = 1024;
constexpr std::uint32_t kSubs = rt::kMaxPackedSubCommands;
constexpr std::uint32_t kTraceStride = 8192;

void add_sinks(Stream& stream, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) stream.relay_inline(bare(rt::DispatchId::sink));
}

class ExecBufTest : public testing::TestWithParam<Mode> {
protected:
    void SetUp() override {
        set_mode(bench, GetParam());
        bench.machine_config.dram_banks = 1;
    }

    // 35 sub-commands of 32 bytes each, out of what lies at DRAM 0; `data` gets the bytes.
    std::vector<rt::RelayPagedPackedSub> full_packed(const Bytes& stored, Bytes* data) {
        std::vector<rt::RelayPagedPackedSub> subs;
        for (std::uint32_t i = 0; i < kSubs; ++i) {
            const std::uint32_t at = 32 * rng.below(static_cast<std::uint32_t>(stored.size()) / 32);
            subs.push_back({0, 10, at, 32});
            append(*data, slice(stored, at, 32));
        }
        return subs;
    }
    void add_full_packed(Stream& stream, const Bytes& stored, std::uint32_t address) {
        Bytes data;
        const std::vector<rt::RelayPagedPackedSub> subs = full_packed(stored, &data);
        const rt::Coord to = bench.worker(0, 0);
        bench.expect(to, address, data);
        stream.noflush(slice(write_linear(to.noc_xy(), address, data), 0, 16))
            .relay_paged_packed(subs);
    }

    PipelineBench bench;
    Rng rng{31};
};

TEST_P(ExecBufTest, FullPackedRelayStraddlesTheChunkEndAtEveryPhase) {
    bench.run([&] {
        const Bytes stored = noise(rng, 1024);
        bench.fill_bank(0, 0, stored);
        std::vector<rt::ExecBuf> traces;
        for (std::uint32_t phase = 0; phase < kChunk / 32; ++phase) {
            Stream trace;
            add_sinks(trace, phase);
            add_full_packed(trace, stored, 0x2000 + phase * 1152);
            // The words behind the sub-commands are the next command's: one that must run as it is.
            const Bytes after = noise(rng, 48);
            bench.expect(bench.worker(1, 0), 0x2000 + phase * 64, after);
            trace.relay_inline(
                write_linear(bench.worker(1, 0).noc_xy(), 0x2000 + phase * 64, after));
            trace.exec_buf_end();
            traces.push_back(bench.store_trace(trace.bytes(), kTraceStride * (1 + phase), 10));
        }
        for (const rt::ExecBuf& trace : traces) bench.replay(trace);
    });
}

// Payloads below and above a whole chunk: one and several refills in the middle of a command.
TEST_P(ExecBufTest, InlineStraddlesTheChunkEndAtEveryPhase) {
    bench.run([&] {
        std::vector<rt::ExecBuf> traces;
        for (std::uint32_t phase = 0; phase < kChunk / 32; ++phase) {
            Stream trace;
            add_sinks(trace, phase);
            for (const std::uint32_t length : {300u, 1025u, 2032u}) {
                const Bytes data = noise(rng, length);
                const std::uint32_t address = 0x2000 + phase * 2048;
                bench.expect(bench.worker(phase % 2, length % 2), address, data);
                trace.relay_inline(
                    write_linear(bench.worker(phase % 2, length % 2).noc_xy(), address, data));
            }
            trace.exec_buf_end();
            traces.push_back(bench.store_trace(trace.bytes(), kTraceStride * phase, 10));
        }
        for (const rt::ExecBuf& trace : traces) bench.replay(trace);
    });
}

TEST_P(ExecBufTest, NoflushPayloadStraddlesTheChunkEnd) {
    bench.run([&] {
        const Bytes stored = noise(rng, 512);
        bench.fill_bank(0, 0, stored);
        std::vector<rt::ExecBuf> traces;
        for (std::uint32_t phase = 20; phase < kChunk / 32; ++phase) {
            Stream trace;
            add_sinks(trace, phase);
            Bytes data = noise(rng, 304);
            append(data, stored);
            const std::uint32_t address = 0x2000 + phase * 1024;
            bench.expect(bench.worker(1, 1), address, data);
            trace.noflush(slice(write_linear(bench.worker(1, 1).noc_xy(), address, data), 0, 320));
            trace.relay_paged({0, true, 0, 0, 512, 1}).exec_buf_end();
            traces.push_back(bench.store_trace(trace.bytes(), kTraceStride * phase, 10));
        }
        for (const rt::ExecBuf& trace : traces) bench.replay(trace);
    });
}

// Slots before and after, some still in flight when the stalled slot comes: it is joined to the
// batch in front of it.
TEST_P(ExecBufTest, TraceRunsBetweenOtherSlotsAgainAndAgain) {
    std::uint32_t returns = 0;
    bench.on_entry = [&](const LogEntry& entry) {
        if (entry.kind == LogKind::noc_arrive && entry.noc_kind == NocKind::atomic &&
            entry.target == bench.machine.tile_at(bench.config.chip.prefetch) &&
            entry.tile == bench.machine.tile_at(bench.config.chip.dispatch_h)) {
            EXPECT_EQ(entry.value, bench.geometry.prefetch_d.pages);
            ++returns;
        }
    };
    bench.machine_config.dram_banks = 3;
    bench.run([&] {
        const rt::Coord to = bench.worker(0, 0);
        Stream trace;
        for (std::uint32_t i = 0; i < 6; ++i) {
            const Bytes data = noise(rng, 700);
            bench.expect(to, 0x4000 + i * 1024, data);
            trace.relay_inline(write_linear(to.noc_xy(), 0x4000 + i * 1024, data)).barrier();
        }
        trace.exec_buf_end();
        const rt::ExecBuf stored = bench.store_trace(trace.bytes(), 0x4000, 10);
        for (std::uint32_t round = 0; round < 6; ++round) {
            for (std::uint32_t i = 0; i < round; ++i) {
                const Bytes data = noise(rng, 1200 + 100 * i);
                bench.expect(bench.worker(1, 0), 0x2000 + i * 2048, data);
                bench.submit_inline(
                    write_linear(bench.worker(1, 0).noc_xy(), 0x2000 + i * 2048, data));
            }
            bench.replay(stored);
        }
    });
    EXPECT_EQ(returns, GetParam().split ? 6u : 0u);
}

// A slot may have commands in front of its EXEC_BUF.
TEST_P(ExecBufTest, ExecBufIsTheLastOfSeveralCommandsOfItsSlot) {
    bench.run([&] {
        const Bytes inside = noise(rng, 100);
        bench.expect(bench.worker(0, 1), 0x2000, inside);
        Stream trace;
        trace.relay_inline(write_linear(bench.worker(0, 1).noc_xy(), 0x2000, inside))
            .exec_buf_end();
        const rt::ExecBuf stored = bench.store_trace(trace.bytes(), 0, 10);
        for (std::uint32_t commands = 1; commands < 6; ++commands) {
            Stream slot;
            for (std::uint32_t i = 0; i < commands; ++i) {
                const Bytes data = noise(rng, 500);
                bench.expect(bench.worker(0, 1), 0x3000 + i * 512, data);
                slot.relay_inline(
                    write_linear(bench.worker(0, 1).noc_xy(), 0x3000 + i * 512, data));
            }
            slot.exec_buf(stored);
            bench.submit(slot, PipelineBench::StallFlag::yes);
        }
    });
}

INSTANTIATE_TEST_SUITE_P(Modes, ExecBufTest, testing::ValuesIn(all_modes()));

class ExecBufMistakeTest : public testing::Test {
protected:
    void expect_assertion(const Stream& slot) {
        bench.run_unchecked([&] { bench.submit(slot); });
        ASSERT_TRUE(bench.violation.has_value());
        EXPECT_EQ(bench.violation->property, "firmware-asserts/failed");
    }

    PipelineBench bench;
};

TEST_F(ExecBufMistakeTest, ExecBufWithoutTheStallFlagFailsAnAssertion) {
    expect_assertion(Stream().exec_buf({0, 10, 1}));
}

TEST_F(ExecBufMistakeTest, ExecBufEndOutsideATraceFailsAnAssertion) {
    expect_assertion(Stream().exec_buf_end());
}

TEST_F(ExecBufMistakeTest, NoflushOfAWholePageFailsAnAssertion) {
    expect_assertion(Stream().noflush(Bytes(1024)));
}

TEST_F(ExecBufMistakeTest, TraceThatDoesNotEndFailsAnAssertion) {
    bench.run_unchecked([&] {
        Stream trace;
        add_sinks(trace, 1024 / 32);
        bench.replay(bench.store_trace(trace.bytes(), 0, 10));
    });
    ASSERT_TRUE(bench.violation.has_value());
    EXPECT_EQ(bench.violation->property, "firmware-asserts/failed");
}

// Without a trace prefetch_d's ring end is what cuts the sub-commands.
TEST(PackedRelayTest, SubCommandsStraddleTheRingEndOfPrefetchDAtEveryPhase) {
    PipelineBench bench;
    Rng rng(4);
    for (const Mode& mode : few_modes()) {
        if (!mode.split) continue;
        set_mode(bench, mode);
        bench.run([&] {
            const Bytes stored = noise(rng, 1024);
            bench.fill_bank(0, 0, stored);
            // The ring page where the next batch begins; fill_bank has sent two.
            const rt::RingGeometry& ring = bench.geometry.prefetch_d;
            const auto pages_of = [&](const Stream& s) {
                return (s.size() + rt::kSplitHeaderBytes + ring.page_size_bytes() - 1) /
                       ring.page_size_bytes();
            };
            Stream one;
            one.relay_inline(write_linear(bench.config.chip.dram_banks[0].noc_xy(), 0, stored));
            std::uint32_t page = pages_of(one) + pages_of(Stream().barrier());
            for (std::uint32_t phase = 0; phase < 30; ++phase) {
                for (; page % ring.pages != ring.pages - 1; ++page)
                    bench.submit_inline(bare(rt::DispatchId::sink));
                Stream slot;
                add_sinks(slot, phase);
                Bytes data;
                std::vector<rt::RelayPagedPackedSub> subs;
                for (std::uint32_t i = 0; i < kSubs; ++i) {
                    const std::uint32_t row = rng.below(32);
                    subs.push_back({0, 10, row * 32, 32});
                    append(data, slice(stored, row * 32, 32));
                }
                const std::uint32_t address = 0x2000 + phase * 2048;
                bench.expect(bench.worker(1, 1), address, data);
                slot.noflush(
                    slice(write_linear(bench.worker(1, 1).noc_xy(), address, data), 0, 16));
                slot.relay_paged_packed(subs).relay_inline(bare(rt::DispatchId::sink));
                bench.submit(slot);
                page += pages_of(slot);
            }
        });
    }
}

// facts §12.2: with room for 108 words, 35 sub-commands overrun at 4 of 13 split points, and
// nowhere else.
TEST(PackedRelayTest, ShortSubCommandCacheOverrunsAtFourPhasesOnly) {
    PipelineBench bench;
    bench.machine_config.dram_banks = 1;
    bench.faults.enable(rt::Fault::short_subcommand_cache);
    std::vector<std::uint32_t> overrun_at;
    for (std::uint32_t phase = 0; phase < kChunk / 32; ++phase) {
        std::uint32_t most = 0;
        bench.on_entry = [&most](const LogEntry& entry) {
            if (entry.kind == LogKind::local_overrun) most = std::max(most, entry.value);
        };
        bench.run_unchecked([&] {
            Stream trace;
            add_sinks(trace, phase);
            trace.noflush(
                slice(write_linear(bench.worker(0, 0).noc_xy(), 0x2000, Bytes(kSubs * 32)), 0, 16));
            trace
                .relay_paged_packed(
                    std::vector<rt::RelayPagedPackedSub>(kSubs, {0, 10, 0x10000, 32}))
                .exec_buf_end();
            bench.replay(bench.store_trace(trace.bytes(), 0, 10));
        });
        if (most == 0) continue;
        ASSERT_TRUE(bench.violation.has_value());
        const std::uint32_t start = 32 * (phase + 1) + 16;
        overrun_at.push_back((kChunk - start % kChunk) / 4);
        EXPECT_EQ(most, 108u) << "the run ends at the first overrun";
    }
    EXPECT_EQ(overrun_at, (std::vector<std::uint32_t>{92, 68, 44, 20}));
}

}  // namespace
}  // namespace cqfuzz::fw
