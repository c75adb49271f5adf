#include "runtime_under_test/firmware/run_core.hpp"

#include "harness/device_api/core_port.hpp"
#include "runtime_under_test/firmware/dispatch_s.hpp"
#include "runtime_under_test/firmware/dispatcher.hpp"
#include "runtime_under_test/firmware/packet_mux.hpp"
#include "runtime_under_test/firmware/prefetcher.hpp"
#include "runtime_under_test/firmware/prefetcher_h.hpp"
#include "runtime_under_test/firmware/tunneler.hpp"
#include "runtime_under_test/firmware/worker.hpp"

namespace cqfuzz::fw {

void run_core(const rt::CoreLaunch& launch, rt::FaultSet& faults, const KernelBehaviour& kernels) {
    switch (launch.role) {
        case rt::CoreRole::prefetch_hd:
        case rt::CoreRole::prefetch_d: return Prefetcher(launch, faults).run();
        case rt::CoreRole::prefetch_h: return PrefetcherH(launch, faults).run();
        case rt::CoreRole::dispatch_hd:
        case rt::CoreRole::dispatch_h:
        case rt::CoreRole::dispatch_d: return Dispatcher(launch, faults).run();
        case rt::CoreRole::dispatch_s: return DispatcherS(launch, faults).run();
        case rt::CoreRole::worker:
        case rt::CoreRole::ethernet: WorkerFirmware(launch, faults, kernels).run();
        case rt::CoreRole::mux:
        case rt::CoreRole::mux_d: return PacketMux(launch, faults).run();
        case rt::CoreRole::demux:
        case rt::CoreRole::demux_d: return PacketDemux(launch, faults).run();
        case rt::CoreRole::tunneler:
        case rt::CoreRole::tunneler_d: return Tunneler(launch, faults).run();
        case rt::CoreRole::none: break;
    }
    FIRMWARE_ASSERT(!"the core has a role");
}

}  // namespace cqfuzz::fw
