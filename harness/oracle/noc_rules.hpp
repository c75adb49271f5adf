// NoC rules: what the network forbids its users (facts §8).
//
// Checks:
//  - every rule that silicon found broken at an issue (LogKind::noc_rule), at once: zero length,
//    burst, alignment, unknown target, number of receivers, linked chains, busy registers, counters
//    that can never match (inv. 32, 90 to 95);
//  - when a dispatch core's firmware returns: no linked chain open (inv. 92), nothing of it in
//    flight (inv. 99).
//
// Does not check:
//  - posted transactions at exit: nothing tells their sender that they are done; silicon's own rule
//    covers them;
//  - worker and ethernet cores at exit: their firmware never returns.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "harness/base/violation.hpp"
#include "harness/oracle/provenance.hpp"

namespace cqfuzz {

class NocRules {
public:
    void reset(const MachineView& machine, const Provenance& provenance);
    std::optional<Violation> observe(const LogEntry& entry);

private:
    struct Multicast {
        std::uint32_t transaction = 0;
        std::uint32_t receivers_left = 0;  // 0: not counted yet, since none was singled out
        NocRectangle receivers{};
    };
    struct TileState {
        std::uint32_t unacknowledged = 0;
        std::array<bool, 2> linked{};
        std::vector<Multicast> multicasts;
    };

    void on_issue(TileState& state, const LogEntry& entry);
    std::uint32_t receivers_in(const NocRectangle& rectangle, std::uint32_t chip) const;
    void on_ack(TileState& state, const LogEntry& entry);
    std::optional<Violation> on_exit(const TileState& state, const LogEntry& entry) const;
    void tell_memory(const LogEntry& entry, Violation& violation) const;
    [[gnu::cold]] Violation broken(const LogEntry& entry, const char* property,
                                   const char* invariant) const;

    const MachineView* machine_ = nullptr;
    const Provenance* provenance_ = nullptr;
    std::vector<TileState> tiles_;
};

}  // namespace cqfuzz
