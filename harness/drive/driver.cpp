#include "harness/drive/driver.hpp"

#include <array>

#include "harness/drive/contents.hpp"
#include "harness/scenario/limits.hpp"
#include "runtime_under_test/host/device_lost.hpp"

namespace cqfuzz {

struct Driver::Ops {
    const Scenario& scenario;
    std::span<const rt::DispatchGeometry> geometries;
    rt::Cluster& cluster;
    rt::FaultSet& faults;
    DriverHooks& hooks;

    std::uint32_t op_index = 0;
    struct LoadedProgram {
        std::optional<rt::ProgramId> id;
        // By command queue: whose prefetcher can read its binaries.
        std::array<bool, rt::DispatchGeometry::kCommandQueuesMax> loaded{};
    };
    struct CapturedTrace {
        rt::TraceId id{};
        std::uint32_t queue = 0;
    };
    // A device and what it gave us.
    struct OpenDevice {
        std::uint32_t number = 0;
        std::optional<rt::Device> device;
        std::vector<LoadedProgram> programs;
        std::vector<std::optional<rt::BufferId>> buffers;
        std::vector<std::optional<CapturedTrace>> traces;
        std::array<std::optional<rt::Event>, limits::kEventsMax> events;

        rt::Device* operator->() { return &*device; }
    };
    std::deque<OpenDevice> devices;
    std::vector<std::optional<ProgramImage>> images;  // of programs, once they are used
    std::deque<std::vector<std::byte>> contents;      // keeps announced bytes alive

    Ops(const Scenario& s, std::span<const rt::DispatchGeometry> g, rt::Cluster& c, rt::FaultSet& f,
        DriverHooks& h)
        : scenario(s), geometries(g), cluster(c), faults(f), hooks(h), images(s.programs.size()) {
        for (std::uint32_t number = 0; number < g.size(); ++number) {
            OpenDevice& device = devices.emplace_back();
            device.number = number;
            device.programs.resize(s.programs.size());
            device.buffers.resize(s.buffers.size());
            device.traces.resize(s.traces.size());
        }
    }

    HostCall call_of(HostCallKind kind, const OpenDevice& device, std::uint32_t queue = 0) const {
        HostCall call;
        call.kind = kind;
        call.device = device.number;
        call.op_index = op_index;
        call.queue = queue;
        return call;
    }

    void announce_refusal(HostCall& call, const char* why) const {
        call.succeeded = false;
        call.refusal = why;
        hooks.host_call(call, true);
    }

    // Announces the call, makes it, announces its outcome. A refusal passes on after it has been
    // announced.
    template <class Make>
    void make_call(HostCall& call, Make&& make) {
        hooks.host_call(call, false);
        try {
            make();
        } catch (const rt::Misuse& misuse) {
            announce_refusal(call, misuse.what());
            throw;
        } catch (const rt::DeviceLost& lost) {
            announce_refusal(call, lost.what());
            throw;
        }
        hooks.host_call(call, true);
    }

    const ProgramImage& image(std::uint32_t number) {
        if (!images[number]) images[number] = image_of(scenario.programs[number], number);
        return *images[number];
    }

    LoadedProgram& program(OpenDevice& device, std::uint32_t number) {
        LoadedProgram& p = device.programs[number];
        if (!p.id) p.id = device->create_program(runtime_program_of(image(number)));
        return p;
    }

    rt::BufferId buffer(OpenDevice& device, std::uint32_t number) {
        std::optional<rt::BufferId>& id = device.buffers[number];
        if (!id) {
            HostCall call = buffer_call(HostCallKind::create_buffer, device, number);
            make_call(call, [&] {
                id = device->create_buffer(runtime_buffer_of(scenario.buffers[number]));
                call.address = device->info(*id).address;
            });
        }
        return *id;
    }

    static rt::QueueId queue_id(std::uint32_t queue) { return static_cast<rt::QueueId>(queue); }

