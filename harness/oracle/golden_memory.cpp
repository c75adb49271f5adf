#include "harness/oracle/golden_memory.hpp"

#include <algorithm>

#include "harness/oracle/provenance.hpp"
#include "runtime_under_test/protocol/dev_msgs.hpp"

namespace cqfuzz {
namespace {

// Where the logical cores lie (workers by column and row, ethernet cores by number).
constexpr std::uint8_t kWorkerOrigin = 1;
constexpr std::uint8_t kEthernetOriginX = 1;
constexpr std::size_t kRunsKeptMax = 4096;

bool inside(std::uint32_t address, std::uint32_t length, std::uint32_t base, std::uint32_t size) {
    return address >= base && std::uint64_t{address} + length <= std::uint64_t{base} + size;
}

}  // namespace

void GoldenMemory::reset(const MachineView& machine, const MemoryView& memory,
                         std::uint32_t chip) {
    machine_ = &machine;
    memory_ = &memory;
    core_index_.assign(machine.tiles.size(), -1);
    cores_.clear();
    logical_cores_.clear();
    for (TileIndex t = 0; t < machine.tiles.size(); ++t) {
        const TileView& tile = machine.tiles[t];
        if (tile.chip != chip) continue;
        if (tile.kind != TileKind::worker && tile.kind != TileKind::ethernet) continue;
        Core core;
        core.tile = t;
        core.coord = tile.coord;
        core.on_ethernet = tile.kind == TileKind::ethernet;
        const int x = tile.coord.x - (core.on_ethernet ? kEthernetOriginX : kWorkerOrigin);
        const int y = core.on_ethernet ? 0 : tile.coord.y - kWorkerOrigin;
        logical_cores_.push_back(
            {static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y), core.on_ethernet});
        core_index_[t] = static_cast<std::int16_t>(cores_.size());
        cores_.push_back(core);
    }
    for (Runs* of : {&worker_runs_, &ethernet_runs_}) {
        of->list.clear();
        of->dropped = 0;
    }
    programs_refused_ = false;
    plan_count_ = 0;
    arrivals_.reset(static_cast<std::uint32_t>(cores_.size()));
    comparer_.reset();
    buffers_.reset(machine, memory, chip);
}

GoldenMemory::Found GoldenMemory::observe(const LogEntry& entry) {
    switch (entry.kind) {
        case LogKind::noc_arrive:
            return entry.noc_kind == NocKind::read ? std::nullopt : on_arrive(entry);
        case LogKind::l1_store: note_private_change(entry, entry.tile); return std::nullopt;
        case LogKind::host_write_arrive:
            note_private_change(entry, entry.target);
            return std::nullopt;
        case LogKind::kernel_begin:
            if (Core* core = core_of(entry.tile)) return on_kernel_begin(*core, entry);
            return std::nullopt;
        case LogKind::kernel_end:
            if (Core* core = core_of(entry.tile)) return on_kernel_end(*core, entry);
            return std::nullopt;
        default: return std::nullopt;
    }
}

GoldenMemory::Found GoldenMemory::on_arrive(const LogEntry& entry) {
    if (entry.target != kNoTile) {
        Core* core = core_of(entry.target);
        return core == nullptr ? std::nullopt : arrives_at(*core, entry);
    }
    for (Core& core : cores_) {
        if (!entry.receivers.contains(core.coord)) continue;
        if (Found found = arrives_at(core, entry)) return found;
    }
    return std::nullopt;
}

GoldenMemory::Found GoldenMemory::arrives_at(Core& core, const LogEntry& entry) {
    const MailboxView& box = mailbox(core.on_ethernet);
    const std::uint32_t address = entry.target_address & kL1OffsetMask;
    const std::uint32_t length = entry.noc_kind == NocKind::atomic ? 4 : entry.length;
    if (core.running && core.used.meets(address, address + length)) core.touched = true;
    if (inside(address, length, box.config_base, box.config_size_bytes)) {
        if ((entry.flags & kLogMulticast) != 0)
            arrivals_.multicast(number_of(core), address, address + length, entry.transaction);
        else
            arrivals_.alone(number_of(core), address, address + length,
                            entry.noc_kind == NocKind::write && entry.data != nullptr
                                ? name_of_bytes(entry.data, length)
                                : kNoName);
        return std::nullopt;
    }
    if (inside(address, length, box.launch_base, box.launch_size_bytes * box.launch_entries)) {
        if (core.running && address < core.launch_address + box.launch_size_bytes &&
            address + length > core.launch_address)
            core.touched = true;
        return std::nullopt;
    }
    if (inside(address, length, box.go_address, 4)) {
        arrivals_.close(number_of(core));
        return std::nullopt;
    }
    if (buffers_.holds(core.tile, address, length)) return std::nullopt;
    Mismatch stray;
    stray.place = "worker L1";
    stray.expected =
        "writes only to the launch ring, the go word, the kernel-config ring and buffers";
    stray.actual = std::to_string(length) + " bytes at " + std::to_string(address);
    Violation violation = violation_of("stray-write", stray, entry.step);
    violation.actor = name_of(machine_->tiles[entry.tile].role);
    violation.bytes = {core.tile, address, length, "the bytes were"};
    violation.summary = machine_->describe(entry.tile) + " wrote " + std::to_string(length) +
                        " bytes at " + std::to_string(address) + " of " +
                        machine_->describe(core.tile) + ", where nothing belongs to dispatch";
    violation.story.push_back(violation.summary);
    return violation;
}

