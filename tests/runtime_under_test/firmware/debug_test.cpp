// Goal: DEBUG checks its payload's sum and moves nothing; the next command lies a stride behind it,
// inside the payload if the stride is shorter, and for the dispatcher always in the same ring page.
// Method: both kinds, payloads of all sizes, in every mode; what follows must arrive.
#include <gtest/gtest.h>

#include "tests/runtime_under_test/firmware/pipeline_bench.hpp"

namespace cqfuzz::fw {
namespace {

constexpr std::uint32_t kPage = 1024;

std::uint32_t size_of(const Bytes& bytes) { return static_cast<std::uint32_t>(bytes.size()); }

class DebugTest : public testing::TestWithParam<Mode> {
protected:
    void SetUp() override { set_mode(bench, GetParam()); }

    // A write of its own place, to follow a DEBUG.
    Bytes next_write(std::uint32_t length) {
        const rt::Coord to = bench.worker(writes_ % 2, writes_ / 2 % 2);
        const std::uint32_t address = 0x2000 + writes_++ % 64 * 1024;
        const Bytes data = noise(rng, length);
        bench.expect(to, address, data);
        return write_linear(to.noc_xy(), address, data);
    }

    PipelineBench bench;
    Rng rng{12};

private:
    std::uint32_t writes_ = 0;
};

// Enough slots that payloads run over the end of prefetch_d's ring and of cmddat_q's.
TEST_P(DebugTest, PrefetcherGoesOnBehindThePayload) {
    bench.run([&] {
        for (std::uint32_t i = 0; i < 40; ++i) {
            const std::uint32_t size = i % 8 == 0 ? 4 * (i / 8) : 4 * rng.below(600);
            const std::uint32_t stride = rt::align_up(rt::kCommandBytes + size, rt::kBareMinBytes);
            bench.submit(Stream()
                             .debug(noise(rng, size), stride)
                             .relay_inline(next_write(100))
                             .debug({}, rt::kBareMinBytes));
        }
    });
}

TEST_P(DebugTest, PrefetcherExecutesCommandsInsideThePayload) {
    std::uint32_t pages = 0;
    bench.run([&] {
        for (std::uint32_t i = 0; i < 20; ++i) {
            const Bytes write = next_write(200 + 40 * i);
            Stream inner;
            inner.relay_inline(write).relay_inline(bare(rt::DispatchId::sink));
            Bytes payload = noise(rng, 16);
            append(payload, inner.bytes());
            bench.submit(Stream().debug(payload, 32));
            pages += (size_of(write) + kPage - 1) / kPage + 1;
        }
    });
    EXPECT_EQ(bench.pages_handed_over(), pages + 1);
}

// Behind, in a page of the ring; and inside the payload.
TEST_P(DebugTest, DispatcherTakesTheNextCommandFromTheSamePage) {
    std::uint32_t pages = 0;
    bench.run([&] {
        for (std::uint32_t size = 0; size <= kPage - 48; size += 76) {
            Bytes behind = debug(noise(rng, size), rt::align_up(16 + size, 16));
            pad_to(behind, 16);
            append(behind, next_write(500));
            Bytes payload = noise(rng, size / 16 * 16);
            const std::uint32_t stride = 16 + size_of(payload);
            append(payload, slice(next_write(0), 0, 16));
            const Bytes inside = debug(payload, stride);
            for (const Bytes& command : {behind, inside}) {
                pages += (size_of(command) + kPage - 1) / kPage;
                bench.submit_inline(command);
            }
        }
    });
    EXPECT_EQ(bench.pages_handed_over(), pages + 1);
}

TEST_P(DebugTest, DispatcherExecutesEveryKindOfCommandBehindIt) {
    bench.run([&] {
        for (std::uint32_t i = 0; i < 8; ++i) {
            const Bytes head = debug(noise(rng, 48), 64);
            Bytes twice = head;
            append(twice, debug({}, 16));
            append(twice, next_write(1500));
            bench.submit_inline(twice);

            const rt::Coord to = bench.worker(0, 0);
            const Bytes packed = noise(rng, 700);
            bench.expect(to, 0x12000, packed);
            Bytes with_packed = head;
            append(with_packed, write_packed(0, 0x12000, {{to.noc_xy(), 0, packed}}));
            bench.submit_inline(with_packed);

            const Bytes large = noise(rng, 900);
            bench.expect(to, 0x12800, large);
            Bytes with_large = head;
            append(with_large, write_packed_large(16, {{to.noc_xy(), 0x12800, 0, large}}));
            bench.submit_inline(with_large);

            Bytes echo = write_to_host(1100);
            append(echo, noise(rng, 1100));
            Bytes with_host = head;
            append(with_host, echo);
            bench.submit_inline(with_host);
            EXPECT_EQ(bench.pop(size_of(echo)), echo);
        }
    });
}

INSTANTIATE_TEST_SUITE_P(Modes, DebugTest, testing::ValuesIn(all_modes()));

class DebugMistakeTest : public testing::Test {
protected:
    void expect_assertion(const std::function<void()>& body) {
        bench.run_unchecked(body);
        ASSERT_TRUE(bench.violation.has_value());
        EXPECT_EQ(bench.violation->property, "firmware-asserts/failed");
    }

    PipelineBench bench;
};

TEST_F(DebugMistakeTest, AWrongSumFailsAnAssertion) {
    Bytes command = debug(Bytes(64), 80);
    command[40] = std::byte{1};
    append(command, bare(rt::DispatchId::sink));
    expect_assertion([&] { bench.submit_inline(command); });
    expect_assertion([&] {
        Bytes bytes = Stream().debug(Bytes(64), 96).bytes();
        bytes[4] = std::byte{1};  // the sum itself
        bench.submit(Stream().raw(bytes));
    });
}

TEST_F(DebugMistakeTest, ADebugInATraceFailsAnAssertion) {
    expect_assertion([&] {
        Stream trace;
        trace.debug(Bytes(16), 32).exec_buf_end();
        bench.replay(bench.store_trace(trace.bytes(), 0, 10));
    });
}

TEST_F(DebugMistakeTest, AStrideThatLeavesTheRingPageFailsAnAssertion) {
    expect_assertion([&] { bench.submit_inline(debug(Bytes(16), kPage)); });
    expect_assertion([&] { bench.submit_inline(debug({}, 0)); });
}

}  // namespace
}  // namespace cqfuzz::fw
