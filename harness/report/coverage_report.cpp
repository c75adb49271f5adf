#include "harness/report/coverage_report.hpp"

#include <fmt/core.h>

#include <functional>

#include "harness/report/printable.hpp"

namespace cqfuzz {

namespace {

std::string_view role_name(std::uint32_t role) { return name_of(reach_role(role)); }

std::uint64_t hits(const Reach& reach, std::uint32_t role, std::uint32_t command,
                   std::uint32_t phase, std::uint32_t end) {
    return reach.hits(static_cast<std::uint16_t>(reach_feature(role, command, phase, end)));
}

struct Totals {
    std::uint32_t cells = 0;  // of the rows that were reached
    std::uint32_t holes = 0;
    std::string never;  // "dispatch_d: SINK, DEBUG\n"
};

// Calls `row` for each role and command that was begun at all.
Totals walk(const Reach& reach, const std::function<void(std::uint32_t, std::uint32_t)>& row) {
    Totals totals;
    for (std::uint32_t role = 0; role < kReachRoles; ++role) {
        std::string never;
        bool any = false;
        for (std::uint32_t command = 0; command < kReachCommands; ++command) {
            const std::string_view name = reach_command_name(role, command);
            std::uint32_t full = 0;
            for (std::uint32_t cell = 0; cell < kReachPhases * kReachEnds; ++cell)
                full +=
                    hits(reach, role, command, cell / kReachEnds, cell % kReachEnds) != 0 ? 1 : 0;
            if (name.empty() && full == 0) continue;
            if (full == 0) {
                never += fmt::format("{}{}", never.empty() ? "" : ", ", name);
                continue;
            }
            any = true;
            totals.cells += kReachPhases * kReachEnds;
            totals.holes += kReachPhases * kReachEnds - full;
            row(role, command);
        }
        if (!any && !never.empty()) never = "anything";
        if (!never.empty()) totals.never += fmt::format("{}: {}\n", role_name(role), never);
    }
    return totals;
}

std::string name_or_unknown(std::uint32_t role, std::uint32_t command) {
    const std::string_view name = reach_command_name(role, command);
    return name.empty() ? fmt::format("(unknown: {})", command) : std::string(name);
}

constexpr std::string_view kPageHead = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>cqfuzz coverage</title>
<meta name="color-scheme" content="light dark">
<style>
body { font: 14px/1.4 system-ui, sans-serif; margin: 2rem; }
table { border-collapse: collapse; }
caption { text-align: left; padding-bottom: .5rem; }
th, td { border: 1px solid #8886; padding: .15rem .4rem; }
td { text-align: right; font-variant-numeric: tabular-nums; }
th[scope=row] { text-align: left; font-weight: normal; }
.hole { background: #d334; }
</style></head><body>
)";

}  // namespace

std::string coverage_text(const Reach& reach) {
    std::string out = fmt::format("{:<12} {:<28}", "role", "command");
    for (std::uint32_t phase = 0; phase < kReachPhases; ++phase)
        out += fmt::format(" {:<6}", reach_phase_name(phase));
    out += "\n";
    const Totals totals = walk(reach, [&](std::uint32_t role, std::uint32_t command) {
        out += fmt::format("{:<12} {:<28}", role_name(role), name_or_unknown(role, command));
        for (std::uint32_t phase = 0; phase < kReachPhases; ++phase) {
            out += " ";
            for (std::uint32_t end = 0; end < kReachEnds; ++end) {
                const std::uint64_t count = hits(reach, role, command, phase, end);
                out += count == 0 ? "." : fmt::format("{}", fmt::formatted_size("{}", count));
            }
            out += " ";
        }
        out.erase(out.find_last_not_of(' ') + 1);
        out += "\n";
    });
    out +=
        "\nA column is the page of its block in which the command begins, a digit how many digits "
        "its count has, a dot a hole;\nin each, the command ends";
    for (std::uint32_t end = 0; end < kReachEnds; ++end)
        out += fmt::format("{} {}", end == 0 ? "" : ",", reach_end_name(end));
    out += fmt::format(".\n{} scenarios; {} of {} cells are holes.\n", reach.runs(), totals.holes,
                       totals.cells);
    if (!totals.never.empty())
        out += "Never ended by (EXEC_BUF does not: its trace takes over)\n" + totals.never;
    return out;
}

std::string coverage_html(const Reach& reach, std::string_view title) {
    std::string out(kPageHead);
    out += fmt::format("<h1>Coverage of {}</h1>\n", xml_escaped(title));
    std::string rows;
    const Totals totals = walk(reach, [&](std::uint32_t role, std::uint32_t command) {
        rows += fmt::format("<tr><th scope=\"row\">{}</th><th scope=\"row\">{}</th>",
                            role_name(role), xml_escaped(name_or_unknown(role, command)));
        for (std::uint32_t cell = 0; cell < kReachPhases * kReachEnds; ++cell) {
            const std::uint64_t count =
                hits(reach, role, command, cell / kReachEnds, cell % kReachEnds);
            rows += count == 0 ? "<td class=\"hole\">0</td>" : fmt::format("<td>{}</td>", count);
        }
        rows += "</tr>\n";
    });
    out += fmt::format(
        "<table><caption>{} scenarios; {} of {} cells are holes. Above, the page of its block in "
        "which a command begins; below, where it ends.</caption>\n<thead><tr><th "
        "rowspan=\"2\">role</th><th rowspan=\"2\">command</th>",
        reach.runs(), totals.holes, totals.cells);
    for (std::uint32_t phase = 0; phase < kReachPhases; ++phase)
        out += fmt::format("<th colspan=\"{}\">{}</th>", kReachEnds, reach_phase_name(phase));
    out += "</tr>\n<tr>";
    for (std::uint32_t cell = 0; cell < kReachPhases * kReachEnds; ++cell)
        out += fmt::format("<th>{}</th>", reach_end_name(cell % kReachEnds));
    out += "</tr></thead>\n<tbody>\n" + rows + "</tbody></table>\n";
    if (!totals.never.empty())
        out += "<h2>Never ended by</h2>\n<p>EXEC_BUF does not: its trace takes over.</p>\n<pre>" +
               xml_escaped(totals.never) + "</pre>\n";
    return out + "</body></html>\n";
}

}  // namespace cqfuzz
