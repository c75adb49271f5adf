// WorkerState: what the host believes of workers and ethernet cores: completions expected,
// launch-ring write pointers and the rings of their L1 (facts §6.3, §6.4). A value: capture saves
// and restores it.
//
// The device has one such state, shared by its command queues (inv. 68); one queue at a time owns
// the workers, and completions go to that queue's dispatcher.
//
// Invariant: at every point of the owner's command stream it equals the device's state when the
// stream has run to that point (inv. 67).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "runtime_under_test/host/program.hpp"
#include "runtime_under_test/host/worker_config_ring.hpp"

namespace cqfuzz::rt {

inline constexpr std::size_t kCoreKinds = 2;
inline constexpr std::array<CoreKind, kCoreKinds> kAllCoreKinds{CoreKind::worker,
                                                                CoreKind::ethernet};

inline constexpr std::size_t index_of(CoreKind kind) { return static_cast<std::size_t>(kind); }

// What one program needs of one kind of core.
struct KindNeeds {
    std::uint32_t config_bytes = 0;
    bool runs =
        false;  // it has a kernel of this kind: a launch message is written and a go is sent
};

struct WorkerReservation {
    std::array<std::uint32_t, kCoreKinds> config_address{};
    std::array<std::uint32_t, kCoreKinds> launch_slot{};
    bool need_sync = false;
    bool config_needs_sync = false;  // false with need_sync: only launch slots are short
    std::uint32_t sync_count = 0;
};

class WorkerState {
public:
    WorkerState(const DeviceConfig& config, FaultSet& faults);

    std::uint32_t owner() const { return owner_; }
    // Everything that was enqueued before is complete when the queue's stream has come here.
    void hand_over_to(std::uint32_t queue);
    // Completions that will have come to the owner's dispatcher, or to the queue's, when all that
    // was enqueued is done.
    std::uint32_t expected() const { return expected_[owner_]; }
    std::uint32_t expected(std::uint32_t queue) const { return expected_[queue]; }
    // Launch messages written since the last reset of the read pointers.
    std::uint32_t launches(CoreKind kind) const { return launches_[index_of(kind)]; }
    // A go to all cores of the kind, each of which completes once.
    std::uint32_t cores(CoreKind kind) const { return cores_[index_of(kind)]; }

    // Takes what the next program needs; `reservation.sync_count` must be waited for before its
    // first write.
    WorkerReservation take(const std::array<KindNeeds, kCoreKinds>& needs, FaultSet& faults);
    void expect_completions(std::uint32_t count) { expected_[owner_] += count; }

    // The owner's counter was cleared when everything before was complete.
    void counter_cleared();
    // Launch read pointers of the kind are 0 and `launches` messages have been written since.
    void set_launches(CoreKind kind, std::uint32_t launches) {
        launches_[index_of(kind)] = launches;
    }
    // Nothing in the rings may be assumed free before the count.
    void mark_rings_full(std::uint32_t free_at);

private:
    void clear_rings();

    std::uint32_t owner_ = 0;
    std::array<std::uint32_t, DispatchGeometry::kCommandQueuesMax> expected_{};
    std::array<std::uint32_t, kCoreKinds> launches_{};
    std::array<std::uint32_t, kCoreKinds> cores_{};
    std::array<WorkerConfigRing, kCoreKinds> config_;
    std::array<WorkerConfigRing, kCoreKinds> launch_;  // in entries
};

}  // namespace cqfuzz::rt
