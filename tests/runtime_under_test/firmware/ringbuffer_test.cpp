// Goal: what PAGED_TO_RINGBUFFER loaded is what RELAY_RINGBUFFER relays, as often as it likes, with
// exactly the pages of each command; a load never overtakes an earlier relay (inv. 56). Method: a
// cache of 8 KB over 2 KB of scratch, ranges of all sizes; traces that cut the sub-commands at
// every phase.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/runtime_under_test/firmware/pipeline_bench.hpp"

namespace cqfuzz::fw {
namespace {

constexpr std::uint32_t kPage = 1024;
constexpr std::uint32_t kCache = 8192;
constexpr std::uint32_t kStored = 16384;
constexpr std::uint8_t kReset = rt::kRingbufferResetToStart;

using Ranges = std::vector<rt::RelayRingbufferSub>;

class RingbufferTest : public testing::TestWithParam<Mode> {
protected:
    void SetUp() override {
        set_mode(bench, GetParam());
        bench.geometry.ringbuffer_bytes = kCache;
    }

    void fill() {
        stored = noise(rng, kStored);
        bench.fill_interleaved(0, 256, stored);
    }
    // [from, +length) of `stored`, which is pages of 256 bytes.
    rt::PagedToRingbuffer load(std::uint8_t flags, std::uint32_t from, std::uint32_t length) {
        const std::uint32_t banks = bench.geometry.dram_banks;
        const std::uint32_t page = from / 256;
        return {flags, 8, static_cast<std::uint8_t>(page % banks), length, page / banks * 256,
                length};
    }
    // A write of `ranges` of `held`, the cache's bytes from the read offset on; its first 16 bytes
    // go in front of the relay.
    Bytes head_of(const Bytes& held, const Ranges& ranges) {
        Bytes data;
        for (const rt::RelayRingbufferSub& range : ranges)
            append(data, slice(held, range.start, range.length));
        const rt::Coord to = bench.worker(places_ % 2, places_ / 2 % 2);
        const std::uint32_t address = 0x2000 + places_++ / 4 % 4 * 16384;
        bench.expect(to, address, data);
        relayed_pages +=
            (rt::kCommandBytes + static_cast<std::uint32_t>(data.size()) + kPage - 1) / kPage;
        return slice(write_linear(to.noc_xy(), address, data), 0, 16);
    }
    void add_relay(Stream& stream, const Bytes& held, const Ranges& ranges) {
        stream.noflush(head_of(held, ranges)).relay_ringbuffer(ranges);
    }
    Ranges draw_ranges(std::uint32_t count, std::uint32_t held_bytes, std::uint32_t length_max) {
        Ranges ranges;
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t length = 16 * (1 + rng.below(length_max / 16));
            const std::uint32_t start = 16 * rng.below((held_bytes - length) / 16 + 1);
            ranges.push_back({start, length});
        }
        return ranges;
    }

