// Goal: what straddles the end of a block, inner or last, arrives whole and goes back to the
// producer only when its source bytes have departed (inv. 19 to 23, 29, 30). Method: every length
// that ends near a page's end, at every page of the ring, for each write command; the pieces that
// end at a block's end are collected, and all sizes of them must have been seen.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/runtime_under_test/firmware/pipeline_bench.hpp"

namespace cqfuzz::fw {
namespace {

constexpr std::uint32_t kPage = 1024;

class BlockEndsTest : public testing::TestWithParam<Mode> {
protected:
    void SetUp() override {
        set_mode(bench, GetParam());
        bench.on_entry = [this](const LogEntry& entry) { note_piece(entry); };
    }

    // Sizes of the dispatcher's pieces that end at a block's end.
    void note_piece(const LogEntry& entry) {
        if (entry.kind != LogKind::noc_issue || entry.noc_kind != NocKind::write) return;
        if (entry.tile != bench.machine.tile_at(bench.config.chip.dispatch)) return;
        const std::uint32_t base = bench.config.dispatch.ring_base;
        const rt::RingGeometry& ring = bench.geometry.dispatch;
        const std::uint32_t end = entry.source_address + entry.length - base;
        if (entry.source_address < base || end > ring.size_bytes()) return;
        if (end == ring.size_bytes()) {
            last_ends.insert(entry.length);
        } else if (end % (ring.pages_per_block() * ring.page_size_bytes()) == 0) {
            inner_ends.insert(entry.length);
        }
    }

    // The same command once from every page of the ring.
    template <class Make>
    void at_every_page(Make make) {
        const std::uint32_t ring_pages = bench.geometry.dispatch.pages;
        for (std::uint32_t i = 0; i < ring_pages; ++i) {
            const Bytes command = make();
            ASSERT_LE(command.size(), bench.inline_max());
            bench.submit_inline(command);
            // An odd number of pages a round, so that all starts come.
            const std::size_t page = bench.geometry.dispatch.page_size_bytes();
            if ((command.size() + page - 1) / page % 2 == 0)
                bench.submit_inline(bare(rt::DispatchId::sink));
        }
    }

    void run_both_geometries(const std::function<void()>& body) {
        for (const bool tiny : {true, false}) {
            const rt::DispatchGeometry g = tiny ? tiny_geometry() : small_geometry();
            bench.geometry.dispatch = g.dispatch;
            bench.geometry.dispatch_h = g.dispatch_h;
            bench.run(body);
        }
    }

    void expect_all_phases(std::uint32_t from, std::uint32_t to) {
        for (std::uint32_t size = from; size <= to; size += 16) {
            EXPECT_EQ(inner_ends.count(size), 1u) << size << " at an inner end";
            EXPECT_EQ(last_ends.count(size), 1u) << size << " at the last end";
        }
    }

