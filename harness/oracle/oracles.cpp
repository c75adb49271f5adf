#include "harness/oracle/oracles.hpp"

#include "harness/oracle/firmware_asserts.hpp"
#include "harness/oracle/golden_memory.hpp"
#include "harness/oracle/hang.hpp"
#include "harness/oracle/local_arrays.hpp"
#include "harness/oracle/noc_rules.hpp"
#include "harness/oracle/page_ownership.hpp"
#include "harness/oracle/provenance.hpp"
#include "harness/oracle/staging_ownership.hpp"

namespace cqfuzz {

std::string_view name_of(OracleId id) {
    switch (id) {
        case OracleId::page_ownership: return "page-ownership";
        case OracleId::golden_memory: return "golden-memory";
        case OracleId::hang: return "hang";
        case OracleId::noc_rules: return "noc-rules";
        case OracleId::local_arrays: return "local-arrays";
        case OracleId::firmware_asserts: return "firmware-asserts";
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
    std::uint64_t step = 0;  // of the last entry: host calls have none of their own
    Provenance provenance;
    PageOwnership ownership;
    StagingOwnership stagings;
    GoldenMemory golden;
    NocRules rules;

    bool on(OracleId id) const { return (enabled >> static_cast<std::uint32_t>(id) & 1u) != 0; }
    std::optional<Violation> observe(const LogEntry& entry);
    std::optional<Violation> judge(const LogEntry& entry);
};

// Each oracle sees only the kinds of entry that it asks for, and the cheap question comes first: most entries are the
// workers' own.
std::optional<Violation> Oracles::Impl::observe(const LogEntry& entry) {
    step = entry.step;
    switch (entry.kind) {
        case LogKind::l1_store:
            if (!provenance.is_dispatch_core(entry.tile))
                return on(OracleId::golden_memory) ? golden.observe(entry) : std::nullopt;
            break;
        case LogKind::noc_issue:
        case LogKind::noc_depart:
        case LogKind::l1_load:
            if (!provenance.is_dispatch_core(entry.tile)) return std::nullopt;
            break;
        case LogKind::noc_ack:
            if (!on(OracleId::noc_rules)) return std::nullopt;
            return rules.observe(entry);
        case LogKind::l1_poll:
        case LogKind::noc_sample:
        case LogKind::host_read:
        case LogKind::run_end: return std::nullopt;
        case LogKind::noc_arrive:
        case LogKind::core_start:
        case LogKind::core_exit:
        case LogKind::command_begin:
        case LogKind::command_end:
        case LogKind::kernel_begin:
        case LogKind::kernel_end:
        case LogKind::local_overrun:
        case LogKind::firmware_assert:
        case LogKind::noc_rule:
        case LogKind::host_write_issue:
        case LogKind::host_write_arrive:
        case LogKind::host_call_begin:
        case LogKind::host_call_end: break;
    }
    provenance.observe(entry);
    return judge(entry);
}

std::optional<Violation> Oracles::Impl::judge(const LogEntry& entry) {
    if (on(OracleId::page_ownership)) {
        if (std::optional<Violation> found = ownership.observe(entry)) return found;
        if (std::optional<Violation> found = stagings.observe(entry)) return found;
    }
    if (on(OracleId::golden_memory))
        if (std::optional<Violation> found = golden.observe(entry)) return found;
    if (on(OracleId::noc_rules))
        if (std::optional<Violation> found = rules.observe(entry)) return found;
    if (on(OracleId::local_arrays) && entry.kind == LogKind::local_overrun)
        return judge_local_overrun(entry, *machine, provenance);
    if (on(OracleId::firmware_asserts) && entry.kind == LogKind::firmware_assert)
        return judge_firmware_assert(entry, *machine, provenance);
    return std::nullopt;
}

Oracles::Oracles() : impl_(std::make_unique<Impl>()) {}
Oracles::~Oracles() = default;

void Oracles::reset(const MachineView& machine, const MemoryView& memory, std::uint32_t enabled) {
    Impl& impl = *impl_;
    impl.machine = &machine;
    impl.enabled = enabled;
    impl.step = 0;
    impl.provenance.reset(machine);
    impl.ownership.reset(machine, impl.provenance);
    impl.stagings.reset(machine, impl.provenance);
    impl.golden.reset(machine, memory);
    impl.rules.reset(machine, impl.provenance);
}

std::optional<Violation> Oracles::observe(const LogEntry& entry) { return impl_->observe(entry); }

std::optional<Violation> Oracles::observe(const HostCall& call, bool ended) {
    if (!impl_->on(OracleId::golden_memory)) return std::nullopt;
    return impl_->golden.observe(call, ended, impl_->step);
}

std::optional<Violation> Oracles::finish() {
    Impl& impl = *impl_;
    if (impl.on(OracleId::page_ownership))
        if (std::optional<Violation> found = impl.ownership.finish(impl.step)) return found;
    if (impl.on(OracleId::golden_memory)) return impl.golden.finish(impl.step);
    return std::nullopt;
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
