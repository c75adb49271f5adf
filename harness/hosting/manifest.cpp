#include "harness/scenario/toml_settings.hpp"

#include "harness/hosting/manifest.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "harness/oracle/page_ownership.hpp"
#include "harness/scenario/verbs.hpp"

namespace cqfuzz::hosting {

namespace {

namespace fs = std::filesystem;

struct RoleName {
    std::string_view name;
    rt::CoreRole role;
};
constexpr RoleName kRoles[] = {
    {"prefetch_hd", rt::CoreRole::prefetch_hd}, {"prefetch_h", rt::CoreRole::prefetch_h},
    {"prefetch_d", rt::CoreRole::prefetch_d},   {"dispatch_hd", rt::CoreRole::dispatch_hd},
    {"dispatch_h", rt::CoreRole::dispatch_h},   {"dispatch_d", rt::CoreRole::dispatch_d},
};

constexpr rt::CoreRole kOwnCores[] = {rt::CoreRole::prefetch_h, rt::CoreRole::prefetch_d,
                                      rt::CoreRole::dispatch_d, rt::CoreRole::dispatch_h};
constexpr std::uint32_t kOverReadWordsMax = 64;

// Reads a manifest; the first mistake is kept.
class Reader {
public:
    Reader(std::string path) : path_(std::move(path)) {}