// Stores of the core itself and writes of the host: no other core got the same.
void GoldenMemory::note_private_change(const LogEntry& entry, TileIndex tile) {
    Core* core = core_of(tile);
    if (core == nullptr) return;
    const MailboxView& box = mailbox(core->on_ethernet);
    const std::uint32_t address = entry.target_address & kL1OffsetMask;
    const std::uint32_t begin = std::max(address, box.config_base);
    const std::uint32_t end =
        std::min(address + entry.length, box.config_base + box.config_size_bytes);
    if (begin < end) arrivals_.alone(number_of(*core), begin, end, kNoName);
}

std::optional<Mismatch> GoldenMemory::compare(Core& core, const Run& run) {
    const std::uint32_t number = number_of(core);
    const CoreContents contents{logical_cores_[number], &mailbox(core.on_ethernet),
                                memory_->bytes(core.tile), core.launch_address, number};
    return comparer_.compare(plans_[run.plan], contents, arrivals_, core.used);
}

Violation GoldenMemory::mismatch_at(const Core& core, const Run& run, const char* property,
                                    const Mismatch& mismatch, std::uint64_t step) const {
    Violation violation = violation_of(property, mismatch, step);
    violation.actor = name_of(machine_->tiles[core.tile].role);
    violation.op_index = run.op_index;
    violation.invariant =
        mismatch.place == std::string_view("launch message") ? "inv. 72" : "inv. 70";
    violation.bytes = {core.tile, mismatch.address, 1, "its first wrong byte was"};
    violation.summary = mismatch.what + " of program " +
                        std::to_string(plans_[run.plan].image().id) + " is wrong on " +
                        machine_->describe(core.tile) + ", from byte " +
                        std::to_string(mismatch.offset) + " on";
    violation.story = {violation.summary,
                       "it lies at " + std::to_string(mismatch.address) +
                           " of the core's L1; the core saw go for op " +
                           std::to_string(run.op_index) + ", its program number " +
                           std::to_string(core.begun),
                       "expected " + mismatch.expected, "actual   " + mismatch.actual};
    return violation;
}

GoldenMemory::Found GoldenMemory::on_kernel_begin(Core& core, const LogEntry& entry) {
    const MailboxView& box = mailbox(core.on_ethernet);
    Runs& of = runs(core.on_ethernet);
    const std::uint32_t address = entry.source_address & kL1OffsetMask;
    const bool aligned = inside(address, box.launch_size_bytes, box.launch_base,
                                box.launch_size_bytes * box.launch_entries) &&
                         (address - box.launch_base) % box.launch_size_bytes == 0;
    if (core.begun >= of.total() && programs_refused_) return std::nullopt;
    if (core.begun >= of.total() || !aligned) {
        Mismatch extra;
        extra.place = "launch message";
        extra.expected = aligned ? std::to_string(of.total()) + " programs"
                                 : "a launch message of the launch ring";
        extra.actual = aligned ? "go number " + std::to_string(core.begun + 1)
                               : "address " + std::to_string(address);
        Violation violation = violation_of("extra-go", extra, entry.step);
        violation.actor = name_of(machine_->tiles[core.tile].role);
        violation.invariant = "inv. 78";
        violation.summary =
            machine_->describe(core.tile) + " saw a go that no enqueued program explains";
        violation.story.push_back(violation.summary);
        return violation;
    }
    const Run& run = of.list[static_cast<std::size_t>(core.begun - of.dropped)];
    ++core.begun;
    core.running = true;
    core.touched = false;
    core.launch_address = address;
    if (std::optional<Mismatch> mismatch = compare(core, run))
        return mismatch_at(core, run, "wrong-at-go", *mismatch, entry.step);
    return std::nullopt;
}

GoldenMemory::Found GoldenMemory::on_kernel_end(Core& core, const LogEntry& entry) {
    if (!core.running) return std::nullopt;
    core.running = false;
    if (!core.touched) return std::nullopt;
    const Runs& of = runs(core.on_ethernet);
    const Run& run = of.list[static_cast<std::size_t>(core.begun - 1 - of.dropped)];
    if (std::optional<Mismatch> mismatch = compare(core, run)) {
        Violation violation =
            mismatch_at(core, run, "changed-while-running", *mismatch, entry.step);
        violation.invariant = "inv. 71";
        return violation;
    }
    return std::nullopt;
}

void GoldenMemory::drop_passed(Runs& of, bool on_ethernet) {
    if (of.list.size() < kRunsKeptMax) return;
    std::uint64_t passed = of.total();
    for (const Core& core : cores_)
        if (core.on_ethernet == on_ethernet)
            passed = std::min(passed, core.running ? core.begun - 1 : core.begun);
    of.list.erase(of.list.begin(),
                  of.list.begin() + static_cast<std::ptrdiff_t>(passed - of.dropped));
    of.dropped = passed;
}

GoldenMemory::Found GoldenMemory::finish(std::uint64_t step) {
    for (const Core& core : cores_) {
        const Runs& of = runs(core.on_ethernet);
        if (core.begun == of.total()) continue;
        const Run& run = of.list[static_cast<std::size_t>(core.begun - of.dropped)];
        Mismatch missing;
        missing.place = "launch message";
        missing.expected = std::to_string(of.total()) + " programs";
        missing.actual = std::to_string(core.begun) + " programs";
        Violation violation = violation_of("missing-go", missing, step);
        violation.actor = name_of(machine_->tiles[core.tile].role);
        violation.invariant = "inv. 78";
        violation.op_index = run.op_index;
        violation.summary = machine_->describe(core.tile) + " never saw go for program " +
                            std::to_string(plans_[run.plan].image().id);
        violation.story.push_back(violation.summary);
        return violation;
    }
    return buffers_.finish(step);
}

}  // namespace cqfuzz
