// Goal: every misuse is refused with a sentence, changes nothing, and the device works afterwards.
#include <gtest/gtest.h>

#include <functional>

#include "runtime_under_test/host/device.hpp"
#include "tests/runtime_under_test/host/fake_cluster.hpp"
#include "tests/runtime_under_test/host/sample_programs.hpp"

namespace cqfuzz::rt {
namespace {

class DeviceMisuseTest : public testing::Test {
protected:
    void SetUp() override {
        program.id = 1;
        program.kernels.push_back(
            sample_kernel(rng, CoreKind::worker, CoreRange{0, 0, 1, 1}, 0, 64, 2, 2));
        chip.programs[1] = &program;
    }
    void expect_misuse(const std::function<void()>& call, const char* part) {
        try {
            call();
            ADD_FAILURE() << "accepted, though: " << part;
        } catch (const Misuse& misuse) {
            EXPECT_NE(std::string(misuse.what()).find(part), std::string::npos) << misuse.what();
        }
    }
    // A copy of the program with one change.
    Program changed(const std::function<void(Program&)>& change) {
        Program copy = program;
        change(copy);
        return copy;
    }

    Rng rng{41};
    FaultSet faults;
    FakeCluster chip{small_chip(2, 2, 1, 12)};
    Program program;
    Device device{chip, ethernet_dispatch_geometry(), faults};
};

TEST_F(DeviceMisuseTest, IllegalGeometryIsRefusedAtOpen) {
    FakeCluster other(small_chip(2, 2, 1, 4));
    DispatchGeometry g = ethernet_dispatch_geometry();
    expect_misuse([&] { Device(other, g, faults); }, "DRAM banks");
    g.scratch_bytes = 100;
    expect_misuse([&] { Device(other, g, faults); }, "rule G4");
}

TEST_F(DeviceMisuseTest, WrongBuffersAreRefused) {
    expect_misuse([&] { device.create_buffer(0, 32); }, "at least one page");
    expect_misuse([&] { device.create_buffer(1, 48); }, "multiple of 32");
    expect_misuse([&] { device.create_buffer(1u << 20, 1u << 20); }, "DRAM banks");
    expect_misuse([&] { device.info(BufferId{0}); }, "no buffer 0");
    const BufferId buffer = device.create_buffer(3, 64);
    std::vector<std::byte> bytes(191);
    expect_misuse([&] { device.enqueue_write(buffer, bytes); }, "so give exactly 192");
    expect_misuse([&] { device.enqueue_read(buffer, bytes); }, "so give exactly 192");
    expect_misuse([&] { device.enqueue_read(BufferId{1}, bytes); }, "no buffer 1");
    device.close();
}

TEST_F(DeviceMisuseTest, WrongProgramsAreRefused) {
    struct Row {
        const char* part;
        std::function<void(Program&)> change;
    };
    const std::vector<Row> rows{
        {"no kernel", [](Program& p) { p.kernels.clear(); }},
        {"outside the worker grid", [](Program& p) { p.kernels[0].cores.x1 = 2; }},
        {"outside the worker grid", [](Program& p) { p.kernels[0].cores.x0 = 3; }},
        {"processor 5", [](Program& p) { p.kernels[0].processor = 5; }},
        {"multiple of 16", [](Program& p) { p.kernels[0].binary.resize(40); }},
        {"multiple of 16", [](Program& p) { p.kernels[0].binary.clear(); }},
        {"argument words", [](Program& p) { p.kernels[0].args.pop_back(); }},
        {"already runs kernel 0", [](Program& p) { p.kernels.push_back(p.kernels[0]); }},
        {"config ring", [](Program& p) { p.kernels[0].binary.resize(70656); }},
        {"config ring", [](Program& p) { p.kernels[0].common_args.resize(1u << 20); }},
        {"id 16",
         [](Program& p) {
             p.semaphores.push_back({CoreKind::worker, {}, 16, 0});
         }},
        {"no ethernet kernel",
         [](Program& p) {
             p.semaphores.push_back({CoreKind::ethernet, {}, 1, 0});
         }},
        {"already given by semaphore 0",
         [](Program& p) {
             p.semaphores.assign(2, {CoreKind::worker, {0, 0, 1, 1}, 4, 0});
         }},
        {"index 32",
         [](Program& p) {
             p.circular_buffers.push_back({{}, 32, 0, 0, 0, 0});
         }},
        {"already given by circular buffer 0",
         [](Program& p) {
             p.circular_buffers.assign(2, {{0, 0, 0, 0}, 3, 0, 64, 1, 64});
         }},
    };
    for (const Row& row : rows) {
        const Program wrong = changed(row.change);
        expect_misuse([&] { device.create_program(wrong); }, row.part);
    }
    expect_misuse([&] { device.enqueue_program(ProgramId{0}); }, "no program 0");
    device.enqueue_program(device.create_program(program));
    device.close();
    EXPECT_EQ(chip.launches[1], 4u);
}

TEST_F(DeviceMisuseTest, TracesTakeOnlyProgramsThatAreOnTheDevice) {
    const ProgramId id = device.create_program(program);
    const BufferId buffer = device.create_buffer(1, 32);
    std::vector<std::byte> bytes(32);
    expect_misuse([&] { device.end_trace(); }, "begin_trace first");
    const TraceId trace = device.begin_trace();
    expect_misuse([&] { device.enqueue_program(id); }, "load_program");
    expect_misuse([&] { device.load_program(id); }, "end_trace first");
    expect_misuse([&] { device.enqueue_write(buffer, bytes); }, "end_trace first");
    expect_misuse([&] { device.enqueue_read(buffer, bytes); }, "end_trace first");
    expect_misuse([&] { device.finish(); }, "end_trace first");
    expect_misuse([&] { device.begin_trace(); }, "end_trace first");
    expect_misuse([&] { device.replay_trace(trace, Blocking::no); }, "has no end");
    expect_misuse([&] { device.release_trace(trace); }, "has no end");
    device.end_trace();
    device.replay_trace(trace, Blocking::no);
    device.release_trace(trace);
    expect_misuse([&] { device.replay_trace(trace, Blocking::no); }, "was released");
    expect_misuse([&] { device.release_trace(trace); }, "was released");
    expect_misuse([&] { device.replay_trace(TraceId{9}, Blocking::no); }, "no trace 9");
    device.enqueue_program(id);
    device.close();
    EXPECT_EQ(chip.launches[1], 4u);
}

TEST_F(DeviceMisuseTest, AClosedDeviceRefusesEverything) {
    const ProgramId id = device.create_program(program);
    const BufferId buffer = device.create_buffer(1, 32);
    std::vector<std::byte> bytes(32);
    device.close();
    expect_misuse([&] { device.close(); }, "closed");
    expect_misuse([&] { device.finish(); }, "closed");
    expect_misuse([&] { device.enqueue_program(id); }, "closed");
    expect_misuse([&] { device.create_program(program); }, "closed");
    expect_misuse([&] { device.create_buffer(1, 32); }, "closed");
    expect_misuse([&] { device.enqueue_write(buffer, bytes); }, "closed");
    expect_misuse([&] { device.begin_trace(); }, "closed");
    expect_misuse([&] { device.end_trace(); }, "closed");
    expect_misuse([&] { device.replay_trace(TraceId{0}, Blocking::no); }, "closed");
}

TEST_F(DeviceMisuseTest, ClosingWaitsForTheEndOfACapture) {
    const ProgramId id = device.create_program(program);
    device.load_program(id);
    device.begin_trace();
    device.enqueue_program(id);
    expect_misuse([&] { device.close(); }, "end_trace first");
    device.end_trace();
    device.close();
    EXPECT_EQ(chip.goes, 0u);
    EXPECT_EQ(chip.exited.size(), 4u);
}

}  // namespace
}  // namespace cqfuzz::rt
