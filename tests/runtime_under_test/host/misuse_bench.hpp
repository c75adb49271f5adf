// MisuseTest: a device on the real machine, with firmware, oracles and work of its own round each
// misuse.
//
// `refused` enqueues sound work that has not finished, commits the misuse, and checks what the
// exception says. At the end of every test the device must take more work and finish; all that was
// enqueued, before and after, must have had its effect: every core of every program ran as often as
// it was enqueued, with its own binary and arguments, every buffer reads back as it was last
// written; no oracle has seen anything, and every dispatch core has exited.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/machine_view.hpp"
#include "harness/oracle/oracles.hpp"
#include "harness/silicon/machine.hpp"
#include "runtime_under_test/firmware/run_core.hpp"
#include "runtime_under_test/host/device.hpp"
#include "runtime_under_test/protocol/dev_msgs.hpp"
#include "tests/runtime_under_test/host/sample_programs.hpp"

namespace cqfuzz::rt {

class MisuseTest : public testing::Test, protected EventSink {
protected:
    static constexpr std::uint8_t kBanks = 4;

    MisuseTest();
    void SetUp() override;
    void TearDown() override;

    // Sound work first; then `misuse` must throw Misuse with all `parts` in what it says.
    void refused(const std::function<void()>& misuse, std::initializer_list<const char*> parts);
    // The same for what a trace that is being captured does not allow; the trace is replayed at the
    // end.
    void refused_in_capture(const std::function<void()>& misuse,
                            std::initializer_list<const char*> parts);
    // Only the exception.
    void expect_misuse(const std::function<void()>& misuse,
                       std::initializer_list<const char*> parts);

    // A program on two of the four workers, with arguments, a semaphore and a circular buffer.
    Program sound_program();
    // Known by its id from here on.
    ProgramId create(const Program& program);
    // `times` runs that TearDown will ask for.
    void enqueue(ProgramId program, std::uint32_t times);
    void replay(TraceId trace, ProgramId traced, std::uint32_t runs_each);
    BufferId write_new_buffer();
    void work();
    // Finishes, reads all buffers back and closes: TearDown asks nothing more of the device.
    void close();

    Rng rng{20261130};
    Machine machine;
    FaultSet faults;
    // What SetUp opens.
    DispatchGeometry geometry;
    std::uint8_t ethernet_cores = 1;
    std::optional<Device> device;
    BufferId written{};        // the last one that `work` made
    ProgramId loaded{};        // … whose binaries are on the device
    bool device_lost = false;  // set by a test that loses it

private:
    struct Buffer {
        BufferId id{};
        std::vector<std::byte> bytes;
    };

    bool observe(const LogEntry& entry) override;
    static void enter_core(const CoreLaunch& launch, void* context);
    void check_launch(TileIndex tile, const LaunchMessage& message);
    void check_buffers();
    void check_runs() const;

    MachineView view_;
    Oracles oracles_;
    std::optional<Violation> violation_;
    fw::KernelBehaviour kernels_{20,
                                 30};  // long enough that work is under way when the misuse comes
    std::uint32_t next_program_ = 1;
    std::map<std::uint32_t, Program> programs_;  // by host-assigned id
    std::map<ProgramId, std::uint32_t> ids_;
    std::map<std::uint32_t, std::uint32_t> expected_runs_;  // cores that run a program, by its id
    std::map<std::uint32_t, std::uint32_t> runs_;
    std::vector<Buffer> buffers_;
};

}  // namespace cqfuzz::rt
