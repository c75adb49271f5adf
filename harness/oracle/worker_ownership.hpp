// Ownership on the cores that programs run on: ranges of the kernel-config ring, slots of the
// launch ring, and the go word. Followed from logged events and the geometry; the host's allocator
// of these rings is never asked (facts §6.3, §6.4).
//
// What a dispatcher sends between two launch messages is one launch's: its *phase*. On each core
//  - a config range is a launch's from the arrival of its bytes until the kernel of that launch has
//    ended there; its slot of the launch ring likewise, from the arrival of its message;
//  - the slot that the core has run last is nobody's to write: a debugger may still read it
//    (inv. 72), until a go tells the core to begin at slot 0 again;
//  - the go word is the core's from the arrival of a go until it has stored there.
//
// Checks, at once when bytes arrive (all reported as page ownership):
//  - config ring, overwritten-while-owned (inv. 71, 73): in a range of another launch, whether or
//    not the bytes differ;
//  - launch ring, overwritten-while-owned (inv. 72): in a slot of another launch, or the spare one;
//  - go word, overwritten-while-owned (inv. 78): the core has not answered the go before.
//
// Does not check:
//  - bytes on cores that get no launch message of that phase: nobody runs with them;
//  - writes over a range before the launch message of its owner has come: golden memory compares
//    at go;
//  - atomics: semaphores are the kernels' own to count.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "harness/base/log_entry.hpp"
#include "harness/base/machine_view.hpp"
#include "harness/base/violation.hpp"
#include "harness/oracle/provenance.hpp"

namespace cqfuzz {

class WorkerOwnership {
public:
    void reset(const MachineView& machine, const Provenance& provenance);
    // Issues of dispatch cores, and what happens on the cores themselves.
    void observe(const LogEntry& entry);
    std::optional<Violation> arrived(const LogEntry& entry);

private:
    using Found = std::optional<Violation>;
    struct Launch {
        std::uint32_t phase = 0;
        std::uint32_t begin = 0;  // hull of its bytes in the config ring; begin == end: none
        std::uint32_t end = 0;
        std::uint64_t step = 0;  // its first byte, or its message, came

        void add(std::uint32_t from, std::uint32_t to);
        bool meets(std::uint32_t from, std::uint32_t to) const { return from < end && begin < to; }
    };
    struct Core {
        TileIndex tile = kNoTile;
        NocCoord coord;
        const MailboxView* mailbox = nullptr;
        Launch open;                // bytes have come, its message has not
        std::uint32_t pending = 0;  // bit per slot: the message has come, its kernel has not ended
        std::int32_t running = -1;  // slots
        std::int32_t last_run = -1;
        bool go_unanswered = false;
        std::uint64_t go_step = 0;
    };
    // The phases of one dispatcher, the newest last; transactions have the order of issue.
    struct Phase {
        std::uint32_t number = 0;
        std::uint32_t first_transaction = 0;
        std::uint32_t op = kNoOp;
    };
    struct Sent {
        std::uint32_t transaction = 0;
        Doing doing;
    };
    static constexpr std::uint32_t kPhasesKept = 32;
    static constexpr std::uint32_t kSentKept = 64;
    struct Source {
        std::array<Sent, kSentKept> sent{};  // the last writes, for reports
        std::uint32_t sent_count = 0;
        std::array<Phase, kPhasesKept> phases{};
        std::uint32_t count = 0;                       // of phases ever
        std::array<std::int32_t, 2> launched{-1, -1};  // slot, by kind of core: phase is ending
    };
    enum class Place : std::uint8_t { elsewhere, config, launch, go };

    static Place place_of(const MailboxView& mailbox, std::uint32_t address, std::uint32_t length);
    // What a write is to the cores that it goes to: all of them are of one kind.
    const MailboxView* mailbox_of_target(const LogEntry& entry, bool& on_ethernet) const;
    void on_issue(const LogEntry& entry);
    const Phase* phase_of(const LogEntry& entry) const;
    Found arrives_at(Core& core, const LogEntry& entry, const Phase& phase);
    Found config_arrives(Core& core, const LogEntry& entry, const Phase& phase,
                         std::uint32_t address);
    Found message_arrives(Core& core, const LogEntry& entry, const Phase& phase,
                          std::uint32_t address);
    Found go_arrives(Core& core, const LogEntry& entry);
    Launch& launch(const Core& core, std::int32_t slot) {
        return launches_[static_cast<std::size_t>(&core - cores_.data()) * slots_ +
                         static_cast<std::size_t>(slot)];
    }
    Core* core_of(TileIndex tile) {
        return core_index_[tile] < 0 ? nullptr
                                     : &cores_[static_cast<std::size_t>(core_index_[tile])];
    }
    std::uint32_t op_of(std::uint32_t phase) const;
    // What the sender did when it issued this.
    Doing doing_at_issue(const LogEntry& entry) const;
    [[gnu::cold]] Violation overwritten(const Core& core, const LogEntry& entry, const char* place,
                                        const char* invariant, const std::string& owner) const;

    const MachineView* machine_ = nullptr;
    const Provenance* provenance_ = nullptr;
    std::vector<std::int16_t> core_index_;   // by tile
    std::vector<Core> cores_;                // chip by chip
    std::vector<std::uint32_t> first_core_;  // by chip, and one more
    std::uint32_t slots_ = 0;
    std::vector<Launch> launches_;           // by core and slot
    std::vector<std::int8_t> source_index_;  // by tile
    std::vector<Source> sources_;
    std::uint32_t phases_ = 0;
};

}  // namespace cqfuzz
