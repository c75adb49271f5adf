#include "runtime_under_test/host/worker_config_ring.hpp"

#include "runtime_under_test/host/runtime_assert.hpp"

namespace cqfuzz::rt {

WorkerConfigRing::WorkerConfigRing(std::uint32_t base, std::uint32_t size)
    : base_(base), end_(base + size) {
    clear();
}

// The address at which `size` fits when `oldest` is the oldest live entry.
std::optional<std::uint32_t> WorkerConfigRing::fit(std::uint32_t oldest, std::uint32_t size) const {
    if (oldest == alloc_) return base_;
    const Entry& live = entries_[oldest];
    const std::uint32_t next = entries_[alloc_].address;
    const bool behind =
        next >= live.address + live.size;  // live ranges lie in [live.address, next)
    const std::uint32_t limit = behind ? end_ : live.address;
    if (next < limit && size <= limit - next) return next;
    if (behind && size <= live.address - base_) return base_;
    return std::nullopt;
}

RingReservation WorkerConfigRing::reserve(std::uint32_t size, FaultSet& faults) const {
    RingReservation reservation;
    reservation.address = entries_[alloc_].address;
    if (size == 0) return reservation;
    RUNTIME_ASSERT(size <= end_ - base_);
    std::uint32_t oldest = free_;
    const auto free_oldest = [&] {
        // Sound: all entries that go must be complete, so the newest of them counts.
        if (!reservation.need_sync || !faults.on(Fault::sync_count_of_wrong_entry))
            reservation.sync_count = entries_[oldest].free_at;
        reservation.need_sync = true;
        oldest = after(oldest);
    };
    if (after(alloc_) == oldest) free_oldest();  // the table is full
    std::optional<std::uint32_t> address = fit(oldest, size);
    while (!address) {
        free_oldest();
        address = fit(oldest, size);
    }
    reservation.address = *address;
    return reservation;
}

void WorkerConfigRing::retire(std::uint32_t count) {
    while (free_ != alloc_ && !count_after(entries_[free_].free_at, count)) free_ = after(free_);
}

void WorkerConfigRing::commit(std::uint32_t address, std::uint32_t size, std::uint32_t free_at) {
    if (size == 0) return;
    RUNTIME_ASSERT(address >= base_ && size <= end_ - address);
    RUNTIME_ASSERT(after(alloc_) != free_);
    entries_[alloc_] = Entry{address, size, free_at};
    alloc_ = after(alloc_);
    entries_[alloc_].address = address + size;
}

void WorkerConfigRing::mark_full(std::uint32_t free_at) {
    clear();
    commit(base_, end_ - base_, free_at);
}

void WorkerConfigRing::clear() {
    free_ = 0;
    alloc_ = 0;
    entries_[0] = Entry{base_, 0, 0};
}

}  // namespace cqfuzz::rt
