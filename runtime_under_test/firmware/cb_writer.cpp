#include "runtime_under_test/firmware/cb_writer.hpp"

#include <algorithm>

#include "harness/device_api/dataflow_api.h"

namespace cqfuzz::fw {

CbWriter::CbWriter(rt::Coord self, const rt::DispatchCoreLayout& self_layout, rt::Coord consumer,
                   const rt::DispatchCoreLayout& consumer_layout, const rt::RingGeometry& ring,
                   rt::FaultSet& faults, const char* waypoint, rt::Semaphore credits)
    : credits_address_(self_layout.semaphore(credits)),
      self_xy_(self.noc_xy()),
      consumer_xy_(consumer.noc_xy()),
      ready_address_(consumer_layout.semaphore(rt::Semaphore::upstream_ready)),
      base_(consumer_layout.ring_base),
      end_(consumer_layout.ring_base + ring.size_bytes()),
      page_(ring.page_size_bytes()),
      pages_(ring.pages),
      pointer_(consumer_layout.ring_base),
      faults_(faults),
      waypoint_(waypoint) {}

void CbWriter::add_to_own_credits(std::uint32_t delta) {
    noc_semaphore_inc(get_noc_addr_helper(self_xy_, credits_address_), delta, kDataNoc);
}

void CbWriter::acquire(std::uint32_t pages) {
    if (pages == 0) return;
    device::waypoint(waypoint_);
    // The last decrement of our own must have landed, or we see its credits twice (inv. 14).
    if (!faults_.on(rt::Fault::own_decrement_not_landed)) noc_async_atomic_barrier(kDataNoc);
    const std::uint32_t wanted =
        pages > 1 && faults_.on(rt::Fault::space_check_of_first_page) ? 1 : pages;
    const auto too_few = [&](std::uint32_t credits) {
        return static_cast<std::int32_t>(wanted - credits) > 0 &&
               !(credits >= wanted && faults_.on(rt::Fault::unsigned_credits));
    };
    while (too_few(device::poll_l1(credits_address_))) {
    }
    add_to_own_credits(0u - pages);
}

void CbWriter::steal_all() { add_to_own_credits(0u - pages_); }

void CbWriter::hand_over(std::uint32_t pages) {
    if (pages == 0) return;
    const std::uint32_t noc =
        !faults_.on(rt::Fault::hand_over_on_other_noc) ? kDataNoc : kUpstreamNoc;
    noc_semaphore_inc(get_noc_addr_helper(consumer_xy_, ready_address_), pages, noc);
}

void CbWriter::write(std::uint32_t source, std::uint32_t length) {
    while (length != 0) {
        wrap_if_at_end();
        const std::uint32_t n = std::min({length, end_ - pointer_, NOC_MAX_BURST_SIZE});
        noc_async_write_one_packet(source, get_noc_addr_helper(consumer_xy_, pointer_), n,
                                   kDataNoc);
        source += n;
        pointer_ += n;
        length -= n;
    }
}

void CbWriter::write_past_end(std::uint32_t source, std::uint32_t length) {
    noc_async_write_one_packet(source, get_noc_addr_helper(consumer_xy_, pointer_), length,
                               kDataNoc);
    pointer_ += length;
}

void CbWriter::write_word(std::uint32_t offset, std::uint32_t value) {
    wrap_if_at_end();
    noc_inline_dw_write(get_noc_addr_helper(consumer_xy_, pointer_ + offset), value, kDataNoc);
}

void CbWriter::wait_all_home(const char* waypoint) {
    device::waypoint(waypoint);
    noc_async_atomic_barrier(kDataNoc);
    while (device::poll_l1(credits_address_) != pages_) {
    }
}

}  // namespace cqfuzz::fw
