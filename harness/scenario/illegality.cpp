// illegality_of: the first rule that a scenario breaks, in the order in which legalise settles
// them.
#include <array>
#include <string>

#include <fmt/core.h>

#include "harness/scenario/command_rules.hpp"
#include "harness/scenario/describe.hpp"
#include "harness/scenario/edit.hpp"
#include "harness/scenario/limits.hpp"
#include "harness/scenario/rules.hpp"
#include "harness/scenario/text.hpp"
#include "harness/scenario/verbs.hpp"

namespace cqfuzz {
namespace {

std::string dotted(const std::string& path, std::string_view name) {
    return path.empty() ? std::string(name) : path + "." + std::string(name);
}

template <class T>
std::string broken_domain(const T& value, const std::string& path);

template <class T>
std::string broken_list(const std::vector<T>& entries, std::uint32_t max, const std::string& path) {
    if (entries.size() > max) {
        return fmt::format("{}: {} entries; at most {} are allowed", path, entries.size(), max);
    }
    for (std::size_t i = 0; i < entries.size(); ++i) {
        std::string broken = broken_domain(entries[i], fmt::format("{}[{}]", path, i));
        if (!broken.empty()) {
            return broken;
        }
    }
    return {};
}

template <class Field, class Member>
std::string broken_field(const Field& field, const Member& member, const std::string& path) {
    if constexpr (Field::kKind == FieldKind::number) {
        if (!field.domain->holds(member)) {
            return fmt::format("{} {}: must be {}", dotted(path, field.name), member,
                               allowed_text(*field.domain));
        }
    } else if constexpr (Field::kKind == FieldKind::enumeration) {
        if (static_cast<std::size_t>(member) >= EnumNames<Member>::names.size()) {
            return fmt::format("{}: no such value", dotted(path, field.name));
        }
    } else if constexpr (Field::kKind == FieldKind::nested) {
        return broken_domain(member, dotted(path, field.name));
    } else if constexpr (Field::kKind == FieldKind::list) {
        return broken_list(member, field.max, dotted(path, field.name));
    }
    return {};
}

template <class T>
std::string broken_domain(const T& value, const std::string& path) {
    if constexpr (kIsOp<T>) {
        return std::visit([&path](const auto& op) { return broken_domain(op, path); }, value);
    } else {
        std::string broken;
        any_field<T>([&](const auto& field) {
            broken = broken_field(field, value.*field.member, path);
            return !broken.empty();
        });
        return broken;
    }
}

std::string bound(const char* rule, const char* field, std::uint32_t value, const char* relation,
                  std::uint32_t limit, const char* why) {
    return fmt::format("geometry.{} {}: must be {} {}, {} (rule {})", field, value, relation, limit,
                       why, rule);
}

std::string broken_topology(const Topology& topology) {
    if (topology.chips == 1) return {};
    if (topology.split) {
        return fmt::format(
            "topology.split: of {} chips the remote ones are split and the others not; leave it "
            "out (rule K1)",
            topology.chips);
    }
    if (topology.ethernet_cores > limits::ethernet_cores_max(topology)) {
        return fmt::format(
            "topology.ethernet_cores {}: at most {} beside these workers with several chips (rule "
            "K1)",
            topology.ethernet_cores, limits::ethernet_cores_max(topology));
    }
    return {};
}

std::string broken_geometry(const Geometry& g, const Topology& topology) {
    using namespace limits;
    const bool split = splits(topology);
    if (g.command_queues != 1 && topology.chips != 1) {
        return "geometry.command_queues: several chips have one each (rule Q2)";
    }
    if (g.command_queues != 1 && g.dispatch_s != DispatchS::absent) {
        return "geometry.dispatch_s: goes with one command queue (rule Q3)";
    }
    if (g.command_queues == 2 && g.prefetch_q_entries > kPrefetchQEntriesOfTwo) {
        return bound("Q2", "prefetch_q_entries", g.prefetch_q_entries, "at most",
                     kPrefetchQEntriesOfTwo, "with two command queues");
    }
    if (g.dispatch_pages_per_block < dispatch_pages_per_block_min(g)) {
        return bound("G3a", "dispatch_pages_per_block", g.dispatch_pages_per_block, "at least",
                     dispatch_pages_per_block_min(g),
                     "so that the ring less two blocks holds the least command, 4096");
    }
    if (g.prefetch_d_pages_per_block < prefetch_d_pages_per_block_min(g, split)) {
        return bound("G5a", "prefetch_d_pages_per_block", g.prefetch_d_pages_per_block, "at least",
                     prefetch_d_pages_per_block_min(g, split),
                     "so that the ring holds two of the least commands and two pages");
    }
    if (g.max_prefetch_command > max_prefetch_command_max(g, split)) {
        return bound("G3b, G5b", "max_prefetch_command", g.max_prefetch_command, "at most",
                     max_prefetch_command_max(g, split),
                     "the dispatch ring less two blocks, and when split half of prefetch_d's ring "
                     "less two pages");
    }
    if (g.scratch > scratch_max(g)) {
        return bound("G3c", "scratch", g.scratch, "at most", scratch_max(g),
                     "so that a half fits the dispatch ring less two blocks and a page");
    }
    if (g.cmddat_q < cmddat_q_min(g)) {
        return bound("G5c", "cmddat_q", g.cmddat_q, "at least", cmddat_q_min(g),
                     "twice max_prefetch_command");
    }
    if (g.tunnel_pages < tunnel_pages_min(g)) {
        return bound("K3", "tunnel_pages", g.tunnel_pages, "at least", tunnel_pages_min(g),
                     "so that a tunnel's ring holds the packet of the largest page");
    }
    if (chunk_bytes(g) > chunk_room_bytes(g, topology)) {
        return fmt::format(
            "geometry.dram_banks {} << trace_log_page {} = {}: must be at most {}, {} (rule G6)",
            g.dram_banks, g.trace_log_page, chunk_bytes(g), chunk_room_bytes(g, topology),
            split ? "prefetch_d's ring" : "cmddat_q");
    }
    return {};
}

std::string broken_range(const CoreRange& range, bool on_ethernet, const Topology& topology,
                         const std::string& path) {
    const std::uint32_t cols = on_ethernet ? topology.ethernet_cores : topology.worker_cols;
    const std::uint32_t rows = on_ethernet ? 1 : topology.worker_rows;
    if (range.x0 <= range.x1 && range.y0 <= range.y1 && range.x1 < cols && range.y1 < rows) {
        return {};
    }
    return fmt::format(
        "{}.cores {},{} to {},{}: must be a range, first corner first, inside {} x {} {} cores "
        "(rule P1)",
        path, range.x0, range.y0, range.x1, range.y1, cols, rows,
        on_ethernet ? "ethernet" : "worker");
}

template <class T>
std::string broken_conflict(const std::vector<T>& entries, const std::string& path,
                            const char* name, const char* what) {
    for (std::size_t i = 0; i < entries.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (rules::conflict(entries[j], entries[i])) {
                return fmt::format("{}.{}[{}]: shares a core and {} with [{}] (rule P3)", path,
                                   name, i, what, j);
            }
        }
    }
    return {};
}

std::string broken_kernels(const Program& program, const Topology& topology, const Geometry& g,
                           const std::string& path) {
    std::array<std::uint32_t, 2> used{};
    for (std::size_t i = 0; i < program.kernels.size(); ++i) {
        const Kernel& kernel = program.kernels[i];
        const std::string place = fmt::format("{}.kernels[{}]", path, i);
        if (std::string broken = broken_range(kernel.cores, kernel.on_ethernet, topology, place);
            !broken.empty()) {
            return broken;
        }
        if (kernel.on_ethernet && kernel.processor != 0) {
            return fmt::format("{}.processor {}: must be 0 on ethernet (rule P2)", place,
                               kernel.processor);
        }
        if (kernel.exchange_bytes > rules::exchange_max(kernel, topology)) {
            return fmt::format(
                "{}.exchange_bytes {}: at most {}; only kernels on ethernet of several chips have "
                "any, and no more than their binary (rule X1)",
                place, kernel.exchange_bytes, rules::exchange_max(kernel, topology));
        }
        used[kernel.on_ethernet ? 1 : 0] += limits::config_bytes(kernel);
    }
    for (const bool on_ethernet : {false, true}) {
        const std::uint32_t room = limits::config_room_bytes(g, on_ethernet);
        if (used[on_ethernet ? 1 : 0] > room) {
            return fmt::format(
                "{}: binaries and arguments of {} kernels take {} bytes; at most {} fit beside the "
                "fixed {} "
                "in the config ring (rule P5)",
                path, on_ethernet ? "ethernet" : "worker", used[on_ethernet ? 1 : 0], room,
                limits::kProgramFixedBytes);
        }
    }
    return broken_conflict(program.kernels, path, "kernels", "processor");
}

std::string broken_program(const Program& program, const Topology& topology, const Geometry& g,
                           const std::string& path) {
    if (program.kernels.empty()) {
        return path + ": has no kernel (rule P4)";
    }
    if (std::string broken = broken_kernels(program, topology, g, path); !broken.empty()) {
        return broken;
    }
    for (std::size_t i = 0; i < program.semaphores.size(); ++i) {
        const SemaphoreInit& semaphore = program.semaphores[i];
        const std::string place = fmt::format("{}.semaphores[{}]", path, i);
        if (!rules::has_kernel(program, semaphore.on_ethernet)) {
            return place + ": the program has no kernel on that kind of core (rule P4)";
        }
        if (std::string broken =
                broken_range(semaphore.cores, semaphore.on_ethernet, topology, place);
            !broken.empty()) {
            return broken;
        }
    }
    std::uint32_t bytes = 0;
    for (std::size_t i = 0; i < program.circular_buffers.size(); ++i) {
        const CircularBuffer& buffer = program.circular_buffers[i];
        const std::string place = fmt::format("{}.circular_buffers[{}]", path, i);
        if (!rules::has_kernel(program, false)) {
            return place + ": the program has no worker kernel (rule P4)";
        }
        if (std::string broken = broken_range(buffer.cores, false, topology, place);
            !broken.empty()) {
            return broken;
        }
        bytes += buffer.pages * buffer.page_size;
    }
    if (bytes > limits::kCircularBufferBytesMax) {
        return fmt::format("{}: circular buffers take {} bytes; at most {} are allowed (rule P6)",
                           path, bytes, limits::kCircularBufferBytesMax);
    }
    std::string broken = broken_conflict(program.semaphores, path, "semaphores", "id");
    return broken.empty()
               ? broken_conflict(program.circular_buffers, path, "circular_buffers", "index")
               : broken;
}

std::string broken_buffers(const Scenario& scenario) {
    std::uint32_t bytes = 0;
    for (std::size_t i = 0; i < scenario.buffers.size(); ++i) {
        const Buffer& buffer = scenario.buffers[i];
        const std::string place = fmt::format("buffer[{}]", i);
        if (limits::is_sharded(buffer.placement)) {
            if (std::string broken = broken_range(buffer.cores, false, scenario.topology, place);
                !broken.empty()) {
                return broken;
            }
            if (buffer.row_pages > buffer.pages) {
                return fmt::format("{}.row_pages {}: must be at most its {} pages (rule B1)", place,
                                   buffer.row_pages, buffer.pages);
            }
        }
        bytes += limits::l1_bytes(buffer, scenario.topology);
    }
    if (bytes > limits::kL1BufferBytesMax) {
        return fmt::format(
            "buffer: all buffers in L1 take {} bytes of a worker; at most {} are allowed (rule B2)",
            bytes, limits::kL1BufferBytesMax);
    }
    return {};
}

template <class T>
std::string broken_reference(const T& value, const Scenario& scenario, const std::string& path) {
    std::string broken;
    for_each_leaf(value, [&](const auto& field, const auto& owner) {
        if constexpr (std::decay_t<decltype(field)>::kKind == FieldKind::reference) {
            const std::uint32_t number = owner.*field.member;
            const std::uint32_t size = table_size(scenario, field.table);
            if (broken.empty() && number >= size) {
                broken = fmt::format("{}.{} {}: there are only {} (rule R1)", path, field.name,
                                     number, size);
            }
        }
    });
    return broken;
}

std::string broken_traces(const Scenario& scenario) {
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < scenario.traces.size(); ++i) {
        const std::vector<TraceStep>& steps = scenario.traces[i].steps;
        for (std::size_t j = 0; j < steps.size(); ++j) {
            std::string broken =
                broken_reference(steps[j], scenario, fmt::format("trace[{}].steps[{}]", i, j));
            if (!broken.empty()) {
                return broken;
            }
            const Program& program = scenario.programs[steps[j].program];
            bytes += std::uint64_t{steps[j].times} *
                     limits::trace_bytes_max(program, scenario.topology.ethernet_cores);
        }
    }
    if (bytes > limits::kTraceBytesMax) {
        return fmt::format("trace: all steps may take {} bytes; at most {} are allowed (rule T1)",
                           bytes, limits::kTraceBytesMax);
    }
    return {};
}

