#include "harness/report/machine_reports.hpp"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "harness/report/printable.hpp"

namespace cqfuzz {

namespace {

using Json = nlohmann::ordered_json;

std::string dumped(const Json& json) {
    return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

// JUnit's word for what is a case here.
constexpr std::string_view kJunitCase =
    "test"
    "case";

std::string told(const Violation& v) {
    std::string text = v.summary;
    for (const std::string& line : v.story)
        if (line != v.summary) text += "\n" + line;
    return text;
}

Json sarif_result(const Finding& finding) {
    const Violation& v = finding.verdict->violation;
    Json result;
    result["ruleId"] =
        v.property.empty() ? std::string(name_of(finding.verdict->kind)) : v.property;
    result["ruleIndex"] = 0;
    result["level"] = "error";
    result["message"]["text"] = printable_lines(told(v));
    Json place;
    place["physicalLocation"]["artifactLocation"]["uri"] = printable(finding.path);
    place["physicalLocation"]["region"]["startLine"] = 1;
    if (!v.place.empty()) {
        Json logical;
        logical["name"] = v.place;
        logical["kind"] = "resource";
        place["logicalLocations"] = Json::array({logical});
    }
    result["locations"] = Json::array({place});
    result["partialFingerprints"]["cqfuzzSignature/v1"] = v.signature();
    if (finding.fingerprint)
        result["properties"]["eventLogFingerprint"] = fmt::format("{:016x}", *finding.fingerprint);
    result["properties"]["replay"] = finding.replay;
    return result;
}

// One event of Chrome's trace format; `end` is the text behind the common fields.
void trace_event(std::string& out, const char* phase, std::string_view name, std::uint32_t tile,
                 std::uint32_t step, const std::string& end) {
    out += fmt::format(",\n{{\"ph\":\"{}\",\"name\":{},\"pid\":1,\"tid\":{},\"ts\":{}{}}}", phase,
                       Json(std::string(name)).dump(), tile, step, end);
}

std::string span_name(const SpanPacked& span, const MachineView& view) {
    constexpr std::string_view kKinds[] = {"command",      "kernel", "write",
                                           "inline write", "atomic", "read"};
    const std::string_view kind = kKinds[static_cast<std::size_t>(span.kind)];
    if (span.kind == SpanKind::command) {
        const std::string name = command_name({span.detail, view.tiles[span.tile].role, kNoOp});
        return name.empty() ? std::string(kind) : name;
    }
    if (span.kind == SpanKind::kernel) return std::string(kind);
    return fmt::format("{} to {}", kind,
                       span.target == kNoTile ? "many" : view.describe(span.target));
}

}  // namespace

std::string sarif_report(const Finding& finding, const std::string& version) {
    const bool bad = finding.verdict->bad();
    Json driver;
    driver["name"] = "cqfuzz";
    driver["version"] = version;
    driver["rules"] = Json::array();
    Json results = Json::array();
    if (bad) {
        results.push_back(sarif_result(finding));
        Json rule;
        rule["id"] = results[0]["ruleId"];
        rule["shortDescription"]["text"] = results[0]["ruleId"];
        driver["rules"].push_back(std::move(rule));
    }
    Json run;
    run["tool"]["driver"] = std::move(driver);
    run["results"] = std::move(results);
    Json invocation;
    invocation["executionSuccessful"] = finding.verdict->kind != VerdictKind::harness_fault;
    run["invocations"] = Json::array({invocation});
    Json out;
    out["$schema"] = "https://json.schemastore.org/sarif-2.1.0.json";
    out["version"] = "2.1.0";
    out["runs"] = Json::array({run});
    return dumped(out);
}

std::string junit_report(const Finding& finding, double seconds) {
    const Violation& v = finding.verdict->violation;
    const bool error = finding.verdict->kind == VerdictKind::harness_fault;
    const bool failure = finding.verdict->bad() && !error;
    const std::string name = xml_escaped(finding.path);
    std::string out = fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
        "  <testsuite name=\"cqfuzz\" tests=\"1\" failures=\"{}\" errors=\"{}\" time=\"{:.3f}\">\n"
        "    <{} classname=\"cqfuzz\" name=\"{}\" time=\"{:.3f}\"",
        failure ? 1 : 0, error ? 1 : 0, seconds, kJunitCase, name, seconds);
    if (!finding.verdict->bad()) return out + "/>\n  </testsuite>\n</testsuites>\n";
    const char* element = error ? "error" : "failure";
    out += fmt::format(">\n      <{} type=\"{}\" message=\"{}\">{}\nreplay: {}</{}>\n", element,
                       xml_escaped(v.signature()), xml_escaped(v.summary), xml_escaped(told(v)),
                       xml_escaped(finding.replay), element);
    return out + fmt::format("    </{}>\n  </testsuite>\n</testsuites>\n", kJunitCase);
}

std::string perfetto_trace(const Recording& recording) {
    const MachineView& view = recording.view();
    std::string out =
        "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n"
        "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,\"args\":{\"name\":\"cqfuzz\"}}";
    for (std::size_t tile = 0; tile < view.tiles.size(); ++tile)
        out += fmt::format(
            ",\n{{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":{},\"args\":{{\"name\":{}"
            "}}}}",
            tile, Json(view.describe(static_cast<TileIndex>(tile))).dump());
    std::uint64_t number = 0;
    for (const SpanPacked& span : recording.spans()) {
        const std::uint32_t end = span.end == 0 ? recording.last_step() + 1 : span.end;
        const std::string op = span.op == kNoOpShort ? "" : fmt::format("\"op\":{}", span.op);
        const std::string name = span_name(span, view);
        if (span.kind == SpanKind::command || span.kind == SpanKind::kernel) {
            trace_event(out, "X", name, span.tile, span.begin,
                        fmt::format(",\"dur\":{},\"args\":{{{}}}", end - span.begin, op));
            continue;
        }
        // Transactions overlap, so they are asynchronous events of their core.
        ++number;
        const std::string id = fmt::format(",\"cat\":\"noc{}\",\"id\":{}", span.detail, number);
        trace_event(out, "b", name, span.tile, span.begin, id + ",\"args\":{" + op + "}");
        trace_event(out, "e", name, span.tile, end, id);
    }
    std::vector<std::int64_t> held(view.rings.size());
    for (const PageRecordPacked& page : recording.pages()) {
        if (page.state == DrawnState::consumers) ++held[page.ring];
        if (page.state == DrawnState::release_in_flight) --held[page.ring];
        if (page.state != DrawnState::consumers && page.state != DrawnState::release_in_flight)
            continue;
        out += fmt::format(
            ",\n{{\"ph\":\"C\",\"name\":{},\"pid\":1,\"ts\":{},\"args\":{{\"pages held\":{}}}}}",
            Json(view.rings[page.ring].name).dump(), page.step, held[page.ring]);
    }
    return out + "\n]}\n";
}

}  // namespace cqfuzz
