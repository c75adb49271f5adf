#include "harness/oracle/oracles.hpp"

#include <array>

#include "harness/oracle/completion_queue.hpp"
#include "harness/oracle/firmware_asserts.hpp"
#include "harness/oracle/go_order.hpp"
#include "harness/oracle/golden_memory.hpp"
#include "harness/oracle/golden_stream.hpp"
#include "harness/oracle/hang.hpp"
#include "harness/oracle/host_queue_ownership.hpp"
#include "harness/oracle/local_arrays.hpp"
#include "harness/oracle/never_written.hpp"
#include "harness/oracle/noc_rules.hpp"
#include "harness/oracle/page_ownership.hpp"
#include "harness/oracle/provenance.hpp"
#include "harness/oracle/staging_ownership.hpp"
#include "harness/oracle/trace_pages.hpp"
#include "harness/oracle/worker_ownership.hpp"
#include "harness/oracle/write_trail.hpp"

namespace cqfuzz {

std::string_view name_of(OracleId id) {
    switch (id) {
        case OracleId::page_ownership: return "page-ownership";
        case OracleId::golden_memory: return "golden-memory";
        case OracleId::hang: return "hang";
        case OracleId::noc_rules: return "noc-rules";
        case OracleId::local_arrays: return "local-arrays";
        case OracleId::firmware_asserts: return "firmware-asserts";
        case OracleId::completion_queue: return "completion-queue";
        case OracleId::never_written: return "never-written";
        case OracleId::go_order: return "go-order";
        case OracleId::kCount: break;
    }
    return "?";
}

std::optional<OracleId> oracle_named(std::string_view name) {
    for (std::uint8_t i = 0; i < static_cast<std::uint8_t>(OracleId::kCount); ++i)
        if (name_of(static_cast<OracleId>(i)) == name) return static_cast<OracleId>(i);
    return std::nullopt;
}

struct Oracles::Impl {
    const MachineView* machine = nullptr;
    std::uint32_t enabled = 0;
    bool judges_ownership = false;
    bool judges_golden = false;
    bool judges_rules = false;
    bool judges_completions = false;
    bool judges_unwritten = false;
    bool judges_gos = false;
    std::uint64_t step = 0;  // of the last entry: host calls have none of their own
    Provenance provenance;
    WriteTrail trail;
    PageOwnership ownership;
    StagingOwnership stagings;
    WorkerOwnership workers;
    HostQueueOwnership host_queues;
    TracePages traces;
    std::array<GoldenMemory, kChipsMax> golden;  // by chip
    std::vector<GoldenMemory*> golden_of_tile;
    GoldenStream stream;
    NocRules rules;
    CompletionQueueOrder completions;
    NeverWritten unwritten;
    GoOrder gos;

