// PacketMux and PacketDemux: the ends of the tunnel (facts §1.5). The mux makes a packet of each
// page that a dispatch core hands it; the demux makes the page of each packet again.
//
// Both end when who drains them is gone; a demux says so to the tunneler that fills it. The mark
// travels against the stream, so whatever was sent has been drained before.
#pragma once

#include <cstdint>

#include "runtime_under_test/faults/faults.hpp"
#include "runtime_under_test/firmware/page_link.hpp"
#include "runtime_under_test/protocol/core_launch.hpp"
#include "runtime_under_test/protocol/packet.hpp"

namespace cqfuzz::fw {

// Roles mux (of prefetch_h's batches) and mux_d (of dispatch_d's relayed pages).
class PacketMux {
public:
    PacketMux(const rt::CoreLaunch& launch, rt::FaultSet& faults);
    void run();

private:
    // Bytes of the page at the source's pointer, and whether a command or batch ends in it. Trusts
    // the size at the head (facts §1.6).
    std::uint32_t measure_page(rt::PacketHeader& header);
    void send_page();

    rt::FaultSet& faults_;
    bool batches_;  // pages of batches: only the first one of each has a size at its head
    std::uint32_t header_address_;
    PageSource source_;
    PageSink sink_;
    std::uint32_t batch_left_ = 0;
    std::uint32_t sent_ = 0;
};

// Roles demux (to dispatch_h) and demux_d (to prefetch_d).
class PacketDemux {
public:
    PacketDemux(const rt::CoreLaunch& launch, rt::FaultSet& faults);
    void run();

private:
    void deliver_packet();

    rt::FaultSet& faults_;
    PageSource source_;
    PageSink sink_;
    std::uint32_t delivered_ = 0;
};

}  // namespace cqfuzz::fw
