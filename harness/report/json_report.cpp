#include "harness/report/json_report.hpp"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "harness/report/printable.hpp"
#include "harness/scenario/verbs.hpp"

namespace cqfuzz {

namespace {

using Json = nlohmann::ordered_json;

Json document(std::string_view command) {
    Json out;
    out["cqfuzz"] = kJsonFormat;
    out["command"] = command;
    return out;
}

Json move_json(const MoveName& move, const MachineView* view) {
    Json out;
    out["actor"] = move.actor;
    if (view != nullptr && move.actor < view->tiles.size()) {
        out["actor_name"] = view->describe(static_cast<TileIndex>(move.actor));
    }
    constexpr std::string_view kKinds[] = {"step", "departure", "arrival", "acknowledgement",
                                           "source_read"};
    out["kind"] = kKinds[static_cast<std::size_t>(move.kind)];
    if (move.kind != MoveKind::step) out["noc"] = move.noc;
    out["ordinal"] = move.ordinal;
    return out;
}

Json violation_json(const Violation& v, const Scenario& scenario) {
    Json out;
    out["signature"] = v.signature();
    out["property"] = v.property;
    out["place"] = v.place;
    out["actor"] = v.actor;
    out["command"] = v.command;
    out["summary"] = v.summary;
    out["story"] = v.story;
    out["expected"] = v.expected;
    out["actual"] = v.actual;
    out["invariant"] = v.invariant;
    out["step"] = v.step;
    if (v.op_index != kNoOp && v.op_index < action_count(scenario)) {
        out["op_index"] = v.op_index;
        out["op"] = print_action(scenario, v.op_index);
    }
    return out;
}

Json stats_json(const RunStats& stats) {
    Json out;
    out["moves"] = stats.moves;
    out["transactions"] = stats.transactions;
    out["arrivals"] = stats.arrivals;
    out["log_entries"] = stats.log_entries;
    out["dispatched_commands"] = stats.dispatched_commands;
    out["host_calls"] = stats.host_calls;
    out["truncated"] = stats.truncated;
    return out;
}

void add_finding(Json& out, const Finding& finding) {
    const bool cut = finding.interrupted && !finding.verdict->bad();
    out["file"] = valid_utf8(finding.path);
    if (!finding.title.empty()) out["title"] = valid_utf8(finding.title);
    out["verdict"] = cut ? "interrupted" : name_of(finding.verdict->kind);
    out["exit_code"] = finding.interrupted ? kExitInterrupted : exit_code_of(finding.verdict->kind);
    if (finding.interrupted) out["interrupted"] = true;
    out["fault"] = finding.fault;
    out["order_run"] = name_of(finding.order_run);
    // As text: a JSON number does not hold 64 bits everywhere.
    if (finding.fingerprint) out["fingerprint"] = fmt::format("{:016x}", *finding.fingerprint);
    if (finding.stats != nullptr) out["stats"] = stats_json(*finding.stats);
    if (!finding.verdict->bad()) return;
    out["violation"] = violation_json(finding.verdict->violation, *finding.scenario);
    if (finding.order_needed) out["order_needed"] = name_of(*finding.order_needed);
    out["schedule"] = describe_schedule(finding.scenario->schedule, finding.view);
    Json deviations = Json::array();
    for (const Deviation& deviation : finding.scenario->schedule.deviations) {
        Json item;
        item["hold"] = move_json(deviation.hold, finding.view);
        item["until"] = move_json(deviation.until, finding.view);
        deviations.push_back(std::move(item));
    }
    out["deviations"] = std::move(deviations);
    out["replay"] = valid_utf8(finding.replay);
}

// What comes from outside is made UTF-8 where it is put in; whatever else is not must not end the
// program.
std::string text_of(const Json& json) {
    return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string run_json(const Finding& finding) {
    Json out = document("run");
    add_finding(out, finding);
    return text_of(out);
}

std::string stress_json(const Finding& finding, const StressFigures& figures) {
    Json out = document("stress");
    out["load"] = figures.load;
    out["layers"] = figures.layers;
    out["iterations"] = figures.iterations;
    out["iterations_done"] = figures.iterations_done;
    out["seconds"] = figures.seconds;
    add_finding(out, finding);
    return text_of(out);
}

std::string hunt_json(std::string_view fault, std::span<const HuntRow> rows, bool interrupted) {
    Json out = document("hunt");
    out["fault"] = fault;
    if (interrupted) out["interrupted"] = true;
    Json trials = Json::array();
    for (const HuntRow& row : rows) {
        Json trial;
        trial["seed"] = row.seed;
        trial["found"] = row.found;
        trial["scenarios"] = row.scenarios;
        trial["moves"] = row.moves;
        trial["fault_reached"] = row.fault_reached;
        trial["verdict"] = row.verdict;
        trial["signature"] = row.signature;
        if (row.interrupted) trial["interrupted"] = true;
        if (!row.path.empty()) trial["file"] = valid_utf8(row.path);
        trials.push_back(std::move(trial));
    }
    out["trials"] = std::move(trials);
    return text_of(out);
}

std::string faults_json(std::span<const FaultRow> rows, std::span<const FaultGroupRow> groups) {
    Json out = document("faults");
    Json faults = Json::array();
    for (const FaultRow& row : rows) {
        Json fault;
        fault["name"] = row.name;
        fault["sentence"] = row.sentence;
        fault["source"] = row.source;
        fault["invariant"] = row.invariant;
        fault["place"] = row.place;
        faults.push_back(std::move(fault));
    }
    out["faults"] = std::move(faults);
    Json group_list = Json::array();
    for (const FaultGroupRow& row : groups) {
        Json group;
        group["name"] = row.name;
        group["members"] = row.members;
        group_list.push_back(std::move(group));
    }
    out["groups"] = std::move(group_list);
    return text_of(out);
}

}  // namespace cqfuzz
