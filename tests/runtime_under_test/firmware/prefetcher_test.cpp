// Goal: the prefetcher hands over exactly the pages of each command and moves exactly its bytes,
// however it is produced. Method: all payload lengths round page edges, by enumeration, merged and
// split, with a destination check of every byte.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/runtime_under_test/firmware/pipeline_bench.hpp"

namespace cqfuzz::fw {
namespace {

constexpr std::uint32_t kPage = 1024;

std::uint32_t pages_of(std::size_t bytes) {
    return (static_cast<std::uint32_t>(bytes) + kPage - 1) / kPage;
}

class PrefetcherTest : public testing::TestWithParam<Mode> {
protected:
    void SetUp() override { set_mode(bench, GetParam()); }

    // A place on one of the workers, each time another.
    rt::Coord next_worker() {
        ++places_;
        return bench.worker(places_ % 2, places_ / 2 % 2);
    }
    std::uint32_t next_address() const { return 0x2000 + places_ / 4 % 16 * 4096; }

    // `data` is what lies there.
    void relay_linear(rt::Coord from, std::uint32_t address, const Bytes& data) {
        const rt::Coord to = bench.worker(0, places_++ % 2);
        const std::uint32_t target = 0x4000 + places_ % 6 * 8192;
        bench.expect(to, target, data);
        bench.submit(
            Stream()
                .noflush(slice(write_linear(to.noc_xy(), target, data), 0, 16))
                .relay_linear({from.noc_xy(), address, static_cast<std::uint32_t>(data.size())}));
    }

