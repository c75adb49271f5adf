#include "runtime_under_test/host/transfer.hpp"

#include <cstring>
#include <vector>

namespace cqfuzz::rt {

void add_stall_pair(Device::State& device, CommandQueue& queue, bool wait,
                    std::uint32_t wait_count) {
    Wait command;
    command.barrier = !device.faults.on(Fault::stall_without_barrier) ? 1 : 0;
    command.notify_prefetch = 1;
    command.wait = wait ? 1 : 0;
    command.addr = queue.config.message_pointer();
    command.count = wait ? wait_count : 0;
    queue.sequence.add_wait(command);
    if (!device.faults.on(Fault::notify_without_stall)) queue.sequence.add_stall();
}

void add_wait_for_programs(Device::State& device, CommandQueue& queue) {
    Wait wait;
    wait.wait = 1;
    wait.addr = queue.config.message_pointer();
    wait.count = device.workers.expected(queue.number());
    queue.sequence.add_wait(wait);
}

void add_clear(Device::State& device, CommandQueue& queue, std::uint32_t count, std::uint8_t wait) {
    Wait command;
    command.wait = wait;
    command.clear_count = 1;
    command.count = count;
    const DeviceConfig& config = queue.config;
    if (config.geometry.has_dispatch_s() &&
        !device.faults.on(Fault::count_cleared_at_dispatcher_alone)) {
        command.addr = config.dispatch_s.message(0);
        queue.sequence.add_wait(command, Receiver::dispatch_s);
    }
    command.addr = config.message_pointer();
    queue.sequence.add_wait(command);
}

std::uint32_t record_event(Device::State& device, CommandQueue& queue) {
    const std::uint32_t id = queue.completions.record_event();
    queue.sequence.clear();
    Wait wait;
    wait.barrier = !device.faults.on(Fault::event_without_barrier) ? 1 : 0;
    wait.wait = 1;
    wait.addr = queue.config.message_pointer();
    wait.count = device.workers.expected(queue.number());
    queue.sequence.add_wait(wait);
    std::vector<std::uint32_t> others;
    for (const auto& other : device.queues)
        if (other.get() != &queue) others.push_back(other->config.chip.dispatch.noc_xy());
    if (!others.empty()) {
        const std::uint32_t word =
            !device.faults.on(Fault::event_in_wrong_word) ? queue.number() : 1 - queue.number();
        const PackedTarget target{kAbsoluteOffset, queue.config.dispatch.last_event(word),
                                  kEventBytes};
        std::memcpy(queue.sequence.add_write_packed(target, others, PackedPayload::shared), &id,
                    sizeof id);
    }
    queue.sequence.add_event(id);
    queue.submit();
    return id;
}

void wait_for_event(CommandQueue& queue, std::uint32_t of_queue, std::uint32_t id) {
    queue.sequence.clear();
    if (of_queue == queue.number()) return;  // in order anyway
    Wait wait;
    wait.wait = 1;
    wait.addr = queue.config.event_pointer(of_queue);
    wait.count = id;
    queue.sequence.add_wait(wait);
    queue.submit();
}

void finish(Device::State& device, CommandQueue& queue) {
    queue.completions.wait_event(record_event(device, queue));
}

void order_after(Device::State& device, CommandQueue& before, CommandQueue& after) {
    const std::uint32_t id = record_event(device, before);
    after.sequence.clear();
    Wait wait;
    wait.wait = 1;
    wait.notify_prefetch = 1;
    wait.addr = after.config.event_pointer(before.number());
    wait.count = id;
    after.sequence.add_wait(wait);
    after.sequence.add_stall();
    after.submit();
}

void claim_workers(Device::State& device, CommandQueue& queue) {
    const std::uint32_t owner = device.workers.owner();
    if (owner == queue.number()) return;
    if (!device.faults.on(Fault::workers_taken_without_wait))
        order_after(device, *device.queues[owner], queue);
    device.workers.hand_over_to(queue.number());
}

}  // namespace cqfuzz::rt
