#include "harness/drive/driver.hpp"

#include "harness/drive/contents.hpp"
#include "runtime_under_test/host/device_lost.hpp"

namespace cqfuzz {

struct Driver::Ops {
    const Scenario& scenario;
    const rt::DispatchGeometry& geometry;
    rt::Cluster& cluster;
    rt::FaultSet& faults;
    DriverHooks& hooks;

    std::optional<rt::Device> device;
    std::uint32_t op_index = 0;
    struct LoadedProgram {
        ProgramImage image;
        std::optional<rt::ProgramId> id;
        bool loaded = false;
    };
    std::vector<LoadedProgram> programs;
    std::vector<std::optional<rt::BufferId>> buffers;
    std::vector<std::optional<rt::TraceId>> traces;
    std::deque<std::vector<std::byte>> contents;  // keeps announced bytes alive

    Ops(const Scenario& s, const rt::DispatchGeometry& g, rt::Cluster& c, rt::FaultSet& f,
        DriverHooks& h)
        : scenario(s),
          geometry(g),
          cluster(c),
          faults(f),
          hooks(h),
          programs(s.programs.size()),
          buffers(s.buffers.size()),
          traces(s.traces.size()) {}

    HostCall call_of(HostCallKind kind) const {
        HostCall call;
        call.kind = kind;
        call.op_index = op_index;
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

    LoadedProgram& program(std::uint32_t number) {
        LoadedProgram& p = programs[number];
        if (!p.id) {
            p.image = image_of(scenario.programs[number], number);
            p.id = device->create_program(runtime_program_of(p.image));
        }
        return p;
    }

    rt::BufferId buffer(std::uint32_t number) {
        if (!buffers[number]) {
            HostCall call = buffer_call(HostCallKind::create_buffer, number);
            make_call(call, [&] {
                buffers[number] =
                    device->create_buffer(runtime_buffer_of(scenario.buffers[number]));
                call.address = device->info(*buffers[number]).address;
            });
        }
        return *buffers[number];
    }

    HostCall buffer_call(HostCallKind kind, std::uint32_t number) const {
        HostCall call = call_of(kind);
        call.buffer = number;
        call.shape = shape_of(scenario.buffers[number]);
        return call;
    }

    std::size_t buffer_bytes(std::uint32_t number) const {
        return std::size_t{scenario.buffers[number].pages} * scenario.buffers[number].page_size;
    }

    void operator()(const OpWriteBuffer& op) {
        const rt::BufferId id = buffer(op.buffer);
        std::vector<std::byte>& bytes = contents.emplace_back();
        fill_bytes((std::uint64_t{op.content_seed} << 8) ^ op_index, buffer_bytes(op.buffer),
                   bytes);
        HostCall call = buffer_call(HostCallKind::write_buffer, op.buffer);
        call.data = &bytes;
        make_call(call, [&] { device->enqueue_write(id, bytes); });
    }

    void operator()(const OpReadBuffer& op) {
        const rt::BufferId id = buffer(op.buffer);
        std::vector<std::byte>& bytes = contents.emplace_back(buffer_bytes(op.buffer));
        HostCall call = buffer_call(HostCallKind::read_buffer, op.buffer);
        make_call(call, [&] {
            device->enqueue_read(id, bytes);
            call.data = &bytes;
        });
    }

    void operator()(const OpEnqueue& op) {
        for (std::uint32_t i = 0; i < op.times; ++i) {
            LoadedProgram& p = program(op.program);
            HostCall call = call_of(HostCallKind::enqueue_program);
            call.program = &p.image;
            make_call(call, [&] { device->enqueue_program(*p.id); });
            p.loaded = true;
        }
    }

    std::vector<const ProgramImage*> programs_of(std::uint32_t trace) const {
        std::vector<const ProgramImage*> list;
        for (const TraceStep& step : scenario.traces[trace].steps)
            for (std::uint32_t i = 0; i < step.times; ++i)
                list.push_back(&programs[step.program].image);
        return list;
    }

    void operator()(const OpCapture& op) {
        for (const TraceStep& step : scenario.traces[op.trace].steps) {
            LoadedProgram& p = program(step.program);
            if (p.loaded) continue;
            HostCall call = call_of(HostCallKind::load_program);
            call.program = &p.image;
            make_call(call, [&] { device->load_program(*p.id); });
            p.loaded = true;
        }
        HostCall call = call_of(HostCallKind::capture_trace);
        call.trace = op.trace;
        call.traced = programs_of(op.trace);
        make_call(call, [&] {
            traces[op.trace] = device->begin_trace();
            for (const TraceStep& step : scenario.traces[op.trace].steps)
                for (std::uint32_t i = 0; i < step.times; ++i)
                    device->enqueue_program(*programs[step.program].id);
            device->end_trace();
        });
    }

    void operator()(const OpReplay& op) {
        HostCall call = call_of(HostCallKind::replay_trace);
        call.trace = op.trace;
        call.traced = programs_of(op.trace);
        const rt::Blocking blocking = op.blocking ? rt::Blocking::yes : rt::Blocking::no;
        for (std::uint32_t i = 0; i < op.times; ++i)
            make_call(call, [&] { device->replay_trace(*traces[op.trace], blocking); });
    }

    void operator()(const OpRelease& op) {
        HostCall call = call_of(HostCallKind::release_trace);
        call.trace = op.trace;
        make_call(call, [&] { device->release_trace(*traces[op.trace]); });
        traces[op.trace].reset();
    }

    void operator()(const OpFinish&) {
        HostCall call = call_of(HostCallKind::finish);
        make_call(call, [&] { device->finish(); });
    }

    void open() {
        HostCall call = call_of(HostCallKind::open_device);
        make_call(call, [&] { device.emplace(cluster, geometry, faults); });
    }

    void close() {
        op_index = static_cast<std::uint32_t>(scenario.ops.size());
        HostCall call = call_of(HostCallKind::close_device);
        make_call(call, [&] { device->close(); });
    }
};

Driver::Driver(const Scenario& scenario, const rt::DispatchGeometry& geometry, rt::Cluster& cluster,
               rt::FaultSet& faults, DriverHooks& hooks)
    : ops_(std::make_unique<Ops>(scenario, geometry, cluster, faults, hooks)) {}

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
        if (ops.device) ops.close();
    } catch (const rt::Misuse& misuse) {
        if (!refusal) refusal = Refusal{ops.op_index, misuse.what()};
    } catch (const rt::DeviceLost& lost) {
        refusal = Refusal{ops.op_index, lost.what(), true};
    }
    return refusal;
}

}  // namespace cqfuzz