    PipelineBench bench;
    Rng rng{9};
    std::set<std::uint32_t> inner_ends;
    std::set<std::uint32_t> last_ends;
};

TEST_P(BlockEndsTest, WriteLinearOfEveryLengthRoundThePageEnds) {
    run_both_geometries([&] {
        for (std::uint32_t pages = 1; pages <= 2; ++pages) {
            for (std::uint32_t tail = 0; tail <= 96; tail += 8) {
                const std::uint32_t length = pages * kPage - 16 - 48 + tail;
                if (length + 16 > bench.inline_max()) continue;
                at_every_page([&] {
                    const rt::Coord to = bench.worker(rng.below(2), 0);
                    const Bytes data = noise(rng, length);
                    bench.expect(to, 0x2000 + tail * 256, data);
                    return write_linear(to.noc_xy(), 0x2000 + tail * 256, data);
                });
            }
        }
    });
    EXPECT_EQ(inner_ends.count(1008), 1u);
    EXPECT_EQ(last_ends.count(1008), 1u);
}

// Pages of every 16-byte size: the last of those in a block straddles by all amounts.
TEST_P(BlockEndsTest, WritePagedOfEveryPageSize) {
    run_both_geometries([&] {
        for (std::uint32_t page_bytes = 16; page_bytes <= 1040; page_bytes += 16) {
            if (page_bytes > 64 && page_bytes % 48 != 0 && page_bytes < 960) continue;
            const std::uint32_t pages = std::min((bench.inline_max() - 16) / page_bytes, 40u);
            at_every_page([&] {
                const Bytes data = noise(rng, pages * page_bytes);
                bench.expect_interleaved(0, page_bytes, 1, data);
                return write_paged(1, 0, page_bytes, data);
            });
        }
    });
}

// One payload a target, its size such that the second one straddles by 16, 32, … up to a page
// less 16.
TEST_P(BlockEndsTest, WritePackedStraddlesByEveryOrphan) {
    run_both_geometries([&] {
        for (std::uint32_t orphan = 0; orphan < kPage - 32; orphan += 16) {
            const std::uint32_t first =
                kPage - 32 - orphan;  // behind 16 bytes of header and 16 of targets
            if (32 + 2 * first > bench.inline_max()) continue;
            at_every_page([&] {
                std::vector<PackedTarget> targets;
                for (std::uint32_t i = 0; i < 2; ++i) {
                    targets.push_back({bench.worker(i, 0).noc_xy(), 0, noise(rng, first)});
                    bench.expect(bench.worker(i, 0), 0x2000, targets.back().data);
                }
                return write_packed(0, 0x2000, targets);
            });
        }
    });
    // A payload is as long as the first one: an orphan is never longer than what lies in front of
    // it.
    expect_all_phases(16, 480);
}

TEST_P(BlockEndsTest, WritePackedMulticastStraddlesByEveryOrphan) {
    run_both_geometries([&] {
        for (std::uint32_t orphan = 0; orphan < kPage - 32; orphan += 48) {
            const std::uint32_t size = kPage - 32 - orphan;
            at_every_page([&] {
                std::vector<PackedTarget> targets;
                for (std::uint8_t i = 0; i < 2; ++i) {
                    const auto row = static_cast<std::uint8_t>(1 + i);
                    targets.push_back({rt::multicast_xy(1, row, 2, row), 2, noise(rng, size)});
                    bench.expect(bench.worker(0, i), 0x2000, targets.back().data);
                    bench.expect(bench.worker(1, i), 0x2000, targets.back().data);
                }
                return write_packed(rt::kPackedMulticast, 0x2000, targets);
            });
        }
    });
}

TEST_P(BlockEndsTest, WritePackedLargeStraddlesByEveryOrphan) {
    run_both_geometries([&] {
        for (std::uint32_t orphan = 0; orphan < kPage - 48; orphan += 16) {
            // 16 of header, 24 of targets, padded to 48; then a payload that ends `orphan` before
            // the page does.
            const std::uint32_t first = kPage - 48 - orphan;
            at_every_page([&] {
                std::vector<LargeTarget> targets;
                targets.push_back({rt::multicast_xy(1, 1, 2, 2), 0x2000, 4, noise(rng, first)});
                targets.push_back(
                    {bench.worker(1, 1).noc_xy(), 0x2000 + kPage, 0, noise(rng, kPage - 16)});
                for (std::uint32_t i = 0; i < 4; ++i)
                    bench.expect(bench.worker(i % 2, i / 2), 0x2000, targets[0].data);
                bench.expect(bench.worker(1, 1), 0x2000 + kPage, targets[1].data);
                return write_packed_large(16, targets);
            });
        }
    });
    expect_all_phases(16, kPage - 64);
}

// The pad behind a payload runs over the end of a block or of the ring without a write (inv. 31).
TEST_P(BlockEndsTest, WritePackedLargePadRunsOverBlockEnds) {
    run_both_geometries([&] {
        // The first payload begins at 48, so its pad ends 48 bytes into the next page.
        for (std::uint32_t first = 900; first <= 1020; first += 4) {
            at_every_page([&] {
                std::vector<LargeTarget> targets;
                targets.push_back({bench.worker(0, 0).noc_xy(), 0x2000, 0, noise(rng, first)});
                targets.push_back({bench.worker(0, 0).noc_xy(), 0x4000, 0, noise(rng, 100)});
                bench.expect(bench.worker(0, 0), 0x2000, targets[0].data);
                bench.expect(bench.worker(0, 0), 0x4000, targets[1].data);
                return write_packed_large(512, targets);
            });
        }
    });
}

// Pieces of the relay from dispatch_d to dispatch_h are a preamble short of a page, so each
// straddles further than the last.
TEST_P(BlockEndsTest, WriteToHostOfEveryLengthRoundThePageEnds) {
    run_both_geometries([&] {
        for (std::uint32_t length = 976; length <= 1040; length += 4) {
            for (std::uint32_t i = 0; i < bench.geometry.dispatch.pages; ++i) {
                Bytes command = write_to_host(length);
                append(command, noise(rng, length));
                bench.submit_inline(command);
                EXPECT_EQ(bench.pop(static_cast<std::uint32_t>(command.size())), command);
                if (length + 16 > kPage) bench.submit_inline(bare(rt::DispatchId::sink));
            }
        }
    });
}

// The real ring of ethernet dispatch: eight pages of 4 KB a block, payloads up to a whole page.
TEST_P(BlockEndsTest, PackedWritesStraddleInARealRing) {
    constexpr std::uint32_t kRealPage = 4096;
    bench.geometry = rt::ethernet_dispatch_geometry();
    set_mode(bench, GetParam());
    bench.run([&] {
        for (std::uint32_t orphan = 0; orphan < kRealPage - 48; orphan += 16 * 51) {
            const std::uint32_t first = kRealPage - 48 - orphan;
            at_every_page([&] {
                std::vector<LargeTarget> targets;
                targets.push_back({bench.worker(0, 0).noc_xy(), 0x2000, 0, noise(rng, first)});
                targets.push_back({bench.worker(1, 0).noc_xy(), 0x2000, 0, noise(rng, kRealPage)});
                bench.expect(bench.worker(0, 0), 0x2000, targets[0].data);
                bench.expect(bench.worker(1, 0), 0x2000, targets[1].data);
                return write_packed_large(32, targets);
            });
            at_every_page([&] {
                std::vector<PackedTarget> targets;
                for (std::uint32_t i = 0; i < 3; ++i) {
                    targets.push_back({bench.worker(i % 2, i / 2).noc_xy(), 0, noise(rng, first)});
                    bench.expect(bench.worker(i % 2, i / 2), 0x4000, targets.back().data);
                }
                return write_packed(0, 0x4000, targets);
            });
        }
    });
}

INSTANTIATE_TEST_SUITE_P(Modes, BlockEndsTest, testing::ValuesIn(few_modes()));

}  // namespace
}  // namespace cqfuzz::fw
