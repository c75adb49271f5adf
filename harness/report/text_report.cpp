#include "harness/report/text_report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "harness/report/printable.hpp"
#include "harness/scenario/verbs.hpp"

namespace cqfuzz {

namespace {

constexpr std::string_view kRed = "\x1b[1;31m";
constexpr std::string_view kGreen = "\x1b[1;32m";
constexpr std::string_view kDim = "\x1b[2m";
constexpr std::string_view kPlain = "\x1b[0m";

std::string painted(std::string_view text, std::string_view paint, const TextStyle& style) {
    if (!style.colour) return std::string(text);
    return fmt::format("{}{}{}", paint, text, kPlain);
}

// A labelled part of the report; every line after the first is indented under it.
struct Part {
    std::string_view label;
    std::vector<std::string> lines;
    bool may_be_cut = false;
    // Of a cut story the last lines tell most: who held the page and who gave it away.
    bool keeps_end = false;
};

std::string headline(const Finding& finding, const TextStyle& style) {
    const Verdict& verdict = *finding.verdict;
    const Violation& v = verdict.violation;
    std::string sentence = v.summary.empty() ? v.property : v.summary;
    if (verdict.kind == VerdictKind::pass) {
        sentence = finding.title.empty() ? "nothing was found" : finding.title;
    }
    sentence = printable(sentence);
    // Not green: what was not run may fail.
    if (!verdict.bad() && finding.interrupted) return fmt::format("interrupted: {}", sentence);
    return fmt::format(
        "{}: {}", painted(name_of(verdict.kind), verdict.bad() ? kRed : kGreen, style), sentence);
}

std::string joined(std::string_view a, std::string_view separator, std::string_view b) {
    if (a.empty() || b.empty()) return fmt::format("{}{}", a, b);
    return fmt::format("{}{}{}", a, separator, b);
}

std::vector<Part> parts_of(const Finding& finding) {
    const Violation& v = finding.verdict->violation;
    const Scenario& scenario = *finding.scenario;
    std::vector<Part> parts;
    std::string what = joined(v.property, ", ", v.invariant);
    what = joined(what, "; ", joined(v.place, ", ", joined(v.actor, " at ", v.command)));
    parts.push_back({"what", {what}});
    std::vector<std::string> story = v.story;
    // The headline has said it.
    if (!story.empty() && story.front() == v.summary) story.erase(story.begin());
    if (!story.empty()) {
        const std::string_view label =
            finding.verdict->kind == VerdictKind::hang ? "waits" : "story";
        parts.push_back(
            {label, std::move(story), true, finding.verdict->kind != VerdictKind::hang});
    }
    if (!v.expected.empty() || !v.actual.empty()) {
        parts.push_back({"bytes", {fmt::format("expected {}, found {}", v.expected, v.actual)}});
    }
    if (v.op_index != kNoOp && v.op_index < action_count(scenario)) {
        std::string op = print_action(scenario, v.op_index);
        if (op.rfind("op ", 0) == 0) op.erase(0, 3);  // the label says it
        std::vector<std::string> lines{fmt::format("{} (step {})", op, v.step)};
        if (!finding.op_toml.empty()) lines.push_back(finding.op_toml);
        parts.push_back({"op", lines, true});
    } else {
        parts.push_back({"step", {fmt::format("{}", v.step)}});
    }
    std::string order = fmt::format("seen at {}", name_of(finding.order_run));
    if (finding.order_needed) {
        order = fmt::format("needs {}", name_of(*finding.order_needed));
        if (*finding.order_needed == OrderLevel::o3)
            order += ", which is to say that it relies on undocumented order";
    }
    std::vector<std::string> schedule{
        fmt::format("{}; {}", order, describe_schedule(scenario.schedule, finding.view))};
    for (const Deviation& deviation : scenario.schedule.deviations)
        schedule.push_back(describe(deviation, finding.view));
    parts.push_back({"order", schedule, true});
    // The replay command names it too.
    if (!finding.fault.empty() && finding.replay.find(finding.fault) == std::string::npos)
        parts.push_back({"fault", {finding.fault}});
    if (!finding.replay.empty()) parts.push_back({"replay", {finding.replay}});
    return parts;
}

// How many lines each part may have so that all fit; of what the others leave, the first parts that
// may be cut take most: the story comes before the schedule.
std::vector<std::size_t> allowance(const std::vector<Part>& parts, std::size_t lines_max) {
    std::vector<std::size_t> allowed(parts.size());
    std::size_t used = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        allowed[i] = parts[i].may_be_cut ? 1 : parts[i].lines.size();
        used += allowed[i];
    }
    for (std::size_t i = 0; i < parts.size() && used < lines_max; ++i) {
        const std::size_t more = std::min(parts[i].lines.size() - allowed[i], lines_max - used);
        allowed[i] += more;
        used += more;
    }
    return allowed;
}

}  // namespace

std::string text_report(const Finding& finding, const TextStyle& style) {
    std::string out = headline(finding, style) + "\n";
    if (!finding.verdict->bad()) return out;
    const std::vector<Part> parts = parts_of(finding);
    std::size_t total = 1;
    for (const Part& part : parts) total += part.lines.size();
    const bool cut = !style.verbose && total > kShortReportLines;
    // The headline and the line that says that lines are missing.
    const std::vector<std::size_t> allowed = allowance(parts, cut ? kShortReportLines - 2 : total);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::size_t from = parts[i].keeps_end ? parts[i].lines.size() - allowed[i] : 0;
        for (std::size_t line = 0; line < allowed[i]; ++line) {
            const std::string label =
                painted(fmt::format("{:<8}", line == 0 ? parts[i].label : ""), kDim, style);
            out += fmt::format("  {}  {}\n", label, printable(parts[i].lines[from + line]));
        }
    }
    if (cut) {
        std::size_t shown = 1;
        for (const std::size_t lines : allowed) shown += lines;
        out +=
            painted(fmt::format("  … {} more lines with --verbose", total - shown), kDim, style) +
            "\n";
    }
    return out;
}

}  // namespace cqfuzz