const char* why_not_accepted(const Op& op) {
    if (std::holds_alternative<OpCapture>(op)) {
        return "the trace is live already; release it first (rule R2)";
    }
    if (std::holds_alternative<OpReplay>(op) || std::holds_alternative<OpRelease>(op)) {
        return "the trace has not been captured, or was released (rule R2)";
    }
    return "the event was not recorded (rule R3)";
}

std::string broken_ops(const Scenario& scenario) {
    rules::LiveThings live;
    for (std::size_t i = 0; i < scenario.ops.size(); ++i) {
        const Op& op = scenario.ops[i];
        if (std::string broken = broken_reference(op, scenario, fmt::format("op[{}]", i));
            !broken.empty()) {
            return broken;
        }
        const std::uint32_t device = std::visit([](const auto& of) { return of.device; }, op);
        if (device >= scenario.topology.chips) {
            return fmt::format("op[{}].device {}: there are only {} chips (rule K2)", i, device,
                               scenario.topology.chips);
        }
        Op named = op;
        const std::uint32_t* queue = rules::queue_of(named);
        if (queue != nullptr && *queue >= scenario.geometry.command_queues) {
            return fmt::format("{}: there are only {} command queues (rule Q1)",
                               print(op, static_cast<std::uint32_t>(i)),
                               scenario.geometry.command_queues);
        }
        if (!live.accept(op)) {
            return fmt::format("{}: {}", print(op, static_cast<std::uint32_t>(i)),
                               why_not_accepted(op));
        }
    }
    return {};
}