    PipelineBench bench;
    Rng rng{77};

private:
    std::uint32_t places_ = 0;
};

TEST_P(PrefetcherTest, InlineTakesExactlyThePagesOfItsPayload) {
    std::vector<std::uint32_t> expected;
    bench.run([&] {
        for (const std::uint32_t length :
             {17u, 32u, 1008u, 1023u, 1024u, 1025u, 1040u, 2031u, 2032u, 2047u, 2048u}) {
            const rt::Coord to = next_worker();
            const Bytes data = noise(rng, length - rt::kCommandBytes);
            bench.expect(to, next_address(), data);
            bench.submit_inline(write_linear(to.noc_xy(), next_address(), data));
            expected.push_back(pages_of(length));
        }
    });
    expected.push_back(1);  // TERMINATE
    EXPECT_EQ(bench.hand_overs(), expected);
}

// 128-byte pages less `length_adjust`: every 16-byte phase of the end against the page, over one to
// four pages.
TEST_P(PrefetcherTest, PagedRelayHandsOverThePagesOfEveryLength) {
    std::uint32_t expected = 0;
    bench.run([&] {
        const Bytes stored = noise(rng, 25 * 128);
        bench.fill_interleaved(0, 128, stored);
        expected = bench.geometry.dram_banks * 2;  // a write and a WAIT for each bank
        for (std::uint32_t extra : {0u, 16u}) {
            for (std::uint32_t pages = 1; pages <= 25; ++pages) {
                for (std::uint32_t adjust = 0; adjust < 128; adjust += 16) {
                    const std::uint32_t length = pages * 128 - adjust;
                    const rt::Coord to = next_worker();
                    Bytes data = noise(rng, extra);
                    append(data, slice(stored, 0, length));
                    bench.expect(to, next_address(), data);
                    // The header and `extra` bytes come inline, the rest from DRAM.
                    Bytes head = slice(write_linear(to.noc_xy(), next_address(), data), 0,
                                       rt::kCommandBytes + extra);
                    Stream slot;
                    slot.noflush(head).relay_paged(
                        {0, true, static_cast<std::uint16_t>(adjust), 0, 128, pages});
                    bench.submit(slot);
                    expected += pages_of(rt::kCommandBytes + data.size());
                }
            }
        }
    });
    EXPECT_EQ(bench.pages_handed_over(), expected + 1);
}

// facts §17.3, §17.4: after NOFLUSH a payload that ends at a page's edge needs no page of its own.
TEST_P(PrefetcherTest, PayloadUpToThePageEdgeIsHandedOverAsOnePage) {
    bench.run([&] {
        const Bytes stored = noise(rng, 2032);
        bench.fill_bank(0, 0, stored);
        for (const std::uint32_t length : {992u, 1008u, 1024u}) {
            const rt::Coord to = next_worker();
            const Bytes data = slice(stored, 0, length);
            bench.expect(to, next_address(), data);
            bench.submit(Stream()
                             .noflush(slice(write_linear(to.noc_xy(), next_address(), data), 0, 16))
                             .relay_paged({0, true, 0, 0, length, 1}));
        }
    });
    const std::vector<std::uint32_t>& found = bench.hand_overs();
    ASSERT_GE(found.size(), 4u);
    // … three relays, then TERMINATE.
    EXPECT_EQ(std::vector<std::uint32_t>(found.end() - 4, found.end()),
              (std::vector<std::uint32_t>{1, 1, 2, 1}));
}

// A push that is not the last and ends at the page's edge: 32 bytes inline and halves of 992.
TEST_P(PrefetcherTest, MiddlePushThatEndsAtThePageEdgeTakesTheNextPage) {
    bench.geometry.scratch_bytes = 2 * 992;
    std::uint32_t expected = 0;
    bench.run([&] {
        const Bytes stored = noise(rng, 31 * 1024);
        bench.fill_bank(0, 0, stored);
        for (const std::uint32_t length :
             {992u, 1024u, 1984u, 2016u, 2976u, 3008u, 4000u, 31u * 1024}) {
            const rt::Coord to = bench.worker(1, 1);
            Bytes data = noise(rng, 16);
            append(data, slice(stored, 0, length));
            bench.expect(to, 0x2000, data);
            bench.submit(Stream()
                             .noflush(slice(write_linear(to.noc_xy(), 0x2000, data), 0, 32))
                             .relay_paged({0, true, 0, 0, length, 1}));
            expected += pages_of(16 + data.size());
        }
    });
    const std::uint32_t stored_pages = (31u * 1024 + 2032 - 1) / 2032 * 2 + 1;
    EXPECT_EQ(bench.pages_handed_over(), expected + stored_pages + 1);
}

TEST_P(PrefetcherTest, PagedRelayStartsAtAnyPageAndTakesPagesBeyondAHalf) {
    bench.run([&] {
        for (const std::uint32_t page_bytes : {32u, 480u, 1024u, 1056u, 2048u, 5024u}) {
            const Bytes stored = noise(rng, 7 * page_bytes);
            const std::uint32_t base = 0x8000;
            bench.fill_interleaved(base, page_bytes, stored);
            for (std::uint8_t start = 0; start < 3; ++start) {
                for (const std::uint32_t adjust : {0u, 16u, page_bytes - 16}) {
                    const rt::Coord to = bench.worker(start % 2, start / 2);
                    const Bytes data = slice(stored, start * page_bytes, 4 * page_bytes - adjust);
                    bench.expect(to, 0x4000, data);
                    bench.submit(Stream()
                                     .noflush(slice(write_linear(to.noc_xy(), 0x4000, data), 0, 16))
                                     .relay_paged({start, true, static_cast<std::uint16_t>(adjust),
                                                   base, page_bytes, 4}));
                }
            }
        }
    });
}

// Where length_adjust cancels the whole end of a page larger than a half, no part of it is handed
// over.
TEST_P(PrefetcherTest, LargePagesHandOverNothingForWhatLengthAdjustCuts) {
    // Of two pages: two banks, two writes of two ring pages to each, and a WAIT.
    std::uint32_t expected = 10;
    bench.run([&] {
        constexpr std::uint32_t kLarge = 3 * kPage;  // three halves
        const Bytes stored = noise(rng, 2 * kLarge);
        bench.fill_interleaved(0x8000, kLarge, stored);
        for (std::uint32_t pages = 1; pages <= 2; ++pages) {
            for (const std::uint32_t adjust :
                 {16u, kPage - 16, kPage, kPage + 16, 2 * kPage - 16, 2 * kPage, 2 * kPage + 16,
                  kLarge - kPage + 16, kLarge - 16}) {
                const rt::Coord to = next_worker();
                const Bytes data = slice(stored, 0, pages * kLarge - adjust);
                bench.expect(to, next_address(), data);
                bench.submit(
                    Stream()
                        .noflush(slice(write_linear(to.noc_xy(), next_address(), data), 0, 16))
                        .relay_paged(
                            {0, true, static_cast<std::uint16_t>(adjust), 0x8000, kLarge, pages}));
                expected += pages_of(rt::kCommandBytes + data.size());
            }
        }
    });
    EXPECT_EQ(bench.pages_handed_over(), expected + 1);
}

// From a DRAM bank, from L1 of a worker and from the hugepage, in parts of half the scratch.
TEST_P(PrefetcherTest, LinearRelayReadsFromAnyAddress) {
    bench.run([&] {
        const Bytes stored = noise(rng, 6 * kPage);
        bench.fill_bank(2, 0x400, stored);
        const rt::Coord source = bench.worker(1, 1);
        const Bytes in_l1 = noise(rng, 1536);
        bench.expect(source, 0x2000, in_l1);
        bench.submit(Stream().relay_inline(write_linear(source.noc_xy(), 0x2000, in_l1)).barrier());
        const std::uint32_t in_host = bench.config.host.end;  // behind both regions
        bench.machine.hugepage_write(in_host, stored);
        for (const std::uint32_t length :
             {16u, 1008u, 1024u, 1040u, 2032u, 2048u, 2064u, 5000u, 6 * kPage}) {
            relay_linear(bench.config.chip.dram_banks[2], 0x400, slice(stored, 0, length));
            relay_linear(bench.config.chip.pcie, in_host, slice(stored, 0, length));
            if (length <= in_l1.size()) relay_linear(source, 0x2000, slice(in_l1, 0, length));
        }
    });
}

TEST_P(PrefetcherTest, PackedRelayGathersItsSubCommands) {
    bench.run([&] {
        const Bytes stored = noise(rng, 16 * 1024);
        bench.fill_interleaved(0, 256, stored);
        for (std::uint16_t count = 1; count <= rt::kMaxPackedSubCommands; ++count) {
            std::vector<rt::RelayPagedPackedSub> subs;
            Bytes data;
            for (std::uint16_t i = 0; i < count; ++i) {
                const auto start = static_cast<std::uint16_t>(rng.below(bench.geometry.dram_banks));
                const std::uint32_t row = rng.below(8);
                const std::uint32_t length = 32 * (1 + rng.below(32));  // up to a whole half
                subs.push_back({start, 8, row * 256, length});
                append(data,
                       slice(stored, (row * bench.geometry.dram_banks + start) * 256, length));
            }
            const rt::Coord to = bench.worker(count % 2, 0);
            bench.expect(to, 0x2000, data);
            bench.submit(Stream()
                             .noflush(slice(write_linear(to.noc_xy(), 0x2000, data), 0, 16))
                             .relay_paged_packed(subs));
        }
    });
}

// What the dispatcher has just written is what the prefetcher reads behind WAIT{barrier, notify}
// and STALL (inv. 51).
TEST_P(PrefetcherTest, StallLetsTheReadSeeTheWriteBefore) {
    bench.run([&] {
        for (std::uint32_t i = 0; i < 12; ++i) {
            const Bytes data = noise(rng, 512);
            const rt::Coord bank = bench.config.chip.dram_banks[i % 4];
            const rt::Coord to = bench.worker(i % 2, 0);
            bench.expect(bank, 0, data);
            bench.expect(to, 0x2000 + i * 512, data);
            Stream slot;
            slot.relay_inline(write_linear(bank.noc_xy(), 0, data)).barrier();
            slot.noflush(slice(write_linear(to.noc_xy(), 0x2000 + i * 512, data), 0, 16));
            slot.relay_paged({static_cast<std::uint8_t>(i % 4), true, 0, 0, 512, 1});
            bench.submit(slot);
        }
    });
}

// Slots of every size up to the largest: the byte ring, the issue region and the queue wrap at
// different times.
TEST_P(PrefetcherTest, SlotsOfAllSizesPassWhileEveryRingWraps) {
    for (const std::uint32_t entries : {2u, 3u, 4u}) {
        bench.geometry.prefetch_q_entries = entries;
        bench.geometry.issue_region_bytes =
            (entries + 2) * bench.geometry.max_prefetch_command_bytes;
        bench.run([&] {
            for (std::uint32_t i = 0; i < 80; ++i) {
                Stream slot;
                const std::uint32_t wanted = 64 + rng.below(4096 - 64);
                while (slot.size() + 64 <= wanted) {
                    const std::uint32_t room = std::min(wanted - slot.size() - 32, 2048u);
                    const Bytes data = noise(rng, 1 + rng.below(room - 16));
                    const rt::Coord to = next_worker();
                    bench.expect(to, next_address(), data);
                    slot.relay_inline(write_linear(to.noc_xy(), next_address(), data));
                }
                if (!slot.empty()) bench.submit(slot);
            }
        });
    }
}

INSTANTIATE_TEST_SUITE_P(Modes, PrefetcherTest, testing::ValuesIn(all_modes()));

}  // namespace
}  // namespace cqfuzz::fw
