// Go order: no go before what it starts.
//
// Checks, at once when it is issued:
//  - a go of a dispatcher, or its notification of a dispatch_s: every write that it has sent to a
//    launch ring or a kernel-config ring is acknowledged ("go-before-data",
//    "notified-before-data", inv. 70);
//  - a go of a dispatch_s: as many notifications have come as it has sent gos, this one among them
//    ("go-before-notification", inv. 77).
//
// Does not check:
//  - completions: a go word that is overwritten too early is worker_ownership.hpp's;
//  - which of several indices a go and a notification are of: their sums are compared;
//  - streams of commands: they send gos that start nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "harness/base/log_entry.hpp"
#include "harness/base/machine_view.hpp"
#include "harness/base/violation.hpp"
#include "harness/oracle/provenance.hpp"

namespace cqfuzz {

class GoOrder {
public:
    void reset(const MachineView& machine, const Provenance& provenance);
    // REQUIRES: noc_issue of a dispatch core.
    std::optional<Violation> observe(const LogEntry& entry);
    // command_begin or command_end.
    void command(const LogEntry& entry) { cores_[entry.tile].counted = false; }
    void arrived(const LogEntry& entry);
    void acknowledged(const LogEntry& entry);

private:
    struct Outstanding {
        std::uint32_t transaction = 0;
        std::uint32_t receivers = 0;
    };
    enum class Part : std::uint8_t { none, dispatcher, dispatch_s };
    struct Core {
        Part part = Part::none;
        std::int16_t sends_to = -1;         // dispatcher: its dispatch_s in MachineView::go_senders
        std::vector<Outstanding> writes{};  // to programs' memory, not acknowledged
        std::uint64_t notifications = 0;    // dispatch_s: arrived
        std::uint64_t gos = 0;
        bool counted = false;  // the go of the command under way
    };

    bool to_cores(const LogEntry& entry) const;
    const MailboxView& mailbox_of(const LogEntry& entry) const;
    bool is_notification(const LogEntry& entry, const GoSenderView& view) const;
    std::uint32_t receivers_of(const LogEntry& entry) const;
    std::optional<Violation> go_issued(Core& core, const LogEntry& entry);
    Violation broken(const LogEntry& entry, const char* property, const char* invariant,
                     const std::string& deed, const char* expected) const;
    std::string unacknowledged(const Core& core) const;

    const MachineView* machine_ = nullptr;
    const Provenance* provenance_ = nullptr;
    std::vector<Core> cores_;  // by tile; never shrinks
};

}  // namespace cqfuzz
