// print, op_weight, and the words of text.hpp.
#include <fmt/core.h>

#include "harness/scenario/describe.hpp"
#include "harness/scenario/text.hpp"
#include "harness/scenario/verbs.hpp"

namespace cqfuzz {
namespace {

std::string text_of(const OpWriteBuffer& op) {
    return fmt::format("write buffer {} (content {})", op.buffer, op.content_seed);
}
std::string text_of(const OpReadBuffer& op) { return fmt::format("read buffer {}", op.buffer); }
std::string text_of(const OpEnqueue& op) {
    return op.times == 1 ? fmt::format("enqueue program {}", op.program)
                         : fmt::format("enqueue program {} x {}", op.program, op.times);
}
std::string text_of(const OpCapture& op) { return fmt::format("capture trace {}", op.trace); }
std::string text_of(const OpReplay& op) {
    return fmt::format("replay trace {} x {} ({})", op.trace, op.times,
                       op.blocking ? "blocking" : "not blocking");
}
std::string text_of(const OpRelease& op) { return fmt::format("release trace {}", op.trace); }
std::string text_of(const OpFinish&) { return "finish"; }
std::string text_of(const OpRecordEvent& op) { return fmt::format("record event {}", op.event); }
std::string text_of(const OpWaitEvent& op) { return fmt::format("wait for event {}", op.event); }
std::string text_of(const OpSyncEvent& op) {
    return fmt::format("synchronize with event {}", op.event);
}
std::string text_of(const OpQueryEvent& op) { return fmt::format("query event {}", op.event); }

// Command queue 0 goes without saying.
template <class T>
std::string queue_text(const T& op) {
    if constexpr (requires { op.queue; }) {
        return op.queue == 0 ? "" : fmt::format(" on queue {}", op.queue);
    } else {
        return {};
    }
}

std::uint32_t weight_of(const OpEnqueue& op) { return op.times; }
std::uint32_t weight_of(const OpReplay& op) { return op.times; }
template <class T>
std::uint32_t weight_of(const T&) {
    return 1;
}

}  // namespace

std::string print(const Op& op, std::uint32_t index) {
    return std::visit(
        [index](const auto& kind) {
            return fmt::format("op {}: {}{}", index, text_of(kind), queue_text(kind));
        },
        op);
}

std::string print_action(const Scenario& scenario, std::uint32_t index) {
    if (index >= action_count(scenario)) return {};
    return scenario.commands.empty() ? print(scenario.ops[index], index)
                                     : print(scenario.commands[index], index);
}

std::uint32_t action_count(const Scenario& scenario) {
    return static_cast<std::uint32_t>(scenario.ops.size() + scenario.commands.size());
}

std::uint32_t op_weight(const Scenario& scenario) {
    auto weight = static_cast<std::uint32_t>(scenario.commands.size());
    for (const Op& op : scenario.ops) {
        weight += std::visit([](const auto& kind) { return weight_of(kind); }, op);
    }
    return weight;
}

std::string allowed_text(const NumberDomain& domain) {
    const std::string unit = domain.unit.empty() ? "" : fmt::format(" {}", domain.unit);
    if (domain.choices_only) {
        std::string choices;
        for (std::uint32_t i = 0; i < domain.preferred_count; ++i) {
            choices += fmt::format("{}{}", i == 0 ? "" : ", ", domain.preferred[i]);
        }
        return fmt::format("one of {}{}", choices,
                           domain.unit.empty() ? "" : fmt::format(" ({})", domain.unit));
    }
    if (domain.multiple == 1) {
        return fmt::format("{} to {}{}", domain.min, domain.max, unit);
    }
    return fmt::format("{} to {}{}, a multiple of {}", domain.min, domain.max, unit,
                       domain.multiple);
}

std::string_view name_of(Table table) {
    switch (table) {
        case Table::programs: return "program";
        case Table::buffers: return "buffer";
        case Table::traces: return "trace";
        case Table::bodies: return "body";
    }
    return "?";
}

}  // namespace cqfuzz
