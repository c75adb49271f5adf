// Goal: each dispatcher command puts exactly its bytes at exactly its destinations.
// Method: one command kind a test, hand-made, in every mode; destinations overlap nowhere and whole
// windows are compared.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/runtime_under_test/firmware/pipeline_bench.hpp"

namespace cqfuzz::fw {
namespace {

class DispatcherTest : public testing::TestWithParam<Mode> {
protected:
    void SetUp() override { set_mode(bench, GetParam()); }

    std::uint32_t grid_xy() const { return rt::multicast_xy(1, 1, 2, 2); }
    void expect_on_grid(std::uint32_t address, const Bytes& data) {
        for (std::uint32_t i = 0; i < 4; ++i)
            bench.expect(bench.worker(i % 2, i / 2), address, data);
    }

    PipelineBench bench;
    Rng rng{5};
};

TEST_P(DispatcherTest, WriteLinearReachesDramWorkerEthernetAndGrid) {
    bench.run([&] {
        std::uint32_t address = 0x2000;
        for (const std::uint32_t length : {1u, 15u, 16u, 1000u, 1008u, 1009u, 2000u, 2032u}) {
            const Bytes data = noise(rng, length);
            for (const rt::Coord to : {bench.config.chip.dram_banks[3], bench.worker(1, 0),
                                       bench.config.chip.ethernet_cores[0]}) {
                bench.expect(to, address, data);
                bench.submit_inline(write_linear(to.noc_xy(), address, data));
            }
            const Bytes shared = noise(rng, length);
            expect_on_grid(address + 0x8000, shared);
            bench.submit_inline(write_linear(grid_xy(), address + 0x8000, shared, 4));
            address += rt::align_up(length, 16);
        }
    });
}

TEST_P(DispatcherTest, WritePagedGoesRoundTheBanks) {
    bench.run([&] {
        std::uint32_t base = 0;
        for (const std::uint32_t page_bytes : {32u, 48u, 160u, 1024u, 1120u}) {
            for (std::uint16_t start : {std::uint16_t{0}, std::uint16_t{3}, std::uint16_t{6}}) {
                const Bytes data = noise(rng, 2032 / page_bytes * page_bytes);
                bench.expect_interleaved(base, page_bytes, start, data);
                bench.submit_inline(write_paged(start, base, page_bytes, data));
                base += 0x2000;
            }
        }
    });
}

TEST_P(DispatcherTest, WritePackedGivesEachTargetItsPayload) {
    bench.run([&] {
        std::uint32_t address = 0x2000;
        for (const std::uint32_t size : {4u, 16u, 20u, 256u, 448u}) {
            std::vector<PackedTarget> targets;
            for (std::uint32_t i = 0; i < 4; ++i) {
                const rt::Coord to = bench.worker(i % 2, i / 2);
                targets.push_back({to.noc_xy(), 0, noise(rng, size)});
                bench.expect(to, address, targets.back().data);
            }
            bench.submit_inline(write_packed(0, address, targets));
            address += 512;
        }
    });
}

TEST_P(DispatcherTest, WritePackedMulticastsOnePayloadARectangle) {
    bench.run([&] {
        for (const std::uint32_t size : {4u, 96u, 900u}) {
            std::vector<PackedTarget> targets;
            targets.push_back({rt::multicast_xy(1, 1, 2, 1), 2, noise(rng, size)});
            targets.push_back({rt::multicast_xy(1, 2, 1, 2), 1, noise(rng, size)});
            const std::uint32_t address = 0x2000 + size * 16;
            bench.expect(bench.worker(0, 0), address, targets[0].data);
            bench.expect(bench.worker(1, 0), address, targets[0].data);
            bench.expect(bench.worker(0, 1), address, targets[1].data);
            bench.submit_inline(write_packed(rt::kPackedMulticast, address, targets));
        }
    });
}

TEST_P(DispatcherTest, WritePackedNoStrideRepeatsTheFirstPayload) {
    bench.run([&] {
        for (const std::uint32_t size : {4u, 31u, 256u, 976u}) {
            std::vector<PackedTarget> targets;
            const Bytes data = noise(rng, size);
            const std::uint32_t address = 0x2000 + size * 16;
            for (std::uint32_t i = 0; i < 4; ++i)
                targets.push_back({bench.worker(i % 2, i / 2).noc_xy(), 0, data});
            expect_on_grid(address, data);
            bench.submit_inline(write_packed(rt::kPackedNoStride, address, targets));
        }
    });
}

TEST_P(DispatcherTest, WritePackedLargeSkipsThePadOfEachPayload) {
    bench.run([&] {
        std::uint32_t address = 0x2000;
        for (const std::uint16_t alignment :
             {std::uint16_t{16}, std::uint16_t{32}, std::uint16_t{256}}) {
            std::vector<LargeTarget> targets;
            for (const std::uint32_t length : {4u, 31u, 33u, 500u}) {
                targets.push_back({rt::multicast_xy(1, 1, 2, 2), address, 4, noise(rng, length)});
                expect_on_grid(address, targets.back().data);
                address += 512;
            }
            targets.push_back(
                {bench.config.chip.ethernet_cores[0].noc_xy(), address, 0, noise(rng, 48)});
            bench.expect(bench.config.chip.ethernet_cores[0], address, targets.back().data);
            const Bytes command = write_packed_large(alignment, targets);
            ASSERT_LE(command.size(), bench.inline_max());
            bench.submit_inline(command);
        }
    });
}

TEST_P(DispatcherTest, WritePackedLargeTakesThirtyFiveSubCommands) {
    bench.run([&] {
        std::vector<LargeTarget> targets;
        for (std::uint32_t i = 0; i < rt::kMaxPackedSubCommands; ++i) {
            targets.push_back(
                {bench.worker(i % 2, 0).noc_xy(), 0x2000 + i * 64, 0, noise(rng, 4 + i)});
            bench.expect(bench.worker(i % 2, 0), 0x2000 + i * 64, targets.back().data);
        }
        bench.submit_inline(write_packed_large(16, targets));
    });
}

TEST_P(DispatcherTest, WriteOffsetsHoldUntilTheNextOnes) {
    bench.run([&] {
        const rt::Coord to = bench.worker(0, 0);
        for (std::uint32_t round = 0; round < 3; ++round) {
            const std::uint32_t offset = 0x2000 + round * 0x1000;
            bench.submit_inline(set_write_offset(offset, offset + 0x400, offset + 0x800));
            for (std::uint8_t index = 0; index < rt::kMaxWriteOffsets; ++index) {
                const std::uint32_t at = offset + index * 0x400u;
                const Bytes linear = noise(rng, 40);
                const Bytes packed = noise(rng, 40);
                const Bytes large = noise(rng, 40);
                bench.expect(to, at, linear);
                bench.expect(to, at + 0x100, packed);
                bench.expect(to, at + 0x200, large);
                bench.submit_inline(write_linear(to.noc_xy(), 0, linear, 0, index));
                bench.submit_inline(write_packed(0, 0x100, {{to.noc_xy(), 0, packed}}, index));
                bench.submit_inline(
                    write_packed_large(16, {{to.noc_xy(), 0x200, 0, large}}, index));
            }
        }
        bench.submit_inline(set_write_offset(0, 0, 0));
    });
}

// The counter is cleared by what it held; a WAIT that clears needs its count anew.
TEST_P(DispatcherTest, WaitHoldsUntilTheCountAndClearsIt) {
    bench.run([&] {
        const rt::Coord core = bench.config.chip.dispatch;
        const std::uint32_t counter = bench.config.dispatch.dispatch_message;
        for (std::uint32_t round = 1; round <= 3; ++round) {
            const rt::Coord to = bench.worker(0, 0);
            const Bytes data = noise(rng, 16);
            bench.expect(to, 0x2000, data);
            rt::Wait wait;
            wait.wait = 1;
            wait.clear_count = 1;
            wait.addr = counter;
            wait.count = round;
            bench.submit_inline(bytes_of(wait));
            bench.submit_inline(write_linear(to.noc_xy(), 0x2000, data));
            rt::Wait acknowledged;  // what an event promises
            acknowledged.barrier = 1;
            bench.submit_inline(bytes_of(acknowledged));
            bench.submit_inline(write_to_host(0, 1));
            bench.pause(300);
            Bytes word(4);
            bench.machine.l1_read(to, 0x2000, word);
            EXPECT_NE(word, slice(data, 0, 4)) << "the write behind the WAIT came too early";
            word.assign(4, std::byte{0});
            word[0] = static_cast<std::byte>(round);
            bench.machine.l1_write(core, counter, word);
            bench.pop(rt::kCommandBytes);
            EXPECT_EQ(bench.word(core, counter), 0u);
        }
    });
}

TEST_P(DispatcherTest, GoSinkAndDelayTakeOnePageEach) {
    bench.run([&] {
        for (std::uint32_t i = 0; i < 9; ++i) {
            bench.submit_inline(bare(rt::DispatchId::sink));
            bench.submit_inline(bare(rt::DispatchId::go));
            bench.submit_inline(delay(i));
        }
    });
    EXPECT_EQ(bench.pages_handed_over(), 27u + 1u);
}

// The dispatcher of the host's side does it: payloads round page ends, over relayed pages that are
// a preamble short, to one core and to a rectangle.
TEST_P(DispatcherTest, WriteLinearHReachesEveryCoreFromTheHostsSide) {
    bench.run([&] {
        std::uint32_t address = 0x2000;
        for (const std::uint32_t length :
             {1u, 16u, 975u, 992u, 993u, 1008u, 1009u, 1024u, 1984u, 2000u, 2032u}) {
            const rt::Coord to = bench.worker(1, 1);
            const Bytes data = noise(rng, length);
            bench.expect(to, address, data);
            bench.submit_inline(write_linear_h(to.noc_xy(), address, data));
            const Bytes shared = noise(rng, length);
            expect_on_grid(address + 0x8000, shared);
            bench.submit_inline(write_linear_h(grid_xy(), address + 0x8000, shared, 4));
            address += rt::align_up(length, 16);
        }
    });
}

// One behind the other on h: each begins on a page of its own, whatever the one before left.
TEST_P(DispatcherTest, WriteLinearHAndCompletionsFollowEachOther) {
    bench.run([&] {
        for (std::uint32_t i = 0; i < 12; ++i) {
            const std::uint32_t length = 900 + 24 * i;
            const Bytes data = noise(rng, length);
            bench.expect(bench.worker(i % 2, 0), 0x2000 + i * 2048, data);
            bench.submit_inline(
                write_linear_h(bench.worker(i % 2, 0).noc_xy(), 0x2000 + i * 2048, data));
            Bytes command = write_to_host(length);
            append(command, data);
            bench.submit_inline(command);
            EXPECT_EQ(bench.pop(static_cast<std::uint32_t>(command.size())), command);
        }
    });
}

TEST_P(DispatcherTest, WritePagedGoesRoundTheL1Banks) {
    bench.run([&] {
        for (const std::uint32_t page_bytes : {16u, 48u, 1040u}) {
            const std::uint32_t pages = 2032 / page_bytes;
            const std::uint32_t base = 0x2000 + page_bytes * 16;
            const Bytes data = noise(rng, pages * page_bytes);
            for (std::uint32_t i = 0; i < pages; ++i)
                bench.expect(bench.worker((1 + i) % 4 % 2, (1 + i) % 4 / 2),
                             base + (1 + i) / 4 * page_bytes,
                             slice(data, i * page_bytes, page_bytes));
            bench.submit_inline(write_paged(1, base, page_bytes, data, 0));
        }
    });
}

TEST_P(DispatcherTest, SetNumWorkerSemsChangesNothing) {
    bench.run([&] {
        for (std::uint32_t count = 0; count <= rt::kMaxWorkerSemaphores; ++count)
            bench.submit_inline(set_num_worker_sems(count));
    });
    EXPECT_EQ(bench.pages_handed_over(), rt::kMaxWorkerSemaphores + 2);
}

TEST(DispatcherMistakeTest, TooManyWorkerSemsFailAnAssertion) {
    PipelineBench bench;
    bench.run_unchecked(
        [&] { bench.submit_inline(set_num_worker_sems(rt::kMaxWorkerSemaphores + 1)); });
    ASSERT_TRUE(bench.violation.has_value());
    EXPECT_EQ(bench.violation->property, "firmware-asserts/failed");
}

// What is no command ends the run with a verdict, not with undefined behaviour.
TEST(DispatcherMistakeTest, UnknownCommandFailsAnAssertion) {
    PipelineBench bench;
    for (const rt::DispatchId id :
         {rt::DispatchId::illegal, rt::DispatchId::notify_subordinate_go_signal}) {
        bench.run_unchecked([&] { bench.submit_inline(bare(id)); });
        ASSERT_TRUE(bench.violation.has_value()) << rt::name_of(id);
        EXPECT_EQ(bench.violation->property, "firmware-asserts/failed");
    }
}

INSTANTIATE_TEST_SUITE_P(Modes, DispatcherTest, testing::ValuesIn(all_modes()));

}  // namespace
}  // namespace cqfuzz::fw
