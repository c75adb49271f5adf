#include "harness/scenario/edit.hpp"

#include <algorithm>
#include <cstddef>

#include "harness/base/check.hpp"
#include "harness/scenario/describe.hpp"

namespace cqfuzz {
namespace {

constexpr std::uint32_t kGone = 0xffffffff;

// Calls visit(number, table) for each reference in `value`.
template <class T, class Visit>
void for_each_reference(T& value, Visit&& visit) {
    for_each_leaf(value, [&visit](const auto& field, auto& owner) {
        if constexpr (std::decay_t<decltype(field)>::kKind == FieldKind::reference) {
            visit(owner.*field.member, field.table);
        }
    });
}

// References live in ops, commands and trace steps only.
template <class Scenarios, class Visit>
void for_each_reference_of(Scenarios& scenario, Table table, Visit&& visit) {
    const auto one = [&](auto& number, Table of) {
        if (of == table) {
            visit(number);
        }
    };
    for (auto& trace : scenario.traces) {
        for_each_reference(trace, one);
    }
    for (auto& op : scenario.ops) {
        for_each_reference(op, one);
    }
    for (auto& command : scenario.commands) {
        for_each_reference(command, one);
    }
}

template <class T>
void keep_marked(std::vector<T>& entries, const std::vector<bool>& keep) {
    std::size_t i = 0;
    keep_if(entries, [&](const T&) { return keep[i++]; });
}

void renumber(std::uint32_t& number, const std::vector<std::uint32_t>& to) {
    number = number < to.size() ? to[number] : kGone;
}

// Moves `source`'s entries behind `target`'s, up to `max`; the new number of each, or kGone.
template <class T>
std::vector<std::uint32_t> append(std::vector<T>& target, const std::vector<T>& source,
                                  std::uint32_t max) {
    std::vector<std::uint32_t> to;
    to.reserve(source.size());
    for (const T& entry : source) {
        const bool room = target.size() < max;
        to.push_back(room ? static_cast<std::uint32_t>(target.size()) : kGone);
        if (room) {
            target.push_back(entry);
        }
    }
    return to;
}

}  // namespace

std::uint32_t table_size(const Scenario& scenario, Table table) {
    switch (table) {
        case Table::programs: return static_cast<std::uint32_t>(scenario.programs.size());
        case Table::buffers: return static_cast<std::uint32_t>(scenario.buffers.size());
        case Table::traces: return static_cast<std::uint32_t>(scenario.traces.size());
        case Table::bodies: return static_cast<std::uint32_t>(scenario.bodies.size());
    }
    return 0;
}

void keep_entries(Scenario& scenario, Table table, const std::vector<bool>& keep) {
    CHECK(keep.size() == table_size(scenario, table), "%zu flags for a table of %u", keep.size(),
          table_size(scenario, table));
    std::vector<std::uint32_t> to(keep.size(), kGone);
    std::uint32_t next = 0;
    for (std::size_t i = 0; i < keep.size(); ++i) {
        if (keep[i]) {
            to[i] = next++;
        }
    }
    switch (table) {
        case Table::programs: keep_marked(scenario.programs, keep); break;
        case Table::buffers: keep_marked(scenario.buffers, keep); break;
        case Table::traces: keep_marked(scenario.traces, keep); break;
        case Table::bodies: keep_marked(scenario.bodies, keep); break;
    }
    for_each_reference_of(scenario, table, [&](std::uint32_t& number) { renumber(number, to); });
    drop_dangling(scenario);
}

void remove_entry(Scenario& scenario, Table table, std::uint32_t index) {
    std::vector<bool> keep(table_size(scenario, table), true);
    keep[index] = false;
    keep_entries(scenario, table, keep);
}

void drop_dangling(Scenario& scenario) {
    const auto dangles = [&scenario](const auto& value) {
        bool dangling = false;
        for_each_reference(value, [&](std::uint32_t number, Table table) {
            dangling = dangling || number >= table_size(scenario, table);
        });
        return dangling;
    };
    for (Trace& trace : scenario.traces) {
        std::erase_if(trace.steps, dangles);
    }
    std::erase_if(scenario.ops, dangles);
    std::erase_if(scenario.commands, dangles);
}

std::vector<bool> used_entries(const Scenario& scenario, Table table) {
    std::vector<bool> used(table_size(scenario, table), false);
    for_each_reference_of(scenario, table, [&](std::uint32_t number) {
        if (number < used.size()) {
            used[number] = true;
        }
    });
    return used;
}

std::vector<Op> append_tables(Scenario& target, const Scenario& source) {
    const std::size_t traces_before = target.traces.size();
    const auto programs = append(target.programs, source.programs, limits::kProgramsMax);
    const auto buffers = append(target.buffers, source.buffers, limits::kBuffersMax);
    const auto traces = append(target.traces, source.traces, limits::kTracesMax);
    for (std::size_t i = traces_before; i < target.traces.size(); ++i) {
        for (TraceStep& step : target.traces[i].steps) {
            renumber(step.program, programs);
        }
        std::erase_if(target.traces[i].steps,
                      [](const TraceStep& step) { return step.program == kGone; });
    }
    std::vector<Op> ops = source.ops;
    for (Op& op : ops) {
        for_each_reference(op, [&](std::uint32_t& number, Table table) {
            renumber(number, table == Table::programs  ? programs
                             : table == Table::buffers ? buffers
                                                       : traces);
        });
    }
    std::erase_if(ops, [&target](const Op& op) {
        bool gone = false;
        for_each_reference(op, [&](std::uint32_t number, Table table) {
            gone = gone || number >= table_size(target, table);
        });
        return gone;
    });
    return ops;
}

std::vector<Command> append_bodies(Scenario& target, const Scenario& source) {
    const auto bodies = append(target.bodies, source.bodies, limits::kBodiesMax);
    std::vector<Command> commands = source.commands;
    for (Command& command : commands) {
        for_each_reference(command,
                           [&bodies](std::uint32_t& number, Table) { renumber(number, bodies); });
    }
    std::erase_if(commands, [](const Command& command) {
        const auto* exec_buf = std::get_if<CommandExecBuf>(&command);
        return exec_buf != nullptr && exec_buf->body == kGone;
    });
    return commands;
}

}  // namespace cqfuzz
