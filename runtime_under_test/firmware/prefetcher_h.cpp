#include "runtime_under_test/firmware/prefetcher_h.hpp"

#include "harness/device_api/dataflow_api.h"
#include "runtime_under_test/protocol/commands.hpp"

namespace cqfuzz::fw {

PrefetcherH::PrefetcherH(const rt::CoreLaunch& launch, rt::FaultSet& faults)
    : faults_(faults),
      fetch_queue_(*launch.config, rt::kSplitHeaderBytes, faults),
      downstream_(launch.coord, launch.config->prefetch, launch.config->after_prefetch_h().coord,
                  launch.config->after_prefetch_h().map, launch.config->geometry.prefetch_d, faults,
                  "waits for credits of prefetch_d.cmddat_q") {}

void PrefetcherH::run() {
    bool terminated = false;
    while (!terminated) {
        fetch_queue_.fetch();
        const std::uint32_t batch = fetch_queue_.command();
        const std::uint32_t length = fetch_queue_.fence() - batch;
        FIRMWARE_ASSERT(length > rt::kSplitHeaderBytes);  // inv. 55
        std::uint8_t first = 0;
        device::l1_load(batch + rt::kSplitHeaderBytes, &first, 1);
        device::command_begin(first, batch + rt::kSplitHeaderBytes);
        terminated = static_cast<rt::PrefetchId>(first) == rt::PrefetchId::terminate;
        device::l1_store_u32(batch, length);

        const std::uint32_t pages = downstream_.pages_for(length);
        downstream_.acquire(pages);
        // Nobody here can know when the trace ends: no page goes out until the dispatcher's host
        // side gives them back.
        if (fetch_queue_.stalled()) {
            if (!faults_.on(rt::Fault::credits_not_stolen)) downstream_.steal_all();
            fetch_queue_.resume();
        }
        downstream_.write(batch, length);
        downstream_.round_up_to_page();
        device::waypoint("batch: flush");
        noc_async_writes_flushed(kDataNoc);
        downstream_.hand_over(pages);
        fetch_queue_.advance(length);
        device::command_end(fetch_queue_.command());
    }
    downstream_.wait_all_home();
    device::waypoint("exits");
    noc_async_full_barrier(kDataNoc);
    noc_async_full_barrier(kUpstreamNoc);
}

}  // namespace cqfuzz::fw
