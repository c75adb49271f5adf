// StreamDriver: a scenario's commands → prefetch queue. Boots the device as the host runtime does,
// streams, reads what comes back, terminates.
//
// A fetch slot holds commands until one ends it, there is no more room, or an EXEC_BUF, which is
// the last of its slot (facts §5.5). Log entries name the slot's first command as its op.
//
// Invariants:
//  1. As Driver's.
//  2. The dispatcher never waits for room in the completion queue while the host waits for
//  something else: the host reads what is due before it submits more than the region holds.
#pragma once

#include <memory>
#include <optional>

#include "harness/drive/driver.hpp"
#include "runtime_under_test/protocol/generation.hpp"

namespace cqfuzz {

class StreamDriver {
public:
    // `generation`: what the firmware speaks; null: late 2024. REQUIRES: the scenario is legal, has
    // commands, and no others than the generation's.
    StreamDriver(const Scenario& scenario, const rt::DispatchGeometry& geometry,
                 const rt::Generation* generation, rt::Cluster& cluster, rt::FaultSet& faults,
                 DriverHooks& hooks);
    ~StreamDriver();
    StreamDriver(const StreamDriver&) = delete;
    StreamDriver& operator=(const StreamDriver&) = delete;

    std::optional<Refusal> drive();

private:
    struct Stream;
    std::unique_ptr<Stream> stream_;
};

}  // namespace cqfuzz
