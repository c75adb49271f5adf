#include "runtime_under_test/firmware/dispatcher.hpp"

#include "harness/device_api/dataflow_api.h"

namespace cqfuzz::fw {
namespace {

using rt::CoreRole;
using rt::DispatchId;

const rt::DispatchCoreLayout& layout_of(const rt::CoreLaunch& launch) {
    return launch.role == CoreRole::dispatch_h ? launch.config->dispatch_h
                                               : launch.config->dispatch;
}

BlockReader reader_of(const rt::CoreLaunch& launch, rt::FaultSet& faults) {
    const rt::DeviceConfig& c = *launch.config;
    switch (launch.role) {
        case CoreRole::dispatch_h:
            return BlockReader(c.dispatch_h, c.geometry.dispatch_h, c.before_dispatch_h().coord,
                               c.before_dispatch_h().map, c.geometry, faults,
                               "waits for pages of dispatch_h.cb");
        case CoreRole::dispatch_d:
            return BlockReader(c.dispatch, c.geometry.dispatch, c.chip.prefetch_d, c.prefetch_d,
                               c.geometry, faults, "waits for pages of dispatch_cb");
        default:
            return BlockReader(c.dispatch, c.geometry.dispatch, c.chip.prefetch, c.prefetch,
                               c.geometry, faults, "waits for pages of dispatch_cb");
    }
}

}  // namespace

Dispatcher::Dispatcher(const rt::CoreLaunch& launch, rt::FaultSet& faults)
    : config_(*launch.config),
      role_(launch.role),
      faults_(faults),
      self_(layout_of(launch)),
      preamble_(launch.role == CoreRole::dispatch_h ? kRelayPreambleBytes : 0),
      reader_(reader_of(launch, faults)),
      downstream_(launch.coord, self_, config_.after_dispatch_d().coord,
                  config_.after_dispatch_d().map, config_.geometry.dispatch_h, faults,
                  "waits for credits of dispatch_h.cb"),
      completion_(config_, self_, faults),
      prefetch_sync_xy_(
          (role_ == CoreRole::dispatch_d ? config_.chip.prefetch_d : config_.chip.prefetch)
              .noc_xy()),
      prefetch_sync_address_((role_ == CoreRole::dispatch_d ? config_.prefetch_d : config_.prefetch)
                                 .semaphore(rt::Semaphore::downstream_sync)),
      data_(self_.ring_base) {}

void Dispatcher::run() {
    while (!terminated_) {
        reader_.wait_command(data_);
        data_ += preamble_;
        do {
            command_ = data_;
            next_in_page_ = false;
            std::uint8_t id = 0;
            device::l1_load(command_, &id, 1);
            device::command_begin(id, command_);
            if (role_ == CoreRole::dispatch_h) {
                execute_relayed(static_cast<DispatchId>(id));
            } else {
                execute(static_cast<DispatchId>(id));
            }
            if (!next_in_page_) data_ = reader_.round_up_to_page(data_);
            device::command_end(data_);
        } while (next_in_page_);
        reader_.release_completed();
    }
    finish();
}

// Each handler leaves data_ behind the last byte of its command; DEBUG leaves it at the next one.
void Dispatcher::execute(DispatchId id) {
    switch (id) {
        case DispatchId::write_linear: return write_linear();
        case DispatchId::write_paged: return write_paged();
        case DispatchId::write_packed: return write_packed();
        case DispatchId::write_packed_large: return write_packed_large();
        case DispatchId::wait: return wait();
        case DispatchId::delay: return delay();
        case DispatchId::debug: return debug();
        case DispatchId::set_num_worker_sems: return set_num_worker_sems();
        case DispatchId::set_write_offset: return set_write_offset();
        case DispatchId::set_go_signal_noc_data: return set_go_signal_noc_data();
        case DispatchId::send_go_signal: return send_go_signal();
        case DispatchId::go:
        case DispatchId::sink: data_ += rt::kCommandBytes; return;
        case DispatchId::notify_subordinate_go_signal: return notify_subordinate();
        case DispatchId::write_linear_h:
        case DispatchId::write_linear_h_host:
        case DispatchId::exec_buf_end:
        case DispatchId::terminate: break;
        default: FIRMWARE_ASSERT(!"the dispatcher knows this command");
    }
    // What the host, or the host's side of the pair, has to get.
    if (role_ == CoreRole::dispatch_hd) return execute_relayed(id);
    if (id == DispatchId::write_linear_h_host && faults_.on(rt::Fault::completion_by_dispatch_d))
        return write_linear_h_host();
    relay_to_h(id);
}

void Dispatcher::execute_relayed(DispatchId id) {
    switch (id) {
        case DispatchId::write_linear_h: return write_linear_h();
        case DispatchId::write_linear_h_host: return write_linear_h_host();
        case DispatchId::exec_buf_end: return exec_buf_end();
        case DispatchId::terminate:
            data_ += rt::kCommandBytes;
            terminated_ = true;
            return;
        default: FIRMWARE_ASSERT(!"dispatch_h handles this command");
    }
}

void Dispatcher::load_command(std::byte (&bytes)[rt::kCommandBytes]) const {
    device::l1_load(command_, bytes, rt::kCommandBytes);
}

// Six words a step, as the hardware's copy loop; the words past the end are stored too (facts
// §3.4). All sub-commands lie in the command's first page, which is held (inv. 27).
void Dispatcher::copy_sub_commands(std::uint32_t words) {
    constexpr std::uint32_t kStep = 6;
    const std::uint32_t source = command_ + rt::kCommandBytes;
    for (std::uint32_t at = 0; at < words; at += kStep) {
        std::uint32_t step[kStep] = {};
        const std::uint32_t n = words - at < kStep ? words - at : kStep;
        device::l1_load(source + at * 4, step, n * 4);
        for (std::uint32_t i = 0; i < kStep; ++i) sub_commands_.store(at + i, step[i]);
    }
}

void Dispatcher::finish() {
    device::waypoint("exits");
    noc_async_write_barrier(kDataNoc);
    reader_.release_all(data_);
    if (role_ == CoreRole::dispatch_h && config_.chip.remote) reader_.close();
    if (role_ == CoreRole::dispatch_d) downstream_.wait_all_home();
    noc_async_full_barrier(kDataNoc);
    if (!faults_.on(rt::Fault::exit_barrier_on_one_noc)) noc_async_full_barrier(kUpstreamNoc);
}

}  // namespace cqfuzz::fw
