#include "runtime_under_test/firmware/tunneler.hpp"

#include <algorithm>

#include "harness/device_api/dataflow_api.h"
#include "runtime_under_test/firmware/cb_writer.hpp"

namespace cqfuzz::fw {
namespace {

using rt::Semaphore;

constexpr std::uint32_t kLink = device::kEthernetLink;

}  // namespace

// Both ends have the same map, so the addresses of the other end are our own.
Tunneler::Tunneler(const rt::CoreLaunch& launch, rt::FaultSet& faults)
    : faults_(faults),
      outbound_([&launch]() -> Lane {
          const rt::DeviceConfig& c = *launch.config;
          const bool far = launch.role == rt::CoreRole::tunneler_d;
          const rt::Coord mux = far ? c.chip.tunnel.mux_d : c.chip.tunnel.mux;
          const rt::DispatchCoreLayout& map = far ? c.mux_d : c.mux;
          const rt::TunnelerLayout::Lane& lane = c.tunneler.outbound;
          return {
              PageSource(lane.ready,
                         {kUpstreamNoc, mux.noc_xy(), map.semaphore(Semaphore::downstream_credits)},
                         lane.ring_base, c.geometry.tunnel, c.geometry.semaphore_start),
              PageSink(lane.credits, {kLink, 0, c.tunneler.inbound.ready},
                       c.tunneler.inbound.ring_base, c.geometry.tunnel),
              false};
      }()),
      inbound_([&launch]() -> Lane {
          const rt::DeviceConfig& c = *launch.config;
          const bool far = launch.role == rt::CoreRole::tunneler_d;
          const rt::Coord demux = far ? c.chip.tunnel.demux_d : c.chip.tunnel.demux;
          const rt::TunnelerLayout::Lane& lane = c.tunneler.inbound;
          return {PageSource(lane.ready, {kLink, 0, c.tunneler.outbound.credits}, lane.ring_base,
                             c.geometry.tunnel, c.geometry.semaphore_start),
                  PageSink(lane.credits,
                           {kDataNoc, demux.noc_xy(), c.demux.semaphore(Semaphore::upstream_ready)},
                           c.demux.ring_base, c.geometry.tunnel),
                  false};
      }()) {}

void Tunneler::run() {
    while (!outbound_.closed || !inbound_.closed) {
        if (outbound_.closed && faults_.on(rt::Fault::tunneler_ends_with_one_lane)) break;
        device::waypoint("tunnels");
        while (!move_on(outbound_) && !move_on(inbound_)) {
        }
    }
    device::waypoint("exits");
    for (const std::uint32_t noc : {kDataNoc, kUpstreamNoc, kLink}) noc_async_full_barrier(noc);
}

bool Tunneler::move_on(Lane& lane) {
    if (lane.closed) return false;
    const std::uint32_t pages = lane.source.poll_pages();
    const std::uint32_t room = lane.sink.poll_room();
    if (pages == 0 && lane.sink.closed()) {
        lane.source.close();
        lane.closed = true;
        return true;
    }
    if (pages == 0 || room == 0) return false;
    const std::uint32_t n =
        std::min({pages, room, lane.source.pages_to_end(), lane.sink.pages_to_end(),
                  NOC_MAX_BURST_SIZE / lane.source.page_bytes()});
    lane.source.send_to(lane.sink, 0, n * lane.source.page_bytes());
    lane.sink.hand_over(n);
    device::waypoint("tunneler: flush before words go back");
    if (!faults_.on(rt::Fault::tunneler_words_back_unflushed)) lane.sink.flush();
    lane.source.advance(n);
    lane.source.give_back(n);
    return true;
}

}  // namespace cqfuzz::fw
