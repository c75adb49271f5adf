// IssueQueue: the host's side of issue region and prefetch_q (facts §1.4, §4.6, §4.8), or of a
// trace being captured.
//
// Invariants:
//  1. A slot holds whole units, starts at a multiple of 32 and is at most
//  max_prefetch_command_bytes long (inv. 42).
//  2. All bytes of a slot are visible to the device before its entry is (inv. 40).
//  3. A slot never wraps; it starts at the base when it would pass the limit: the device's own rule
//  (inv. 41).
//  4. The entry that the device reads next is never overwritten: one entry always stays empty.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime_under_test/faults/faults.hpp"
#include "runtime_under_test/host/cluster.hpp"
#include "runtime_under_test/host/command_sequence.hpp"

namespace cqfuzz::rt {

enum class FetchStall : std::uint8_t {
    no,
    yes
};  // yes ⇔ the slot's last command is EXEC_BUF (facts §5.5)

class IssueQueue {
public:
    IssueQueue(Cluster& cluster, const DeviceConfig& config, FaultSet& faults);

    // In as few slots as its units allow. With FetchStall::yes it must fit one slot.
    void submit(const CommandSequence& sequence, FetchStall stall = FetchStall::no);

    // Between the two, what is submitted goes into the capture instead: one flat stream without
    // slots (facts §5.1).
    void begin_capture();
    // The captured bytes; valid until the next capture.
    std::vector<std::byte>& end_capture();
    bool capturing() const { return capturing_; }

private:
    void submit_slot(std::span<const std::byte> bytes, FetchStall stall);
    void wait_for_entry(std::uint32_t next);
    std::uint32_t after(std::uint32_t entry) const;
    void write_entry(std::uint16_t value);
    void write_entry_as_word(std::uint16_t value);

    Cluster& cluster_;
    const DeviceConfig& config_;
    FaultSet& faults_;
    std::uint32_t write_ptr_;      // hugepage offset of the next slot
    std::uint32_t entry_;          // L1 address of the next prefetch_q entry
    std::uint32_t read_ptr_seen_;  // the device's read pointer as last read
    bool capturing_ = false;
    std::vector<std::byte> captured_;
    std::vector<std::byte> translated_;  // a slot in another generation's ids
};

}  // namespace cqfuzz::rt
