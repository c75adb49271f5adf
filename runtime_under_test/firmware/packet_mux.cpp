#include "runtime_under_test/firmware/packet_mux.hpp"

#include <algorithm>

#include "harness/device_api/dataflow_api.h"
#include "runtime_under_test/firmware/cb_writer.hpp"
#include "runtime_under_test/protocol/commands.hpp"

namespace cqfuzz::fw {
namespace {

using rt::CoreRole;
using rt::Semaphore;

constexpr std::uint32_t kNotLastPage = 1;  // bit 0 of a relayed page's size (facts §1.6)

// Room for `pages`, once their source is known to have something.
void wait_room(PageSink& sink, std::uint32_t pages, const char* what) {
    device::waypoint(what);
    while (sink.poll_room() < pages) {
    }
}

void leave() {
    device::waypoint("exits");
    noc_async_full_barrier(kDataNoc);
    noc_async_full_barrier(kUpstreamNoc);
}

PageSource source_of_mux(const rt::DeviceConfig& c, bool batches) {
    const rt::Coord from = batches ? c.chip.prefetch : c.chip.dispatch;
    const rt::DispatchCoreLayout& producer = batches ? c.prefetch : c.dispatch;
    const rt::DispatchCoreLayout& self = batches ? c.mux : c.mux_d;
    return PageSource(
        self.semaphore(Semaphore::upstream_ready),
        {kUpstreamNoc, from.noc_xy(), producer.semaphore(Semaphore::downstream_credits)},
        self.ring_base, batches ? c.geometry.prefetch_d : c.geometry.dispatch_h,
        c.geometry.semaphore_start);
}

PageSink sink_of_mux(const rt::DeviceConfig& c, bool batches) {
    const rt::Coord to = batches ? c.chip.tunnel.tunneler : c.chip.tunnel.tunneler_d;
    const rt::DispatchCoreLayout& self = batches ? c.mux : c.mux_d;
    return PageSink(self.semaphore(Semaphore::downstream_credits),
                    {kDataNoc, to.noc_xy(), c.tunneler.outbound.ready},
                    c.tunneler.outbound.ring_base, c.geometry.tunnel);
}

}  // namespace

// --- mux -----------------------------------------------------------------------------------------

PacketMux::PacketMux(const rt::CoreLaunch& launch, rt::FaultSet& faults)
    : faults_(faults),
      batches_(launch.role == CoreRole::mux),
      header_address_((batches_ ? launch.config->mux : launch.config->mux_d).packet_header),
      source_(source_of_mux(*launch.config, batches_)),
      sink_(sink_of_mux(*launch.config, batches_)) {}

void PacketMux::run() {
    for (;;) {
        device::waypoint("waits for a page to send to the other chip");
        std::uint32_t pages = 0;
        do {
            pages = source_.poll_pages();
            sink_.poll_room();
        } while (pages == 0 && !sink_.closed());
        if (pages == 0) break;
        send_page();
    }
    leave();  // whoever fills our ring ends by itself
}

std::uint32_t PacketMux::measure_page(rt::PacketHeader& header) {
    const std::uint32_t page = source_.page_bytes();
    bool first = true;
    bool last = true;
    std::uint32_t bytes = 0;
    if (batches_) {
        first = batch_left_ == 0;
        if (first) batch_left_ = device::l1_load_u32(source_.pointer());
        bytes = std::min(batch_left_, page);
        batch_left_ -= bytes;
        last = batch_left_ == 0;
    } else {
        const std::uint32_t size = device::l1_load_u32(source_.pointer());
        bytes = size & ~kNotLastPage;
        last = (size & kNotLastPage) == 0;
    }
    FIRMWARE_ASSERT(bytes != 0 && bytes <= page);
    header.packet_flags = static_cast<std::uint16_t>((first ? rt::kPacketCmdStart : 0) |
                                                     (last ? rt::kPacketCmdEnd : 0));
    return rt::align_up(bytes, rt::DispatchGeometry::kL1Alignment);
}

void PacketMux::send_page() {
    rt::PacketHeader header;
    const std::uint32_t bytes = measure_page(header);
    header.packet_size_bytes = rt::kPacketHeaderBytes + bytes;
    header.tag = sent_++;
    const std::uint32_t units = sink_.pages_for(header.packet_size_bytes);
    wait_room(sink_, units > 1 && faults_.on(rt::Fault::mux_room_for_first_word) ? 1 : units,
              "waits for credits of the tunnel");
    device::l1_store(header_address_, &header, sizeof header);
    sink_.write(header_address_, rt::kPacketHeaderBytes);
    source_.send_to(sink_, 0, bytes);
    const bool in_part = header.packet_size_bytes % sink_.page_bytes() != 0 && units > 1;
    sink_.hand_over(in_part && faults_.on(rt::Fault::mux_rounds_words_down) ? units - 1 : units);
    // The page and the header's bytes are free only when they have been read.
    device::waypoint("mux: flush before the page goes back");
    if (!faults_.on(rt::Fault::mux_page_back_unflushed)) sink_.flush();
    const bool exact = batches_ && batch_left_ == 0 && bytes == source_.page_bytes();
    source_.advance(1);
    if (!exact || !faults_.on(rt::Fault::mux_keeps_exact_page)) source_.give_back(1);
}

// --- demux ---------------------------------------------------------------------------------------

PacketDemux::PacketDemux(const rt::CoreLaunch& launch, rt::FaultSet& faults)
    : faults_(faults),
      source_([&launch] {
          const rt::DeviceConfig& c = *launch.config;
          const bool far = launch.role == CoreRole::demux_d;
          const rt::Coord from = far ? c.chip.tunnel.tunneler_d : c.chip.tunnel.tunneler;
          return PageSource(c.demux.semaphore(Semaphore::upstream_ready),
                            {kUpstreamNoc, from.noc_xy(), c.tunneler.inbound.credits},
                            c.demux.ring_base, c.geometry.tunnel, c.geometry.semaphore_start);
      }()),
      sink_([&launch] {
          const rt::DeviceConfig& c = *launch.config;
          const bool far = launch.role == CoreRole::demux_d;
          const rt::Coord to = far ? c.chip.prefetch_d : c.chip.dispatch_h;
          const rt::DispatchCoreLayout& consumer = far ? c.prefetch_d : c.dispatch_h;
          return PageSink(c.demux.semaphore(Semaphore::downstream_credits),
                          {kDataNoc, to.noc_xy(), consumer.semaphore(Semaphore::upstream_ready)},
                          consumer.ring_base, far ? c.geometry.prefetch_d : c.geometry.dispatch_h);
      }()) {}

void PacketDemux::run() {
    for (;;) {
        device::waypoint("waits for a packet from the other chip");
        std::uint32_t units = 0;
        do {
            units = source_.poll_pages();
            sink_.poll_room();
        } while (units == 0 && !sink_.closed());
        if (units == 0) break;
        deliver_packet();
    }
    source_.close();
    leave();
}

void PacketDemux::deliver_packet() {
    rt::PacketHeader header;
    device::l1_load(source_.pointer(), &header, sizeof header);
    FIRMWARE_ASSERT(header.packet_size_bytes > rt::kPacketHeaderBytes &&
                    header.packet_size_bytes <= rt::kPacketHeaderBytes + sink_.page_bytes());
    FIRMWARE_ASSERT(header.tag == delivered_);
    ++delivered_;
    const std::uint32_t units = source_.pages_for(header.packet_size_bytes);
    device::waypoint("waits for the rest of a packet");
    const std::uint32_t needed =
        units > 1 && faults_.on(rt::Fault::demux_packet_in_part) ? 1 : units;
    while (source_.poll_pages() < needed) {
    }
    wait_room(sink_, 1, "waits for a page behind the tunnel");
    source_.send_to(sink_, rt::kPacketHeaderBytes,
                    header.packet_size_bytes - rt::kPacketHeaderBytes);
    sink_.hand_over(1);
    device::waypoint("demux: flush before the packet's room goes back");
    if (!faults_.on(rt::Fault::demux_room_back_unflushed)) sink_.flush();
    source_.advance(units);
    source_.give_back(units);
}

}  // namespace cqfuzz::fw
