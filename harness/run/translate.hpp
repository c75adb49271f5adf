// Translate: the same drawn values in the words of each room: the runtime's geometry, the silicon's
// configuration and schedule, the oracles' view of the machine.
#pragma once

#include "harness/base/machine_view.hpp"
#include "harness/scenario/scenario.hpp"
#include "harness/silicon/machine.hpp"
#include "runtime_under_test/protocol/layout.hpp"

namespace cqfuzz {

rt::DispatchGeometry runtime_geometry_of(const Scenario& scenario);
MachineConfig machine_config_of(const Scenario& scenario, const rt::DispatchGeometry& geometry,
                                OrderLevel order_max);
// `view` names the credit words that "producer at once" reacts to.
SchedulePlan schedule_plan_of(const Scenario& scenario, const MachineView& view);

// Rings, stagings and mailboxes from the geometry alone.
MachineView machine_view_of(const std::vector<TileView>& tiles, const rt::DeviceConfig& config);

MachineHold hold_of(const Deviation& deviation);
Deviation deviation_of(const MachineHold& hold);

}  // namespace cqfuzz
