// Goal: what the host enqueues means what the caller asked. Method: the fake chip executes the
// stream, compares every core at its go with the program, and completes programs as late as it may.
#include "runtime_under_test/host/device.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/runtime_under_test/host/fake_cluster.hpp"
#include "tests/runtime_under_test/host/sample_programs.hpp"

namespace cqfuzz::rt {
namespace {

struct Bench {
    FaultSet faults;
    FakeCluster chip;
    Device device;
    std::vector<std::unique_ptr<Program>> programs;
    std::vector<ProgramId> ids;

    Bench(const ChipDescription& description, const DispatchGeometry& geometry)
        : chip(description), device(chip, geometry, faults) {}

    ProgramId add(Program program) {
        programs.push_back(std::make_unique<Program>(std::move(program)));
        chip.programs[programs.back()->id] = programs.back().get();
        ids.push_back(device.create_program(*programs.back()));
        return ids.back();
    }
};

TEST(DeviceTest, OpensAndClosesWithNothingInBetween) {
    Bench bench(small_chip(2, 2, 1, 12), ethernet_dispatch_geometry());
    bench.device.close();
    EXPECT_EQ(bench.chip.exited.size(), 4u);
    EXPECT_EQ(bench.chip.dispatched[DispatchId::set_go_signal_noc_data], 1u);
    EXPECT_EQ(bench.chip.dispatched[DispatchId::terminate], 1u);
}

TEST(DeviceTest, ADispatchSGetsItsSettingsAndEndsWithTheOthers) {
    DispatchGeometry geometry = ethernet_dispatch_geometry();
    geometry.dispatch_s = DispatchS::own_core;
    Bench bench(small_chip(2, 2, 16, 12), geometry);
    bench.device.close();
    EXPECT_EQ(bench.chip.exited.size(), 5u);
    EXPECT_EQ(bench.chip.dispatched[DispatchId::set_go_signal_noc_data], 1u);
    EXPECT_EQ(bench.chip.dispatched[DispatchId::set_num_worker_sems], 1u);
    EXPECT_EQ(bench.chip.dispatched[DispatchId::terminate], 2u);
}

TEST(DeviceTest, OneProgramReachesItsCoresAndNoOther) {
    Bench bench(small_chip(4, 4, 2, 12), ethernet_dispatch_geometry());
    Rng rng(1);
    Program program;
    program.id = 5;
    program.kernels.push_back(
        sample_kernel(rng, CoreKind::worker, CoreRange{1, 1, 2, 3}, 0, 3000 / 16 * 16, 9, 17));
    program.kernels.push_back(
        sample_kernel(rng, CoreKind::ethernet, CoreRange{1, 0, 1, 0}, 0, 4112, 3, 5));
    program.semaphores.push_back(SemaphoreInit{CoreKind::worker, CoreRange{1, 1, 1, 1}, 2, 42});
    program.semaphores.push_back(SemaphoreInit{CoreKind::ethernet, CoreRange{0, 0, 1, 0}, 1, 43});
    program.circular_buffers.push_back(
        CircularBufferConfig{CoreRange{0, 0, 3, 3}, 7, 0x8000, 64, 1, 64});
    const ProgramId id = bench.add(program);
    bench.device.enqueue_program(id);
    bench.device.finish();
    EXPECT_EQ(bench.chip.launches[5], 7u);
    EXPECT_EQ(bench.chip.goes, 1u);
    EXPECT_EQ(bench.chip.stalls, 1u);  // its binaries had to reach DRAM first
    bench.device.enqueue_program(id);
    bench.device.finish();
    EXPECT_EQ(bench.chip.launches[5], 14u);
    EXPECT_EQ(bench.chip.stalls, 1u);  // now they are committed
    bench.device.close();
}

TEST(DeviceTest, RingsHoldSeveralProgramsBeforeAnythingWaits) {
    Bench bench(small_chip(2, 2, 0, 12), ethernet_dispatch_geometry());
    Rng rng(2);
    Program program;
    program.id = 1;
    program.kernels.push_back(
        sample_kernel(rng, CoreKind::worker, CoreRange{0, 0, 1, 1}, 0, 64, 0, 0));
    const ProgramId id = bench.add(program);
    for (int i = 0; i < 7; i++) bench.device.enqueue_program(id);
    bench.chip.run();
    const std::uint32_t waits = bench.chip.dispatched[DispatchId::wait];
    EXPECT_EQ(waits, 7u + 1u);         // a barrier each, and the first one's stall
    bench.device.enqueue_program(id);  // launch entry 8 of 8: the spare one
    bench.chip.run();
    EXPECT_EQ(bench.chip.dispatched[DispatchId::wait], waits + 2);
    bench.device.close();
}

struct RandomCase {
    DispatchGeometry geometry;
    std::uint8_t cols, rows, ethernet, banks;
};

std::vector<RandomCase> random_cases() {
    std::vector<RandomCase> cases;
    for (const ConfigStyle style : {ConfigStyle::packed_multicast, ConfigStyle::packed_large}) {
        for (const bool split : {false, true}) {
            DispatchGeometry normal = ethernet_dispatch_geometry();
            DispatchGeometry tiny = tiny_geometry(1);
            DispatchGeometry odd = tiny_geometry(5);
            odd.scratch_bytes = 1088;  // halves of 544 bytes: no divisor of a program page
            odd.dispatch = odd.dispatch_h = RingGeometry{11, 8, 8};
            odd.prefetch_q_entries = 2;
            for (DispatchGeometry* g : {&normal, &tiny, &odd}) {
                g->config_style = style;
                g->split = split;
            }
            cases.push_back({normal, 8, 8, 16, 12});
            cases.push_back({tiny, 3, 2, 1, 1});
            cases.push_back({odd, 8, 3, 0, 5});
        }
    }
    const std::size_t without = cases.size();
    for (std::size_t i = 0; i < without; i++) {
        cases.push_back(cases[i]);
        cases.back().geometry.dispatch_s = DispatchS::own_core;
    }
    return cases;
}

TEST(DeviceTest, RandomProgramsArriveWhole) {
    for (const RandomCase& c : random_cases()) {
        Bench bench(small_chip(c.cols, c.rows, c.ethernet, c.banks), c.geometry);
        Rng rng(c.geometry.scratch_bytes + c.banks);
        for (std::uint32_t id = 1; id <= 8; id++) {
            const Program program =
                sample_program(rng, id, bench.chip.chip(), c.banks == 12 ? 9000 : 1000);
            try {
                bench.add(program);
            } catch (const Misuse& misuse) {
                ASSERT_NE(std::string(misuse.what()).find("config ring"), std::string::npos)
                    << misuse.what();
            }
        }
        ASSERT_FALSE(bench.ids.empty());
        for (int i = 0; i < 120; i++) {
            const std::uint32_t pick = rng.below(static_cast<std::uint32_t>(bench.ids.size()));
            bench.device.enqueue_program(bench.ids[pick]);
            if (rng.one_in(20)) bench.device.finish();
        }
        bench.device.close();
        EXPECT_EQ(bench.chip.goes, 120u);
        for (const std::uint32_t size : bench.chip.slot_sizes)
            ASSERT_LE(size, c.geometry.max_prefetch_command_bytes);
    }
}

TEST(DeviceTest, EveryEnqueueRunsOnExactlyTheCoresWithKernels) {
    Bench bench(small_chip(5, 4, 3, 12), ethernet_dispatch_geometry());
    Rng rng(9);
    for (std::uint32_t id = 1; id <= 10; id++)
        bench.add(sample_program(rng, id, bench.chip.chip(), 2000));
    std::map<std::uint32_t, std::uint32_t> expected;
    for (int i = 0; i < 300; i++) {
        const std::uint32_t pick = rng.below(10);
        bench.device.enqueue_program(bench.ids[pick]);
        expected[pick + 1] += cores_with_kernels(*bench.programs[pick]);
    }
    bench.device.close();
    EXPECT_EQ(bench.chip.launches, expected);
}

TEST(DeviceTest, BuffersComeBackAsWritten) {
    for (const RandomCase& c : random_cases()) {
        Bench bench(small_chip(c.cols, c.rows, c.ethernet, c.banks), c.geometry);
        Rng rng(11);
        std::vector<BufferId> buffers;
        std::vector<std::vector<std::byte>> contents;
        for (const std::uint32_t page_size : {32u, 96u, 2048u, 4096u, 4064u, 16384u, 16288u}) {
            const std::uint32_t pages = 1 + rng.below(40);
            buffers.push_back(bench.device.create_buffer(pages, page_size));
            contents.push_back(sample_bytes(rng, std::size_t{pages} * page_size));
        }
        for (int round = 0; round < 2; round++) {
            for (std::size_t i = 0; i < buffers.size(); i++)
                bench.device.enqueue_write(buffers[i], contents[i]);
            for (std::size_t i = 0; i < buffers.size(); i++) {
                std::vector<std::byte> back(contents[i].size());
                bench.device.enqueue_read(buffers[i], back);
                ASSERT_EQ(back, contents[i]) << "buffer " << i;
                contents[i] = sample_bytes(rng, contents[i].size());
            }
        }
        bench.device.close();
    }
}

TEST(DeviceTest, BuffersInL1ComeBackAsWritten) {
    for (const RandomCase& c : random_cases()) {
        Bench bench(small_chip(c.cols, c.rows, c.ethernet, c.banks), c.geometry);
        Rng rng(15);
        std::vector<BufferId> buffers;
        std::vector<std::vector<std::byte>> contents;
        for (const BufferPlacement placement :
             {BufferPlacement::l1, BufferPlacement::height_sharded, BufferPlacement::width_sharded,
              BufferPlacement::block_sharded})
            for (const std::uint32_t page_size : {32u, 2080u, 16384u}) {
                const std::uint32_t pages = 1 + rng.below(9);
                const std::uint32_t row = 1 + rng.below(pages);
                const CoreRange cores{0, 0, static_cast<std::uint8_t>(rng.below(c.cols)),
                                      static_cast<std::uint8_t>(rng.below(c.rows))};
                buffers.push_back(bench.device.create_buffer(
                    BufferSpec{pages, page_size, placement, cores, row}));
                contents.push_back(sample_bytes(rng, std::size_t{pages} * page_size));
            }
        for (std::size_t i = 0; i < buffers.size(); i++)
            bench.device.enqueue_write(buffers[i], contents[i]);
        for (std::size_t i = 0; i < buffers.size(); i++) {
            std::vector<std::byte> back(contents[i].size());
            bench.device.enqueue_read(buffers[i], back);
            ASSERT_EQ(back, contents[i]) << "buffer " << i;
        }
        bench.device.close();
    }
}

// RELAY_PAGED names its first bank in four bits: a read that starts at the seventeenth worker or
// behind goes page by page until the next row (inv. 104).
TEST(DeviceTest, ReadsOfL1BeyondTheSixteenthWorker) {
    Bench bench(small_chip(5, 5, 0, 3), tiny_geometry(3));
    Rng rng(16);
    const BufferId buffer =
        bench.device.create_buffer(BufferSpec{60, 1024, BufferPlacement::l1, CoreRange{}, 1});
    const std::vector<std::byte> data = sample_bytes(rng, 60 * 1024);
    bench.device.enqueue_write(buffer, data);
    std::vector<std::byte> back(data.size());
    bench.device.enqueue_read(buffer, back);
    EXPECT_TRUE(back == data);
    bench.device.close();
}

TEST(DeviceTest, PagesBeyondSixteenBitsMoveTheBase) {
    Bench bench(small_chip(1, 1, 0, 3), tiny_geometry(3));
    Rng rng(12);
    const BufferId buffer = bench.device.create_buffer(70000, 32);
    const std::vector<std::byte> data = sample_bytes(rng, 70000 * 32);
    bench.device.enqueue_write(buffer, data);
    std::vector<std::byte> back(data.size());
    bench.device.enqueue_read(buffer, back);
    EXPECT_TRUE(back == data);
    bench.device.close();
}

TEST(DeviceTest, BufferWritesWaitForProgramsInFlight) {
    Bench bench(small_chip(2, 2, 0, 12), ethernet_dispatch_geometry());
    Rng rng(13);
    Program program;
    program.id = 1;
    program.kernels.push_back(
        sample_kernel(rng, CoreKind::worker, CoreRange{0, 0, 1, 1}, 0, 64, 0, 0));
    bench.device.enqueue_program(bench.add(program));
    const BufferId buffer = bench.device.create_buffer(4, 64);
    bench.device.enqueue_write(buffer, sample_bytes(rng, 256));
    bench.chip.run();
    EXPECT_EQ(bench.chip.waits_for_programs, 1u);
    bench.device.close();
}

TEST(DeviceTest, LoadedBinariesNeedNoStallLater) {
    Bench bench(small_chip(2, 2, 0, 12), ethernet_dispatch_geometry());
    Rng rng(14);
    Program program;
    program.id = 1;
    program.kernels.push_back(
        sample_kernel(rng, CoreKind::worker, CoreRange{0, 0, 1, 1}, 0, 5000 / 16 * 16, 1, 0));
    const ProgramId id = bench.add(program);
    bench.device.load_program(id);
    bench.chip.run();
    EXPECT_EQ(bench.chip.stalls, 1u);
    EXPECT_EQ(bench.chip.goes, 0u);
    bench.device.load_program(id);
    bench.device.enqueue_program(id);
    bench.device.close();
    EXPECT_EQ(bench.chip.stalls, 1u);
    EXPECT_EQ(bench.chip.launches[1], 4u);
}

TEST(DeviceTest, RunEndedPassesThroughAndTheDeviceDiesQuietly) {
    FaultSet faults;
    FakeCluster chip(small_chip(2, 2, 0, 12));
    Device device(chip, ethernet_dispatch_geometry(), faults);
    chip.throw_run_ended = true;
    EXPECT_THROW(device.finish(), RunEnded);
}

TEST(DeviceTest, AToggleThatIsNotFlippedIsSeenAtTheFirstWrap) {
    Bench bench(small_chip(1, 1, 0, 1), tiny_geometry(1));
    bench.faults.enable(Fault::toggle_not_flipped);
    EXPECT_ANY_THROW(for (int i = 0; i < 8; i++) bench.device.finish());
    EXPECT_GT(bench.faults.reached(Fault::toggle_not_flipped), 0u);
}

TEST(DeviceTest, ASyncCountOfTheWrongEntryOverwritesARunningProgram) {
    const auto run = [](bool faulty) {
        Bench bench(small_chip(2, 2, 0, 12), ethernet_dispatch_geometry());
        if (faulty) bench.faults.enable(Fault::sync_count_of_wrong_entry);
        Rng rng(15);
        for (std::uint32_t id = 1; id <= 6; id++) {
            Program program;
            program.id = id;
            program.kernels.push_back(sample_kernel(rng, CoreKind::worker, CoreRange{0, 0, 1, 1}, 0,
                                                    id % 3 == 0 ? 65008 : 3008, 10, 0));
            bench.add(program);
        }
        for (std::uint32_t i = 0; i < 60; i++) bench.device.enqueue_program(bench.ids[i % 6]);
        bench.device.close();
    };
    run(false);
    EXPECT_THROW(run(true), BrokenRule);
}

}  // namespace
}  // namespace cqfuzz::rt
