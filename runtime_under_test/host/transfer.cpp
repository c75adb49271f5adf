#include "runtime_under_test/host/transfer.hpp"

namespace cqfuzz::rt {

void add_stall_pair(Device::State& device, CommandSequence& out, bool wait,
                    std::uint32_t wait_count) {
    Wait command;
    command.barrier = !device.faults.on(Fault::stall_without_barrier) ? 1 : 0;
    command.notify_prefetch = 1;
    command.wait = wait ? 1 : 0;
    command.addr = device.config.dispatch.dispatch_message;
    command.count = wait ? wait_count : 0;
    out.add_wait(command);
    if (!device.faults.on(Fault::notify_without_stall)) out.add_stall();
}

void add_wait_for_programs(Device::State& device) {
    Wait wait;
    wait.wait = 1;
    wait.addr = device.config.dispatch.dispatch_message;
    wait.count = device.workers.expected();
    device.sequence.add_wait(wait);
}

void finish(Device::State& device) {
    device.sequence.clear();
    Wait wait;
    wait.barrier = !device.faults.on(Fault::event_without_barrier) ? 1 : 0;
    wait.wait = 1;
    wait.addr = device.config.dispatch.dispatch_message;
    wait.count = device.workers.expected();
    device.sequence.add_wait(wait);
    device.sequence.add_event(++device.events);
    device.issue.submit(device.sequence);
    device.completions.wait_event(device.events);
}

}  // namespace cqfuzz::rt
