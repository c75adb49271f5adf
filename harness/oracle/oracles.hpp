// The oracles of a run, behind one face: what the run loop calls.
//
// Each oracle is one file here, judges one property, and can be switched off by name. Oracles see
// log entries, host calls, the fixed MachineView and the memories; they never call the runtime,
// never print and never abort.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/host_call.hpp"
#include "harness/base/log_entry.hpp"
#include "harness/base/machine_view.hpp"
#include "harness/base/violation.hpp"

namespace cqfuzz {

enum class OracleId : std::uint8_t {
    page_ownership,
    golden_memory,
    hang,
    noc_rules,
    local_arrays,
    firmware_asserts,
    completion_queue,
    never_written,
    go_order,
    kCount,
};

std::string_view name_of(OracleId id);  // "page-ownership"
std::optional<OracleId> oracle_named(std::string_view name);

class Oracles {
public:
    Oracles();
    ~Oracles();

    // A new run. `enabled` is a bit per OracleId. The views outlive the run.
    void reset(const MachineView& machine, const MemoryView& memory, std::uint32_t enabled);

    // The first violation, if this event shows one. Order of calls = order of the log.
    std::optional<Violation> observe(const LogEntry& entry);
    // A host call begins (before its host_call_begin entry) or has ended (before host_call_end),
    // with its outcome.
    std::optional<Violation> observe(const HostCall& call, bool ended);
    // Nothing moves any more; everything has been closed.
    std::optional<Violation> finish();
    // Nothing can move though the host waits: the wait-for chain as a violation of property "hang"
    // (an empty optional when the hang oracle is off).
    std::optional<Violation> explain_hang(std::span<const ParkedActor> parked);
    std::optional<Violation> explain_livelock(std::span<const BusyActor> busy,
                                              std::span<const ParkedActor> parked);

    // What a tile was doing at the last event, for stories: "WRITE_PACKED of op 3".
    struct Impl;

private:
    std::unique_ptr<Impl> impl_;
};

}  // namespace cqfuzz
