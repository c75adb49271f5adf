// Goal: a capture changes nothing on the device; a replay runs the same programs as enqueues would,
// from the baseline of inv. 66, and leaves a model that fits (inv. 67).
#include <gtest/gtest.h>

#include "runtime_under_test/host/device.hpp"
#include "tests/runtime_under_test/host/fake_cluster.hpp"
#include "tests/runtime_under_test/host/sample_programs.hpp"

namespace cqfuzz::rt {
namespace {

class TraceTest : public testing::Test {
protected:
    void open(const ChipDescription& description, const DispatchGeometry& geometry) {
        chip = std::make_unique<FakeCluster>(description);
        device = std::make_unique<Device>(*chip, geometry, faults);
    }
    void add(Program program) {
        programs.push_back(std::make_unique<Program>(std::move(program)));
        chip->programs[programs.back()->id] = programs.back().get();
        ids.push_back(device->create_program(*programs.back()));
        device->load_program(ids.back());
    }
    void add_kernel(std::uint32_t id, CoreKind kind, std::uint32_t bytes) {
        Program program;
        program.id = id;
        program.kernels.push_back(sample_kernel(rng, kind, CoreRange{0, 0, 0, 0}, 0, bytes, 4, 4));
        add(std::move(program));
    }
    TraceId capture(const std::vector<std::size_t>& order) {
        const TraceId trace = device->begin_trace();
        for (const std::size_t i : order) device->enqueue_program(ids[i]);
        device->end_trace();
        return trace;
    }

