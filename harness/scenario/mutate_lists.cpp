// Mutations of lists: ops, trace steps, programs and their parts.
#include <algorithm>

#include "harness/scenario/domains.hpp"
#include "harness/scenario/edit.hpp"
#include "harness/scenario/limits.hpp"
#include "harness/scenario/mutations.hpp"
#include "harness/scenario/rules.hpp"

namespace cqfuzz {
namespace {

template <class T>
std::uint32_t size_of(const std::vector<T>& entries) {
    return static_cast<std::uint32_t>(entries.size());
}

template <class T>
auto place(std::vector<T>& entries, std::uint32_t index) {
    return entries.begin() + static_cast<std::ptrdiff_t>(index);
}

// A short range [first, last) of a list that has entries.
template <class T>
void draw_slice(const std::vector<T>& entries, std::uint32_t& first, std::uint32_t& last,
                Rng& rng) {
    first = rng.below(size_of(entries));
    const std::uint32_t length = 1 + rng.below(1u << rng.below(4));
    last = std::min(first + length, size_of(entries));
}

template <class T>
bool drop_one(std::vector<T>& entries, Rng& rng) {
    if (entries.empty()) {
        return false;
    }
    entries.erase(place(entries, rng.below(size_of(entries))));
    return true;
}

template <class T>
bool duplicate_one(std::vector<T>& entries, std::uint32_t max, Rng& rng) {
    if (entries.empty() || entries.size() >= max) {
        return false;
    }
    const T copy = entries[rng.below(size_of(entries))];
    entries.insert(place(entries, rng.below(size_of(entries) + 1)), copy);
    return true;
}

bool change_times(std::uint32_t& times, Rng& rng) {
    constexpr std::array<std::uint32_t, 4> kTimes{1, 2, 3, 16};
    switch (rng.below(4)) {
        case 0: times += 1; break;
        case 1: times -= 1; break;
        case 2: times /= 2; break;
        default: times = draw_from(rng, kTimes); break;
    }
    times = domains::kTimes.nearest(times);
    return true;
}

bool add_trace(const Features& features, Scenario& scenario, Rng& rng) {
    if (scenario.programs.empty() || scenario.traces.size() >= limits::kTracesMax) {
        return false;
    }
    Features drawn = features;
    drawn.long_traces = rng.one_in(3);
    scenario.traces.push_back(draw_trace(drawn, scenario, rng));
    const std::uint32_t trace = size_of(scenario.traces) - 1;
    const std::uint32_t at = rng.below(size_of(scenario.ops) + 1);
    OpReplay replay;
    replay.trace = trace;
    replay.times = 1 + rng.below(3);
    replay.device = draw_device(scenario.topology, rng);
    const auto captured =
        scenario.ops.insert(place(scenario.ops, at), OpCapture{trace, replay.device});
    scenario.ops.insert(captured + 1, replay);
    return true;
}

bool add_program(const Features& features, Scenario& scenario, Rng& rng) {
    if (scenario.programs.size() >= limits::kProgramsMax) {
        return false;
    }
    const bool many = rng.one_in(4);
    scenario.programs.push_back(draw_program(features, scenario, many, rng));
    const std::uint32_t program = size_of(scenario.programs) - 1;
    if (!scenario.traces.empty() && rng.one_in(2)) {
        Trace& trace = scenario.traces[rng.below(size_of(scenario.traces))];
        trace.steps.insert(place(trace.steps, rng.below(size_of(trace.steps) + 1)),
                           TraceStep{program, 1});
    } else {
        scenario.ops.insert(place(scenario.ops, rng.below(size_of(scenario.ops) + 1)),
                            OpEnqueue{program, 1});
    }
    return true;
}

bool add_part(const Features& features, Scenario& scenario, Program& program, Rng& rng) {
    switch (rng.below(3)) {
        case 0: program.kernels.push_back(draw_kernel(features, scenario, rng)); return true;
        case 1:
            if (program.kernels.empty()) {
                return false;
            }
            program.semaphores.push_back(draw_semaphore(program, scenario.topology, rng));
            return true;
        default:
            program.circular_buffers.push_back(draw_circular_buffer(scenario.topology, rng));
            return true;
    }
}

bool drop_part(Program& program, Rng& rng) {
    switch (rng.below(3)) {
        case 0: return drop_one(program.kernels, rng);
        case 1: return drop_one(program.semaphores, rng);
        default: return drop_one(program.circular_buffers, rng);
    }
}

template <class T>
void halve_list(std::vector<T>& entries, Rng& rng) {
    const std::uint32_t half = size_of(entries) / 2;
    if (rng.one_in(2)) {
        entries.erase(entries.begin(), place(entries, half));
    } else {
        entries.resize(half);
    }
}

void halve_sizes(Program& program) {
    for (Kernel& kernel : program.kernels) {
        kernel.binary_bytes = domains::kBinary.nearest(kernel.binary_bytes / 2);
        kernel.args_words /= 2;
        kernel.common_args_words /= 2;
    }
}

bool drop_unused(Scenario& scenario) {
    bool any = false;
    // Traces first: their steps use programs.
    for (const Table table : {Table::traces, Table::programs, Table::buffers}) {
        const std::vector<bool> used = used_entries(scenario, table);
        if (std::find(used.begin(), used.end(), false) != used.end()) {
            keep_entries(scenario, table, used);
            any = true;
        }
    }
    return any;
}

}  // namespace

bool mutate_op_insert(const Features& features, Scenario& scenario, Rng& rng) {
    if (scenario.programs.empty()) {
        return add_program(features, scenario, rng);
    }
    if (scenario.buffers.empty() && rng.one_in(4)) {
        scenario.buffers.push_back(draw_buffer(scenario, rng));
    }
    const std::uint32_t at = rng.below(size_of(scenario.ops) + 1);
    const Op op = draw_op(features, scenario, rng);
    rules::LiveThings live;
    for (std::uint32_t i = 0; i < at; ++i) {
        live.accept(scenario.ops[i]);
    }
    const auto* replay = std::get_if<OpReplay>(&op);
    const bool needs_capture = replay != nullptr && !live.live(replay->trace, replay->device);
    const Op capture = replay != nullptr ? OpCapture{replay->trace, replay->device} : OpCapture{};
    const auto inserted = scenario.ops.insert(place(scenario.ops, at), op);
    if (needs_capture) {
        scenario.ops.insert(inserted, capture);
    }
    return true;
}

bool mutate_op_drop(Scenario& scenario, Rng& rng) {
    if (scenario.ops.empty()) {
        return false;
    }
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    draw_slice(scenario.ops, first, last, rng);
    last = rng.one_in(4) ? last : first + 1;
    scenario.ops.erase(place(scenario.ops, first), place(scenario.ops, last));
    return true;
}

bool mutate_op_duplicate(Scenario& scenario, Rng& rng) {
    return duplicate_one(scenario.ops, limits::kOpsMax, rng);
}

bool mutate_op_move(Scenario& scenario, Rng& rng) {
    if (scenario.ops.size() < 2) {
        return false;
    }
    const std::uint32_t from = rng.below(size_of(scenario.ops));
    const Op op = scenario.ops[from];
    scenario.ops.erase(place(scenario.ops, from));
    scenario.ops.insert(place(scenario.ops, rng.below(size_of(scenario.ops) + 1)), op);
    return true;
}

bool mutate_op_splice(Scenario& scenario, Rng& rng) {
    if (scenario.ops.empty()) {
        return false;
    }
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    draw_slice(scenario.ops, first, last, rng);
    const std::vector<Op> slice(place(scenario.ops, first), place(scenario.ops, last));
    const auto at = place(scenario.ops, rng.below(size_of(scenario.ops) + 1));
    scenario.ops.insert(at, slice.begin(), slice.end());
    return true;
}

bool mutate_op_repeat(Scenario& scenario, Rng& rng) {
    if (scenario.ops.empty()) {
        return false;
    }
    Op& op = scenario.ops[rng.below(size_of(scenario.ops))];
    if (auto* enqueue = std::get_if<OpEnqueue>(&op)) {
        return change_times(enqueue->times, rng);
    }
    auto* replay = std::get_if<OpReplay>(&op);
    return replay != nullptr && change_times(replay->times, rng);
}

bool mutate_trace(const Features& features, Scenario& scenario, Rng& rng) {
    if (scenario.traces.empty() || rng.one_in(8)) {
        return add_trace(features, scenario, rng);
    }
    if (rng.one_in(12)) {
        remove_entry(scenario, Table::traces, rng.below(size_of(scenario.traces)));
        return true;
    }
    std::vector<TraceStep>& steps = scenario.traces[rng.below(size_of(scenario.traces))].steps;
    switch (rng.below(5)) {
        case 0: return drop_one(steps, rng);
        case 1: return duplicate_one(steps, limits::kStepsMax, rng);
        case 2: return !steps.empty() && change_times(steps[rng.below(size_of(steps))].times, rng);
        case 3:
            if (steps.size() < 2) {
                return false;
            }
            halve_list(steps, rng);
            return true;
        default: break;
    }
    if (scenario.programs.empty()) {
        return false;
    }
    const TraceStep step{rng.below(size_of(scenario.programs)), 1};
    steps.insert(place(steps, rng.below(size_of(steps) + 1)), step);
    return true;
}

bool mutate_program(const Features& features, Scenario& scenario, Rng& rng) {
    if (scenario.programs.empty() || rng.one_in(8)) {
        return add_program(features, scenario, rng);
    }
    const std::uint32_t index = rng.below(size_of(scenario.programs));
    if (rng.one_in(8)) {
        remove_entry(scenario, Table::programs, index);
        return true;
    }
    Program& program = scenario.programs[index];
    switch (rng.below(8)) {
        case 0:
        case 1:
        case 2: return add_part(features, scenario, program, rng);
        case 3:
        case 4: return drop_part(program, rng);
        case 5: return duplicate_one(program.semaphores, limits::kSemaphoresMax, rng);
        case 6: return duplicate_one(program.circular_buffers, limits::kCircularBuffersMax, rng);
        default: break;
    }
    // The same program with other parts in the same place.
    program = draw_program(features, scenario, rng.one_in(4), rng);
    return true;
}

bool mutate_halve(Scenario& scenario, Rng& rng) {
    const std::uint32_t way = rng.below(4);
    if (way == 0 && scenario.ops.size() >= 2) {
        halve_list(scenario.ops, rng);
        return true;
    }
    if (way == 1 || scenario.programs.empty()) {
        return drop_unused(scenario);
    }
    Program& program = scenario.programs[rng.below(size_of(scenario.programs))];
    if (way == 2) {
        halve_sizes(program);
        return true;
    }
    halve_list(program.semaphores, rng);
    halve_list(program.circular_buffers, rng);
    if (program.kernels.size() >= 2) {
        halve_list(program.kernels, rng);
    }
    return true;
}

}  // namespace cqfuzz
