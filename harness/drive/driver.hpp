// Driver: a scenario's ops → host API calls. One overload per op; it keeps the runtime's handles
// and judges nothing.
//
// Invariants:
//  1. Every call is announced before and after (DriverHooks); what the oracles are told comes from
//  the scenario alone, but
//     for outcomes that only the runtime knows: a buffer's address, the bytes a read returned, a
//     refusal.
//  2. Values announced stay valid until the driver is destroyed.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/base/host_call.hpp"
#include "harness/scenario/scenario.hpp"
#include "runtime_under_test/host/device.hpp"

namespace cqfuzz {

class DriverHooks {
public:
    // Both may throw rt::RunEnded, which ends the drive.
    virtual void host_call(const HostCall& call, bool ended) = 0;
    virtual void host_pause(std::uint32_t moves) = 0;
    // Bytes that lie in a memory before the cores start. Called before anything else.
    virtual void preload(rt::Coord place, std::uint32_t address,
                         std::span<const std::byte> bytes) = 0;

protected:
    ~DriverHooks() = default;
};

struct Refusal {
    std::uint32_t op_index = 0;
    std::string message;
    bool device_lost =
        false;  // the device is out of step and was not closed; its cores wait for ever
};

class Driver {
public:
    // One geometry a device; device and chip have the same number.
    Driver(const Scenario& scenario, std::span<const rt::DispatchGeometry> geometries,
           rt::Cluster& cluster, rt::FaultSet& faults, DriverHooks& hooks);
    ~Driver();
    Driver(const Driver&) = delete;
    Driver& operator=(const Driver&) = delete;

    // Opens every device, does every op, closes. A refusal ends the drive after the device has been closed, if
    // it still can be: a lost device cannot.
    std::optional<Refusal> drive();

private:
    struct Ops;
    std::unique_ptr<Ops> ops_;
};

}  // namespace cqfuzz
