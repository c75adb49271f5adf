#include "harness/search/hunt_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/search/hunt_arm.hpp"
#include "harness/search/survival.hpp"

namespace cqfuzz {

namespace {

constexpr std::string_view kMainArm = name_of(HuntArm::guided);
constexpr std::string_view kSound = "none";

template <class Number>
Number middle(std::vector<Number> values) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    return values[(values.size() - 1) / 2];
}

std::string number_or(const std::optional<std::uint64_t>& value, std::string_view otherwise) {
    return value ? fmt::format("{}", *value) : std::string(otherwise);
}

std::string cell_text(const HuntCell& cell) {
    if (cell.trials == 0) return "–";
    const std::string above = fmt::format("> {}", cell.cap);
    return fmt::format("{}/{}, {}", cell.found, cell.trials, number_or(cell.median, above));
}

// The most frequent value of a member among the finds of a fault.
std::string most_frequent(const std::vector<HuntResult>& results, std::string_view fault,
                          std::string HuntResult::*member) {
    std::map<std::string, int> counts;
    for (const HuntResult& r : results)
        if (r.found && r.fault == fault && r.arm == kMainArm) ++counts[r.*member];
    const auto best =
        std::max_element(counts.begin(), counts.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    return best == counts.end() ? "–" : best->first;
}

std::string main_row(const std::vector<HuntResult>& results, const std::string& fault) {
    std::uint64_t reached = 0, checked = 0, infected = 0;
    for (const HuntResult& r : results) {
        if (r.fault != fault || r.arm != kMainArm) continue;
        reached += r.reached;
        checked += r.infection_checked;
        infected += r.infected;
    }
    const HuntCell cell = cell_of(results, fault, kMainArm);
    const std::string above = fmt::format("> {}", cell.cap);
    return fmt::format("| `{}` | {} | {}/{} | {} | {}/{} | {} | {} – {} | {} | {:.2f} | {} |\n",
                       fault, reached != 0 ? "yes" : "no", infected, checked,
                       most_frequent(results, fault, &HuntResult::property), cell.found,
                       cell.trials, number_or(cell.median, above), number_or(cell.low, "?"),
                       number_or(cell.high, above),
                       cell.found != 0 ? fmt::format("{}", cell.worst) : "–", cell.median_seconds,
                       most_frequent(results, fault, &HuntResult::strategy));
}

std::string main_table(const std::vector<HuntResult>& results,
                       const std::vector<std::string>& faults) {
    std::string out = fmt::format(
        "## Main arm: {}\n\n| fault | reached | infected | detected by | found | median scenarios "
        "| "
        "95 % interval | worst | median s | strategy "
        "|\n|---|---|---|---|---|---|---|---|---|---|\n",
        kMainArm);
    std::size_t seen = 0, always = 0;
    std::vector<std::uint64_t> medians;
    for (const std::string& fault : faults) {
        const HuntCell cell = cell_of(results, fault, kMainArm);
        if (cell.trials == 0) continue;
        out += main_row(results, fault);
        if (cell.found == 0) continue;
        ++seen;
        always += cell.found == cell.trials ? 1 : 0;
        if (cell.median) medians.push_back(*cell.median);
    }
    out += fmt::format(
        "\n{} faults were found at least once, {} of them ({:.0f} %) in every trial; the "
        "median fault after {} scenarios.\n",
        seen, always,
        seen == 0 ? 0.0 : 100.0 * static_cast<double>(always) / static_cast<double>(seen),
        middle(medians));
    return out;
}

std::string arms_table(const std::vector<HuntResult>& results,
                       const std::vector<std::string>& faults) {
    std::set<std::string_view> present;
    for (const HuntResult& r : results) present.insert(r.arm);
    std::vector<std::string_view> arms;
    for (const HuntArmName& arm : kHuntArms)
        if (present.count(arm.name) != 0) arms.push_back(arm.name);
    if (arms.size() < 2) return "";
    std::string out = "\n## Arms\n\nFound of trials, and median scenarios.\n\n";
    for (const HuntArmName& arm : kHuntArms)
        if (present.count(arm.name) != 0) out += fmt::format("- {}: {}.\n", arm.name, arm.sentence);
    out += "\n| fault |";
    for (const std::string_view arm : arms) out += fmt::format(" {} |", arm);
    out += "\n|---|";
    for (std::size_t i = 0; i < arms.size(); ++i) out += "---|";
    out += "\n";
    for (const std::string& fault : faults) {
        std::string row = fmt::format("| `{}` |", fault);
        std::size_t with = 0;
        for (const std::string_view arm : arms) {
            const HuntCell cell = cell_of(results, fault, arm);
            with += cell.trials != 0 ? 1 : 0;
            row += fmt::format(" {} |", cell_text(cell));
        }
        if (with > 1) out += row + "\n";
    }
    return out;
}

// 3/n: with 95 % confidence a scenario gives a false alarm less often than that.
std::string sound_text(const std::vector<HuntResult>& results) {
    std::uint64_t scenarios = 0, alarms = 0, once = 0;
    for (const HuntResult& r : results) {
        if (r.fault != kSound) continue;
        scenarios += r.scenarios;
        alarms += r.found ? 1 : 0;
        once += r.features_once;
    }
    if (scenarios == 0) return "";
    const auto n = static_cast<double>(scenarios);
    std::string out =
        fmt::format("\n## The sound runtime\n\n{} scenarios, {} findings.", scenarios, alarms);
    if (alarms == 0)
        out += fmt::format(
            " With 95 % confidence fewer than {:.1e} of scenarios give a false alarm (3/n).",
            3 / n);
    out += fmt::format(
        " Good–Turing: the next scenario reaches a feature that none has reached with a "
        "probability of about {:.1e}.\n",
        static_cast<double>(once) / n);
    return out;
}

}  // namespace

HuntCell cell_of(const std::vector<HuntResult>& results, std::string_view fault,
                 std::string_view arm) {
    HuntCell cell;
    std::vector<Observation> observations;
    std::vector<double> seconds;
    for (const HuntResult& r : results) {
        if (r.fault != fault || r.arm != arm) continue;
        ++cell.trials;
        cell.cap = std::max(cell.cap, r.cap);
        observations.push_back({r.scenarios, r.found});
        if (!r.found) continue;
        ++cell.found;
        cell.worst = std::max(cell.worst, r.scenarios);
        seconds.push_back(r.seconds);
    }
    const MedianEstimate estimate = median_of(std::move(observations));
    cell.median = estimate.median;
    cell.low = estimate.low;
    cell.high = estimate.high;
    cell.median_seconds = middle(std::move(seconds));
    return cell;
}

std::string hunt_table(const std::vector<HuntResult>& results,
                       const std::vector<std::string>& faults) {
    std::string out = main_table(results, faults) + arms_table(results, faults);
    std::string unseen;
    for (const std::string& fault : faults) {
        const HuntCell cell = cell_of(results, fault, kMainArm);
        if (cell.trials != 0 && cell.found == 0) unseen += fmt::format("- `{}`\n", fault);
    }
    if (!unseen.empty()) out += "\n## Not found\n\n" + unseen;
    return out + sound_text(results);
}

}  // namespace cqfuzz
