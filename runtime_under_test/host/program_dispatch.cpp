#include "runtime_under_test/host/program_dispatch.hpp"

#include <algorithm>

#include "runtime_under_test/host/runtime_assert.hpp"
#include "runtime_under_test/host/transfer.hpp"

namespace cqfuzz::rt {
namespace {

// Signed distances hold up to 2^31; far below it the counter starts anew (inv. 76).
constexpr std::uint32_t kCounterResetAt = 1u << 30;

void send_binaries(Device::State& device, LoadedProgram& program) {
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
    write_buffer(device, place, pages, AfterPrograms::no);
    program.binaries = BinaryStatus::in_flight;
}

// When all is complete the device's counter and ours start anew; no completion can be in flight
// (inv. 75).
void reset_counter_before_overflow(Device::State& device) {
    if (device.workers.expected() < kCounterResetAt) return;
    RUNTIME_ASSERT(!device.issue.capturing());
    Wait wait;
    wait.wait = 1;
    wait.clear_count = 1;
    wait.addr = device.config.dispatch.dispatch_message;
    wait.count = device.workers.expected();
    device.sequence.clear();
    device.sequence.add_wait(wait);
    device.issue.submit(device.sequence);
    device.workers.counter_cleared();
}

void add_ring_wait(Device::State& device, std::uint32_t count) {
    Wait wait;
    wait.wait = 1;
    wait.addr = device.config.dispatch.dispatch_message;
    wait.count = count;
    device.sequence.add_wait(wait);
}

}  // namespace

void load_binaries(Device::State& device, LoadedProgram& program) {
    if (program.binaries == BinaryStatus::committed) return;
    if (program.binaries == BinaryStatus::not_sent) send_binaries(device, program);
    device.sequence.clear();
    add_stall_pair(device, device.sequence, false, 0);
    device.issue.submit(device.sequence);
    program.binaries = BinaryStatus::committed;
}

void dispatch_program(Device::State& device, LoadedProgram& program) {
    RUNTIME_ASSERT(!device.issue.capturing() || program.binaries == BinaryStatus::committed);
    if (program.binaries == BinaryStatus::not_sent) send_binaries(device, program);
    if (!device.issue.capturing()) reset_counter_before_overflow(device);

    const std::uint32_t expected_before = device.workers.expected();
    const WorkerReservation place = device.workers.take(program.layout.needs, device.faults);
    program.commands.patch(place, expected_before, device.config);

    CommandSequence& sequence = device.sequence;
    sequence.clear();
    SetWriteOffset offsets;
    offsets.offset[kWorkerOffset] = place.config_address[index_of(CoreKind::worker)];
    offsets.offset[kEthernetOffset] = place.config_address[index_of(CoreKind::ethernet)];
    sequence.add_set_write_offset(offsets);

    // Exactly one stall at most: before everything when the config range is still in use, else
    // before the binaries, when they are not yet readable or only launch slots are short.
    const bool stall_first = place.config_needs_sync;
    const bool unreadable = program.binaries != BinaryStatus::committed;
    const auto add_stall = [&] {
        if (unreadable)
            add_stall_pair(device, sequence, place.need_sync, place.sync_count);
        else
            add_ring_wait(device, place.sync_count);
    };
    if (stall_first) add_stall();
    sequence.append(program.commands.config);
    if (!stall_first && (unreadable || place.need_sync)) add_stall();
    sequence.append(program.commands.binaries);
    sequence.append(program.commands.launch);
    device.issue.submit(sequence);
    program.binaries = BinaryStatus::committed;
}

}  // namespace cqfuzz::rt
