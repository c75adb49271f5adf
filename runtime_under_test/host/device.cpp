#include "runtime_under_test/host/device.hpp"

#include <string>
#include <utility>

#include "runtime_under_test/host/boot.hpp"
#include "runtime_under_test/host/device_lost.hpp"
#include "runtime_under_test/host/device_state.hpp"
#include "runtime_under_test/host/program_check.hpp"
#include "runtime_under_test/host/program_dispatch.hpp"
#include "runtime_under_test/host/trace.hpp"
#include "runtime_under_test/host/transfer.hpp"

namespace cqfuzz::rt {
namespace {

constexpr std::uint32_t kDramUnreservedBase = 1024;
constexpr std::uint32_t kPageAlignment = 32;
constexpr std::size_t kEthernetCoresMax =
    kMaxGoNocData - 2;  // words of the go-signal table behind the grid's two

std::string text(std::uint64_t value) { return std::to_string(value); }

const ChipDescription& described(const Cluster& cluster, std::uint8_t chip) {
    if (chip < cluster.chip_count()) return cluster.chip(chip);
    throw Misuse("there is no chip " + text(chip) + "; the machine has " +
                 text(cluster.chip_count()) + ", numbered from 0");
}

DeviceConfig checked_config(const DispatchGeometry& geometry, const ChipDescription& chip) {
    std::string refusal = refusal_of(geometry);
    if (!refusal.empty()) throw Misuse(refusal);
    if (chip.dram_banks.size() < geometry.dram_banks)
        throw Misuse("the geometry names " + text(geometry.dram_banks) +
                     " DRAM banks, the chip has " + text(chip.dram_banks.size()) +
                     "; use at most as many as the chip has");
    if (chip.more_queues.size() + 1 < geometry.command_queues)
        throw Misuse("the geometry names " + text(geometry.command_queues) +
                     " command queues, the chip has dispatch cores for " +
                     text(chip.more_queues.size() + 1) + "; use at most as many");
    if (chip.ethernet_cores.size() > kEthernetCoresMax)
        throw Misuse("the chip has " + text(chip.ethernet_cores.size()) +
                     " ethernet cores; the go-signal table names at most " +
                     text(kEthernetCoresMax) + "; describe a chip with fewer");
    if (chip.remote && !geometry.split)
        throw Misuse("chip " + text(chip.chip) +
                     " has no PCIe of its own; its geometry must be split");
    DeviceConfig config = make_device_config(geometry, chip);
    refusal = refusal_of(config);
    if (!refusal.empty()) throw Misuse(refusal);
    return config;
}

// The trace region lies at the end of every bank and takes at most half of it.
std::uint32_t trace_base(const DispatchGeometry& geometry) {
    const std::uint32_t share = geometry.trace_region_bytes / geometry.dram_banks;
    const std::uint32_t bytes = std::min(share, geometry.dram_bank_bytes / 2);
    return (geometry.dram_bank_bytes - bytes) / kPageAlignment * kPageAlignment;
}

void check_open(const Device::State& device, const char* call) {
    if (device.closed)
        throw Misuse(std::string(call) + ": the device is closed; open a new Device");
    for (const auto& queue : device.queues)
        if (queue->completions.lost())
            throw DeviceLost(std::string(call) + " after its completion queue went out of step");
}

void check_not_capturing(const Device::State& device, const char* call) {
    check_open(device, call);
    if (device.before_capture)
        throw Misuse(std::string(call) +
                     ": a trace is being captured, and only enqueue_program may go into it; "
                     "call end_trace first");
}

template <class Table>
std::size_t checked_index(const Table& table, std::uint32_t id, const char* call,
                          const char* noun) {
    if (id < table.size()) return id;
    const std::string known =
        table.empty() ? std::string("none was made") : "the last is " + text(table.size() - 1);
    throw Misuse(std::string(call) + ": there is no " + noun + " " + text(id) + "; " + known +
                 "; use an id that this device gave");
}

CommandQueue& queue_of(Device::State& device, QueueId id, const char* call) {
    const auto number = static_cast<std::uint32_t>(id);
    if (number >= device.queues.size())
        throw Misuse(std::string(call) + ": there is no command queue " + text(number) +
                     "; the device was opened with " + text(device.queues.size()) +
                     "; open it with a larger command_queues");
    return *device.queues[number];
}

CommandQueue& queue_of_event(Device::State& device, const Event& event, const char* call) {
    CommandQueue& queue = queue_of(device, event.queue, call);
    if (!queue.completions.recorded(event.id))
        throw Misuse(std::string(call) + ": event " + text(event.id) + " of command queue " +
                     text(queue.number()) +
                     " was never recorded, so it can never come; use an event that record_event of "
                     "this device gave");
    return queue;
}

const BufferInfo& buffer_of(const Device::State& device, BufferId id, const char* call) {
    return device
        .buffers[checked_index(device.buffers, static_cast<std::uint32_t>(id), call, "buffer")];
}

LoadedProgram& program_of(Device::State& device, ProgramId id, const char* call) {
    return *device.programs[checked_index(device.programs, static_cast<std::uint32_t>(id), call,
                                          "program")];
}

TraceRecord& ready_trace(Device::State& device, TraceId id, const char* call) {
    const std::size_t index =
        checked_index(device.traces, static_cast<std::uint32_t>(id), call, "trace");
    TraceRecord& trace = device.traces[index];
    if (trace.status == TraceStatus::capturing)
        throw Misuse(std::string(call) + ": trace " + text(index) +
                     " has no end; call end_trace first");
    if (trace.status == TraceStatus::released)
        throw Misuse(std::string(call) + ": trace " + text(index) +
                     " was released; capture it again");
    return trace;
}

void check_buffer_size(const BufferInfo& info, std::size_t bytes, const char* call) {
    const std::size_t whole = std::size_t{info.page_count} * info.page_size_bytes;
    if (bytes != whole)
        throw Misuse(std::string(call) + ": " + text(bytes) + " bytes were given; the buffer has " +
                     text(info.page_count) + " pages of " + text(info.page_size_bytes) +
                     ", so give exactly " + text(whole));
}

std::uint32_t take_dram(Device::State& device, std::uint32_t pages, std::uint32_t page_size,
                        const std::string& who) {
    const std::uint32_t banks = device.config.geometry.dram_banks;
    const std::uint64_t bytes = bytes_per_bank(BufferSpec{pages, page_size}, banks);
    const std::optional<std::uint32_t> address = device.buffer_space.take(bytes);
    if (!address)
        throw Misuse(who + " needs " + text(bytes) + " bytes in each of " + text(banks) +
                     " DRAM banks; at most " + text(device.buffer_space.largest_free_bytes()) +
                     " in one piece are free of the " + text(device.buffer_space.size_bytes()) +
                     " for buffers; make it smaller, or open the device with larger banks or a "
                     "smaller trace region");
    return *address;
}

std::uint32_t take_l1(Device::State& device, const BufferSpec& spec) {
    const ChipDescription& chip = device.config.chip;
    const std::uint32_t workers = std::uint32_t{chip.worker_cols} * chip.worker_rows;
    const std::uint64_t bytes = bytes_per_bank(spec, workers);
    const std::optional<std::uint32_t> address = device.l1_space.take(bytes);
    if (!address)
        throw Misuse("create_buffer: the buffer needs " + text(bytes) +
                     " bytes in the L1 of each worker; at most " +
                     text(device.l1_space.largest_free_bytes()) + " in one piece are free of the " +
                     text(device.l1_space.size_bytes()) +
                     " above the kernel-config ring; make it smaller, shard it over more cores, or "
                     "place it in DRAM");
    return *address;
}

void check_shards(const BufferSpec& spec, const ChipDescription& chip) {
    const CoreRange& cores = spec.cores;
    if (cores.x0 > cores.x1 || cores.y0 > cores.y1 || cores.x1 >= chip.worker_cols ||
        cores.y1 >= chip.worker_rows)
        throw Misuse("create_buffer: sharded over cores (" + text(cores.x0) + "," + text(cores.y0) +
                     ") to (" + text(cores.x1) + "," + text(cores.y1) + "); the chip has " +
                     text(chip.worker_cols) + " x " + text(chip.worker_rows) +
                     " workers; give a range inside, first corner first");
    if (spec.row_pages == 0 || spec.row_pages > spec.page_count)
        throw Misuse("create_buffer: sharded in rows of " + text(spec.row_pages) +
                     " pages; the buffer has " + text(spec.page_count) +
                     ", so give a row of 1 to " + text(spec.page_count));
}

}  // namespace

Device::State::State(Cluster& chips, DeviceConfig device_config, FaultSet& fault_set)
    : cluster(chips),
      config(std::move(device_config)),
      faults(fault_set),
      buffer_space(kDramUnreservedBase, trace_base(config.geometry)),
      trace_space(trace_base(config.geometry), config.geometry.dram_bank_bytes),
      l1_space(align_up(config.worker.config_base + config.worker.config_bytes, kPageAlignment),
               kTensixL1Bytes),
      workers(config, faults) {
    for (std::uint32_t q = 0; q < config.geometry.command_queues; q++) {
        DeviceConfig of_queue = make_device_config(config.geometry, config.chip, q);
        of_queue.generation = config.generation;
        queues.push_back(std::make_unique<CommandQueue>(cluster, std::move(of_queue), faults));
    }
}

Device::Device(Cluster& cluster, const DispatchGeometry& geometry, FaultSet& faults,
               std::uint8_t chip)
    : state_(std::make_unique<State>(cluster, checked_config(geometry, described(cluster, chip)),
                                     faults)) {
    boot(*state_);
}

Device::~Device() = default;

const DeviceConfig& Device::config() const { return state_->config; }

BufferId Device::create_buffer(const BufferSpec& spec) {
    check_not_capturing(*state_, "create_buffer");
    if (spec.page_count == 0 || spec.page_size_bytes == 0 ||
        spec.page_size_bytes % kPageAlignment != 0)
        throw Misuse("create_buffer: " + text(spec.page_count) + " pages of " +
                     text(spec.page_size_bytes) +
                     " bytes; give at least one page, and a page size that is a multiple of 32");
    if (is_sharded(spec.placement)) check_shards(spec, state_->config.chip);
    const std::uint32_t address =
        spec.placement == BufferPlacement::dram
            ? take_dram(*state_, spec.page_count, spec.page_size_bytes, "create_buffer: the buffer")
            : take_l1(*state_, spec);
    state_->buffers.push_back(BufferInfo{address, spec.page_count, spec.page_size_bytes,
                                         spec.placement, spec.cores, spec.row_pages});
    return static_cast<BufferId>(state_->buffers.size() - 1);
}

BufferInfo Device::info(BufferId buffer) const {
    check_open(*state_, "info");
    return buffer_of(*state_, buffer, "info");
}

void Device::enqueue_write(BufferId buffer, std::span<const std::byte> bytes, QueueId queue) {
    check_not_capturing(*state_, "enqueue_write");
    const BufferInfo& place = buffer_of(*state_, buffer, "enqueue_write");
    check_buffer_size(place, bytes.size(), "enqueue_write");
    write_buffer(*state_, queue_of(*state_, queue, "enqueue_write"), place, bytes,
                 AfterPrograms::yes);
}

void Device::enqueue_read(BufferId buffer, std::span<std::byte> bytes, QueueId queue) {
    check_not_capturing(*state_, "enqueue_read");
    const BufferInfo& place = buffer_of(*state_, buffer, "enqueue_read");
    check_buffer_size(place, bytes.size(), "enqueue_read");
    read_buffer(*state_, queue_of(*state_, queue, "enqueue_read"), place, bytes);
}

ProgramId Device::create_program(const Program& program) {
    check_not_capturing(*state_, "create_program");
    check_program(program, state_->config);
    auto loaded = std::make_unique<LoadedProgram>();
    loaded->program = program;
    loaded->layout = lay_out(loaded->program, state_->config);
    loaded->binaries_address =
        take_dram(*state_, loaded->layout.binary_pages, kProgramPageBytes,
                  "create_program: program " + text(program.id) + ", for its binaries,");
    loaded->commands = build_program_commands(
        loaded->program, loaded->layout, loaded->binaries_address, state_->config, state_->faults);
    state_->programs.push_back(std::move(loaded));
    return static_cast<ProgramId>(state_->programs.size() - 1);
}

void Device::enqueue_program(ProgramId program, QueueId queue) {
    check_open(*state_, "enqueue_program");
    LoadedProgram& loaded = program_of(*state_, program, "enqueue_program");
    CommandQueue& on = queue_of(*state_, queue, "enqueue_program");
    if (state_->before_capture && !on.issue.capturing())
        throw Misuse("enqueue_program: a trace is being captured on command queue " +
                     text(state_->traces.back().queue) +
                     "; enqueue on it, or call end_trace first");
    if (state_->before_capture && !loaded.readable[on.number()])
        throw Misuse("enqueue_program: program " + text(loaded.program.id) +
                     " is not on the device yet, and a trace cannot hold its upload; call "
                     "load_program or enqueue it once on this queue before begin_trace");
    dispatch_program(*state_, on, loaded);
}

void Device::load_program(ProgramId program, QueueId queue) {
    check_not_capturing(*state_, "load_program");
    LoadedProgram& loaded = program_of(*state_, program, "load_program");
    load_binaries(*state_, queue_of(*state_, queue, "load_program"), loaded);
}

TraceId Device::begin_trace(QueueId queue) {
    check_not_capturing(*state_, "begin_trace");
    CommandQueue& on = queue_of(*state_, queue, "begin_trace");
    begin_capture(*state_, on);
    state_->traces.emplace_back();
    state_->traces.back().queue = on.number();
    return static_cast<TraceId>(state_->traces.size() - 1);
}

void Device::end_trace() {
    check_open(*state_, "end_trace");
    if (!state_->before_capture)
        throw Misuse("end_trace: no trace is being captured; call begin_trace first");
    TraceRecord& trace = state_->traces.back();
    trace.status = TraceStatus::released;  // unless it gets its place
    end_capture(*state_, trace);
}

void Device::replay_trace(TraceId trace, Blocking blocking, QueueId queue) {
    check_open(*state_, "replay_trace");
    const TraceRecord& record = ready_trace(*state_, trace, "replay_trace");
    check_not_capturing(*state_, "replay_trace");
    CommandQueue& on = queue_of(*state_, queue, "replay_trace");
    if (record.queue != on.number())
        throw Misuse("replay_trace: trace " + text(static_cast<std::uint32_t>(trace)) +
                     " was captured on command queue " + text(record.queue) +
                     ", whose cores its commands name; replay it there");
    replay(*state_, record);
    if (blocking == Blocking::yes) rt::finish(*state_, on);
}

void Device::release_trace(TraceId trace) {
    check_open(*state_, "release_trace");
    TraceRecord& record = ready_trace(*state_, trace, "release_trace");
    check_not_capturing(*state_, "release_trace");
    if (!state_->faults.on(Fault::trace_range_not_kept))
        state_->trace_space.give_back(record.address);
    record.status = TraceStatus::released;
}

Event Device::record_event(QueueId queue) {
    check_not_capturing(*state_, "record_event");
    return Event{queue, rt::record_event(*state_, queue_of(*state_, queue, "record_event"))};
}

void Device::wait_for_event(QueueId queue, const Event& event) {
    check_not_capturing(*state_, "wait_for_event");
    CommandQueue& waits = queue_of(*state_, queue, "wait_for_event");
    rt::wait_for_event(waits, queue_of_event(*state_, event, "wait_for_event").number(), event.id);
}

void Device::synchronize(const Event& event) {
    check_not_capturing(*state_, "synchronize");
    queue_of_event(*state_, event, "synchronize").completions.wait_event(event.id);
}

bool Device::complete(const Event& event) {
    check_not_capturing(*state_, "complete");
    return queue_of_event(*state_, event, "complete").completions.event_complete(event.id);
}

void Device::finish(QueueId queue) {
    check_not_capturing(*state_, "finish");
    rt::finish(*state_, queue_of(*state_, queue, "finish"));
}

void Device::close() {
    check_not_capturing(*state_, "close");
    for (const auto& queue : state_->queues) rt::finish(*state_, *queue);
    shut_down(*state_);
    state_->closed = true;
}

}  // namespace cqfuzz::rt
