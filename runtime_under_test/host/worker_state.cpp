#include "runtime_under_test/host/worker_state.hpp"

namespace cqfuzz::rt {
namespace {

// One entry stays spare: it is the one that a core has run last, which a debugger may still read
// (facts §6.4).
constexpr std::uint32_t kLiveLaunchEntries = DispatchGeometry::kLaunchEntries - 1;

WorkerConfigRing launch_ring(FaultSet& faults) {
    return WorkerConfigRing(0, !faults.on(Fault::launch_ring_of_eight)
                                   ? kLiveLaunchEntries
                                   : DispatchGeometry::kLaunchEntries);
}

// The bytes by which issue 51237's ring reached into its neighbour.
constexpr std::uint32_t kRingExcessBytes = 2544;

WorkerConfigRing config_ring(const WorkerCoreLayout& map, FaultSet& faults) {
    return WorkerConfigRing(map.config_base, !faults.on(Fault::config_ring_too_long)
                                                 ? map.config_bytes
                                                 : map.config_bytes + kRingExcessBytes);
}

}  // namespace

WorkerState::WorkerState(const DeviceConfig& config, FaultSet& faults)
    : cores_{static_cast<std::uint32_t>(config.chip.worker_cols) * config.chip.worker_rows,
             static_cast<std::uint32_t>(config.chip.ethernet_cores.size())},
      config_{config_ring(config.worker, faults), config_ring(config.ethernet, faults)},
      launch_{launch_ring(faults), launch_ring(faults)} {}

WorkerReservation WorkerState::take(const std::array<KindNeeds, kCoreKinds>& needs,
                                    FaultSet& faults) {
    WorkerReservation result;
    std::array<std::uint32_t, kCoreKinds> launch_address{};
    const auto merge = [&result](const RingReservation& part) {
        if (!part.need_sync) return;
        if (!result.need_sync || count_after(part.sync_count, result.sync_count))
            result.sync_count = part.sync_count;
        result.need_sync = true;
    };
    std::uint32_t completions = 0;
    for (std::size_t k = 0; k < kCoreKinds; k++) {
        const RingReservation part = config_[k].reserve(needs[k].config_bytes, faults);
        result.config_address[k] = part.address;
        merge(part);
        if (needs[k].runs) completions += cores_[k];
    }
    result.config_needs_sync = result.need_sync;
    for (std::size_t k = 0; k < kCoreKinds; k++) {
        const RingReservation part = launch_[k].reserve(needs[k].runs ? 1 : 0, faults);
        launch_address[k] = part.address;
        merge(part);
    }
    const std::uint32_t free_at = expected() + completions;
    for (std::size_t k = 0; k < kCoreKinds; k++) {
        if (result.need_sync) {
            config_[k].retire(result.sync_count);
            launch_[k].retire(result.sync_count);
        }
        config_[k].commit(result.config_address[k], needs[k].config_bytes, free_at);
        launch_[k].commit(launch_address[k], needs[k].runs ? 1 : 0, free_at);
        result.launch_slot[k] = launches_[k] % DispatchGeometry::kLaunchEntries;
        if (needs[k].runs) launches_[k]++;
    }
    expected_[owner_] = free_at;
    return result;
}

void WorkerState::hand_over_to(std::uint32_t queue) {
    owner_ = queue;
    clear_rings();
}

void WorkerState::counter_cleared() {
    expected_[owner_] = 0;
    clear_rings();
}

void WorkerState::clear_rings() {
    for (std::size_t k = 0; k < kCoreKinds; k++) {
        config_[k].clear();
        launch_[k].clear();
    }
}

void WorkerState::mark_rings_full(std::uint32_t free_at) {
    for (std::size_t k = 0; k < kCoreKinds; k++) {
        config_[k].mark_full(free_at);
        launch_[k].mark_full(free_at);
    }
}

}  // namespace cqfuzz::rt
