// LogEntry: one event of a run. The event log is all that oracles, fingerprint and reports ever see
// of the machine.
//
// Entries are small values; they are streamed, not stored (a run keeps the last ones for its
// report).
//
// Invariants:
//  1. Every field but `data` is part of the fingerprint; `data` is a view of the bytes that move
//  with the event, valid only
//     while the entry is being observed.
//  2. `step` never falls. Two runs of one scenario give equal sequences of entries.
//  3. A transaction's entries come in the order issue, depart (write class only) or sample (reads
//  only), arrive, ack; an
//     entry for a multicast stands for all its receivers (`target == kNoTile`, `receivers`) unless
//     the schedule singled one out, when it names that one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "harness/base/tile.hpp"

namespace cqfuzz {

enum class LogKind : std::uint8_t {
    // NoC transactions (design §4). `tile` is the source, `target` the receiving tile.
    noc_issue,   // registers taken, software counters raised
    noc_depart,  // source bytes read (write class): `data` holds them from here on
    noc_sample,  // a read reads the target's bytes
    noc_arrive,  // write class: bytes land at the target; atomic: the add happens (`value` = the
                 // increment);
                 // read: bytes land in the L1 of `tile`
    noc_ack,     // acknowledgement or response counted at `tile`
    // Cores.
    core_start,  // firmware begins on `tile` (`value` = Role)
    core_exit,   // firmware returned
    l1_load,     // firmware read [source_address, +length) of its own L1
    l1_poll,     // a poll that saw a changed word: `source_address`, `value`
    l1_store,  // firmware wrote [target_address, +length) of its own L1; `data` holds the new bytes
    command_begin,  // a prefetcher or dispatcher starts a command: `value` = command id,
                    // `source_address` = where it lies
    command_end,    // it is done; `source_address` = where the next one begins as firmware sees it
    kernel_begin,  // base firmware saw go: `source_address` = launch message, `value` = the go word
    kernel_end,    // the program is done on this core, before the completion is sent
    // What firmware does wrong in ways that the silicon sees at once.
    local_overrun,  // a store past a firmware array: `value` = index, `length` = the array's size,
                    // `data` = its name
    firmware_assert,  // firmware's own assertion failed: `data` = its text, `length` = strlen
    noc_rule,         // the NoC forbids this issue: `value` = NocRule
    // Host over PCIe. `tile` is the pcie tile.
    host_write_issue,   // posted: hugepage (`target` = pcie tile) or L1 of `target`
    host_write_arrive,  // visible to the device
    host_read,          // hugepage, L1 or DRAM: `source_address`, `length`
    // Host API calls (base/host_call.hpp says which). `value` = HostCallKind, `transaction` = op
    // index, `length` = device.
    host_call_begin,
    host_call_end,
    run_end,  // nothing can move any more and every core has exited
};

enum class NocKind : std::uint8_t { write, inline_write, atomic, read };

enum class NocRule : std::uint8_t {
    zero_length,           // inv. 32
    burst_exceeded,        // inv. 90
    misaligned,            // inv. 90
    unknown_target,        // no tile at that coordinate, or an address outside its memory
    wrong_receiver_count,  // inv. 91
    linked_chain_broken,   // inv. 92
    busy_register_write,   // inv. 94
    in_flight_at_exit,     // inv. 99
    counter_mismatch,      // software and hardware counters can never meet again (inv. 91)
};

// Bits of LogEntry::flags.
inline constexpr std::uint8_t kLogMulticast = 1;
inline constexpr std::uint8_t kLogPosted = 2;
inline constexpr std::uint8_t kLogLinked = 4;
inline constexpr std::uint8_t kLogLoopback = 8;
// Of a command_begin: seen from outside, by the load of its id; no command_end follows.
inline constexpr std::uint8_t kLogSeen = 1;

// LogEntry::noc of an ethernet link.
inline constexpr std::uint8_t kLogLink = 2;

struct LogEntry {
    std::uint64_t step = 0;  // scheduler moves made before this event
    LogKind kind = LogKind::noc_issue;
    NocKind noc_kind = NocKind::write;
    std::uint8_t noc = 0;
    std::uint8_t flags = 0;
    TileIndex tile = kNoTile;
    TileIndex target = kNoTile;
    std::uint32_t transaction = 0;  // 1, 2, … in issue order over the whole machine; 0 = none
    std::uint32_t source_address =
        0;  // write class, loads: in the L1 of `tile`; reads: at `target`
    std::uint32_t target_address =
        0;                     // write class, atomics: at `target`; reads: in the L1 of `tile`
    std::uint32_t length = 0;  // bytes
    std::uint32_t value = 0;
    NocRectangle receivers{};  // of a multicast
    const std::byte* data = nullptr;
};

std::string_view name_of(LogKind kind);
std::string_view name_of(NocKind kind);
std::string_view name_of(NocRule rule);

// Who watches a run. `observe` returns false when the run has to stop here (a verdict has been
// reached).
class EventSink {
public:
    virtual bool observe(const LogEntry& entry) = 0;

protected:
    ~EventSink() = default;
};

// What oracles may look at besides the log: the bytes of the simulated memories as they are now.
class MemoryView {
public:
    // The whole memory of a tile: L1 of a core, a DRAM bank, or the hugepage for the pcie tile.
    virtual const std::byte* bytes(TileIndex tile) const = 0;
    virtual std::uint32_t size_bytes(TileIndex tile) const = 0;
    // How many of the bytes from `address` on have been written in this run, until the first that
    // has not; told by words of 4 bytes, and at most `length`.
    virtual std::uint32_t written_from(TileIndex tile, std::uint32_t address,
                                       std::uint32_t length) const = 0;

protected:
    ~MemoryView() = default;
};

}  // namespace cqfuzz