std::string broken_schedule(const Scenario& scenario) {
    const Schedule& schedule = scenario.schedule;
    const std::uint32_t tiles = limits::tile_count(scenario.topology, scenario.geometry);
    if (schedule.starved_actor >= tiles) {
        return fmt::format("schedule.starved_actor {}: there are only {} tiles (rule D1)",
                           schedule.starved_actor, tiles);
    }
    if (schedule.strategy != Strategy::in_order && !schedule.deviations.empty()) {
        return "schedule.deviations: only with strategy in_order (rule D1)";
    }
    for (std::size_t i = 0; i < schedule.deviations.size(); ++i) {
        const Deviation& d = schedule.deviations[i];
        if (d.hold.actor >= tiles || d.until.actor >= tiles) {
            return fmt::format(
                "schedule.deviations[{}]: names an actor that does not exist; there are {} tiles "
                "(rule D1)",
                i, tiles);
        }
    }
    return {};
}

std::string broken_commands(const Scenario& scenario) {
    if (scenario.commands.empty())
        return scenario.bodies.empty() ? "" : "body: only with commands (rule C1)";
    if (!scenario.ops.empty() || !scenario.programs.empty() || !scenario.buffers.empty() ||
        !scenario.traces.empty())
        return "command: no op, program, buffer or trace beside commands (rule C1)";
    if (scenario.topology.chips != 1 || scenario.geometry.command_queues != 1)
        return "command: on one chip with one command queue (rule C1)";
    if (scenario.geometry.dispatch_s != DispatchS::absent)
        return "command: without a dispatch_s (rule C1)";
    for (std::size_t i = 0; i < scenario.commands.size(); ++i) {
        const auto* exec_buf = std::get_if<CommandExecBuf>(&scenario.commands[i]);
        if (exec_buf != nullptr && exec_buf->body >= scenario.bodies.size())
            return fmt::format("command[{}]: body {} does not exist; there are {} (rule R1)", i,
                               exec_buf->body, scenario.bodies.size());
    }
    const std::optional<rules::BrokenCommand> broken = rules::broken_command(scenario);
    if (!broken) return {};
    const std::string path = broken->list == "body" ? fmt::format("body[{}].commands", broken->body)
                                                    : std::string("command");
    return fmt::format("{}[{}]: {} (rule {})", path, broken->index,
                       broken->stands ? "not well formed; the nearest that is: " +
                                            print(broken->nearest, broken->index)
                                      : std::string("cannot stand here"),
                       broken->rule);
}

}  // namespace

