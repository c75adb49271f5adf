// PipelineBench: the firmware on a real machine, with a host of the test's own: it writes the words
// that a host has to, puts slots into hugepage and prefetch_q, pops completions, and knows what
// every destination must hold at the end.
//
// After each run: nothing hung, no oracle of rings, stagings, local arrays and NoC rules has seen
// anything, every byte of the watched windows of DRAM and L1 is as expected, and all credits are
// home.
#pragma once

#include <functional>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/machine_view.hpp"
#include "harness/oracle/oracles.hpp"
#include "harness/silicon/machine.hpp"
#include "runtime_under_test/firmware/run_core.hpp"
#include "tests/runtime_under_test/firmware/command_bytes.hpp"

namespace cqfuzz::fw {

inline constexpr std::uint32_t kDramWindowBytes = 512 * 1024;  // of each bank, from 0

class PipelineBench final : public EventSink {
public:
    PipelineBench();

    // Boots, runs the host `body`, terminates, checks. Body's RunEnded means that the run ended
    // early.
    void run(const std::function<void()>& body);
    // Without the checks: for runs with a fault. The verdict is in `violation`, `stop`.
    void run_unchecked(const std::function<void()>& body);

    // --- for the body ----------------------------------------------------------------------------
    enum class StallFlag : std::uint8_t { no, yes };
    void submit(const Stream& slot, StallFlag stall = StallFlag::no);
    // One RELAY_INLINE in a slot of its own.
    void submit_inline(const Bytes& dispatcher_command);
    // Pops one completion of `length` bytes, the command's echo among them.
    Bytes pop(std::uint32_t length);
    void pause(std::uint32_t moves) { machine.host_pause(moves); }

    // What must be at an address at the end.
    void expect(rt::Coord tile, std::uint32_t address, const Bytes& bytes);
    // Puts bytes into one DRAM bank, or interleaved pages into all, and lets the prefetcher see
    // them.
    void fill_bank(std::uint32_t bank, std::uint32_t address, const Bytes& bytes);
    void fill_interleaved(std::uint32_t base, std::uint32_t page_bytes, const Bytes& bytes);
    void expect_interleaved(std::uint32_t base, std::uint32_t page_bytes, std::uint32_t start_page,
                            const Bytes& bytes);
    // Writes a trace to DRAM.
    rt::ExecBuf store_trace(const Bytes& trace, std::uint32_t base, std::uint32_t log_page_size);
    void replay(const rt::ExecBuf& command);

    rt::Coord worker(std::uint32_t col, std::uint32_t row) const;
    std::uint32_t word(rt::Coord tile, std::uint32_t address) const;
    // Payload bytes that fit one dispatcher command sent inline.
    std::uint32_t inline_max() const;
    // Pages that the prefetcher side has handed to the dispatcher, one number a hand-over, since
    // boot.
    const std::vector<std::uint32_t>& hand_overs() const { return hand_overs_; }
    std::uint32_t pages_handed_over() const;

    Machine machine;
    MachineConfig machine_config;
    SchedulePlan plan;
    rt::DispatchGeometry geometry;
    rt::FaultSet faults;
    KernelBehaviour kernels;
    std::function<void(const LogEntry&)> on_entry;
    // Of the run:
    rt::DeviceConfig config;
    MachineView view;
    std::optional<Violation> violation;

private:
    struct Window {
        std::uint32_t base = 0;
        Bytes bytes;
    };

    bool observe(const LogEntry& entry) override;
    static void enter(const rt::CoreLaunch& launch, void* context);
    void begin();
    void boot();
    void terminate();
    void l1_word(rt::Coord core, std::uint32_t address, std::uint32_t value);
    void boot_core(rt::Coord core, const rt::DispatchCoreLayout& map,
                   std::uint32_t downstream_pages);
    void wait_for_room();
    void lay_windows();
    void check_memory() const;
    void check_credits() const;
    std::string told() const;

    Oracles oracles_;
    bool ended_ = false;
    std::uint32_t issue_at_ = 0;
    std::uint32_t entry_at_ = 0;
    std::uint32_t completion_at_ = 0;
    std::uint32_t completion_toggle_ = 0;
    std::uint32_t completion_seen_ = 0;
    std::map<TileIndex, Window> windows_;
    std::vector<std::uint32_t> hand_overs_;
};

// Four blocks of one 1-KB page each, every other memory as small as it may be.
rt::DispatchGeometry tiny_geometry();
// Four blocks of two pages.
rt::DispatchGeometry small_geometry();

// Merged and split, both accountings, orders O0 to O2, in order and random walks.
struct Mode {
    bool split = false;
    rt::BlockAccounting accounting = rt::BlockAccounting::snapshot;
    MachineOrder order = MachineOrder::o1;
    MachineStrategy strategy = MachineStrategy::in_order;
    std::uint64_t seed = 0;
    std::string name() const;
};
void PrintTo(const Mode& mode, std::ostream* out);
std::vector<Mode> all_modes();
// One order for each of four strategies: for long sweeps.
std::vector<Mode> few_modes();
void set_mode(PipelineBench& bench, const Mode& mode);

}  // namespace cqfuzz::fw
