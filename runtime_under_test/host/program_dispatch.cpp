#include "runtime_under_test/host/program_dispatch.hpp"

#include <algorithm>

#include "runtime_under_test/host/runtime_assert.hpp"
#include "runtime_under_test/host/transfer.hpp"

namespace cqfuzz::rt {
namespace {

// Signed distances hold up to 2^31; far below it the counter starts anew (inv. 76).
constexpr std::uint32_t kCounterResetAt = 1u << 30;

void send_binaries(Device::State& device, CommandQueue& queue, LoadedProgram& program) {
    const BufferInfo place{program.binaries_address, program.layout.binary_pages,
                           kProgramPageBytes};
    std::vector<std::byte> pages(std::size_t{place.page_count} * kProgramPageBytes);
    for (std::size_t k = 0; k < program.program.kernels.size(); k++) {
        const std::vector<std::byte>& binary = program.program.kernels[k].binary;
        std::copy(binary.begin(), binary.end(),
                  pages.begin() + static_cast<std::ptrdiff_t>(program.layout.first_page[k]) *
                                      kProgramPageBytes);
    }
    // The buffer is the program's own and new: nobody in flight uses it.
    write_buffer(device, queue, place, pages, AfterPrograms::no);
    program.binaries = BinaryStatus::in_flight;
    program.sent_by = queue.number();
}

// When all is complete the device's counter and ours start anew; no completion can be in flight
// (inv. 75).
void reset_counter_before_overflow(Device::State& device, CommandQueue& queue) {
    if (device.workers.expected() < kCounterResetAt) return;
    RUNTIME_ASSERT(!queue.issue.capturing());
    queue.sequence.clear();
    add_clear(device, queue, device.workers.expected());
    queue.submit();
    device.workers.counter_cleared();
}

void add_ring_wait(CommandQueue& queue, std::uint32_t count) {
    Wait wait;
    wait.wait = 1;
    wait.addr = queue.config.message_pointer();
    wait.count = count;
    queue.sequence.add_wait(wait);
}

// Binaries that another queue sent. Those that this one sent and has not stalled for are left to
// the caller, whose WAIT can do more at once.
void make_readable(Device::State& device, CommandQueue& queue, LoadedProgram& program) {
    if (program.readable[queue.number()] || program.sent_by == queue.number()) return;
    order_after(device, *device.queues[program.sent_by], queue);
    program.readable[queue.number()] = true;
}

}  // namespace

void load_binaries(Device::State& device, CommandQueue& queue, LoadedProgram& program) {
    if (program.binaries == BinaryStatus::not_sent) send_binaries(device, queue, program);
    make_readable(device, queue, program);
    if (program.readable[queue.number()]) return;
    queue.sequence.clear();
    add_stall_pair(device, queue, false, 0);
    queue.submit();
    program.binaries = BinaryStatus::committed;
    program.readable[queue.number()] = true;
}

void dispatch_program(Device::State& device, CommandQueue& queue, LoadedProgram& program) {
    RUNTIME_ASSERT(!queue.issue.capturing() || program.readable[queue.number()]);
    if (program.binaries == BinaryStatus::not_sent) send_binaries(device, queue, program);
    if (!queue.issue.capturing()) {
        claim_workers(device, queue);
        make_readable(device, queue, program);
        reset_counter_before_overflow(device, queue);
    }

    const std::uint32_t expected_before = device.workers.expected();
    const WorkerReservation place = device.workers.take(program.layout.needs, device.faults);
    program.commands.patch(place, expected_before, queue.config, device.faults);

    CommandSequence& sequence = queue.sequence;
    sequence.clear();
    SetWriteOffset offsets;
    offsets.offset[kWorkerOffset] = place.config_address[index_of(CoreKind::worker)];
    offsets.offset[kEthernetOffset] = place.config_address[index_of(CoreKind::ethernet)];
    sequence.add_set_write_offset(offsets);

    // Exactly one stall at most: before everything when the config range is still in use, else
    // before the binaries, when they are not yet readable or only launch slots are short.
    const bool stall_first = place.config_needs_sync;
    const bool unreadable = !program.readable[queue.number()];
    const auto add_stall = [&] {
        if (unreadable)
            add_stall_pair(device, queue, place.need_sync, place.sync_count);
        else
            add_ring_wait(queue, place.sync_count);
    };
    if (stall_first) add_stall();
    sequence.append(program.commands.config);
    if (!stall_first && (unreadable || place.need_sync)) add_stall();
    sequence.append(program.commands.binaries);
    sequence.append(program.commands.launch);
    queue.submit();
    program.binaries = BinaryStatus::committed;
    program.readable[queue.number()] = true;
}

}  // namespace cqfuzz::rt
