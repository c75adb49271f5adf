#include "harness/report/html_report.hpp"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "harness/oracle/provenance.hpp"
#include "harness/report/printable.hpp"
#include "harness/scenario/verbs.hpp"

namespace cqfuzz {

// Written by cmake/EmbedText.cmake from the files of their names.
namespace page {
extern const std::string_view html;
extern const std::string_view css;
extern const std::string_view js;
}  // namespace page

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kRoles = 32;
constexpr std::size_t kCommands = 64;

std::string base64(std::string_view bytes) {
    constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t word = 0;
        const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
        for (std::size_t k = 0; k < 3; ++k)
            word = word << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0u);
        for (std::size_t k = 0; k < 4; ++k)
            out += k <= count ? kDigits[word >> (18 - 6 * k) & 63] : '=';
    }
    return out;
}

// Records are of fixed size and without padding, little endian as x86-64 has them.
template <class Record>
std::string packed(const std::deque<Record>& records) {
    std::string bytes;
    bytes.reserve(records.size() * sizeof(Record));
    for (const Record& record : records)
        bytes.append(reinterpret_cast<const char*>(&record), sizeof record);
    return base64(bytes);
}

std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        lines.push_back(printable(text.substr(0, end)));
        if (end == std::string_view::npos) break;
        text.remove_prefix(end + 1);
    }
    return lines;
}

Json rings_json(const MachineView& view) {
    Json rings = Json::array();
    for (const RingView& ring : view.rings) {
        Json out;
        out["name"] = ring.name;
        out["producer"] = view.describe(ring.producer);
        out["consumer"] = view.describe(ring.consumer);
        out["pages"] = ring.page_count;
        out["page_size"] = ring.page_size_bytes;
        out["pages_per_block"] = ring.pages_per_block;
        rings.push_back(std::move(out));
    }
    return rings;
}

// commands[role][id]: only what has a name.
void add_names(Json& data, const MachineView& view) {
    Json roles = Json::array(), commands = Json::object(), tiles = Json::array(),
         tile_roles = Json::array();
    for (std::size_t role = 0; role < kRoles; ++role) {
        const auto r = static_cast<Role>(role);
        roles.push_back(r == Role::none ? "" : std::string(name_of(r)));
        Json names = Json::object();
        for (std::size_t id = 1; id < kCommands; ++id) {
            const std::string name = command_name({static_cast<std::uint8_t>(id), r, kNoOp});
            if (!name.empty()) names[std::to_string(id)] = name;
        }
        if (!names.empty()) commands[std::to_string(role)] = std::move(names);
    }
    for (std::size_t tile = 0; tile < view.tiles.size(); ++tile) {
        tiles.push_back(view.describe(static_cast<TileIndex>(tile)));
        tile_roles.push_back(static_cast<int>(view.tiles[tile].role));
    }
    data["roles"] = std::move(roles);
    data["commands"] = std::move(commands);
    data["tiles"] = std::move(tiles);
    data["tile_roles"] = std::move(tile_roles);
}

Json finding_json(const Finding& finding, const MachineView& view) {
    const Violation& v = finding.verdict->violation;
    Json out;
    out["verdict"] = name_of(finding.verdict->kind);
    std::string headline = finding.verdict->bad() ? v.summary : finding.title;
    if (headline.empty()) headline = finding.verdict->bad() ? v.property : "nothing was found";
    out["headline"] = printable(headline);
    out["step"] = v.step;
    int ring = -1;
    for (std::size_t i = 0; i < view.rings.size(); ++i)
        if (view.rings[i].name == v.place) ring = static_cast<int>(i);
    out["ring"] = ring;
    out["page"] = v.page == kNoRingPage ? -1 : static_cast<std::int64_t>(v.page);
    return out;
}

// The wait-for graph of a hang.
Json waits_json(const Violation& violation) {
    Json waits = Json::array();
    for (const WaitFor& wait : violation.waits) {
        Json out;
        out["who"] = wait.who;
        out["on"] = wait.on == kNoTile ? -1 : static_cast<int>(wait.on);
        out["reason"] = printable(wait.reason);
        waits.push_back(std::move(out));
    }
    return waits;
}