    HostCall buffer_call(HostCallKind kind, const OpenDevice& device, std::uint32_t number,
                         std::uint32_t queue = 0) const {
        HostCall call = call_of(kind, device, queue);
        call.buffer = number;
        call.shape = shape_of(scenario.buffers[number]);
        return call;
    }

    std::size_t buffer_bytes(std::uint32_t number) const {
        return std::size_t{scenario.buffers[number].pages} * scenario.buffers[number].page_size;
    }

    void operator()(const OpWriteBuffer& op) {
        OpenDevice& device = devices[op.device];
        const rt::BufferId id = buffer(device, op.buffer);
        std::vector<std::byte>& bytes = contents.emplace_back();
        fill_bytes((std::uint64_t{op.content_seed} << 8) ^ op_index, buffer_bytes(op.buffer),
                   bytes);
        HostCall call = buffer_call(HostCallKind::write_buffer, device, op.buffer, op.queue);
        call.data = &bytes;
        make_call(call, [&] { device->enqueue_write(id, bytes, queue_id(op.queue)); });
    }

    void operator()(const OpReadBuffer& op) {
        OpenDevice& device = devices[op.device];
        const rt::BufferId id = buffer(device, op.buffer);
        std::vector<std::byte>& bytes = contents.emplace_back(buffer_bytes(op.buffer));
        HostCall call = buffer_call(HostCallKind::read_buffer, device, op.buffer, op.queue);
        make_call(call, [&] {
            device->enqueue_read(id, bytes, queue_id(op.queue));
            call.data = &bytes;
        });
    }

    void operator()(const OpEnqueue& op) {
        OpenDevice& device = devices[op.device];
        for (std::uint32_t i = 0; i < op.times; ++i) {
            LoadedProgram& p = program(device, op.program);
            HostCall call = call_of(HostCallKind::enqueue_program, device, op.queue);
            call.program = &image(op.program);
            make_call(call, [&] { device->enqueue_program(*p.id, queue_id(op.queue)); });
            p.loaded[op.queue] = true;
        }
    }

    std::vector<const ProgramImage*> programs_of(std::uint32_t trace) {
        std::vector<const ProgramImage*> list;
        for (const TraceStep& step : scenario.traces[trace].steps)
            for (std::uint32_t i = 0; i < step.times; ++i) list.push_back(&image(step.program));
        return list;
    }

    void operator()(const OpCapture& op) {
        OpenDevice& device = devices[op.device];
        for (const TraceStep& step : scenario.traces[op.trace].steps) {
            LoadedProgram& p = program(device, step.program);
            if (p.loaded[op.queue]) continue;
            HostCall call = call_of(HostCallKind::load_program, device, op.queue);
            call.program = &image(step.program);
            make_call(call, [&] { device->load_program(*p.id, queue_id(op.queue)); });
            p.loaded[op.queue] = true;
        }
        HostCall call = call_of(HostCallKind::capture_trace, device, op.queue);
        call.trace = op.trace;
        call.traced = programs_of(op.trace);
        make_call(call, [&] {
            device.traces[op.trace] =
                CapturedTrace{device->begin_trace(queue_id(op.queue)), op.queue};
            for (const TraceStep& step : scenario.traces[op.trace].steps)
                for (std::uint32_t i = 0; i < step.times; ++i)
                    device->enqueue_program(*device.programs[step.program].id, queue_id(op.queue));
            device->end_trace();
        });
    }

    void operator()(const OpReplay& op) {
        OpenDevice& device = devices[op.device];
        const CapturedTrace& trace = *device.traces[op.trace];
        HostCall call = call_of(HostCallKind::replay_trace, device, trace.queue);
        call.trace = op.trace;
        call.traced = programs_of(op.trace);
        const rt::Blocking blocking = op.blocking ? rt::Blocking::yes : rt::Blocking::no;
        for (std::uint32_t i = 0; i < op.times; ++i)
            make_call(call,
                      [&] { device->replay_trace(trace.id, blocking, queue_id(trace.queue)); });
    }