    // The commands of a stream write where they please.
    bool judges_workers() const { return judges_ownership && !stream.active(); }
    bool on(OracleId id) const { return (enabled >> static_cast<std::uint32_t>(id) & 1u) != 0; }
    std::optional<Violation> observe(const LogEntry& entry);
    std::optional<Violation> judge(const LogEntry& entry);
    std::optional<Violation> judge_issue(const LogEntry& entry);
    std::optional<Violation> judge_reading(const LogEntry& entry);
    std::optional<Violation> judge_store(const LogEntry& entry);
    std::optional<Violation> judge_command(const LogEntry& entry);
    std::optional<Violation> judge_host_write(const LogEntry& entry);
    std::optional<Violation> judge_arrival(const LogEntry& entry);
    GoldenMemory& golden_of(TileIndex tile) { return *golden_of_tile[tile]; }
};

// Most entries are the workers' own, and of no use to anybody: the cheap question comes first.
std::optional<Violation> Oracles::Impl::observe(const LogEntry& entry) {
    step = entry.step;
    switch (entry.kind) {
        case LogKind::noc_issue:
        case LogKind::noc_depart:
        case LogKind::l1_load:
            if (!provenance.is_dispatch_core(entry.tile)) return std::nullopt;
            break;
        case LogKind::noc_arrive: return judge_arrival(entry);
        case LogKind::noc_ack:
            if (judges_completions) completions.acknowledged(entry);
            if (judges_gos) gos.acknowledged(entry);
            return judges_rules ? rules.observe(entry) : std::nullopt;
        case LogKind::l1_store:
            if (provenance.is_dispatch_core(entry.tile)) break;
            if (judges_workers()) workers.observe(entry);
            return judges_golden ? golden_of(entry.tile).observe(entry) : std::nullopt;
        case LogKind::kernel_begin:
        case LogKind::kernel_end:
            if (stream.active()) return stream.observe(entry);
            if (judges_ownership) workers.observe(entry);
            return judges_golden ? golden_of(entry.tile).observe(entry) : std::nullopt;
        case LogKind::noc_sample:
            if (machine->tiles[entry.target].kind != TileKind::pcie) return std::nullopt;
            if (judges_ownership)
                if (std::optional<Violation> found = host_queues.sampled(entry)) return found;
            return judges_unwritten ? unwritten.observe(entry) : std::nullopt;
        case LogKind::l1_poll:
        case LogKind::host_read:
        case LogKind::run_end: return std::nullopt;
        case LogKind::core_start:
        case LogKind::core_exit:
        case LogKind::command_begin:
        case LogKind::command_end:
        case LogKind::local_overrun:
        case LogKind::firmware_assert:
        case LogKind::noc_rule:
        case LogKind::host_write_issue:
        case LogKind::host_write_arrive:
        case LogKind::host_call_begin:
        case LogKind::host_call_end: break;
    }
    return judge(entry);
}

std::optional<Violation> Oracles::Impl::judge_arrival(const LogEntry& entry) {
    const bool read = entry.noc_kind == NocKind::read;
    if (judges_gos && !read) gos.arrived(entry);
    // Pages and counts between dispatch cores, the most of all arrivals: nobody else looks at them.
    if (!read && entry.target != kNoTile && provenance.is_dispatch_core(entry.target) &&
        !stream.active())
        return judges_ownership ? ownership.observe(entry) : std::nullopt;
    if (!read) trail.arrived(entry);
    if (judges_completions && !read && entry.target != kNoTile)
        if (std::optional<Violation> found = completions.arrived(entry)) return found;
    if (judges_ownership) {
        if (std::optional<Violation> found = ownership.observe(entry)) return found;
        if (read) {
            if (machine->tiles[entry.target].kind == TileKind::pcie) host_queues.landed(entry);
            return stagings.observe(entry);
        }
        if (entry.target != kNoTile && machine->tiles[entry.target].kind == TileKind::dram)
            if (std::optional<Violation> found = traces.arrived(entry)) return found;
        if (judges_workers())
            if (std::optional<Violation> found = workers.arrived(entry)) return found;
    }
    if (!judges_golden || read) return std::nullopt;
    if (stream.active()) return stream.observe(entry);
    if (entry.noc == kLogLink && !provenance.is_dispatch_core(entry.target))
        return golden_of(entry.target).observe_exchange(entry, golden_of(entry.tile));
    // A multicast stays on its chip.
    return golden_of(entry.target != kNoTile ? entry.target : entry.tile).observe(entry);
}

// Each oracle is asked only about the kinds of event that it looks at.
std::optional<Violation> Oracles::Impl::judge(const LogEntry& entry) {
    switch (entry.kind) {
        case LogKind::noc_issue: return judge_issue(entry);
        case LogKind::noc_depart:
        case LogKind::l1_load: return judge_reading(entry);
        case LogKind::l1_store: return judge_store(entry);
        case LogKind::command_begin:
        case LogKind::command_end: return judge_command(entry);
        case LogKind::host_write_issue:
        case LogKind::host_write_arrive: return judge_host_write(entry);
        case LogKind::host_call_begin:
        case LogKind::host_call_end: provenance.observe(entry); return std::nullopt;
        case LogKind::core_start:
            if (judges_workers()) workers.observe(entry);
            return std::nullopt;
        case LogKind::core_exit:
        case LogKind::noc_rule: return judges_rules ? rules.observe(entry) : std::nullopt;
        case LogKind::local_overrun:
            return on(OracleId::local_arrays) ? judge_local_overrun(entry, *machine, provenance)
                                              : std::nullopt;
        case LogKind::firmware_assert:
            return on(OracleId::firmware_asserts)
                       ? judge_firmware_assert(entry, *machine, provenance)
                       : std::nullopt;
        default: return std::nullopt;
    }
}

std::optional<Violation> Oracles::Impl::judge_issue(const LogEntry& entry) {
    provenance.observe(entry);
    trail.issued(entry);
    if (judges_ownership) {
        if (entry.noc_kind == NocKind::read) {
            if (std::optional<Violation> found = stagings.observe(entry)) return found;
            if (std::optional<Violation> found = traces.observe(entry)) return found;
        } else {
            if (std::optional<Violation> found = ownership.observe(entry)) return found;
            if (entry.noc_kind == NocKind::write) {
                if (std::optional<Violation> found = stagings.observe(entry)) return found;
                if (judges_workers()) workers.observe(entry);
            }
        }
    }
    if (judges_completions && entry.noc_kind != NocKind::atomic)
        if (std::optional<Violation> found = completions.observe(entry)) return found;
    if (judges_gos && !stream.active())
        if (std::optional<Violation> found = gos.observe(entry)) return found;
    return judges_rules ? rules.observe(entry) : std::nullopt;
}

// Source bytes of a write leave, or firmware reads its L1.
std::optional<Violation> Oracles::Impl::judge_reading(const LogEntry& entry) {
    if (judges_ownership) {
        if (std::optional<Violation> found = ownership.observe(entry)) return found;
        if (std::optional<Violation> found = stagings.observe(entry)) return found;
    }
    if (judges_completions && entry.kind == LogKind::noc_depart)
        if (std::optional<Violation> found = completions.observe(entry)) return found;
    return judges_unwritten ? unwritten.observe(entry) : std::nullopt;
}

std::optional<Violation> Oracles::Impl::judge_store(const LogEntry& entry) {
    if (judges_ownership) {
        if (std::optional<Violation> found = ownership.observe(entry)) return found;
        if (std::optional<Violation> found = stagings.observe(entry)) return found;
        if (std::optional<Violation> found = host_queues.observe(entry)) return found;
    }
    return judges_completions ? completions.observe(entry) : std::nullopt;
}

std::optional<Violation> Oracles::Impl::judge_command(const LogEntry& entry) {
    provenance.observe(entry);
    if (judges_ownership) {
        if (std::optional<Violation> found = ownership.observe(entry)) return found;
        if (std::optional<Violation> found = stagings.observe(entry)) return found;
        if (std::optional<Violation> found = traces.observe(entry)) return found;
    }
    if (judges_gos) gos.command(entry);
    return judges_completions ? completions.observe(entry) : std::nullopt;
}

std::optional<Violation> Oracles::Impl::judge_host_write(const LogEntry& entry) {
    provenance.observe(entry);
    if (judges_ownership) {
        if (std::optional<Violation> found = ownership.observe(entry)) return found;
        if (std::optional<Violation> found = host_queues.observe(entry)) return found;
    }
    if (judges_completions)
        if (std::optional<Violation> found = completions.observe(entry)) return found;
    return judges_golden && entry.kind == LogKind::host_write_arrive
               ? golden_of(entry.target).observe(entry)
               : std::nullopt;
}

Oracles::Oracles() : impl_(std::make_unique<Impl>()) {}
Oracles::~Oracles() = default;

void Oracles::reset(const MachineView& machine, const MemoryView& memory, std::uint32_t enabled) {
    Impl& impl = *impl_;
    impl.machine = &machine;
    impl.enabled = enabled;
    impl.judges_ownership = impl.on(OracleId::page_ownership);
    impl.judges_golden = impl.on(OracleId::golden_memory);
    impl.judges_rules = impl.on(OracleId::noc_rules);
    impl.judges_completions = impl.on(OracleId::completion_queue);
    impl.judges_unwritten = impl.on(OracleId::never_written);
    impl.judges_gos = impl.on(OracleId::go_order);
    impl.step = 0;
    impl.provenance.reset(machine);
    impl.trail.reset(machine, impl.provenance);
    impl.ownership.reset(machine, impl.provenance);
    impl.stagings.reset(machine, impl.provenance);
    impl.workers.reset(machine, impl.provenance);
    impl.host_queues.reset(machine, impl.provenance);
    impl.traces.reset(machine, memory, impl.provenance);
    for (std::uint32_t chip = 0; chip < machine.chip_count(); ++chip)
        impl.golden[chip].reset(machine, memory, chip);
    impl.stream.reset(machine, memory);
    impl.golden_of_tile.clear();
    for (const TileView& tile : machine.tiles)
        impl.golden_of_tile.push_back(&impl.golden[tile.chip]);
    impl.rules.reset(machine, impl.provenance);
    impl.completions.reset(machine, memory, impl.provenance);
    impl.unwritten.reset(machine, memory, impl.provenance);
    impl.gos.reset(machine, impl.provenance);
}

std::optional<Violation> Oracles::observe(const LogEntry& entry) {
    std::optional<Violation> found = impl_->observe(entry);
    if (found) impl_->trail.tell(*found);
    return found;
}

std::optional<Violation> Oracles::observe(const HostCall& call, bool ended) {
    if (impl_->judges_ownership) impl_->traces.observe(call, ended);
    if (!impl_->judges_golden) return std::nullopt;
    std::optional<Violation> found = impl_->stream.observe(call, ended, impl_->step);
    if (!impl_->stream.active())
        found = impl_->golden[call.device].observe(call, ended, impl_->step);
    if (found) impl_->trail.tell(*found);
    return found;
}

std::optional<Violation> Oracles::finish() {
    Impl& impl = *impl_;
    if (impl.on(OracleId::page_ownership))
        if (std::optional<Violation> found = impl.ownership.finish(impl.step)) return found;
    if (!impl.on(OracleId::golden_memory)) return std::nullopt;
    if (impl.stream.active()) return impl.stream.finish(impl.step);
    for (std::uint32_t chip = 0; chip < impl.machine->chip_count(); ++chip)
        if (std::optional<Violation> found = impl.golden[chip].finish(impl.step)) return found;
    return std::nullopt;
}

std::optional<Violation> Oracles::explain_livelock(std::span<const BusyActor> busy,
                                                   std::span<const ParkedActor> parked) {
    Impl& impl = *impl_;
    if (!impl.on(OracleId::hang)) return std::nullopt;
    Violation violation =
        HangExplainer(*impl.machine, impl.provenance, nullptr).explain_livelock(busy, parked);
    violation.step = impl.step;
    return violation;
}

std::optional<Violation> Oracles::explain_hang(std::span<const ParkedActor> parked) {
    Impl& impl = *impl_;
    if (!impl.on(OracleId::hang)) return std::nullopt;
    const PageOwnership* ownership = impl.on(OracleId::page_ownership) ? &impl.ownership : nullptr;
    Violation violation = HangExplainer(*impl.machine, impl.provenance, ownership).explain(parked);
    violation.step = impl.step;
    return violation;
}

}  // namespace cqfuzz
