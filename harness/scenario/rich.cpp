#include "harness/scenario/rich.hpp"

#include <utility>

#include "harness/scenario/verbs.hpp"

namespace cqfuzz {
namespace {

constexpr CoreRange kAllWorkers{0, 0, 2, 1};

Kernel kernel_on(CoreRange cores, std::uint32_t processor, std::uint32_t bytes,
                 std::uint32_t args) {
    Kernel kernel;
    kernel.cores = cores;
    kernel.processor = processor;
    kernel.binary_bytes = bytes;
    kernel.args_words = args;
    kernel.content_seed = bytes + processor;
    return kernel;
}

// Multicasts to all workers whose payloads straddle pages and blocks.
Program gather_like() {
    Program program;
    program.kernels.push_back(kernel_on(kAllWorkers, 0, 1536, 12));
    program.kernels.push_back(kernel_on(kAllWorkers, 1, 944, 3));
    Kernel mover = kernel_on({0, 0, 0, 0}, 0, 1040, 5);
    mover.on_ethernet = true;
    program.kernels.push_back(mover);
    for (std::uint32_t id = 0; id < 4; ++id)
        program.semaphores.push_back({false, kAllWorkers, id, id + 1});
    program.semaphores.push_back({true, {0, 0, 0, 0}, 0, 7});
    for (std::uint32_t index = 0; index < 4; ++index)
        program.circular_buffers.push_back({kAllWorkers, index, 2, 512});
    return program;
}

// One core alone, with as many arguments as fit.
Program lonely() {
    Program program;
    Kernel kernel = kernel_on({1, 1, 1, 1}, 2, 256, 255);
    kernel.common_args_words = 16;
    program.kernels.push_back(kernel);
    program.semaphores.push_back({false, {1, 1, 1, 1}, 15, 3});
    return program;
}

}  // namespace

Scenario rich_scenario() {
    Scenario scenario;
    scenario.topology = {3, 2, 1, true};
    Geometry& g = scenario.geometry;
    g.block_accounting = BlockAccounting::write_counts;
    g.prefetch_q_entries = 4;
    g.max_prefetch_command = 4096;
    g.cmddat_q = 8192;
    g.scratch = 2048;
    g.prefetch_d_log_page = 10;
    g.prefetch_d_pages_per_block = 2;
    g.dispatch_log_page = 10;
    g.dispatch_pages_per_block = 2;
    g.dispatch_h_pages_per_block = 1;
    g.completion_pages = 4;
    g.dram_banks = 3;
    g.trace_log_page = 10;
    scenario.programs.push_back(gather_like());
    scenario.programs.push_back(lonely());
    scenario.buffers.push_back({5, 2048});
    scenario.traces.push_back({{{0, 2}, {1, 1}, {0, 1}}});
    scenario.ops = {OpWriteBuffer{0, 1},   OpEnqueue{0, 1}, OpCapture{0},    OpEnqueue{1, 2},
                    OpReplay{0, 2, false}, OpReadBuffer{0}, OpEnqueue{0, 1}, OpReplay{0, 1, true},
                    OpRelease{0},          OpFinish{}};
    legalise(scenario);
    return scenario;
}

void keep_only_schedule(Scenario& scenario) {
    Scenario fixed = rich_scenario();
    fixed.order = scenario.order;
    fixed.counters = scenario.counters;
    fixed.behaviour = scenario.behaviour;
    fixed.schedule = std::move(scenario.schedule);
    scenario = std::move(fixed);
}

}  // namespace cqfuzz