    void operator()(const OpRelease& op) {
        OpenDevice& device = devices[op.device];
        HostCall call = call_of(HostCallKind::release_trace, device);
        call.trace = op.trace;
        make_call(call, [&] { device->release_trace(device.traces[op.trace]->id); });
        device.traces[op.trace].reset();
    }

    void operator()(const OpFinish& op) {
        OpenDevice& device = devices[op.device];
        HostCall call = call_of(HostCallKind::finish, device, op.queue);
        make_call(call, [&] { device->finish(queue_id(op.queue)); });
    }

    HostCall event_call(HostCallKind kind, const OpenDevice& device, std::uint32_t event,
                        std::uint32_t queue = 0) const {
        HostCall call = call_of(kind, device, queue);
        call.event = event;
        return call;
    }

    void operator()(const OpRecordEvent& op) {
        OpenDevice& device = devices[op.device];
        HostCall call = event_call(HostCallKind::record_event, device, op.event, op.queue);
        make_call(call,
                  [&] { device.events[op.event] = device->record_event(queue_id(op.queue)); });
    }

    void operator()(const OpWaitEvent& op) {
        OpenDevice& device = devices[op.device];
        HostCall call = event_call(HostCallKind::wait_event, device, op.event, op.queue);
        make_call(call,
                  [&] { device->wait_for_event(queue_id(op.queue), *device.events[op.event]); });
    }

    void operator()(const OpSyncEvent& op) {
        OpenDevice& device = devices[op.device];
        HostCall call = event_call(HostCallKind::sync_event, device, op.event);
        make_call(call, [&] { device->synchronize(*device.events[op.event]); });
    }

    void operator()(const OpQueryEvent& op) {
        OpenDevice& device = devices[op.device];
        HostCall call = event_call(HostCallKind::query_event, device, op.event);
        make_call(call, [&] { call.complete = device->complete(*device.events[op.event]); });
    }

    void open() {
        for (OpenDevice& device : devices) {
            HostCall call = call_of(HostCallKind::open_device, device);
            make_call(call, [&] {
                device.device.emplace(cluster, geometries[device.number], faults,
                                      static_cast<std::uint8_t>(device.number));
            });
        }
    }

    // The last one first: what was opened over another chip is closed before it.
    void close() {
        op_index = static_cast<std::uint32_t>(scenario.ops.size());
        for (auto device = devices.rbegin(); device != devices.rend(); ++device) {
            if (!device->device) continue;
            HostCall call = call_of(HostCallKind::close_device, *device);
            make_call(call, [&] { (*device)->close(); });
        }
    }
};

Driver::Driver(const Scenario& scenario, std::span<const rt::DispatchGeometry> geometries,
               rt::Cluster& cluster, rt::FaultSet& faults, DriverHooks& hooks)
    : ops_(std::make_unique<Ops>(scenario, geometries, cluster, faults, hooks)) {}

Driver::~Driver() = default;

std::optional<Refusal> Driver::drive() {
    Ops& ops = *ops_;
    std::optional<Refusal> refusal;
    try {
        ops.open();
        for (ops.op_index = 0; ops.op_index < ops.scenario.ops.size(); ++ops.op_index) {
            if (ops.scenario.behaviour.host_pause_moves != 0)
                ops.hooks.host_pause(ops.scenario.behaviour.host_pause_moves);
            std::visit(ops, ops.scenario.ops[ops.op_index]);
        }
    } catch (const rt::Misuse& misuse) {
        refusal = Refusal{ops.op_index, misuse.what()};
    } catch (const rt::DeviceLost& lost) {
        return Refusal{ops.op_index, lost.what(), true};
    }
    try {
        ops.close();
    } catch (const rt::Misuse& misuse) {
        if (!refusal) refusal = Refusal{ops.op_index, misuse.what()};
    } catch (const rt::DeviceLost& lost) {
        refusal = Refusal{ops.op_index, lost.what(), true};
    }
    return refusal;
}

}  // namespace cqfuzz