    PipelineBench bench;
    Rng rng{21};
    Bytes stored;
    std::uint32_t relayed_pages = 0;

private:
    std::uint32_t places_ = 0;
};

TEST_P(RingbufferTest, OneLoadIsRelayedAgainAndAgain) {
    bench.run([&] {
        fill();
        bench.submit(Stream().paged_to_ringbuffer(load(kReset, 0, kCache)));
        const Bytes held = slice(stored, 0, kCache);
        for (const std::uint32_t length : {16u, 992u, 1008u, 1024u, 1040u, 2032u, 3072u, 8192u}) {
            Stream slot;
            add_relay(slot, held, {{0, length}});
            bench.submit(slot);
        }
        for (const std::uint32_t count : {2u, 3u, 17u, 51u, 52u}) {
            Stream slot;
            add_relay(slot, held, draw_ranges(count, kCache, 12288 / count));
            bench.submit(slot);
        }
    });
    // To fill a bank takes writes of two, two and one page, and a WAIT; TERMINATE comes last.
    EXPECT_EQ(bench.pages_handed_over(), bench.geometry.dram_banks * 6 + relayed_pages + 1);
}

// 16 bytes of head and ranges that end at a page's edge, in the middle and at the end.
TEST_P(RingbufferTest, HandsOverThePagesOfEveryEnd) {
    bench.run([&] {
        fill();
        bench.submit(Stream().paged_to_ringbuffer(load(kReset, 0, kCache)));
        const Bytes held = slice(stored, 0, kCache);
        for (std::uint32_t first = 976; first <= 1040; first += 16)
            for (std::uint32_t second = 1008; second <= 1040; second += 16) {
                Stream slot;
                add_relay(slot, held, {{0, first}, {first, second}});
                add_relay(slot, held, {{16, second}});
                bench.submit(slot);
            }
    });
}

TEST_P(RingbufferTest, LoadsFollowEachOtherAndOffsetsChooseAmongThem) {
    bench.run([&] {
        fill();
        Bytes held(kCache);
        const auto note = [&](std::uint32_t at, std::uint32_t from, std::uint32_t length) {
            std::copy_n(stored.begin() + from, length, held.begin() + at);
        };
        bench.submit(Stream()
                         .paged_to_ringbuffer(load(kReset, 512, 2048))
                         .paged_to_ringbuffer(load(0, 4096, 1024))
                         .paged_to_ringbuffer(load(0, 8192, 5120)));
        note(0, 512, 2048);
        note(2048, 4096, 1024);
        note(3072, 8192, 5120);
        for (const std::uint32_t offset : {0u, 2048u, 3072u, 6000u / 16 * 16}) {
            Stream slot;
            slot.set_ringbuffer_offset({offset, 0});
            add_relay(slot, slice(held, offset, kCache - offset), {{0, 1024}, {512, 1040}});
            bench.submit(slot);
        }
        // The write pointer goes back: one load is replaced, the others stay.
        Stream slot;
        slot.set_ringbuffer_offset({2048, 1}).set_ringbuffer_offset({1024, 0});
        slot.paged_to_ringbuffer(load(0, 1024, 1024));
        note(2048, 1024, 1024);
        add_relay(slot, slice(held, 1024, kCache - 1024), {{0, 3072}});
        bench.submit(slot);
    });
}

// Slots of several pages, so that the end of prefetch_d's ring cuts the sub-commands here and
// there.
TEST_P(RingbufferTest, SubCommandsRunOverTheEndOfPrefetchDsRing) {
    bench.run([&] {
        fill();
        bench.submit(Stream().paged_to_ringbuffer(load(kReset, 0, kCache)));
        const Bytes held = slice(stored, 0, kCache);
        for (std::uint32_t i = 0; i < 24; ++i) {
            Stream slot;
            for (std::uint32_t sink = 0; sink < i % 13; ++sink)
                slot.relay_inline(bare(rt::DispatchId::sink));
            for (std::uint32_t relay = 0; relay < 7; ++relay)
                add_relay(slot, held, draw_ranges(rt::kMaxRingbufferSubCommands, kCache, 48));
            bench.submit(slot);
        }
    });
}

// Loads over bytes that relays have just been issued from, in one slot.
TEST_P(RingbufferTest, ALoadWaitsForTheRelaysBeforeIt) {
    bench.run([&] {
        fill();
        for (std::uint32_t round = 0; round < 20; ++round) {
            Stream slot;
            for (std::uint32_t i = 0; i < 3; ++i) {
                const std::uint32_t from = 256 * rng.below((kStored - 2048) / 256);
                slot.paged_to_ringbuffer(load(kReset, from, 2048));
                add_relay(slot, slice(stored, from, 2048), {{0, 2032}, {1024, 512}});
            }
            bench.submit(slot);
        }
    });
}

// Relays through scratch and through the cache take turns; each load comes anew.
TEST_P(RingbufferTest, RelaysThroughScratchAndCacheTakeTurns) {
    bench.run([&] {
        fill();
        for (std::uint32_t round = 0; round < 12; ++round) {
            Stream slot;
            slot.paged_to_ringbuffer(load(kReset, 256 * round, 4096));
            add_relay(slot, slice(stored, 256 * round, 4096), {{1024, 2048}});
            const rt::Coord to = bench.worker(1, 1);
            const Bytes data = slice(stored, 0, 16 * 256);
            bench.expect(to, 0x12000, data);
            slot.noflush(slice(write_linear(to.noc_xy(), 0x12000, data), 0, 16))
                .relay_paged({0, true, 0, 0, 256, 16});
            bench.submit(slot);
        }
    });
}

INSTANTIATE_TEST_SUITE_P(Modes, RingbufferTest, testing::ValuesIn(all_modes()));

class RingbufferTraceTest : public RingbufferTest {
protected:
    void SetUp() override {
        RingbufferTest::SetUp();
        bench.machine_config.dram_banks = 1;
    }
};

TEST_P(RingbufferTraceTest, SubCommandsStraddleTheChunkEndAtEveryPhase) {
    bench.run([&] {
        stored = noise(rng, 2048);
        bench.fill_bank(0, 0, stored);
        std::vector<rt::ExecBuf> traces;
        for (std::uint32_t phase = 0; phase < kPage / 32; ++phase) {
            Stream trace;
            for (std::uint32_t i = 0; i < phase; ++i)
                trace.relay_inline(bare(rt::DispatchId::sink));
            trace.paged_to_ringbuffer(load(kReset, 0, 2048));
            add_relay(trace, stored, draw_ranges(rt::kMaxRingbufferSubCommands, 2048, 64));
            trace.relay_inline(bare(rt::DispatchId::sink)).exec_buf_end();
            traces.push_back(bench.store_trace(trace.bytes(), 8192 * (1 + phase), 10));
        }
        for (const rt::ExecBuf& trace : traces) bench.replay(trace);
    });
}

INSTANTIATE_TEST_SUITE_P(Modes, RingbufferTraceTest, testing::ValuesIn(few_modes()));

class RingbufferMistakeTest : public testing::Test {
protected:
    void SetUp() override { bench.geometry.ringbuffer_bytes = kCache; }

