#include <fmt/core.h>

#include <algorithm>

#include "harness/cli/commands.hpp"
#include "harness/report/json_report.hpp"
#include "runtime_under_test/faults/faults.hpp"

namespace cqfuzz::cli {

namespace {

std::vector<FaultRow> fault_rows() {
    std::vector<FaultRow> rows;
    for (const rt::FaultInfo& info : rt::all_faults()) {
        rows.push_back({info.name, info.sentence, info.source, info.invariant, info.place});
    }
    return rows;
}

// A name that stands for several faults is a group.
std::vector<FaultGroupRow> group_rows(const std::vector<FaultRow>& faults) {
    std::vector<FaultGroupRow> groups;
    for (const std::string_view name : rt::fault_names()) {
        const auto is_it = [name](const FaultRow& row) { return row.name == name; };
        if (std::any_of(faults.begin(), faults.end(), is_it)) continue;
        FaultGroupRow group{name, {}};
        rt::FaultSet set = rt::faults_named(name).value_or(rt::FaultSet{});
        for (const rt::FaultInfo& info : rt::all_faults()) {
            if (set.on(info.fault)) group.members.push_back(info.name);
        }
        groups.push_back(std::move(group));
    }
    return groups;
}

std::string list_of(const std::vector<std::string_view>& names) {
    std::string text;
    for (const std::string_view name : names)
        text += fmt::format("{}{}", text.empty() ? "" : ", ", name);
    return text;
}

}  // namespace

int command_faults(const FaultsArguments& arguments) {
    const std::vector<FaultRow> faults = fault_rows();
    const std::vector<FaultGroupRow> groups = group_rows(faults);
    if (arguments.json) {
        fmt::print("{}", faults_json(faults, groups));
    } else if (arguments.markdown) {
        fmt::print("| fault | the mistake | breaks | where | source |\n|---|---|---|---|---|\n");
        for (const FaultRow& row : faults) {
            fmt::print("| `{}` | {} | {} | `{}` | {} |\n", row.name, row.sentence, row.invariant,
                       row.place, row.source);
        }
        for (const FaultGroupRow& row : groups)
            fmt::print("| `{}` | all of: {} | | | |\n", row.name, list_of(row.members));
    } else {
        for (const FaultRow& row : faults) {
            fmt::print("{}\n    {} ({})\n    {}\n    {}\n", row.name, row.sentence, row.invariant,
                       row.place, row.source);
        }
        for (const FaultGroupRow& row : groups)
            fmt::print("{}\n    all of: {}\n", row.name, list_of(row.members));
    }
    return 0;
}

}  // namespace cqfuzz::cli