std::string illegality_of(const Scenario& scenario) {
    if (std::string broken = broken_domain(scenario, ""); !broken.empty()) {
        return broken;
    }
    if (std::string broken = broken_topology(scenario.topology); !broken.empty()) {
        return broken;
    }
    if (std::string broken = broken_geometry(scenario.geometry, scenario.topology);
        !broken.empty()) {
        return broken;
    }
    for (std::size_t i = 0; i < scenario.programs.size(); ++i) {
        const std::string path = fmt::format("program[{}]", i);
        std::string broken =
            broken_program(scenario.programs[i], scenario.topology, scenario.geometry, path);
        if (!broken.empty()) {
            return broken;
        }
    }
    if (std::string broken = broken_buffers(scenario); !broken.empty()) {
        return broken;
    }
    if (std::string broken = broken_traces(scenario); !broken.empty()) {
        return broken;
    }
    if (std::string broken = broken_ops(scenario); !broken.empty()) {
        return broken;
    }
    if (std::string broken = broken_commands(scenario); !broken.empty()) {
        return broken;
    }
    if (scenario.behaviour.exchanges_wait && !rules::in_step(scenario)) {
        return "behaviour.exchanges_wait: only when every op is made on each chip in turn, once "
               "and "
               "not blocking, and ethernet cores 0 and 1 both exchange (rule X2)";
    }
    return broken_schedule(scenario);
}

}  // namespace cqfuzz