    FaultSet faults;
    std::unique_ptr<FakeCluster> chip;
    std::unique_ptr<Device> device;
    std::vector<std::unique_ptr<Program>> programs;
    std::vector<ProgramId> ids;
    Rng rng{21};
};

TEST_F(TraceTest, ACaptureRunsNothingAndAReplayRunsAll) {
    open(small_chip(2, 2, 1, 12), ethernet_dispatch_geometry());
    add_kernel(1, CoreKind::worker, 64);
    add_kernel(2, CoreKind::ethernet, 64);
    const TraceId trace = capture({0, 1, 0});
    EXPECT_EQ(chip->goes, 0u);
    device->replay_trace(trace, Blocking::yes);
    EXPECT_EQ(chip->launches[1], 2u);
    EXPECT_EQ(chip->launches[2], 1u);
    EXPECT_EQ(chip->traces_run, 1u);
    for (int i = 0; i < 5; i++) device->replay_trace(trace, Blocking::no);
    device->close();
    EXPECT_EQ(chip->launches[1], 12u);
    EXPECT_EQ(chip->traces_run, 6u);
}

// With a dispatch_s the reset needs a notification, and both counts are cleared, the dispatcher's
// copy last: the fake chip holds the stream to it.
TEST_F(TraceTest, AReplayWithADispatchSClearsBothCounts) {
    DispatchGeometry geometry = ethernet_dispatch_geometry();
    geometry.dispatch_s = DispatchS::own_core;
    open(small_chip(2, 2, 1, 12), geometry);
    add_kernel(1, CoreKind::worker, 64);
    add_kernel(2, CoreKind::ethernet, 64);
    const TraceId trace = capture({0, 1, 0});
    for (int i = 0; i < 4; i++) {
        device->replay_trace(trace, Blocking::no);
        device->enqueue_program(ids[1]);
    }
    chip->run();
    EXPECT_EQ(chip->slot_sizes[chip->slot_sizes.size() - 2],
              5u * 32);  // NOTIFY, go, 2 WAIT, EXEC_BUF
    device->close();
    EXPECT_EQ(chip->launches[1], 8u);
    EXPECT_EQ(chip->launches[2], 8u);
    for (const Fault fault :
         {Fault::replay_without_notify, Fault::count_cleared_at_dispatcher_alone,
          Fault::go_names_dispatcher}) {
        faults.clear();
        programs.clear();
        ids.clear();
        open(small_chip(2, 2, 1, 12), geometry);
        faults.enable(fault);
        EXPECT_THROW(
            {
                add_kernel(1, CoreKind::worker, 64);
                device->replay_trace(capture({0}), Blocking::yes);
            },
            BrokenRule);
    }
}

TEST_F(TraceTest, OnlyReplaySlotsHaveTheStallFlag) {
    open(small_chip(2, 2, 0, 12), ethernet_dispatch_geometry());
    add_kernel(1, CoreKind::worker, 64);
    const TraceId trace = capture({0});
    for (const bool stall : chip->slot_stalls) EXPECT_FALSE(stall);
    const std::size_t before = chip->slot_stalls.size();
    device->replay_trace(trace, Blocking::no);
    chip->run();
    ASSERT_EQ(chip->slot_stalls.size(), before + 1);
    EXPECT_TRUE(chip->slot_stalls.back());
    EXPECT_EQ(chip->slot_sizes.back(), 96u);  // reset go, WAIT, EXEC_BUF
    device->close();
}

TEST_F(TraceTest, AnEmptyTraceCanBeReplayed) {
    open(small_chip(1, 1, 0, 1), tiny_geometry(1));
    const TraceId trace = capture({});
    device->replay_trace(trace, Blocking::yes);
    device->replay_trace(trace, Blocking::no);
    device->close();
    EXPECT_EQ(chip->traces_run, 2u);
}

TEST_F(TraceTest, KindsThatATraceDoesNotUseKeepTheirLaunchPointer) {
    open(small_chip(2, 1, 2, 12), ethernet_dispatch_geometry());
    add_kernel(1, CoreKind::worker, 64);
    add_kernel(2, CoreKind::ethernet, 64);
    const TraceId trace = capture({0, 0, 0});
    device->enqueue_program(ids[1]);
    device->enqueue_program(ids[1]);
    device->replay_trace(trace, Blocking::no);
    device->enqueue_program(ids[1]);
    device->enqueue_program(ids[0]);
    device->close();
    EXPECT_EQ(chip->launches[1], 4u);
    EXPECT_EQ(chip->launches[2], 3u);
}

TEST_F(TraceTest, RandomTracesProgramsAndBuffersMix) {
    for (const bool tiny : {false, true}) {
        for (const bool split : {false, true}) {
            DispatchGeometry g = tiny ? tiny_geometry(3) : ethernet_dispatch_geometry();
            g.split = split;
            ids.clear();
            programs.clear();
            open(small_chip(3, 3, 2, 12), g);
            std::uint32_t id = 1;
            while (ids.size() < 6) {
                Program program = sample_program(rng, id, chip->chip(), 1500);
                try {
                    add(program);
                    id++;
                } catch (const Misuse&) {
                    programs.pop_back();
                }
            }
            std::map<std::uint32_t, std::uint32_t> expected;
            std::vector<std::pair<TraceId, std::vector<std::size_t>>> traces;
            for (int i = 0; i < 150; i++) {
                const std::uint32_t what = rng.below(10);
                if (what == 0 && traces.size() < 4) {
                    std::vector<std::size_t> order(rng.below(20));
                    for (std::size_t& o : order) o = rng.below(6);
                    traces.emplace_back(capture(order), order);
                } else if (what <= 3 && !traces.empty()) {
                    const auto& [trace, order] =
                        traces[rng.below(static_cast<std::uint32_t>(traces.size()))];
                    device->replay_trace(trace, rng.one_in(4) ? Blocking::yes : Blocking::no);
                    for (const std::size_t o : order)
                        expected[static_cast<std::uint32_t>(o) + 1] +=
                            cores_with_kernels(*programs[o]);
                } else if (what == 4 && !traces.empty()) {
                    device->release_trace(traces.back().first);
                    traces.pop_back();
                } else {
                    const std::uint32_t pick = rng.below(6);
                    device->enqueue_program(ids[pick]);
                    expected[pick + 1] += cores_with_kernels(*programs[pick]);
                }
            }
            device->close();
            EXPECT_EQ(chip->launches, expected);
        }
    }
}

TEST_F(TraceTest, AFreeRingAfterAReplayOverwritesTheTracesLastProgram) {
    for (const bool faulty : {false, true}) {
        ids.clear();
        programs.clear();
        open(small_chip(2, 2, 0, 12), ethernet_dispatch_geometry());
        if (faulty) faults.enable(Fault::program_after_trace_no_stall);
        add_kernel(1, CoreKind::worker, 4000);
        add_kernel(2, CoreKind::worker, 4000);
        const TraceId trace = capture({0});
        const auto run = [&] {
            device->replay_trace(trace, Blocking::no);
            device->enqueue_program(ids[1]);
            device->close();
        };
        if (faulty) {
            EXPECT_THROW(run(), BrokenRule);
        } else {
            EXPECT_NO_THROW(run());
        }
    }
}

TEST_F(TraceTest, ATraceThatDoesNotFitIsRefusedAndTheDeviceGoesOn) {
    DispatchGeometry g = ethernet_dispatch_geometry();
    g.trace_region_bytes = 12 * 4096;
    open(small_chip(2, 2, 0, 12), g);
    add_kernel(1, CoreKind::worker, 64);
    device->begin_trace();
    for (int i = 0; i < 200; i++) device->enqueue_program(ids[0]);
    try {
        device->end_trace();
        FAIL();
    } catch (const Misuse& misuse) {
        EXPECT_NE(std::string(misuse.what()).find("trace region"), std::string::npos);
    }
    const TraceId small = capture({0});
    device->replay_trace(small, Blocking::no);
    EXPECT_THROW(capture({0}), Misuse);  // the region holds one
    device->release_trace(small);
    const TraceId again = capture({0, 0});
    device->replay_trace(again, Blocking::no);
    device->close();
    EXPECT_EQ(chip->launches[1], 3u * 1u);
}

}  // namespace
}  // namespace cqfuzz::rt
