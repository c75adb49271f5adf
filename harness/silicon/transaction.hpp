// Transaction: one NoC transaction in flight (or one posted host write), and which of its stages
// comes next.
//
//   write    undeparted --departure (O3: and --source read)--> travelling --arrival--> returning
//   --acknowledgement--> (gone) read                               travelling --sample--->
//   returning
//   --landing----------> (gone) atomic                             travelling --arrival-->
//   returning --response---------> (gone)
//
// Posted ones are gone on arrival. A multicast whose receivers were singled out is a *head*, which
// only departs, and one *part* per receiver, which travels and returns by itself. Each record has
// at most one next move.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/base/log_entry.hpp"
#include "harness/silicon/payloads.hpp"

namespace cqfuzz {

using Slot = std::uint32_t;
inline constexpr Slot kNoSlot = 0xffffffff;

enum class Stage : std::uint8_t { free, undeparted, travelling, returning };

struct Transaction {
    std::uint64_t age = 0;      // over all NoCs and PCIe, in order of issue
    std::uint32_t number = 0;   // as the log names it
    std::uint32_t ordinal = 0;  // of its source's transactions on its NoC, from 1
    std::uint32_t source_address = 0;
    std::uint32_t target_address = 0;
    std::uint32_t length = 0;
    std::uint32_t value = 0;   // inline data, increment
    NocRectangle receivers{};  // coordinates that take effect: one corner twice for a unicast
    TileIndex source = kNoTile;
    TileIndex target = kNoTile;  // kNoTile: the tiles in `receivers`
    std::uint16_t receiver_count = 1;
    NocKind kind = NocKind::write;
    std::uint8_t noc = 0;
    std::uint8_t flags = 0;    // kLog…
    std::uint8_t channel = 0;  // virtual channel
    std::uint8_t buffer = 0;   // that issued it
    bool sent = false;         // counted as sent, and its source not read yet (O3)
    std::uint8_t part = 0;     // 0: the whole; 1, 2, …: the part of one receiver
    bool from_host = false;
    Stage stage = Stage::free;

    PayloadId payload = kNoPayload;
    std::uint32_t blockers = 0;     // what the next move waits for
    std::uint32_t epoch = 0;        // host writes: fences before it
    Slot next_departure = kNoSlot;  // same tile and NoC
    Slot first_part = kNoSlot;      // of a head
    Slot next_part = kNoSlot;

    // Kept by the lane it travels or returns in.
    std::uint32_t lane_edges = 0xffffffff;
    Slot lane_previous = kNoSlot;
    Slot lane_next = kNoSlot;

    bool multicast() const { return target == kNoTile; }
    bool posted() const { return (flags & kLogPosted) != 0; }
    bool write_class() const { return kind == NocKind::write || kind == NocKind::inline_write; }
};

// All transactions in flight, in slots that are used again.
class Transactions {
public:
    // The slot's content is a fresh Transaction. References into the table die here.
    Slot acquire() {
        if (free_.empty()) {
            slots_.emplace_back();
            free_.reserve(slots_.size());
            return static_cast<Slot>(slots_.size() - 1);
        }
        const Slot slot = free_.back();
        free_.pop_back();
        slots_[slot] = Transaction{};
        return slot;
    }
    void release(Slot slot) {
        slots_[slot].stage = Stage::free;
        free_.push_back(slot);
    }
    Transaction& operator[](Slot slot) { return slots_[slot]; }
    const Transaction& operator[](Slot slot) const { return slots_[slot]; }
    std::uint32_t slot_count() const { return static_cast<std::uint32_t>(slots_.size()); }

    // Slot numbers start over: the order in which slots are taken is the same in every run.
    void reset() {
        slots_.clear();
        free_.clear();
    }

private:
    std::vector<Transaction> slots_;
    std::vector<Slot> free_;
};

}  // namespace cqfuzz
