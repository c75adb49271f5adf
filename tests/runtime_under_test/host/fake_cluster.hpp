// FakeCluster: a chip that executes the command stream at once, in order, by the meaning of each
// command (facts §2.3, §2.6), and holds the host to its side of the protocol. It is the sequential
// model that host tests compare with.
//
// It runs only when the host waits. Programs complete as late as the stream allows: only when a
// WAIT or a go waits for them. So a range that the host gives away too early is seen: what a core
// read at its go must still be there when it is done.
//
// A broken rule throws BrokenRule.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "runtime_under_test/host/cluster.hpp"
#include "runtime_under_test/host/program.hpp"
#include "runtime_under_test/protocol/commands.hpp"
#include "runtime_under_test/protocol/dev_msgs.hpp"

namespace cqfuzz::rt {

struct BrokenRule : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Thrown when the host waits for what can never come.
struct HostHangs : std::runtime_error {
    using std::runtime_error::runtime_error;
};

ChipDescription small_chip(std::uint8_t cols, std::uint8_t rows, std::uint8_t ethernet_cores,
                           std::uint8_t banks);

class FakeCluster final : public Cluster {
public:
    explicit FakeCluster(ChipDescription chip) : chip_(std::move(chip)) {}

    // Programs by host_assigned_id: every core that launches one is compared with it.
    std::map<std::uint32_t, const Program*> programs;
    // What happened.
    std::vector<std::uint32_t> slot_sizes;
    std::vector<bool> slot_stalls;
    std::map<DispatchId, std::uint32_t> dispatched;
    std::map<std::uint32_t, std::uint32_t> launches;  // cores that ran a program, by id
    std::uint32_t goes = 0;
    std::uint32_t waits_for_programs = 0;  // WAITs that had to complete something
    std::uint32_t stalls = 0;
    std::uint32_t traces_run = 0;
    std::set<std::uint32_t> exited;  // noc_xy
    bool throw_run_ended = false;    // the next wait throws RunEnded

    void run();  // all that is in the queue

    std::uint8_t chip_count() const override { return 1; }
    const ChipDescription& chip(std::uint8_t = 0) const override { return chip_; }
    void hugepage_write(std::uint32_t offset, std::span<const std::byte> bytes) override;
    void hugepage_read(std::uint32_t offset, std::span<std::byte> bytes) override;
    std::uint32_t wait_hugepage_word(std::uint32_t offset, std::uint32_t seen) override;
    void fence() override { unfenced_ = false; }
    void l1_write(Coord core, std::uint32_t address, std::span<const std::byte> bytes) override;
    void l1_read(Coord core, std::uint32_t address, std::span<std::byte> bytes) override;
    std::uint32_t wait_l1_word(Coord core, std::uint32_t address, std::uint32_t seen) override;
    void start_core(const CoreLaunch& launch) override;
    void wait_core_exit(Coord core) override;
    void waypoint(const char*) override {}

private:
    struct Core {
        std::vector<std::byte> l1;
        std::uint32_t launch_index = 0;
        // Running: the bytes it uses, as they were at its go.
        bool running = false;
        std::vector<std::pair<std::uint32_t, std::vector<std::byte>>> used;
    };

    Core& core(std::uint32_t noc_xy);
    std::uint32_t word(std::uint32_t noc_xy, std::uint32_t address);
    void set_word(std::uint32_t noc_xy, std::uint32_t address, std::uint32_t value);
    void store(std::uint32_t noc_xy, std::uint32_t address, std::span<const std::byte> bytes);
    std::vector<std::uint32_t> receivers(std::uint32_t noc_xy, std::uint32_t dests) const;

    bool step();  // one fetch slot
    bool prefetch(std::span<const std::byte> stream, bool in_trace, bool stall_flag);
    std::uint32_t relay(std::span<const std::byte> command, std::vector<std::byte>& data);
    void execute_trace(const ExecBuf& command);
    std::uint32_t worker_xy(std::uint32_t number) const;  // row by row
    void append_l1(std::uint32_t noc_xy, std::uint32_t address, std::uint32_t length,
                   std::vector<std::byte>& to);
    void append_dram(std::uint32_t bank, std::uint32_t address, std::uint32_t length,
                     std::vector<std::byte>& to);

    // Who a command was sent to: 0 the dispatcher, 1 the dispatch_s.
    void dispatch(std::span<const std::byte> command, std::uint8_t receiver = kToDispatcher);
    void take_go_data(std::span<const std::byte> command);
    // Where completions are counted.
    Coord counter() const {
        return config_->geometry.has_dispatch_s() ? chip_.dispatch_s : chip_.dispatch;
    }
    void write_linear(std::span<const std::byte> command);
    void write_paged(std::span<const std::byte> command);
    void write_packed(std::span<const std::byte> command);
    void write_packed_large(std::span<const std::byte> command);
    void write_host(std::span<const std::byte> command);
    void wait(std::span<const std::byte> command, std::uint8_t receiver);
    void send_go(std::span<const std::byte> command);

    void start_program(std::uint32_t noc_xy);
    void complete_until(std::uint32_t noc_xy, std::uint32_t count);
    void complete(std::uint32_t noc_xy);
    void check_launch(std::uint32_t noc_xy, const LaunchMessage& message);
    void check_kernel(std::uint32_t noc_xy, const Kernel& kernel, std::uint32_t core_index,
                      const LaunchMessage& message);
    void check_settings(std::uint32_t noc_xy, const Program& program, const LaunchMessage& message);
    void use(std::uint32_t noc_xy, std::uint32_t address, std::span<const std::byte> expected,
             const char* what);

    ChipDescription chip_;
    const DeviceConfig* config_ = nullptr;
    std::vector<std::byte> hugepage_;
    std::map<std::uint32_t, Core> cores_;
    std::vector<std::vector<std::byte>> banks_;
    bool unfenced_ = false;  // hugepage bytes written since the last fence

    std::uint32_t entry_ = 0;
    std::uint32_t pcie_ptr_ = 0;
    std::uint32_t completion_ptr_ = 0;
    std::uint32_t completion_toggle_ = 0;
    std::uint32_t notifies_ = 0;
    std::array<std::uint32_t, kMaxWriteOffsets> offsets_{};
    std::vector<std::uint32_t> go_data_;
    std::deque<std::uint32_t> outstanding_;  // cores, in the order of their goes
    std::vector<std::byte> head_;            // of a NOFLUSH that waits for its relay
    std::array<bool, 2> terminated_{};       // dispatcher, dispatch_s
    std::uint32_t go_notifies_ = 0;          // NOTIFY_SUBORDINATE_GO_SIGNAL of index 0
    std::uint32_t worker_sems_ = 0;
    // DRAM bytes that a later relay may not yet see: written, and no barrier that the prefetcher or
    // the host waited for.
    bool written_since_barrier_ = false;
    bool barrier_passed_ = true;
};

}  // namespace cqfuzz::rt
