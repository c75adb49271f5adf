#include "runtime_under_test/host/trace.hpp"

#include <string>

#include "runtime_under_test/host/misuse.hpp"
#include "runtime_under_test/host/transfer.hpp"

namespace cqfuzz::rt {
namespace {

void restore_workers(Device::State& device) {
    device.workers = *device.before_capture;
    device.before_capture.reset();
}

std::array<bool, kCoreKinds> kinds_used(const TraceRecord& trace) {
    return {trace.launches[0] != 0, trace.launches[1] != 0};
}

}  // namespace

// A replay starts from this baseline: counters and launch pointers zero, nothing known of the
// rings, so the first program waits for what was there before (facts §5.1, inv. 66).
void begin_capture(Device::State& device, CommandQueue& queue) {
    claim_workers(device, queue);
    device.before_capture = device.workers;
    device.workers.counter_cleared();
    for (const CoreKind kind : kAllCoreKinds) device.workers.set_launches(kind, 0);
    device.workers.mark_rings_full(0);
    queue.issue.begin_capture();
}

void end_capture(Device::State& device, TraceRecord& trace) {
    const DispatchGeometry& geometry = device.config.geometry;
    CommandQueue& queue = *device.queues[trace.queue];
    queue.sequence.clear();
    queue.sequence.add_exec_buf_end();
    queue.submit();
    std::vector<std::byte>& bytes = queue.issue.end_capture();
    trace.completions = device.workers.expected();
    for (const CoreKind kind : kAllCoreKinds)
        trace.launches[index_of(kind)] = device.workers.launches(kind);
    restore_workers(device);

    const std::uint32_t page_bytes = 1u << geometry.trace_log_page_size;
    const auto captured_bytes = bytes.size();
    const std::size_t pages = (captured_bytes + page_bytes - 1) / page_bytes;
    const std::uint64_t bank_bytes =
        (pages + geometry.dram_banks - 1) / geometry.dram_banks * page_bytes;
    const std::optional<std::uint32_t> address = device.trace_space.take(bank_bytes);
    if (!address)
        throw Misuse("end_trace: the trace has " + std::to_string(captured_bytes) + " bytes, " +
                     std::to_string(bank_bytes) + " in each of " +
                     std::to_string(geometry.dram_banks) + " banks; the trace region has " +
                     std::to_string(device.trace_space.size_bytes()) +
                     " per bank, of which at most " +
                     std::to_string(device.trace_space.largest_free_bytes()) +
                     " in one piece are free; release a trace, or open the device with larger "
                     "trace_region_bytes");
    if (device.faults.on(Fault::trace_range_not_kept)) device.trace_space.give_back(*address);
    trace.address = *address;
    trace.pages = static_cast<std::uint32_t>(pages);
    bytes.resize(pages * page_bytes);
    // An earlier replay may still read this range, as a trace that was released: it ends before our
    // writes in the stream, or on another queue whose replays are waited for.
    for (const auto& other : device.queues) {
        if (other.get() == &queue || !device.replays[other->number()]) continue;
        order_after(device, *other, queue);
        device.replays[other->number()] = false;
    }
    write_buffer(device, queue, BufferInfo{trace.address, trace.pages, page_bytes}, bytes,
                 AfterPrograms::yes);
    finish(device, queue);
    trace.status = TraceStatus::ready;
}

void replay(Device::State& device, const TraceRecord& trace) {
    WorkerState& workers = device.workers;
    CommandQueue& queue = *device.queues[trace.queue];
    claim_workers(device, queue);
    device.replays[trace.queue] = true;
    CommandSequence& sequence = queue.sequence;
    sequence.clear();
    const std::array<bool, kCoreKinds> used = kinds_used(trace);
    if (used[0] || used[1]) {
        if (queue.config.geometry.has_dispatch_s() &&
            !device.faults.on(Fault::replay_without_notify))
            sequence.add_notify(NotifySubordinateGoSignal{0, 1});
        sequence.add_go(
            go_command(used, kGoResetReadPtr, workers.expected(), queue.config, device.faults),
            go_receiver(queue.config));
        for (const CoreKind kind : kAllCoreKinds)
            if (used[index_of(kind)]) workers.expect_completions(workers.cores(kind));
    }
    add_clear(device, queue, workers.expected(),
              !device.faults.on(Fault::clear_without_wait) ? 1 : 0);
    ExecBuf exec_buf;
    exec_buf.base_addr = trace.address;
    exec_buf.log_page_size = device.config.geometry.trace_log_page_size;
    exec_buf.pages = trace.pages;
    sequence.add_exec_buf(exec_buf);
    queue.submit(FetchStall::yes);

    // Our model is now what the trace leaves behind (inv. 67). Kinds it does not use keep their
    // launch pointers.
    workers.counter_cleared();
    workers.expect_completions(trace.completions);
    for (const CoreKind kind : kAllCoreKinds)
        if (used[index_of(kind)] || device.faults.on(Fault::launch_pointers_reset_for_all))
            workers.set_launches(kind, trace.launches[index_of(kind)]);
    if (!device.faults.on(Fault::program_after_trace_no_stall))
        workers.mark_rings_full(trace.completions);
}

}  // namespace cqfuzz::rt
