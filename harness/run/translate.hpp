// Translate: the same drawn values in the words of each room: the runtime's geometry, the silicon's
// configuration and schedule, the oracles' view of the machine.
#pragma once

#include <span>
#include <vector>

#include "harness/base/machine_view.hpp"
#include "harness/scenario/scenario.hpp"
#include "harness/silicon/machine.hpp"
#include "runtime_under_test/protocol/layout.hpp"

namespace cqfuzz {

// Of the device on that chip: chips without PCIe have a split pipeline.
rt::DispatchGeometry runtime_geometry_of(const Scenario& scenario, std::uint32_t chip = 0);
MachineConfig machine_config_of(const Scenario& scenario, const rt::DispatchGeometry& geometry,
                                OrderLevel order_max);
// `view` names the credit words that "producer at once" reacts to.
SchedulePlan schedule_plan_of(const Scenario& scenario, const MachineView& view);

// Rings, stagings and mailboxes of all command queues, from the geometry alone. One config a chip,
// of its command queue 0.
MachineView machine_view_of(const std::vector<TileView>& tiles,
                            std::span<const rt::DeviceConfig> configs);

MachineHold hold_of(const Deviation& deviation);
Deviation deviation_of(const MachineHold& hold);

}  // namespace cqfuzz
