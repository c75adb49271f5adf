// Tunneler: the ethernet core at an end of the link between two chips (facts §1.5): one lane takes
// what the mux sends to the other chip, one takes what comes from there to the demux. It knows
// nothing of packets: it moves the words of a lane's ring on as they come.
#pragma once

#include <cstdint>

#include "runtime_under_test/faults/faults.hpp"
#include "runtime_under_test/firmware/page_link.hpp"
#include "runtime_under_test/protocol/core_launch.hpp"

namespace cqfuzz::fw {

class Tunneler {
public:
    Tunneler(const rt::CoreLaunch& launch, rt::FaultSet& faults);
    void run();

private:
    struct Lane {
        PageSource source;
        PageSink sink;
        bool closed = false;
    };

    // Whether anything came of it. Polls both words of the lane.
    bool move_on(Lane& lane);

    rt::FaultSet& faults_;
    Lane outbound_;
    Lane inbound_;
};

}  // namespace cqfuzz::fw
