#include "harness/search/hunt_results.hpp"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

namespace cqfuzz {

namespace {

using Json = nlohmann::ordered_json;

// Name and member, once for both ways.
template <class Result, class Visit>
void for_each_member(Result& r, Visit&& visit) {
    visit("build", r.build);
    visit("fault", r.fault);
    visit("arm", r.arm);
    visit("seed", r.seed);
    visit("cap", r.cap);
    visit("found", r.found);
    visit("scenarios", r.scenarios);
    visit("moves", r.moves);
    visit("seconds", r.seconds);
    visit("reached", r.reached);
    visit("infection_checked", r.infection_checked);
    visit("infected", r.infected);
    visit("features", r.features);
    visit("features_once", r.features_once);
    visit("property", r.property);
    visit("signature", r.signature);
    visit("strategy", r.strategy);
}

}  // namespace

std::string to_json_line(const HuntResult& result) {
    Json out;
    for_each_member(result, [&](const char* name, const auto& member) { out[name] = member; });
    return out.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

Result<std::vector<HuntResult>> hunt_results_of(std::string_view text, std::string_view file_name) {
    std::vector<HuntResult> results;
    std::size_t number = 0;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos) break;
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(end + 1);
        ++number;
        const Json json = Json::parse(line, nullptr, false);
        HuntResult result;
        bool whole = json.is_object();
        if (whole) {
            for_each_member(result, [&](const char* name, auto& member) {
                using Member = std::decay_t<decltype(member)>;
                const auto at = json.find(name);
                const bool fits =
                    at != json.end() && (std::is_same_v<Member, bool>          ? at->is_boolean()
                                         : std::is_same_v<Member, std::string> ? at->is_string()
                                                                               : at->is_number());
                if (fits) member = at->template get<Member>();
                whole = whole && fits;
            });
        }
        if (!whole) return Error{fmt::format("{}:{}: is no result of a hunt", file_name, number)};
        results.push_back(std::move(result));
    }
    return results;
}

}  // namespace cqfuzz