    Result<Manifest> read(std::string_view text) {
        const toml::parse_result parsed = toml::parse(text, path_);
        if (!parsed)
            return Error{path_ + ":" + std::to_string(parsed.error().source().begin.line) + ": " +
                         std::string(parsed.error().description())};
        const toml::table& root = parsed.table();
        Manifest manifest;
        manifest.path = path_;
        known(root, {"generation", "encoding", "stimuli", "runtime", "role", "ring", "input",
                     "geometry"});
        read_encoding(root, manifest);
        const std::string runtime = text_of(root, "runtime", "dispatch");
        if (runtime != "dispatch" && runtime != "own")
            fail(root, "runtime \"" + runtime + "\" is neither dispatch nor own");
        manifest.own_runtime = own_ = runtime == "own";
        tables(root, "role",
               [&](const toml::table& table) { manifest.roles.push_back(role(table)); });
        tables(root, "ring",
               [&](const toml::table& table) { manifest.rings.push_back(ring(table)); });
        if (const toml::node* node = root.get("input")) manifest.input = input(*node);
        tables(root, "geometry",
               [&](const toml::table& table) { manifest.geometries.push_back(geometry(table)); });
        for (std::size_t i = 0; i < manifest.roles.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                if (manifest.roles[i].name == manifest.roles[j].name)
                    fail(root, "two roles are called \"" + manifest.roles[i].name + "\"");
        if (manifest.roles.empty()) fail(root, "there is no [[role]]");
        if (manifest.geometries.empty()) fail(root, "there is no [[geometry]]");
        if (mistake_.empty()) check_own_runtime(manifest, root);
        for (const HostedGeometry& geometry : manifest.geometries)
            for (const HostedGeometry* other = &manifest.geometries.front(); other != &geometry;
                 ++other) {
                if (other->name == geometry.name)
                    fail(root, "two geometries are called \"" + geometry.name + "\"");
                if (equal(other->part, geometry.part))
                    fail(root, "geometries \"" + other->name + "\" and \"" + geometry.name +
                                   "\" have the same topology and geometry; a case could not tell "
                                   "which it is of");
            }
        if (!mistake_.empty()) return Error{mistake_};
        return manifest;
    }

private:
    void fail(const toml::node& at, const std::string& why) {
        if (mistake_.empty())
            mistake_ = path_ + ":" + std::to_string(at.source().begin.line) + ": " + why;
    }
    void known(const toml::table& table, std::initializer_list<std::string_view> keys) {
        for (const auto& [key, node] : table) {
            bool is_known = false;
            std::string list;
            for (const std::string_view allowed : keys) {
                is_known = is_known || key == allowed;
                list += (list.empty() ? "" : ", ") + std::string(allowed);
            }
            if (!is_known)
                fail(node, "there is no key \"" + std::string(key) + "\"; there are " + list);
        }
    }
    template <class Each>
    void tables(const toml::table& root, std::string_view key, Each&& each) {
        const toml::node* node = root.get(key);
        if (node == nullptr) return;
        const toml::array* array = node->as_array();
        if (array == nullptr)
            return fail(*node, "[[" + std::string(key) + "]] is a list of tables");
        for (const toml::node& item : *array) {
            if (const toml::table* table = item.as_table())
                each(*table);
            else
                fail(item, "[[" + std::string(key) + "]] is a list of tables");
        }
    }
    std::string text_of(const toml::table& table, std::string_view key, std::string otherwise) {
        const toml::node* node = table.get(key);
        if (node == nullptr) return otherwise;
        if (const auto value = node->value_exact<std::string>()) return *value;
        fail(*node, std::string(key) + " is a text");
        return otherwise;
    }
    std::uint32_t number_of(const toml::table& table, std::string_view key,
                            std::uint32_t otherwise) {
        const toml::node* node = table.get(key);
        if (node == nullptr) return otherwise;
        const auto value = node->value_exact<std::int64_t>();
        if (value && *value >= 0 && *value <= 0xffffffffll)
            return static_cast<std::uint32_t>(*value);
        fail(*node, std::string(key) + " is a number from 0");
        return otherwise;
    }
    std::vector<std::string> texts_of(const toml::table& table, std::string_view key) {
        std::vector<std::string> texts;
        const toml::node* node = table.get(key);
        if (node == nullptr) return texts;
        const toml::array* array = node->as_array();
        if (array == nullptr) {
            fail(*node, std::string(key) + " is a list of texts");
            return texts;
        }
        for (const toml::node& item : *array) {
            if (const auto value = item.value_exact<std::string>())
                texts.push_back(*value);
            else if (const auto number = item.value_exact<std::int64_t>())
                texts.push_back(std::to_string(*number));
            else
                fail(item, std::string(key) + " is a list of texts");
        }
        return texts;
    }

    // NAME = id, or false where the kernels do not know the command.
    template <class Id>
    void read_ids(const toml::table& table, std::string_view key, Id (*id_of)(std::string_view),
                  rt::Generation& encoding) {
        const toml::node* node = table.get(key);
        if (node == nullptr) return;
        const toml::table* ids = node->as_table();
        if (ids == nullptr) return fail(*node, std::string(key) + " is a table: NAME = id");
        for (const auto& [name, value] : *ids) {
            const Id id = id_of(name.str());
            const auto number = value.template value_exact<std::int64_t>();
            const auto truth = value.template value_exact<bool>();
            if (id == Id::kCount)
                fail(value, "there is no " + std::string(key) + " command \"" +
                                std::string(name.str()) + "\"; docs/dispatch-facts.md §2 has them");
            else if (number && *number >= 0 && *number < rt::Generation::kUnknown)
                encoding.id(id) = static_cast<std::uint8_t>(*number);
            else if (truth && !*truth)
                encoding.id(id) = rt::Generation::kUnknown;
            else
                fail(value, "an id is a number below 255, or false where the kernels have none");
        }
    }

    void read_encoding(const toml::table& root, Manifest& manifest) {
        const std::string generation = text_of(root, "generation", "late-2024");
        const bool mid = generation == "mid-2024";
        if (!mid && generation != "late-2024")
            fail(root,
                 "there is no generation \"" + generation + "\"; there are mid-2024 and late-2024");
        manifest.encoding = mid ? rt::mid_2024() : rt::late_2024();
        // No host sends them, and production kernels do not go on from them (facts §2.6).
        manifest.encoding.id(rt::DispatchId::go) = rt::Generation::kUnknown;
        manifest.encoding.id(rt::DispatchId::sink) = rt::Generation::kUnknown;
        if (const toml::node* node = root.get("encoding")) {
            const toml::table* table = node->as_table();
            if (table == nullptr) return fail(*node, "encoding is a table: prefetch, dispatch");
            known(*table, {"prefetch", "dispatch"});
            read_ids(*table, "prefetch", &rt::prefetch_id_of, manifest.encoding);
            read_ids(*table, "dispatch", &rt::dispatch_id_of, manifest.encoding);
        }
        const std::string stimuli = text_of(root, "stimuli", mid ? "commands" : "both");
        if (stimuli == "commands")
            manifest.stimuli = Stimuli::commands;
        else if (stimuli == "host")
            manifest.stimuli = Stimuli::host;
        else if (stimuli != "both")
            fail(root, "stimuli are \"commands\", \"host\" or \"both\"");
        if (mid && manifest.stimuli != Stimuli::commands)
            fail(root,
                 "the host runtime is late 2024's: stimuli of mid-2024 kernels are "
                 "\"commands\"");
    }

    // A built-in role's place.
    void place_by_name(const toml::table& table, HostedRole& role) {
        std::string list;
        for (const RoleName& known_role : kRoles) {
            if (known_role.name == role.name) role.role = known_role.role;
            list += (list.empty() ? "" : ", ") + std::string(known_role.name);
        }
        if (role.role == rt::CoreRole::none)
            fail(table, "no role \"" + role.name + "\" can be hosted; there are " + list);
        if (table.contains("core")) fail(table, "core is for runtime = \"own\"");
    }
    // Of a runtime of its own: one of the cores that the chip sets aside for dispatch.
    void place_on_core(const toml::table& table, HostedRole& role) {
        const std::uint32_t core = number_of(table, "core", std::size(kOwnCores));
        if (role.name.empty()) fail(table, "a role has a name");
        if (core >= std::size(kOwnCores))
            fail(table, "role \"" + role.name + "\": core is a number from 0 to 3");
        else
            role.role = kOwnCores[core];
    }
    HostedRing ring(const toml::table& table) {
        known(table, {"name", "producer", "consumer", "base", "page_size", "pages", "ready",
                      "credits", "words"});
        HostedRing out;
        out.name = text_of(table, "name", "");
        out.producer = text_of(table, "producer", "");
        out.consumer = text_of(table, "consumer", "");
        out.base = expression_of(table, "base");
        out.page_size = expression_of(table, "page_size");
        out.pages = expression_of(table, "pages");
        out.ready = expression_of(table, "ready");
        out.credits = expression_of(table, "credits");
        const std::string words = text_of(table, "words", "raised");
        if (words != "raised" && words != "totals")
            fail(table, "words is \"raised\" (by atomics) or \"totals\" (by inline writes)");
        out.totals = words == "totals";
        return out;
    }
    HostedInput input(const toml::node& node) {
        const toml::table* table = node.as_table();
        if (table == nullptr) {
            fail(node, "input is a table: role, base");
            return {};
        }
        known(*table, {"role", "base"});
        return {text_of(*table, "role", ""), expression_of(*table, "base")};
    }
    std::string expression_of(const toml::table& table, std::string_view key) {
        const toml::node* node = table.get(key);
        if (node == nullptr) {
            fail(table, std::string(key) + " is missing");
            return "0";
        }
        if (const auto number = node->value_exact<std::int64_t>()) return std::to_string(*number);
        return text_of(table, key, "0");
    }
    void check_own_runtime(const Manifest& manifest, const toml::table& root) {
        if (!manifest.own_runtime) {
            if (!manifest.rings.empty() || manifest.input)
                fail(root, "rings and input are for runtime = \"own\"");
            return;
        }
        const auto role_named = [&](const std::string& name) {
            if (std::none_of(manifest.roles.begin(), manifest.roles.end(),
                             [&name](const HostedRole& role) { return role.name == name; }))
                fail(root, "there is no role \"" + name + "\"");
        };
        std::map<std::string, std::uint32_t> sides;
        for (const HostedRing& ring : manifest.rings)
            for (const std::string& side : {"p " + ring.producer, "c " + ring.consumer}) {
                role_named(side.substr(2));
                if (++sides[side] > kRingsOfTileMax)
                    fail(root,
                         "role \"" + side.substr(2) + "\" fills or drains more than two rings");
            }
        if (manifest.input) role_named(manifest.input->role);
        std::set<rt::CoreRole> cores;
        for (const HostedRole& role : manifest.roles)
            if (!cores.insert(role.role).second) fail(root, "two roles on one core");
    }

    HostedRole role(const toml::table& table) {
        known(table, {"name", "core", "sources", "includes", "flags", "args", "defines", "noc",
                      "edge_budget", "over_read_words"});
        HostedRole out;
        out.name = text_of(table, "name", "");
        own_ ? place_on_core(table, out) : place_by_name(table, out);
        out.sources = texts_of(table, "sources");
        if (out.sources.empty()) fail(table, "a role has sources");
        for (std::string& source : out.sources) source = beside(source);
        out.includes = texts_of(table, "includes");
        for (std::string& include : out.includes) include = beside(include);
        out.flags = texts_of(table, "flags");
        out.args = texts_of(table, "args");
        out.noc = number_of(table, "noc", out.noc);
        if (out.noc > 1) fail(table, "noc is 0 or 1");
        out.edge_budget = number_of(table, "edge_budget", out.edge_budget);
        out.over_read_words = number_of(table, "over_read_words", 0);
        if (out.over_read_words > kOverReadWordsMax)
            fail(table, "over_read_words is at most " + std::to_string(kOverReadWordsMax));
        if (const toml::node* node = table.get("defines")) {
            const toml::table* defines = node->as_table();
            if (defines == nullptr) fail(*node, "defines is a table: NAME = \"expression\"");
            if (defines != nullptr)
                for (const auto& [key, value] : *defines) {
                    const auto text = value.value_exact<std::string>();
                    const auto number = value.value_exact<std::int64_t>();
                    if (!text && !number) fail(value, "a define is a text or a number");
                    out.defines.emplace_back(std::string(key), text     ? *text
                                                               : number ? std::to_string(*number)
                                                                        : "");
                }
        }
        return out;
    }

    // Numbers, texts and booleans; what else there may be, the scenario's reader refuses.
    void write_table(std::ostringstream& out, const char* name, const toml::table& table) {
        out << "[" << name << "]\n";
        for (const auto& [key, value] : table) {
            out << key.str() << " = ";
            if (const auto number = value.value_exact<std::int64_t>())
                out << *number;
            else if (const auto truth = value.value_exact<bool>())
                out << (*truth ? "true" : "false");
            else
                out << '"' << value.value_exact<std::string>().value_or("") << '"';
            out << "\n";
        }
    }

    // The tables of a scenario by their names there, read as such.
    HostedGeometry geometry(const toml::table& table) {
        known(table, {"name", "topology", "geometry", "values"});
        HostedGeometry out;
        out.name = text_of(table, "name", "unnamed");
        std::ostringstream text;
        for (const char* key : {"topology", "geometry"}) {
            const toml::node* node = table.get(key);
            if (node == nullptr) continue;
            if (!node->is_table()) fail(*node, std::string(key) + " is a table");
            if (const toml::table* part = node->as_table()) write_table(text, key, *part);
        }
        Result<Scenario> read = scenario_from_toml(text.str(), path_);
        if (!read) {
            fail(table, "geometry \"" + out.name + "\": " + read.message());
            return out;
        }
        out.part = read.take();
        if (own_) out.part.topology.split = true;  // four cores for dispatch
        if (const toml::node* node = table.get("values")) {
            const toml::table* values = node->as_table();
            if (values == nullptr) fail(*node, "values is a table: name = number");
            if (values != nullptr)
                for (const auto& [key, value] : *values)
                    out.values.emplace_back(key.str(), number_of(*values, key.str(), 0));
        }
        if (const std::string why = illegality_of(out); !why.empty())
            fail(table, "geometry \"" + out.name + "\": " + why);
        return out;
    }
    std::string beside(const std::string& file) const {
        return (fs::path(path_).parent_path() / file).lexically_normal().string();
    }

    std::string path_;
    std::string mistake_;
    bool own_ = false;  // a runtime of its own
};

}  // namespace

Result<Manifest> manifest_from_toml(std::string_view text, const std::string& path) {
    return Reader(path).read(text);
}

std::string illegality_of(const HostedGeometry& geometry) {
    if (geometry.part.topology.chips > 1) return "kernels are hosted on one chip; chips = 1";
    return cqfuzz::illegality_of(geometry.part);
}

}  // namespace cqfuzz::hosting
