// legalise: the nearest legal scenario. Domains, then the rules of limits.hpp in their order, then
// references; what one step settles no later step disturbs, so that it is idempotent.
#include <algorithm>
#include <array>
#include <utility>

#include "harness/scenario/command_rules.hpp"
#include "harness/scenario/describe.hpp"
#include "harness/scenario/edit.hpp"
#include "harness/scenario/limits.hpp"
#include "harness/scenario/rules.hpp"
#include "harness/scenario/verbs.hpp"

namespace cqfuzz {
namespace {

template <class T>
void settle_domains(T& value) {
    if constexpr (kIsOp<T>) {
        std::visit([](auto& op) { settle_domains(op); }, value);
    } else {
        for_each_field<T>([&value](const auto& field) {
            using Field = std::decay_t<decltype(field)>;
            auto& member = value.*field.member;
            if constexpr (Field::kKind == FieldKind::enumeration) {
                using Enum = typename Field::Enum;
                const auto number = static_cast<std::size_t>(member);
                member = static_cast<Enum>(number % EnumNames<Enum>::names.size());
            } else if constexpr (Field::kKind == FieldKind::number) {
                if (!field.domain->holds(member)) {
                    member = field.domain->nearest(member);
                }
            } else if constexpr (Field::kKind == FieldKind::nested) {
                settle_domains(member);
            } else if constexpr (Field::kKind == FieldKind::list) {
                if (member.size() > field.max) {
                    member.resize(field.max);
                }
                for (auto& entry : member) {
                    settle_domains(entry);
                }
            }
        });
    }
}

void settle_topology(Scenario& scenario) {
    Topology& topology = scenario.topology;
    if (topology.chips != 1) {  // K1
        topology.split = false;
        scenario.geometry.command_queues = 1;
        topology.ethernet_cores =
            std::min(topology.ethernet_cores, limits::ethernet_cores_max(topology));
    }
    for (Op& op : scenario.ops)  // K2
        std::visit([&topology](auto& of) { of.device %= topology.chips; }, op);
}

void settle_geometry(Geometry& g, const Topology& topology) {
    const bool split = limits::splits(topology);
    if (g.command_queues != 1) g.dispatch_s = DispatchS::absent;  // Q3
    if (g.command_queues == 2) {                                  // Q2
        g.prefetch_q_entries = std::min(g.prefetch_q_entries, limits::kPrefetchQEntriesOfTwo);
    }
    g.dispatch_pages_per_block =
        std::max(g.dispatch_pages_per_block, limits::dispatch_pages_per_block_min(g));  // G3a
    g.prefetch_d_pages_per_block = std::max(
        g.prefetch_d_pages_per_block, limits::prefetch_d_pages_per_block_min(g, split));  // G5a
    g.max_prefetch_command =
        std::min(g.max_prefetch_command, limits::max_prefetch_command_max(g, split));  // G3b, G5b
    g.scratch = std::min(g.scratch, limits::scratch_max(g));                           // G3c
    g.cmddat_q = std::max(g.cmddat_q, limits::cmddat_q_min(g));                        // G5c
    const std::uint32_t room = limits::chunk_room_bytes(g, topology);                  // G6
    while (limits::chunk_bytes(g) > room && g.trace_log_page > domains::kLogPage.min) {
        --g.trace_log_page;
    }
    g.dram_banks = std::min(g.dram_banks, room >> g.trace_log_page);
    g.tunnel_pages = std::max(g.tunnel_pages, limits::tunnel_pages_min(g));  // K3
}

// P1. REQUIRES: the kind of core exists.
void settle_range(CoreRange& range, bool on_ethernet, const Topology& topology) {
    if (range.x0 > range.x1) {
        std::swap(range.x0, range.x1);
    }
    if (range.y0 > range.y1) {
        std::swap(range.y0, range.y1);
    }
    const std::uint32_t cols = on_ethernet ? topology.ethernet_cores : topology.worker_cols;
    const std::uint32_t rows = on_ethernet ? 1 : topology.worker_rows;
    range.x0 = std::min(range.x0, cols - 1);
    range.x1 = std::min(range.x1, cols - 1);
    range.y0 = std::min(range.y0, rows - 1);
    range.y1 = std::min(range.y1, rows - 1);
}

// P3: an entry that claims what an earlier one has goes.
template <class T>
void drop_conflicts(std::vector<T>& entries) {
    std::size_t kept = 0;
    keep_if(entries, [&](const T& entry) {
        const auto end = entries.begin() + static_cast<std::ptrdiff_t>(kept);
        const bool clash = std::any_of(entries.begin(), end, [&](const T& earlier) {
            return rules::conflict(earlier, entry);
        });
        kept += clash ? 0 : 1;
        return !clash;
    });
}

// P5: makes the kernel take at most `left` bytes; false when even the least kernel does not fit.
bool shrink_kernel(Kernel& kernel, std::uint32_t left) {
    if (left < 32) {
        return false;
    }
    Kernel least = kernel;
    least.binary_bytes = domains::kBinary.min;
    if (limits::config_bytes(least) > left) {
        kernel.args_words = 0;
        kernel.common_args_words = 0;
        least = kernel;
        least.binary_bytes = domains::kBinary.min;
    }
    const std::uint32_t binary_room = (left - (limits::config_bytes(least) - 32)) / 32 * 32;
    kernel.binary_bytes = std::min(kernel.binary_bytes, binary_room);
    return true;
}

void settle_kernels(Program& program, const Topology& topology, const Geometry& g) {
    std::erase_if(program.kernels, [&](const Kernel& kernel) {
        return kernel.on_ethernet && topology.ethernet_cores == 0;
    });
    for (Kernel& kernel : program.kernels) {
        settle_range(kernel.cores, kernel.on_ethernet, topology);
        kernel.processor = kernel.on_ethernet ? 0 : kernel.processor;  // P2
    }
    drop_conflicts(program.kernels);
    std::array<std::uint32_t, 2> left{limits::config_room_bytes(g, false),
                                      limits::config_room_bytes(g, true)};
    keep_if(program.kernels, [&](Kernel& kernel) {
        std::uint32_t& room = left[kernel.on_ethernet ? 1 : 0];
        if (limits::config_bytes(kernel) > room && !shrink_kernel(kernel, room)) {
            return false;
        }
        room -= limits::config_bytes(kernel);
        return true;
    });
}

void settle_program(Program& program, const Topology& topology, const Geometry& g) {
    settle_kernels(program, topology, g);
    const bool on_workers = rules::has_kernel(program, false);
    const bool on_ethernet = rules::has_kernel(program, true);
    std::erase_if(program.semaphores, [&](const SemaphoreInit& s) {
        return s.on_ethernet ? !on_ethernet : !on_workers;
    });  // P4
    for (SemaphoreInit& semaphore : program.semaphores) {
        settle_range(semaphore.cores, semaphore.on_ethernet, topology);
    }
    drop_conflicts(program.semaphores);
    if (!on_workers) {
        program.circular_buffers.clear();  // P4
    }
    for (CircularBuffer& buffer : program.circular_buffers) {
        settle_range(buffer.cores, false, topology);
    }
    drop_conflicts(program.circular_buffers);
    std::uint32_t left = limits::kCircularBufferBytesMax;  // P6
    keep_if(program.circular_buffers, [&left](CircularBuffer& buffer) {
        buffer.pages = std::min(buffer.pages, left / buffer.page_size);
        left -= buffer.pages * buffer.page_size;
        return buffer.pages != 0;
    });
}

void settle_programs(Scenario& scenario) {
    bool all = true;
    std::vector<bool> keep(scenario.programs.size(), true);
    for (std::size_t i = 0; i < keep.size(); ++i) {
        settle_program(scenario.programs[i], scenario.topology, scenario.geometry);
        keep[i] = !scenario.programs[i].kernels.empty();
        all = all && keep[i];
    }
    if (!all) {
        keep_entries(scenario, Table::programs, keep);
    }
}

// B1, B2: a buffer that finds no room in L1 goes to DRAM.
void settle_buffers(Scenario& scenario) {
    std::uint32_t left = limits::kL1BufferBytesMax;
    for (Buffer& buffer : scenario.buffers) {
        if (limits::is_sharded(buffer.placement)) {
            settle_range(buffer.cores, false, scenario.topology);
            buffer.row_pages = std::min(buffer.row_pages, buffer.pages);
        }
        const std::uint32_t bytes = limits::l1_bytes(buffer, scenario.topology);
        if (bytes > left) {
            buffer.placement = BufferPlacement::dram;
        } else {
            left -= bytes;
        }
    }
}

// T1: steps past the bound are repeated less often, or go.
void settle_traces(Scenario& scenario) {
    if (scenario.traces.empty()) {
        return;
    }
    std::array<std::uint32_t, limits::kProgramsMax> bytes{};
    for (std::size_t i = 0; i < scenario.programs.size(); ++i) {
        bytes[i] = limits::trace_bytes_max(scenario.programs[i], scenario.topology.ethernet_cores);
    }
    std::uint32_t left = limits::kTraceBytesMax;
    for (Trace& trace : scenario.traces) {
        keep_if(trace.steps, [&](TraceStep& step) {
            step.times = std::min(step.times, left / bytes[step.program]);
            left -= step.times * bytes[step.program];
            return step.times != 0;
        });
    }
}

// X1, once binaries have their sizes.
void settle_exchanges(Scenario& scenario) {
    for (Program& program : scenario.programs)
        for (Kernel& kernel : program.kernels)
            kernel.exchange_bytes =
                std::min(kernel.exchange_bytes, rules::exchange_max(kernel, scenario.topology));
}

void settle_schedule(Scenario& scenario) {
    Schedule& schedule = scenario.schedule;
    const std::uint32_t tiles = limits::tile_count(scenario.topology, scenario.geometry);
    if (schedule.starved_actor >= tiles) {
        schedule.starved_actor = 0;
    }
    if (schedule.strategy != Strategy::in_order) {
        schedule.deviations.clear();
    }
    std::erase_if(schedule.deviations, [tiles](const Deviation& d) {
        return d.hold.actor >= tiles || d.until.actor >= tiles;
    });
}

}  // namespace

void legalise(Scenario& scenario) {
    settle_domains(scenario);
    if (!scenario.commands.empty()) {
        scenario.topology.chips = 1;  // C1
        scenario.geometry.command_queues = 1;
        scenario.geometry.dispatch_s = DispatchS::absent;
    }
    settle_topology(scenario);
    settle_geometry(scenario.geometry, scenario.topology);
    settle_programs(scenario);
    settle_exchanges(scenario);
    settle_buffers(scenario);
    drop_dangling(scenario);  // R1
    rules::settle_commands(scenario);
    settle_traces(scenario);
    for (Op& op : scenario.ops) {  // Q1
        if (std::uint32_t* queue = rules::queue_of(op)) {
            *queue = std::min(*queue, scenario.geometry.command_queues - 1);
        }
    }
    rules::LiveThings live;  // R2, R3
    keep_if(scenario.ops, [&live](const Op& op) { return live.accept(op); });
    settle_schedule(scenario);
    scenario.behaviour.exchanges_wait =
        scenario.behaviour.exchanges_wait && rules::in_step(scenario);  // X2
}

}  // namespace cqfuzz
