// Goal: the host gets every completion whole and in order while the queue wraps, toggles and fills
// up (inv. 81 to 85). Method: a queue of two and of three pages, completions of every length round
// page edges, hosts that pop late.
#include <gtest/gtest.h>

#include "tests/runtime_under_test/firmware/pipeline_bench.hpp"

namespace cqfuzz::fw {
namespace {

constexpr std::uint32_t kPage = rt::DispatchGeometry::kCompletionPageBytes;

class CompletionTest : public testing::TestWithParam<Mode> {
protected:
    void SetUp() override { set_mode(bench, GetParam()); }

    // A read of `length` bytes of bank 0 and the completion that the host must get.
    Bytes submit_read(const Bytes& stored, std::uint32_t length) {
        Bytes expected = write_to_host(length);
        append(expected, slice(stored, 0, length));
        bench.submit(
            Stream().noflush(write_to_host(length)).relay_paged({0, true, 0, 0, length, 1}));
        return expected;
    }
    std::uint32_t written() const {
        return bench.word(bench.config.chip.pcie, bench.config.host.completion_write_ptr);
    }

    PipelineBench bench;
    Rng rng{13};
};

TEST_P(CompletionTest, LengthsRoundPageEdgesArriveWholeOverManyWraps) {
    for (const std::uint32_t pages : {2u, 3u}) {
        bench.geometry.completion_region_bytes = pages * kPage;
        bench.run([&] {
            const Bytes stored = noise(rng, 5 * kPage);
            bench.fill_bank(0, 0, stored);
            for (std::uint32_t page = 1; page <= 4; ++page) {
                for (const std::uint32_t length :
                     {page * kPage - 32, page * kPage - 16, page * kPage, page * kPage + 16}) {
                    const Bytes expected = submit_read(stored, length);
                    ASSERT_EQ(bench.pop(length + 16), expected) << length;
                }
            }
        });
    }
}

TEST_P(CompletionTest, EventsTakeAPageEachAndFlipTheToggleAtEachWrap) {
    bench.run([&] {
        const std::uint32_t base = bench.config.host.completion_base >> 4;
        for (std::uint32_t i = 1; i <= 9; ++i) {
            Bytes event = write_to_host(16, 1);
            append(event, noise(rng, 16));
            bench.submit_inline(event);
            ASSERT_EQ(bench.pop(32), event);
            const std::uint32_t toggle = i / 2 % 2 << 31;
            EXPECT_EQ(written(), (base + i % 2 * (kPage >> 4)) | toggle) << i;
        }
    });
}

// Nothing is written over a page that the host has not popped, however long it takes.
TEST_P(CompletionTest, FullQueueWaitsForTheHost) {
    bench.run([&] {
        std::vector<Bytes> events;
        for (std::uint32_t i = 0; i < 3; ++i) {
            events.push_back(write_to_host(16, 1));
            append(events.back(), noise(rng, 16));
            bench.submit_inline(events.back());
        }
        bench.pause(5000);
        const std::uint32_t base = bench.config.host.completion_base;
        EXPECT_EQ(written(), base >> 4 | 1u << 31) << "full: equal pointers, different toggles";
        Bytes first(32);
        bench.machine.hugepage_read(base, first);
        EXPECT_EQ(first, events[0]);
        for (const Bytes& event : events) ASSERT_EQ(bench.pop(32), event);
    });
}

TEST_P(CompletionTest, ReadLongerThanTheQueueFlowsThrough) {
    bench.run([&] {
        const Bytes stored = noise(rng, 9 * kPage);
        bench.fill_bank(0, 0, stored);
        for (std::uint32_t i = 0; i < 2; ++i) {
            const Bytes expected = submit_read(stored, 9 * kPage - 32 * i);
            bench.pause(2000);
            ASSERT_EQ(bench.pop(9 * kPage - 32 * i + 16), expected);
        }
    });
}

INSTANTIATE_TEST_SUITE_P(Modes, CompletionTest, testing::ValuesIn(all_modes()));

}  // namespace
}  // namespace cqfuzz::fw