    void expect_violation(const char* property, const Stream& slot) {
        bench.run_unchecked([&] {
            bench.fill_interleaved(0, 256, Bytes(4096));
            bench.submit(slot);
        });
        ASSERT_TRUE(bench.violation.has_value());
        EXPECT_EQ(bench.violation->property, property);
    }
    static Bytes head(std::uint32_t length) {
        return slice(write_linear(rt::Coord{1, 1}.noc_xy(), 0x2000, Bytes(length)), 0, 16);
    }
    PipelineBench bench;
    const char* const kAssert = "firmware-asserts/failed";
};

TEST_F(RingbufferMistakeTest, ARelayOfWhatWasNotLoadedIsReported) {
    expect_violation("page-ownership/not-in-cache",
                     Stream()
                         .paged_to_ringbuffer({kReset, 8, 0, 1024, 0, 1024})
                         .noflush(head(1040))
                         .relay_ringbuffer({{0, 1040}}));
}

TEST_F(RingbufferMistakeTest, ARelayOfWhatScratchHasTakenIsReported) {
    expect_violation("page-ownership/not-in-cache",
                     Stream()
                         .paged_to_ringbuffer({kReset, 8, 0, 1024, 0, 1024})
                         .noflush(head(256))
                         .relay_paged({0, true, 0, 0, 256, 1})
                         .noflush(head(512))
                         .relay_ringbuffer({{128, 512}}));
}

TEST_F(RingbufferMistakeTest, ALoadPastTheEndFailsAnAssertion) {
    expect_violation(kAssert, Stream()
                                  .paged_to_ringbuffer({kReset, 8, 0, kCache - 32, 0, 32})
                                  .paged_to_ringbuffer({0, 8, 0, 0, 0, 64}));
}

TEST_F(RingbufferMistakeTest, ARangePastTheEndFailsAnAssertion) {
    expect_violation(kAssert, Stream()
                                  .paged_to_ringbuffer({kReset, 8, 0, 1024, 0, 1024})
                                  .set_ringbuffer_offset({1024, 0})
                                  .noflush(head(64))
                                  .relay_ringbuffer({{kCache - 1024, 64}}));
}

TEST_F(RingbufferMistakeTest, TooManySubCommandsFailAnAssertion) {
    const Ranges ranges(rt::kMaxRingbufferSubCommands + 1, {0, 16});
    expect_violation(kAssert, Stream()
                                  .paged_to_ringbuffer({kReset, 8, 0, 1024, 0, 1024})
                                  .noflush(head(53 * 16))
                                  .relay_ringbuffer(ranges));
}

}  // namespace
}  // namespace cqfuzz::fw
