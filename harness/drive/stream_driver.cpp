#include "harness/drive/stream_driver.hpp"

#include <algorithm>

#include "harness/base/stream_plan.hpp"
#include "harness/drive/stream_encoder.hpp"
#include "harness/drive/stream_planner.hpp"
#include "runtime_under_test/host/boot.hpp"
#include "runtime_under_test/host/device_lost.hpp"

namespace cqfuzz {

struct StreamDriver::Stream {
    const Scenario& scenario;
    DriverHooks& hooks;
    rt::Device::State device;
    StreamEncoder encoder;
    StreamPlan plan;

    std::uint32_t op = 0;
    std::uint32_t slot_op = 0;          // first command of the open slot
    std::size_t completions_told = 0;   // submitted
    std::size_t completions_read = 0;
    std::uint32_t pages_due = 0;        // of the completion region, told and not read
    rt::CommandSequence next;           // units of one command
    std::vector<std::byte> read;

    static rt::DeviceConfig config_of(const rt::DispatchGeometry& geometry,
                                      const rt::ChipDescription& chip,
                                      const rt::Generation* generation) {
        rt::DeviceConfig config = rt::make_device_config(geometry, chip);
        config.generation = generation;
        return config;
    }

    Stream(const Scenario& s, const rt::DispatchGeometry& geometry,
           const rt::Generation* generation, rt::Cluster& cluster, rt::FaultSet& faults,
           DriverHooks& h)
        : scenario(s),
          hooks(h),
          device(cluster, config_of(geometry, cluster.chip(0), generation), faults),
          encoder(s, device.config) {}

    rt::CommandQueue& queue() { return *device.queues.front(); }

    template <class Make>
    void make_call(HostCallKind kind, std::uint32_t of, Make&& make) {
        HostCall call;
        call.kind = kind;
        call.op_index = of;
        call.stream = kind == HostCallKind::open_device ? &plan : nullptr;
        hooks.host_call(call, false);
        make(call);
        hooks.host_call(call, true);
    }

    // Sources and bodies, before anything runs.
    void prepare() {
        StreamPlanner planner(scenario, device.config);
        plan = planner.take();
        for (const SourceRange& range : planner.sources()) {
            read.resize(range.length);
            fill_source(range.spot, read);
            hooks.preload(range.spot.coord, range.spot.address, read);
        }
        const std::uint32_t page = 1u << device.config.geometry.trace_log_page_size;
        const StreamLayout layout(device.config);
        for (std::uint32_t body = 0; body < scenario.bodies.size(); ++body) {
            std::vector<std::byte> bytes = encoder.encode_body(body);
            if (device.config.generation != nullptr)
                rt::translate(bytes, *device.config.generation);
            const std::uint32_t base =
                encoder.place_body(body, static_cast<std::uint32_t>(bytes.size()));
            bytes.resize((bytes.size() + page - 1) / page * page);
            for (std::uint32_t p = 0; p * page < bytes.size(); ++p) {
                const SourceSpot spot = layout.spot(base, p, page, false);
                hooks.preload(spot.coord, spot.address,
                              std::span(bytes).subspan(std::size_t{p} * page, page));
            }
        }
    }

    static std::uint32_t pages_of(const StreamCompletion& completion) {
        constexpr std::uint32_t kPage = rt::DispatchGeometry::kCompletionPageBytes;
        return (rt::kCommandBytes + completion.bytes.length + kPage - 1) / kPage;
    }

    // Invariant 2: the pages of the completions that the slot with these commands makes due.
    void submit_slot(rt::FetchStall stall) {
        rt::CommandQueue& q = queue();
        if (q.sequence.bytes().empty()) return;
        std::uint32_t pages = 0;
        std::size_t told = completions_told;
        for (; told < plan.completions.size() && plan.completions[told].op < op; ++told)
            pages += pages_of(plan.completions[told]);
        const std::uint32_t room = device.config.geometry.completion_region_bytes /
                                       rt::DispatchGeometry::kCompletionPageBytes -
                                   1;
        if (pages != 0 && pages_due + pages > room) read_completions();
        make_call(HostCallKind::submit_commands, slot_op, [&](HostCall&) { q.submit(stall); });
        completions_told = told;
        pages_due += pages;
        if (pages_due > room) read_completions();
    }

    void read_completions() {
        // What broken commands send back, nobody can say.
        for (; plan.predicted && completions_read < completions_told; ++completions_read) {
            const StreamCompletion& due = plan.completions[completions_read];
            make_call(HostCallKind::read_completion, due.op, [&](HostCall& call) {
                read.assign(due.bytes.length, std::byte{});
                queue().completions.wait_read(read);
                call.data = &read;
            });
        }
        pages_due = 0;
    }

    void add_command(const Command& command) {
        rt::CommandQueue& q = queue();
        next.clear();
        encoder.encode(command, next);
        const bool runs_body = std::holds_alternative<CommandExecBuf>(command);
        const std::uint32_t most = device.config.geometry.max_prefetch_command_bytes;
        if (q.sequence.size_bytes() + next.size_bytes() > most) submit_slot(rt::FetchStall::no);
        if (q.sequence.bytes().empty()) slot_op = op;
        q.sequence.append(next);
        const bool ends = runs_body || std::holds_alternative<CommandSubmit>(command) ||
                          std::holds_alternative<CommandReadCompletions>(command);
        if (!ends) return;
        ++op;
        submit_slot(runs_body ? rt::FetchStall::yes : rt::FetchStall::no);
        --op;
        if (std::holds_alternative<CommandReadCompletions>(command)) read_completions();
    }

    void stream() {
        make_call(HostCallKind::open_device, 0, [&](HostCall&) { rt::boot(device); });
        for (op = 0; op < scenario.commands.size(); ++op) {
            if (scenario.behaviour.host_pause_moves != 0)
                hooks.host_pause(scenario.behaviour.host_pause_moves);
            add_command(scenario.commands[op]);
        }
        if (queue().sequence.bytes().empty()) slot_op = op;
        next.clear();
        encoder.encode_end(next);
        queue().sequence.append(next);
        submit_slot(rt::FetchStall::no);
        read_completions();
        make_call(HostCallKind::close_device, op, [&](HostCall&) { rt::shut_down(device); });
    }
};

StreamDriver::StreamDriver(const Scenario& scenario, const rt::DispatchGeometry& geometry,
                           const rt::Generation* generation, rt::Cluster& cluster,
                           rt::FaultSet& faults, DriverHooks& hooks)
    : stream_(std::make_unique<Stream>(scenario, geometry, generation, cluster, faults, hooks)) {}

StreamDriver::~StreamDriver() = default;

std::optional<Refusal> StreamDriver::drive() {
    Stream& s = *stream_;
    try {
        s.prepare();
        s.stream();
    } catch (const rt::Misuse& misuse) {
        return Refusal{s.op, misuse.what()};
    } catch (const rt::DeviceLost& lost) {
        return Refusal{s.op, lost.what(), true};
    }
    return std::nullopt;
}

}  // namespace cqfuzz
