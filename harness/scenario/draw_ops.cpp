// Buffers, traces and ops, drawn; and fit, which bounds what a scenario costs.
#include <algorithm>

#include "harness/scenario/domains.hpp"
#include "harness/scenario/draw.hpp"
#include "harness/scenario/limits.hpp"
#include "harness/scenario/rules.hpp"

namespace cqfuzz {
namespace {

constexpr const GeneratorWeights& kWeights = kGeneratorWeights;

std::uint32_t draw_index(std::size_t size, Rng& rng) {
    return rng.below(static_cast<std::uint32_t>(size));
}

std::uint32_t draw_times(const Features& features, Rng& rng) {
    if (!features.repeats || percent(rng, kWeights.once)) {
        return 1;
    }
    return 1 + rng.below(1u << rng.below(kWeights.times_bits));
}

enum class OpKind : std::uint32_t {
    write,
    read,
    enqueue,
    replay,
    release,
    finish,
    record_event,
    wait_event,
    sync_event,
    query_event,
    kCount,
};

std::array<std::uint32_t, static_cast<std::size_t>(OpKind::kCount)> op_weights(
    const Features& features, const Scenario& scenario) {
    const bool replays = features.traces && !scenario.traces.empty();
    const bool buffers = !scenario.buffers.empty();
    const bool traces_first = features.domain == Domain::trace_replay;
    return {
        buffers && features.buffer_writes ? 12u : 0u,
        buffers && features.buffer_reads ? 10u : 0u,
        traces_first ? 30u : 60u,
        replays ? (traces_first ? 26u : 12u) : 0u,
        replays && features.releases ? 6u : 0u,
        features.finishes ? 6u : 0u,
        features.events ? 8u : 0u,
        features.events ? (features.two_queues ? 12u : 2u) : 0u,
        features.events ? 4u : 0u,
        features.events ? 3u : 0u,
    };
}

std::uint32_t trace_cost(const Trace& trace, const std::vector<std::uint32_t>& program_costs) {
    std::uint32_t cost = 8;
    for (const TraceStep& step : trace.steps) {
        cost += step.times * program_costs[step.program];
    }
    return cost;
}

std::uint32_t buffer_cost(const Buffer& buffer) {
    return 4 + buffer.pages * (1 + buffer.page_size / 4096);
}

Op draw_op_of_first(const Features& features, const Scenario& scenario, Rng& rng) {
    const auto kind = static_cast<OpKind>(draw_weighted(rng, op_weights(features, scenario)));
    switch (kind) {
        case OpKind::write: {
            const std::uint32_t buffer = draw_index(scenario.buffers.size(), rng);
            return OpWriteBuffer{buffer, rng.below(1u << 16), 0, 0};
        }
        case OpKind::read: return OpReadBuffer{draw_index(scenario.buffers.size(), rng), 0, 0};
        case OpKind::replay: {
            OpReplay replay;
            replay.trace = draw_index(scenario.traces.size(), rng);
            replay.times = draw_times(features, rng);
            replay.blocking = rng.one_in(4);
            return replay;
        }
        case OpKind::release: return OpRelease{draw_index(scenario.traces.size(), rng), 0};
        case OpKind::finish: return OpFinish{};
        case OpKind::record_event: return OpRecordEvent{rng.below(limits::kEventsMax), 0, 0};
        case OpKind::wait_event: return OpWaitEvent{rng.below(limits::kEventsMax), 0, 0};
        case OpKind::sync_event: return OpSyncEvent{rng.below(limits::kEventsMax), 0};
        case OpKind::query_event: return OpQueryEvent{rng.below(limits::kEventsMax), 0};
        default: {
            OpEnqueue enqueue;
            enqueue.program = draw_index(scenario.programs.size(), rng);
            enqueue.times = draw_times(features, rng);
            return enqueue;
        }
    }
}

}  // namespace

Buffer draw_buffer(const Scenario& scenario, Rng& rng) {
    const Geometry& geometry = scenario.geometry;
    Buffer buffer;
    const std::uint32_t page = 1u << geometry.dispatch_log_page;
    switch (rng.below(4)) {
        case 0: buffer.page_size = page - 32 + 32 * rng.below(3); break;
        case 1: buffer.page_size = geometry.scratch / 2 - 32 + 32 * rng.below(3); break;
        case 2: buffer.page_size = 32u << rng.below(8); break;
        default: buffer.page_size = 32 * (1 + rng.below(128)); break;
    }
    buffer.page_size =
        domains::kBufferPageSize.nearest(std::min(buffer.page_size, kWeights.buffer_bytes_max));
    const std::uint32_t pages_max =
        std::min(kWeights.buffer_bytes_max / buffer.page_size, domains::kBufferPages.max);
    buffer.pages = 1 + rng.below(std::min(pages_max, 1u << rng.below(6)));
    buffer.placement = static_cast<BufferPlacement>(draw_weighted(rng, kWeights.buffer_placement));
    if (buffer.placement == BufferPlacement::l1 && rng.one_in(2)) {
        // Over every worker, a few rows of them.
        const std::uint32_t workers = scenario.topology.worker_cols * scenario.topology.worker_rows;
        buffer.pages = std::min(workers + rng.below(2 * workers), domains::kBufferPages.max);
        buffer.page_size = std::min(buffer.page_size, 1024u);
    }
    if (limits::is_sharded(buffer.placement)) {
        buffer.cores = draw_range(scenario.topology, false, rng);
        buffer.row_pages = 1 + rng.below(buffer.pages);
    }
    return buffer;
}

Trace draw_trace(const Features& features, const Scenario& scenario, Rng& rng) {
    Trace trace;
    const std::uint32_t chunk = limits::chunk_bytes(scenario.geometry);
    // A little past the end of the first chunk, or anywhere in the second or third.
    const std::uint32_t wanted =
        features.long_traces ? chunk + 64 + (rng.one_in(2) ? 0 : rng.below(chunk)) : 0;
    const std::uint32_t steps_max = features.long_traces ? 24 : 1 + rng.below(3);
    std::uint32_t bytes = 0;
    for (std::uint32_t i = 0; i < steps_max && (i == 0 || wanted == 0 || bytes < wanted); ++i) {
        TraceStep step;
        // The first program of the scenario is the one with many sub-commands, if any.
        const std::uint32_t any = draw_index(scenario.programs.size(), rng);
        step.program = features.many_sub_commands && i % 2 == 0 ? 0 : any;
        step.times = features.repeats && rng.one_in(6) ? 2 : 1;
        bytes += step.times * limits::trace_bytes_estimate(scenario.programs[step.program]);
        trace.steps.push_back(step);
    }
    return trace;
}

Op draw_op(const Features& features, const Scenario& scenario, Rng& rng) {
    Op op = draw_op_of_first(features, scenario, rng);
    if (scenario.geometry.command_queues == 2) {
        const std::uint32_t queue = rng.below(2);
        if (std::uint32_t* named = rules::queue_of(op)) *named = queue;
    }
    const std::uint32_t device = draw_device(scenario.topology, rng);
    std::visit([device](auto& of) { of.device = device; }, op);
    return op;
}

std::uint32_t program_cost(const Program& program, const Topology& topology) {
    std::uint32_t cost = 10 + topology.ethernet_cores + topology.worker_cols * topology.worker_rows;
    for (const Kernel& kernel : program.kernels) {
        const std::uint32_t cores = limits::cores_in(kernel.cores);
        cost += 2 + (kernel.args_words != 0 ? cores : 0) + kernel.binary_bytes / 512;
        cost += kernel.on_ethernet ? 2 * cores : 0;
    }
    cost += static_cast<std::uint32_t>(program.semaphores.size() + program.circular_buffers.size());
    return cost;
}

void fit(Scenario& scenario, std::uint32_t ops_max, std::uint32_t cost_max) {
    std::vector<std::uint32_t> programs;
    programs.reserve(scenario.programs.size());
    for (const Program& program : scenario.programs) {
        programs.push_back(program_cost(program, scenario.topology));
    }
    std::uint32_t ops_left = ops_max;
    std::uint32_t cost_left = cost_max;
    std::size_t kept = 0;
    bool any_run = false;
    // Takes what one repeat costs as often as there is room. The first run of a program or trace is
    // always let through, so that a scenario that is dear by itself still does something.
    const auto take = [&](std::uint32_t& times, std::uint32_t cost) {
        const std::uint32_t room = std::max(cost_left / cost, any_run || cost < 10 ? 0u : 1u);
        times = std::min({times, ops_left, room});
        ops_left -= times;
        cost_left -= std::min(cost_left, times * cost);
        any_run = any_run || cost >= 10;
        return times != 0;
    };
    for (; kept < scenario.ops.size(); ++kept) {
        Op& op = scenario.ops[kept];
        std::uint32_t once = 1;
        bool fits = false;
        if (auto* enqueue = std::get_if<OpEnqueue>(&op)) {
            fits = take(enqueue->times, programs[enqueue->program]);
        } else if (auto* replay = std::get_if<OpReplay>(&op)) {
            fits = take(replay->times, trace_cost(scenario.traces[replay->trace], programs));
        } else if (const auto* write = std::get_if<OpWriteBuffer>(&op)) {
            fits = take(once, buffer_cost(scenario.buffers[write->buffer]));
        } else if (const auto* read = std::get_if<OpReadBuffer>(&op)) {
            fits = take(once, buffer_cost(scenario.buffers[read->buffer]));
        } else {
            fits = take(once, 2);
        }
        if (!fits) {
            break;
        }
    }
    // Chips that wait for each other go on in step (rule X2).
    if (scenario.behaviour.exchanges_wait) kept -= kept % scenario.topology.chips;
    scenario.ops.resize(kept);
}

}  // namespace cqfuzz
