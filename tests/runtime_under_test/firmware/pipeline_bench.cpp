#include "tests/runtime_under_test/firmware/pipeline_bench.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <ostream>

#include "harness/run/translate.hpp"
#include "runtime_under_test/protocol/dev_msgs.hpp"

namespace cqfuzz::fw {
namespace {

constexpr std::uint32_t kToggle = 1u << 31;
constexpr std::uint32_t kPageBytes = rt::DispatchGeometry::kCompletionPageBytes;
constexpr std::uint32_t kOracleBits =
    ~(1u << static_cast<unsigned>(
          OracleId::golden_memory));  // that one judges host calls, and there are none

Bytes bytes_of_word(std::uint32_t value) {
    Bytes out(sizeof value);
    std::memcpy(out.data(), &value, sizeof value);
    return out;
}

}  // namespace

PipelineBench::PipelineBench() : geometry(tiny_geometry()) {
    machine_config.dram_banks = 4;
    machine_config.dram_bank_bytes = 8u << 20;
}

bool PipelineBench::observe(const LogEntry& entry) {
    if (entry.kind == LogKind::noc_arrive && entry.noc_kind == NocKind::atomic &&
        entry.target == machine.tile_at(config.chip.dispatch) &&
        entry.target_address == config.dispatch.semaphore(rt::Semaphore::upstream_ready))
        hand_overs_.push_back(entry.value);
    if (on_entry) on_entry(entry);
    std::optional<Violation> found = oracles_.observe(entry);
    if (found && !violation) violation = std::move(found);
    return !violation;
}

void PipelineBench::enter(const rt::CoreLaunch& launch, void* context) {
    auto& self = *static_cast<PipelineBench*>(context);
    run_core(launch, self.faults, self.kernels);
}

void PipelineBench::begin() {
    geometry.dram_banks = machine_config.dram_banks;
    geometry.dram_bank_bytes = machine_config.dram_bank_bytes;
    machine_config.split = geometry.split;
    machine_config.dispatch_s = geometry.has_dispatch_s();
    machine_config.hugepage_bytes =
        rt::align_up(geometry.issue_region_bytes + geometry.completion_region_bytes + 65536, 4096);
    machine.describe(machine_config);
    config = rt::make_device_config(geometry, machine.chip());
    view = machine_view_of(machine.tiles(), {&config, 1});
    plan.credit_words.clear();
    for (const RingView& ring : view.rings)
        plan.credit_words.emplace_back(ring.producer, ring.credit_address);
    violation.reset();
    ended_ = false;
    hand_overs_.clear();
    oracles_.reset(view, machine, kOracleBits);
    machine.reset(machine_config, plan, *this, &PipelineBench::enter, this);
    lay_windows();
}

void PipelineBench::run_unchecked(const std::function<void()>& body) {
    begin();
    try {
        boot();
        body();
        terminate();
    } catch (const rt::RunEnded&) {
        ended_ = true;
    }
    machine.quiesce();
    if (!violation && machine.stop() == MachineStop::running) violation = oracles_.finish();
}

void PipelineBench::run(const std::function<void()>& body) {
    run_unchecked(body);
    ASSERT_TRUE(!ended_ && !violation && machine.stop() == MachineStop::running) << told();
    check_memory();
    check_credits();
    EXPECT_EQ(machine.in_flight(), 0u);
}

std::string PipelineBench::told() const {
    std::string text = "stop " + std::to_string(static_cast<int>(machine.stop()));
    if (violation) {
        text += ": " + violation->signature() + "\n" + violation->summary;
        for (const std::string& line : violation->story) text += "\n  " + line;
    }
    for (const ParkedActor& actor : machine.parked())
        text += "\n  " + view.describe(actor.tile) + ": " + actor.waypoint;
    return text;
}

// --- boot and exit -------------------------------------------------------------------------------

void PipelineBench::l1_word(rt::Coord core, std::uint32_t address, std::uint32_t value) {
    machine.l1_write(core, address, bytes_of_word(value));
}

void PipelineBench::boot_core(rt::Coord core, const rt::DispatchCoreLayout& map,
                              std::uint32_t downstream_pages) {
    l1_word(core, map.semaphore(rt::Semaphore::downstream_credits), downstream_pages);
    l1_word(core, map.semaphore(rt::Semaphore::upstream_ready), geometry.semaphore_start);
    l1_word(core, map.completion_wr_ptr, config.host.completion_base >> 4);
    l1_word(core, map.completion_rd_ptr, config.host.completion_base >> 4);
    l1_word(core, map.prefetch_q_rd_ptr, config.prefetch.prefetch_q_base);
}

void PipelineBench::boot() {
    const rt::ChipDescription& chip = config.chip;
    std::vector<rt::CoreLaunch> launches;
    if (geometry.split) {
        boot_core(chip.prefetch, config.prefetch, geometry.prefetch_d.pages);
        boot_core(chip.prefetch_d, config.prefetch_d, geometry.dispatch.pages);
        boot_core(chip.dispatch, config.dispatch, geometry.dispatch_h.pages);
        boot_core(chip.dispatch_h, config.dispatch_h, 0);
        launches = {{rt::CoreRole::prefetch_h, chip.prefetch, &config},
                    {rt::CoreRole::prefetch_d, chip.prefetch_d, &config},
                    {rt::CoreRole::dispatch_d, chip.dispatch, &config},
                    {rt::CoreRole::dispatch_h, chip.dispatch_h, &config}};
    } else {
        boot_core(chip.prefetch, config.prefetch, geometry.dispatch.pages);
        boot_core(chip.dispatch, config.dispatch, 0);
        launches = {{rt::CoreRole::prefetch_hd, chip.prefetch, &config},
                    {rt::CoreRole::dispatch_hd, chip.dispatch, &config}};
    }
    if (geometry.has_dispatch_s()) {
        boot_core(chip.dispatch_s, config.dispatch_s, 0);
        const rt::DeviceConfig::Neighbour prefetcher = config.executing_prefetcher();
        l1_word(prefetcher.coord, prefetcher.map.semaphore(rt::Semaphore::dispatch_s_credits),
                geometry.dispatch_s_pages);
        for (std::uint32_t index = 0; index < rt::kMaxGoIndices; ++index) {
            l1_word(chip.dispatch_s, config.dispatch_s.go_notify(index), geometry.semaphore_start);
            l1_word(chip.dispatch_s, config.dispatch_s.message(index), 0);
        }
        launches.push_back({rt::CoreRole::dispatch_s, chip.dispatch_s, &config});
    }
    machine.hugepage_write(config.host.completion_write_ptr,
                           bytes_of_word(config.host.completion_base >> 4));
    machine.fence();
    // All of it has landed when the last word has.
    constexpr std::uint32_t kMark = 0x600d;
    l1_word(chip.prefetch, config.prefetch.dispatch_message, kMark);
    for (std::uint32_t seen = 0; seen != kMark;)
        seen = machine.wait_l1_word(chip.prefetch, config.prefetch.dispatch_message, seen);

    for (std::uint32_t row = 0; row < chip.worker_rows; ++row)
        for (std::uint32_t col = 0; col < chip.worker_cols; ++col)
            launches.push_back({rt::CoreRole::worker, worker(col, row), &config});
    for (const rt::Coord core : chip.ethernet_cores)
        launches.push_back({rt::CoreRole::ethernet, core, &config});
    for (const rt::CoreLaunch& launch : launches) machine.start_core(launch);
    issue_at_ = config.host.issue_base;
    entry_at_ = config.prefetch.prefetch_q_base;
    completion_at_ = config.host.completion_base;
    completion_toggle_ = 0;
    completion_seen_ = config.host.completion_base >> 4;
}

void PipelineBench::terminate() {
    if (geometry.has_dispatch_s()) submit(Stream().to_dispatch_s(bare(rt::DispatchId::terminate)));
    submit_inline(bare(rt::DispatchId::terminate));
    submit(Stream().terminate());
    machine.waypoint("waits for the cores to exit");
    machine.wait_core_exit(config.chip.prefetch);
    machine.wait_core_exit(config.chip.dispatch);
    if (geometry.has_dispatch_s()) machine.wait_core_exit(config.chip.dispatch_s);
    if (!geometry.split) return;
    machine.wait_core_exit(config.chip.prefetch_d);
    machine.wait_core_exit(config.chip.dispatch_h);
}

// --- slots and completions -----------------------------------------------------------------------

void PipelineBench::wait_for_room() {
    const std::uint32_t base = config.prefetch.prefetch_q_base;
    const std::uint32_t end = base + 2 * geometry.prefetch_q_entries;
    const std::uint32_t next = entry_at_ + 2 == end ? base : entry_at_ + 2;
    machine.waypoint("waits for room in prefetch_q");
    Bytes seen(4);
    machine.l1_read(config.chip.prefetch, config.prefetch.prefetch_q_rd_ptr, seen);
    std::uint32_t read_ptr = 0;
    std::memcpy(&read_ptr, seen.data(), sizeof read_ptr);
    while (read_ptr == next)
        read_ptr =
            machine.wait_l1_word(config.chip.prefetch, config.prefetch.prefetch_q_rd_ptr, read_ptr);
}

void PipelineBench::submit(const Stream& slot, StallFlag stall) {
    ASSERT_LE(slot.size(), geometry.max_prefetch_command_bytes);
    wait_for_room();
    if (issue_at_ + slot.size() > config.host.issue_base + geometry.issue_region_bytes)
        issue_at_ = config.host.issue_base;
    machine.hugepage_write(issue_at_, slot.bytes());
    machine.fence();
    const auto entry =
        static_cast<std::uint16_t>(slot.size() >> 4 | (stall == StallFlag::yes ? 0x8000u : 0u));
    Bytes bytes(sizeof entry);
    std::memcpy(bytes.data(), &entry, sizeof entry);
    machine.l1_write(config.chip.prefetch, entry_at_, bytes);
    issue_at_ += slot.size();
    entry_at_ += 2;
    if (entry_at_ == config.prefetch.prefetch_q_base + 2 * geometry.prefetch_q_entries)
        entry_at_ = config.prefetch.prefetch_q_base;
}

void PipelineBench::submit_inline(const Bytes& dispatcher_command) {
    submit(Stream().relay_inline(dispatcher_command));
}

Bytes PipelineBench::pop(std::uint32_t length) {
    Bytes out;
    const rt::Coord core = geometry.split ? config.chip.dispatch_h : config.chip.dispatch;
    const rt::DispatchCoreLayout& map = geometry.split ? config.dispatch_h : config.dispatch;
    machine.waypoint("waits for a completion");
    while (out.size() < length) {
        while (completion_seen_ == ((completion_at_ >> 4) | completion_toggle_))
            completion_seen_ =
                machine.wait_hugepage_word(config.host.completion_write_ptr, completion_seen_);
        Bytes page(std::min<std::size_t>(kPageBytes, length - out.size()));
        machine.hugepage_read(completion_at_, page);
        append(out, page);
        completion_at_ += kPageBytes;
        if (completion_at_ == config.host.end) {
            completion_at_ = config.host.completion_base;
            completion_toggle_ ^= kToggle;
        }
        machine.fence();
        l1_word(core, map.completion_rd_ptr, (completion_at_ >> 4) | completion_toggle_);
    }
    return out;
}

// --- memories ------------------------------------------------------------------------------------

void PipelineBench::lay_windows() {
    windows_.clear();
    for (TileIndex tile = 0; tile < view.tiles.size(); ++tile) {
        switch (view.tiles[tile].kind) {
            case TileKind::dram: windows_[tile] = {0, Bytes(kDramWindowBytes)}; break;
            case TileKind::worker:
                windows_[tile] = {config.worker.config_base, Bytes(config.worker.config_bytes)};
                break;
            case TileKind::ethernet:
                windows_[tile] = {config.ethernet.config_base, Bytes(config.ethernet.config_bytes)};
                break;
            default: break;
        }
    }
}

void PipelineBench::expect(rt::Coord tile, std::uint32_t address, const Bytes& bytes) {
    Window& window = windows_.at(machine.tile_at(tile));
    ASSERT_TRUE(address >= window.base &&
                address - window.base + bytes.size() <= window.bytes.size());
    std::copy(bytes.begin(), bytes.end(), window.bytes.begin() + (address - window.base));
}

void PipelineBench::check_memory() const {
    for (const auto& [tile, window] : windows_) {
        const std::byte* found = machine.bytes(tile) + window.base;
        if (std::memcmp(found, window.bytes.data(), window.bytes.size()) == 0) continue;
        const auto at = std::mismatch(window.bytes.begin(), window.bytes.end(), found).first -
                        window.bytes.begin();
        ADD_FAILURE() << view.describe(tile) << " differs first at " << std::hex << "0x"
                      << window.base + at << ": expected 0x"
                      << static_cast<int>(window.bytes[static_cast<std::size_t>(at)])
                      << ", found 0x" << static_cast<int>(found[at]);
    }
}

void PipelineBench::fill_bank(std::uint32_t bank, std::uint32_t address, const Bytes& bytes) {
    const rt::Coord tile = config.chip.dram_banks[bank];
    expect(tile, address, bytes);
    const std::size_t most = inline_max() - rt::kCommandBytes;
    for (std::size_t at = 0; at < bytes.size(); at += most) {
        const std::size_t n = std::min(most, bytes.size() - at);
        submit_inline(write_linear(tile.noc_xy(), address + static_cast<std::uint32_t>(at),
                                   slice(bytes, at, n)));
    }
    submit(Stream().barrier());
}

void PipelineBench::expect_interleaved(std::uint32_t base, std::uint32_t page_bytes,
                                       std::uint32_t start_page, const Bytes& bytes) {
    const std::uint32_t banks = geometry.dram_banks;
    const std::uint32_t row = rt::align_up(page_bytes, 32);
    for (std::size_t at = 0; at < bytes.size(); at += page_bytes) {
        const std::uint32_t page = start_page + static_cast<std::uint32_t>(at) / page_bytes;
        expect(config.chip.dram_banks[page % banks], base + page / banks * row,
               slice(bytes, at, std::min<std::size_t>(page_bytes, bytes.size() - at)));
    }
}

void PipelineBench::fill_interleaved(std::uint32_t base, std::uint32_t page_bytes,
                                     const Bytes& bytes) {
    const std::uint32_t banks = geometry.dram_banks;
    const std::uint32_t row = rt::align_up(page_bytes, 32);
    std::vector<Bytes> rows(banks);
    for (std::size_t at = 0, page = 0; at < bytes.size(); at += page_bytes, ++page) {
        Bytes& bank = rows[page % banks];
        append(bank, slice(bytes, at, std::min<std::size_t>(page_bytes, bytes.size() - at)));
        bank.resize((page / banks + 1) * row);
    }
    for (std::uint32_t bank = 0; bank < banks; ++bank)
        if (!rows[bank].empty()) fill_bank(bank, base, rows[bank]);
}

rt::ExecBuf PipelineBench::store_trace(const Bytes& trace, std::uint32_t base,
                                       std::uint32_t log_page_size) {
    Bytes padded = trace;
    padded.resize(rt::align_up(static_cast<std::uint32_t>(trace.size()), 1u << log_page_size));
    fill_interleaved(base, 1u << log_page_size, padded);
    return {base, log_page_size, static_cast<std::uint32_t>(padded.size()) >> log_page_size};
}

// As a host does it: a WAIT in front, in the same slot.
void PipelineBench::replay(const rt::ExecBuf& command) {
    submit(Stream().relay_inline(bytes_of(rt::Wait{})).exec_buf(command), StallFlag::yes);
}

rt::Coord PipelineBench::worker(std::uint32_t col, std::uint32_t row) const {
    return {static_cast<std::uint8_t>(config.chip.worker_origin.x + col),
            static_cast<std::uint8_t>(config.chip.worker_origin.y + row)};
}

std::uint32_t PipelineBench::word(rt::Coord tile, std::uint32_t address) const {
    std::uint32_t value = 0;
    std::memcpy(&value, machine.bytes(machine.tile_at(tile)) + address, sizeof value);
    return value;
}

std::uint32_t PipelineBench::inline_max() const {
    const rt::RingGeometry& ring = geometry.dispatch;
    const std::uint32_t capacity =
        (ring.pages - 2 * ring.pages_per_block()) * ring.page_size_bytes();
    return std::min(capacity, geometry.max_prefetch_command_bytes - rt::kBareMinBytes);
}

std::uint32_t PipelineBench::pages_handed_over() const {
    std::uint32_t sum = 0;
    for (const std::uint32_t pages : hand_overs_) sum += pages;
    return sum;
}

void PipelineBench::check_credits() const {
    const auto credits = [this](rt::Coord core, const rt::DispatchCoreLayout& map) {
        return word(core, map.semaphore(rt::Semaphore::downstream_credits));
    };
    const rt::ChipDescription& chip = config.chip;
    const std::uint32_t ready =
        word(chip.dispatch, config.dispatch.semaphore(rt::Semaphore::upstream_ready));
    EXPECT_EQ(ready, geometry.semaphore_start + pages_handed_over());
    if (geometry.has_dispatch_s()) {
        const rt::DeviceConfig::Neighbour prefetcher = config.executing_prefetcher();
        EXPECT_EQ(
            word(prefetcher.coord, prefetcher.map.semaphore(rt::Semaphore::dispatch_s_credits)),
            geometry.dispatch_s_pages);
    }
    if (!geometry.split) {
        EXPECT_EQ(credits(chip.prefetch, config.prefetch), geometry.dispatch.pages);
        return;
    }
    EXPECT_EQ(credits(chip.prefetch, config.prefetch), geometry.prefetch_d.pages);
    EXPECT_EQ(credits(chip.prefetch_d, config.prefetch_d), geometry.dispatch.pages);
    EXPECT_EQ(credits(chip.dispatch, config.dispatch), geometry.dispatch_h.pages);
}

// --- geometries and modes ------------------------------------------------------------------------

rt::DispatchGeometry tiny_geometry() {
    rt::DispatchGeometry g;
    g.prefetch_q_entries = 4;
    g.max_prefetch_command_bytes = 4096;
    g.cmddat_q_bytes = 8192;
    g.scratch_bytes = 2048;
    g.prefetch_d = {10, 12, 4};
    g.dispatch = {10, 4, 4};
    g.dispatch_h = {10, 4, 4};
    g.issue_region_bytes = (g.prefetch_q_entries + 2) * g.max_prefetch_command_bytes;
    g.completion_region_bytes = 2 * kPageBytes;
    g.trace_log_page_size = 10;
    return g;
}

rt::DispatchGeometry small_geometry() {
    rt::DispatchGeometry g = tiny_geometry();
    g.dispatch = {10, 8, 4};
    g.dispatch_h = {10, 8, 4};
    return g;
}

std::string Mode::name() const {
    static constexpr const char* kStrategies[] = {"in order", "random walk", "pct",
                                                  "producer at once", "starve"};
    return std::string(split ? "split" : "merged") +
           (accounting == rt::BlockAccounting::snapshot ? ", snapshot" : ", write counts") + ", O" +
           std::to_string(static_cast<int>(order)) + ", " +
           kStrategies[static_cast<int>(strategy)] + " " + std::to_string(seed);
}

void PrintTo(const Mode& mode, std::ostream* out) { *out << mode.name(); }

std::vector<Mode> all_modes() {
    std::vector<Mode> modes;
    for (const bool split : {false, true})
        for (const auto accounting :
             {rt::BlockAccounting::write_counts, rt::BlockAccounting::snapshot})
            for (const auto order : {MachineOrder::o0, MachineOrder::o1, MachineOrder::o2})
                for (std::uint64_t seed = 0; seed < 3; ++seed)
                    modes.push_back(
                        {split, accounting, order,
                         seed == 0 ? MachineStrategy::in_order : MachineStrategy::random_walk,
                         seed});
    return modes;
}

std::vector<Mode> few_modes() {
    std::vector<Mode> modes;
    for (const bool split : {false, true})
        for (const auto accounting :
             {rt::BlockAccounting::write_counts, rt::BlockAccounting::snapshot}) {
            modes.push_back({split, accounting, MachineOrder::o2, MachineStrategy::random_walk, 5});
            modes.push_back(
                {split, accounting, MachineOrder::o1, MachineStrategy::producer_at_once, 6});
            modes.push_back({split, accounting, MachineOrder::o0, MachineStrategy::in_order, 0});
            modes.push_back({split, accounting, MachineOrder::o2, MachineStrategy::pct, 7});
        }
    return modes;
}

void set_mode(PipelineBench& bench, const Mode& mode) {
    bench.geometry.split = mode.split;
    bench.geometry.block_accounting = mode.accounting;
    bench.machine_config.order = mode.order;
    bench.plan.strategy = mode.strategy;
    bench.plan.seed = mode.seed;
}

}  // namespace cqfuzz::fw
