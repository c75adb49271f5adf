// generate: a whole scenario of a domain.
#include <algorithm>

#include "harness/scenario/draw.hpp"
#include "harness/scenario/draw_commands.hpp"
#include "harness/scenario/limits.hpp"
#include "harness/scenario/mutations.hpp"
#include "harness/scenario/rich.hpp"
#include "harness/scenario/rules.hpp"

namespace cqfuzz {
namespace {

constexpr const GeneratorWeights& kWeights = kGeneratorWeights;

void draw_programs(const Features& features, Scenario& scenario, Rng& rng) {
    const std::uint32_t kind = draw_weighted(rng, kWeights.program_count);
    const std::uint32_t count = kind < 3 ? kind + 1 : 4 + rng.below(3);
    for (std::uint32_t i = 0; i < count; ++i) {
        const bool many = features.many_sub_commands && (i == 0 || rng.one_in(3));
        scenario.programs.push_back(draw_program(features, scenario, many, rng));
    }
}

void draw_buffers(const Features& features, Scenario& scenario, Rng& rng) {
    if (!features.buffer_writes && !features.buffer_reads) {
        return;
    }
    for (std::uint32_t left = 1 + rng.below(3); left != 0; --left) {
        scenario.buffers.push_back(draw_buffer(scenario, rng));
    }
}

std::uint32_t draw_op_count(Rng& rng) {
    switch (draw_weighted(rng, kWeights.size)) {
        case 0: return rng.below(4);
        case 1: return 3 + rng.below(6);
        default: return 8 + rng.below(13);
    }
}

// Makes the op stand: a trace that is needed and not live is captured before; a live one is
// released before a capture.
void add_op(const Op& op, Scenario& scenario, rules::LiveThings& live) {
    if (const auto* replay = std::get_if<OpReplay>(&op);
        replay != nullptr && !live.live(replay->trace, replay->device)) {
        scenario.ops.emplace_back(OpCapture{replay->trace, replay->device});
        live.accept(scenario.ops.back());
    }
    const std::uint32_t* event = rules::awaited_event(op);
    if (event != nullptr && !live.recorded(*event, rules::device_of(op))) {
        // Best seen from the other queue.
        const auto* wait = std::get_if<OpWaitEvent>(&op);
        const std::uint32_t queue = wait != nullptr ? 1 - wait->queue : 0;
        scenario.ops.emplace_back(OpRecordEvent{
            *event, rules::device_of(op), std::min(queue, scenario.geometry.command_queues - 1)});
        live.accept(scenario.ops.back());
    }
    if (live.accept(op)) {
        scenario.ops.push_back(op);
    }
}

void draw_ops(const Features& features, Scenario& scenario, Rng& rng) {
    rules::LiveThings live;
    const std::uint32_t count = draw_op_count(rng);
    for (std::uint32_t i = 0; i < count; ++i) {
        const Op op = draw_op(features, scenario, rng);
        add_op(op, scenario, live);
    }
    if (features.domain == Domain::trace_replay) {
        // The domain's point: at least one replay, of a trace that was captured in the midst of
        // other work.
        OpReplay replay;
        replay.trace = rng.below(static_cast<std::uint32_t>(scenario.traces.size()));
        replay.times = 1 + rng.below(2);
        replay.blocking = rng.one_in(4);
        replay.device = draw_device(scenario.topology, rng);
        add_op(replay, scenario, live);
    } else if (scenario.ops.empty()) {
        scenario.ops.emplace_back(OpEnqueue{});
    }
}

Scenario draw_interleaving(Rng& rng) {
    Scenario scenario = rich_scenario();
    draw_counters(scenario.counters, rng);
    scenario.order = draw_order(rng);
    draw_behaviour(scenario.behaviour, rng);
    draw_schedule(scenario, scenario.schedule, rng);
    legalise(scenario);
    return scenario;
}

// A collective: what is done is done on each chip in turn, and exchanges wait for each other.
void go_in_step(Scenario& scenario) {
    for (Op& op : scenario.ops) {
        std::visit([](auto& of) { of.device = 0; }, op);
        if (auto* enqueue = std::get_if<OpEnqueue>(&op)) {
            enqueue->times = 1;
        }
        if (auto* replay = std::get_if<OpReplay>(&op)) {
            replay->times = 1;
            replay->blocking = false;
        }
    }
    for (Program& program : scenario.programs) {
        for (Kernel& kernel : program.kernels) {
            if (kernel.on_ethernet && kernel.exchange_bytes != 0) {
                kernel.cores.x0 = 0;
                kernel.cores.x1 = std::max(kernel.cores.x1, 1u);
            }
        }
    }
    scenario.topology.ethernet_cores = std::max(scenario.topology.ethernet_cores, 2u);
    legalise(scenario);
    const std::vector<Op> once = std::move(scenario.ops);
    scenario.ops.clear();
    for (const Op& op : once) {
        for (std::uint32_t chip = 0; chip < scenario.topology.chips; ++chip) {
            scenario.ops.push_back(op);
            std::visit([chip](auto& of) { of.device = chip; }, scenario.ops.back());
        }
    }
    scenario.behaviour.exchanges_wait = true;
}

}  // namespace

Features draw_features(Domain domain, Rng& rng, bool swarm) {
    Features f;
    f.domain = domain;
    f.ethernet = percent(rng, kWeights.ethernet);
    f.semaphores = domain == Domain::semaphore_multicast || percent(rng, kWeights.semaphores);
    f.circular_buffers = domain == Domain::cb_geometry || percent(rng, kWeights.circular_buffers);
    f.args = percent(rng, kWeights.args);
    f.common_args = percent(rng, kWeights.common_args);
    const bool sequence = domain == Domain::program_sequence;
    f.buffer_writes = sequence || percent(rng, kWeights.buffer_writes);
    f.buffer_reads = sequence || percent(rng, kWeights.buffer_reads);
    f.finishes = percent(rng, kWeights.finishes);
    f.releases = percent(rng, kWeights.releases);
    f.repeats = percent(rng, kWeights.repeats);
    f.two_queues = percent(rng, sequence ? kWeights.two_queues_in_sequences : kWeights.two_queues);
    f.events = percent(rng, f.two_queues ? kWeights.events_if_two : kWeights.events);
    f.traces = domain == Domain::trace_replay || percent(rng, kWeights.traces_in_semaphore_domain);
    f.many_sub_commands = percent(rng, kWeights.many_sub_commands);
    f.long_traces = f.traces && percent(rng, f.many_sub_commands ? kWeights.long_traces_if_many
                                                                 : kWeights.long_traces);
    if (!swarm)
        for (bool* kind : {&f.ethernet, &f.semaphores, &f.circular_buffers, &f.args, &f.common_args,
                           &f.buffer_writes, &f.buffer_reads, &f.finishes, &f.releases, &f.repeats,
                           &f.traces, &f.two_queues, &f.events})
            *kind = true;
    return f;
}

Scenario generate(Domain domain, Rng& rng, std::uint32_t ops_max, const DrawChoices& choices) {
    if (domain == Domain::schedule) {
        return draw_interleaving(rng);
    }
    Scenario scenario;
    const Features features = draw_features(domain, rng, choices.swarm);
    draw_topology(features, scenario.topology, rng);
    draw_geometry(features, scenario.topology, scenario.geometry, rng);
    draw_counters(scenario.counters, rng);
    if (domain == Domain::cb_geometry) {
        move_to_limits(scenario, rng);
    }
    scenario.order = draw_order(rng);
    draw_behaviour(scenario.behaviour, rng);
    legalise(scenario);  // what follows fits itself to the geometry
    draw_schedule(scenario, scenario.schedule, rng);
    if (draws_commands(domain)) {
        draw_stream(domain, scenario, rng, choices.swarm);
        legalise(scenario);
        fit_commands(scenario, ops_max, kWeights.cost_max_drawn);
        return scenario;
    }
    draw_programs(features, scenario, rng);
    draw_buffers(features, scenario, rng);
    if (features.traces) {
        for (std::uint32_t left = rng.one_in(4) ? 2 : 1; left != 0; --left) {
            scenario.traces.push_back(draw_trace(features, scenario, rng));
        }
    }
    draw_ops(features, scenario, rng);
    if (domain == Domain::multi_chip && percent(rng, kWeights.in_step)) {
        go_in_step(scenario);
    }
    legalise(scenario);
    fit(scenario, ops_max, kWeights.cost_max_drawn);
    return scenario;
}

}  // namespace cqfuzz
