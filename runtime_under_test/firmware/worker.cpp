#include "runtime_under_test/firmware/worker.hpp"

#include "harness/device_api/dataflow_api.h"
#include "runtime_under_test/firmware/cb_writer.hpp"

namespace cqfuzz::fw {

WorkerFirmware::WorkerFirmware(const rt::CoreLaunch& launch, rt::FaultSet& faults,
                               const KernelBehaviour& kernels)
    : faults_(faults),
      self_(launch.role == rt::CoreRole::ethernet ? launch.config->ethernet
                                                  : launch.config->worker),
      config_(*launch.config),
      coord_(launch.coord),
      kernels_(kernels) {
    if (launch.role != rt::CoreRole::ethernet) return;
    const rt::ChipDescription& chip = config_.chip;
    for (std::int32_t core = 0; core < chip.linked_cores; ++core)
        if (chip.ethernet_cores[static_cast<std::size_t>(core)] == coord_) linked_core_ = core;
}

void WorkerFirmware::run() {
    for (;;) {
        const std::uint32_t go_word = wait_for_go();
        switch (rt::decode_go(go_word).signal) {
            case rt::kGoGo: run_program(go_word); break;
            case rt::kGoResetReadPtr:
                device::l1_store_u32(self_.launch_read_index, 0);
                signal_done(go_word);
                notify_dispatcher(go_word);
                break;
            case rt::kGoResetReadPtrFromHost:
                device::l1_store_u32(self_.launch_read_index, 0);
                signal_done(go_word);
                break;
            default: FIRMWARE_ASSERT(!"the go signal is known");
        }
    }
}

std::uint32_t WorkerFirmware::wait_for_go() const {
    device::waypoint("waits for go");
    for (;;) {
        const std::uint32_t word = device::poll_l1(self_.go_message);
        const std::uint8_t signal = rt::decode_go(word).signal;
        if (signal != rt::kGoDone && signal != rt::kGoInit) return word;
    }
}

// DONE, then the launch entry is cleared, then the dispatcher hears of it, then the index moves on:
// nobody can see any order between the last two, since the next go is handled only after both.
void WorkerFirmware::run_program(std::uint32_t go_word) {
    const std::uint32_t index = device::l1_load_u32(self_.launch_read_index);
    const std::uint32_t entry = self_.launch_base + index * rt::kLaunchMessageBytes;
    device::kernel_begin(entry, go_word);
    std::byte bytes[rt::kLaunchMessageBytes];
    device::l1_load(entry, bytes, sizeof bytes);
    rt::LaunchMessage message;
    rt::decode(bytes, message);
    const bool tells_early = message.enables != 0 && faults_.on(rt::Fault::done_before_kernel);
    if (tells_early) notify_dispatcher(go_word);
    if (message.enables != 0) run_kernels(message);
    device::kernel_end();
    signal_done(go_word);
    if (message.mode == rt::kModeDev && !faults_.on(rt::Fault::launch_entry_not_cleared)) {
        // A core that gets a go it has no program for must find nothing enabled (inv. 79).
        const std::uint8_t cleared = 0;
        device::l1_store(entry + rt::kLaunchEnablesOffset, &cleared, 1);
        device::l1_store(entry + rt::kLaunchPreloadOffset, &cleared, 1);
    }
    if (!tells_early) notify_dispatcher(go_word);
    device::l1_store_u32(self_.launch_read_index,
                         (index + 1) & (rt::DispatchGeometry::kLaunchEntries - 1));
}

void WorkerFirmware::run_kernels(const rt::LaunchMessage& message) {
    device::waypoint("runs a kernel");
    std::uint32_t steps = kernels_.steps;
    if (kernels_.jitter != 0) {
        const std::uint32_t mix =
            (coord_.noc_xy() * 0x9e3779b9u) ^ (message.host_assigned_id * 0x85ebca6bu);
        steps += (mix >> 8) % (kernels_.jitter + 1);
    }
    for (std::uint32_t i = 0; i < steps; ++i) device::pause();
    if (const std::uint32_t bytes = bytes_to_exchange(message); bytes != 0)
        exchange(message, bytes);
}

std::uint32_t WorkerFirmware::bytes_to_exchange(const rt::LaunchMessage& message) const {
    if (linked_core_ < 0) return 0;
    const auto core = static_cast<std::uint32_t>(linked_core_);
    for (const KernelExchange& of : kernels_.exchanges)
        if (of.program == message.host_assigned_id && of.first_core <= core && core <= of.last_core)
            return of.bytes;
    return 0;
}

// The data mover of an all-gather: own bytes to the next chip, and when it is asked for, the next
// chip's bytes from there. The kernel ends when its bytes have arrived, since their source is the
// program's own part of the config ring.
void WorkerFirmware::exchange(const rt::LaunchMessage& message, std::uint32_t bytes) {
    constexpr std::uint32_t link = device::kEthernetLink;
    const std::uint32_t source = message.kernel_config_base + message.kernel_text_offset[0];
    noc_async_write(source, get_noc_addr_helper(0, self_.exchange_base), bytes, link);
    noc_semaphore_inc(get_noc_addr_helper(0, self_.exchange_count), 1, link);
    device::waypoint("waits for its message to arrive at the other chip");
    noc_async_write_barrier(link);
    noc_async_atomic_barrier(link);
    ++exchanges_;
    if (!kernels_.exchanges_wait) return;
    device::waypoint("waits for the other chip's message");
    while (static_cast<std::int32_t>(device::poll_l1(self_.exchange_count) - exchanges_) < 0) {
    }
}

void WorkerFirmware::signal_done(std::uint32_t go_word) const {
    rt::GoMessage message = rt::decode_go(go_word);
    message.signal = rt::kGoDone;
    device::l1_store_u32(self_.go_message, rt::encode(message));
}

void WorkerFirmware::notify_dispatcher(std::uint32_t go_word) const {
    const rt::GoMessage message = rt::decode_go(go_word);
    const std::uint32_t address = config_.go_sender().map.message(message.dispatch_message_offset);
    noc_semaphore_inc(
        get_noc_addr_helper(NOC_XY_ENCODING(message.master_x, message.master_y), address), 1,
        kDataNoc);
}

}  // namespace cqfuzz::fw
