#include "runtime_under_test/host/program_commands.hpp"

#include <span>

#include "runtime_under_test/host/packed_limits.hpp"
#include "runtime_under_test/host/receivers.hpp"
#include "runtime_under_test/protocol/wire.hpp"

namespace cqfuzz::rt {
namespace {

// Offsets of what `patch` writes.
constexpr std::size_t kPackedAddrAt = 8;   // WRITE_PACKED
constexpr std::size_t kGoWaitCountAt = 8;  // SEND_GO_SIGNAL
constexpr std::size_t kGoWaitAddrAt = 12;
constexpr std::size_t kGoSignalAt = 1;
constexpr std::size_t kConfigBaseAt = 0;  // launch message

void add_messages(ProgramCommands& out, CoreKind kind, const std::byte* first,
                  std::uint32_t command, std::span<const LaunchMessage* const> messages) {
    const auto offset = static_cast<std::uint32_t>(first - out.launch.bytes().data());
    for (std::uint32_t k = 0; k < messages.size(); k++)
        encode(out.launch.at(offset + k * kLaunchMessageBytes), *messages[k]);
    out.launch_patches.push_back(LaunchPatch{kind, command + kCommandBytes, offset,
                                             static_cast<std::uint32_t>(messages.size())});
}

template <class Receiver>
void add_launch(ProgramCommands& out, CoreKind kind, std::span<const Receiver> receivers,
                std::span<const LaunchMessage* const> messages, const PackedLimits& limits) {
    const PackedTarget target{kAbsoluteOffset, 0, kLaunchMessageBytes};
    while (!receivers.empty()) {
        const std::uint32_t count =
            limits.receivers(static_cast<std::uint32_t>(receivers.size()), target.size);
        const std::uint32_t command = out.launch.size_bytes();
        const std::byte* payload =
            out.launch.add_write_packed(target, receivers.first(count), PackedPayload::each);
        add_messages(out, kind, payload, command, messages.first(count));
        receivers = receivers.subspan(count);
        messages = messages.subspan(count);
    }
}

void add_launch_messages(ProgramCommands& out, const ProgramLayout& layout,
                         const DeviceConfig& device, FaultSet& faults) {
    std::vector<PackedMulticastSub> rectangles;
    std::vector<const LaunchMessage*> rectangle_messages;
    std::vector<std::uint32_t> cores;
    std::vector<const LaunchMessage*> core_messages;
    for (const LaunchGroup& group : layout.launch_groups) {
        for (const CoreRange& rectangle : group.rectangles) {
            if (group.kind == CoreKind::worker) {
                rectangles.push_back(multicast_receiver(device.chip, rectangle));
                rectangle_messages.push_back(&group.message);
            } else {
                append_cores(device.chip, group.kind, rectangle, cores);
                core_messages.resize(cores.size(), &group.message);
            }
        }
    }
    add_launch<PackedMulticastSub>(out, CoreKind::worker, rectangles, rectangle_messages,
                                   PackedLimits(device.geometry, kMulticastSubBytes, faults));
    add_launch<std::uint32_t>(out, CoreKind::ethernet, cores, core_messages,
                              PackedLimits(device.geometry, kUnicastSubBytes, faults));
}

}  // namespace

SendGoSignal go_command(const std::array<bool, kCoreKinds>& kinds, std::uint8_t signal,
                        std::uint32_t wait_count, const DeviceConfig& device, FaultSet& faults) {
    const bool workers = kinds[index_of(CoreKind::worker)];
    const bool ethernet = kinds[index_of(CoreKind::ethernet)];
    SendGoSignal go;
    go.go_signal = encode(go_message(signal, device, faults));
    go.num_mcast_txns = workers ? 1 : 0;
    go.num_unicast_txns =
        ethernet ? static_cast<std::uint8_t>(device.chip.ethernet_cores.size()) : std::uint8_t{0};
    go.noc_data_start_index = workers ? kGoGridIndex : kGoEthernetIndex;
    go.wait_count = wait_count;
    go.wait_addr =
        device.geometry.has_dispatch_s() ? device.dispatch_s.message(0) : device.message_pointer();
    return go;
}

GoMessage go_message(std::uint8_t signal, const DeviceConfig& device, FaultSet& faults) {
    Coord master = device.go_sender().coord;
    if (device.geometry.has_dispatch_s() && faults.on(Fault::go_names_dispatcher))
        master = device.chip.dispatch;
    return GoMessage{0, master.x, master.y, signal};
}

Receiver go_receiver(const DeviceConfig& device) {
    return device.geometry.has_dispatch_s() ? Receiver::dispatch_s : Receiver::dispatcher;
}

ProgramCommands build_program_commands(const Program& program, const ProgramLayout& layout,
                                       std::uint32_t binaries_address, const DeviceConfig& device,
                                       FaultSet& faults) {
    ProgramCommands out;
    add_arguments(out.config, program, layout, device, faults);
    add_semaphores_and_buffers(out.config, program, layout, device, faults);
    add_binaries(out.binaries, program, layout, binaries_address, device);
    add_launch_messages(out, layout, device, faults);
    // Everything a core will use has landed before its go leaves (inv. 70).
    if (device.geometry.has_dispatch_s()) {
        out.launch.add_notify(NotifySubordinateGoSignal{1, 1});
    } else {
        Wait barrier;
        barrier.barrier = 1;
        barrier.addr = device.message_pointer();
        out.launch.add_wait(barrier);
    }
    out.go = out.launch.size_bytes() + kCommandBytes;
    out.launch.add_go(
        go_command({layout.needs[0].runs, layout.needs[1].runs}, kGoGo, 0, device, faults),
        go_receiver(device));
    return out;
}

void ProgramCommands::patch(const WorkerReservation& place, std::uint32_t wait_count,
                            const DeviceConfig& queue, FaultSet& faults) {
    for (const LaunchPatch& launch_patch : launch_patches) {
        const std::size_t k = index_of(launch_patch.kind);
        const WorkerCoreLayout& map =
            launch_patch.kind == CoreKind::worker ? queue.worker : queue.ethernet;
        put(launch.at(launch_patch.command), kPackedAddrAt,
            map.launch_base + place.launch_slot[k] * kLaunchMessageBytes);
        for (std::uint32_t m = 0; m < launch_patch.count; m++)
            put(launch.at(launch_patch.messages + m * kLaunchMessageBytes), kConfigBaseAt,
                place.config_address[k]);
    }
    put(launch.at(go), kGoWaitCountAt, wait_count);
    put(launch.at(go), kGoWaitAddrAt, queue.message_pointer());
    if (queue.queue == 0 || !faults.on(Fault::go_of_first_queue))
        put(launch.at(go), kGoSignalAt, encode(go_message(kGoGo, queue, faults)));
}

}  // namespace cqfuzz::rt