Json facts_json(const Finding& finding) {
    const Violation& v = finding.verdict->violation;
    Json facts = Json::array();
    const auto tell = [&](const char* label, const std::string& text) {
        if (!text.empty()) facts.push_back(Json::array({label, printable(text)}));
    };
    if (finding.verdict->bad()) {
        tell("what", v.property + (v.invariant.empty() ? "" : ", " + v.invariant));
        tell("where", v.place);
        tell("who", v.actor + (v.command.empty() ? "" : " at " + v.command));
        tell("expected", v.expected);
        tell("found", v.actual);
    }
    if (v.op_index < action_count(*finding.scenario))
        tell("op", print_action(*finding.scenario, v.op_index));
    tell("order", finding.order_needed ? "needs " + name_of(*finding.order_needed)
                                       : "run at " + name_of(finding.order_run));
    tell("schedule", describe_schedule(finding.scenario->schedule, finding.view));
    for (const Deviation& deviation : finding.scenario->schedule.deviations)
        tell("deviation", describe(deviation, finding.view));
    tell("fault", finding.fault);
    tell("replay", finding.replay);
    return facts;
}

// `with` for the first `marker` in `text`.
void put(std::string& text, std::string_view marker, std::string_view with) {
    const std::size_t at = text.find(marker);
    text.replace(at, marker.size(), with);
}

// Inside a script element nothing may end it.
std::string inside_script(std::string text) {
    for (std::size_t at = 0; (at = text.find("</", at)) != std::string::npos; at += 3)
        text.replace(at, 2, "<\\/");
    return text;
}

}  // namespace

LineRange lines_of_op(std::string_view toml, std::uint32_t op) {
    LineRange range;
    std::uint32_t seen = 0;
    std::size_t number = 0;
    bool inside = false;
    for (const std::string& line : lines_of(toml)) {
        if (inside && !line.empty() && line[0] == '[') break;
        if (!inside && (line == "[[op]]" || line == "[[command]]") && seen++ == op) {
            inside = true;
            range.first = number;
        }
        ++number;
        if (inside && !line.empty()) range.behind = number;
    }
    return range;
}

std::string html_report(const Finding& finding, const Recording& recording,
                        std::string_view scenario_toml) {
    const MachineView& view = recording.view();
    const Violation& v = finding.verdict->violation;
    Json data;
    data["finding"] = finding_json(finding, view);
    data["facts"] = facts_json(finding);
    Json story = Json::array();
    if (finding.verdict->bad())
        for (const std::string& line : v.story) story.push_back(printable(line));
    data["story"] = std::move(story);
    data["waits"] = waits_json(v);
    data["scenario"] = lines_of(scenario_toml);
    const LineRange guilty = finding.verdict->bad() && v.op_index != kNoOp
                                 ? lines_of_op(scenario_toml, v.op_index)
                                 : LineRange{};
    data["guilty_lines"] = {guilty.first, guilty.behind};
    data["rings"] = rings_json(view);
    add_names(data, view);
    data["states"] = {"the producer's", "being filled", "handed over, on its way", "the consumer's",
                      "released, on its way"};
    data["kinds"] = {"command", "kernel", "write", "inline write", "atomic", "read"};
    data["last_step"] = recording.last_step();
    data["dropped"] = recording.dropped();
    data["footer"] = fmt::format(
        "cqfuzz: {}{}", printable(finding.path),
        finding.stats == nullptr ? ""
                                 : fmt::format(", {} moves, {} NoC transactions",
                                               finding.stats->moves, finding.stats->transactions));
    data["pages"] = packed(recording.pages());
    data["spans"] = packed(recording.spans());
    std::string text(page::html);
    put(text, "@@CSS@@", page::css);
    put(text, "@@JS@@", page::js);
    put(text, "@@DATA@@",
        inside_script(data.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)));
    return text;
}

}  // namespace cqfuzz
