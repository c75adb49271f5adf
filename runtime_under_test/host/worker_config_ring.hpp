// WorkerConfigRing: the host's model of one ring in the workers' L1 whose ranges programs use until
// they complete (facts §6.4). Launch-message rings are modelled by the same class, in units of
// entries.
//
// A table of 16 entries {address, size, sync count}; an entry is live from `commit` until a
// `retire` with a count that reaches its own.
//
// Invariants:
//  1. Live entries never overlap; at most 15 are live, so that free == alloc means none.
//  2. The range of a reservation is free of live entries once `retire(sync_count)` was called (inv.
//  71).
//  3. Counts compare by signed distance (inv. 76).
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "runtime_under_test/faults/faults.hpp"

namespace cqfuzz::rt {

// True when count `a` comes after `b`.
inline bool count_after(std::uint32_t a, std::uint32_t b) {
    return static_cast<std::int32_t>(a - b) > 0;
}

struct RingReservation {
    std::uint32_t address = 0;
    bool need_sync = false;
    std::uint32_t sync_count = 0;  // completions that must have come before the range is written
};

class WorkerConfigRing {
public:
    WorkerConfigRing(std::uint32_t base, std::uint32_t size);

    // Where `size` may go, and what to wait for first. Changes nothing. Size 0 needs nothing.
    // REQUIRES: size fits the ring.
    RingReservation reserve(std::uint32_t size, FaultSet& faults) const;
    // Entries whose count is at most `count` are complete.
    void retire(std::uint32_t count);
    // Takes the range; it is free again when completions reach `free_at`. Size 0 takes nothing.
    void commit(std::uint32_t address, std::uint32_t size, std::uint32_t free_at);
    // One entry over the whole ring: nothing may be assumed free before `free_at`.
    void mark_full(std::uint32_t free_at);
    void clear();

    std::uint32_t live() const { return (alloc_ - free_) & (kEntries - 1); }

private:
    static constexpr std::uint32_t kEntries = 16;

    struct Entry {
        std::uint32_t address = 0;
        std::uint32_t size = 0;
        std::uint32_t free_at = 0;
    };
    static std::uint32_t after(std::uint32_t index) { return (index + 1) & (kEntries - 1); }
    std::optional<std::uint32_t> fit(std::uint32_t oldest, std::uint32_t size) const;

    std::uint32_t base_;
    std::uint32_t end_;
    std::uint32_t free_ = 0;   // oldest live entry
    std::uint32_t alloc_ = 0;  // next entry; its address is the next to hand out
    std::array<Entry, kEntries> entries_{};
};

}  // namespace cqfuzz::rt
