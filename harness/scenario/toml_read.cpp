// The text form, reading. Every error names file and line, the key, and what is allowed.
//
// Hostile files: toml++ sees plain ASCII only (everything else is in comments, which are not its to
// read, or wrong anyway); the text is at most kTextBytesMax long, a line at most kLineBytesMax (a
// dotted key is one line, and each dot nests a table), lists are bounded by the description.
#include "harness/scenario/toml_settings.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>
#include <toml++/toml.h>

#include "harness/base/violation.hpp"
#include "harness/scenario/case.hpp"
#include "harness/scenario/describe.hpp"
#include "harness/scenario/text.hpp"
#include "harness/scenario/verbs.hpp"

namespace cqfuzz {
namespace {

constexpr std::size_t kTextBytesMax = 2u << 20;
constexpr std::size_t kLineBytesMax = 1000;

// Where the reader is, and the first error; once there is one, nothing more is read.
struct Reading {
    std::string_view file;
    std::string error;

    bool fail(const toml::source_region& where, const std::string& message) {
        if (error.empty()) {
            error = fmt::format("{}:{}: {}", file, where.begin.line, message);
        }
        return false;
    }
};

// Keys of a table that somebody else reads.
using Names = std::span<const std::string_view>;
constexpr std::array<std::string_view, 3> kHeaderKeys{"format", "expected", "fault"};
constexpr std::array<std::string_view, 1> kOpKeys{"kind"};

std::string dotted(const std::string& path, std::string_view name) {
    return path.empty() ? std::string(name) : path + "." + std::string(name);
}

std::string kind_of(const toml::node& node) {
    switch (node.type()) {
        case toml::node_type::table: return "a table";
        case toml::node_type::array: return "an array";
        case toml::node_type::string: return "a string";
        case toml::node_type::integer: return "an integer";
        case toml::node_type::floating_point: return "a float";
        case toml::node_type::boolean: return "a boolean";
        default: return "a date or time";
    }
}

bool wrong_type(Reading& reading, const toml::node& node, const std::string& key,
                const char* wanted) {
    return reading.fail(node.source(),
                        fmt::format("\"{}\" is {}; it must be {}", key, kind_of(node), wanted));
}

template <class T>
bool read_struct(Reading& reading, const toml::table& table, T& out, const std::string& path,
                 Names also_allowed);

bool read_integer(Reading& reading, const toml::node& node, const std::string& key,
                  const NumberDomain& domain, std::uint32_t& out) {
    const auto* integer = node.as_integer();
    if (integer == nullptr) {
        return wrong_type(reading, node, key, "an integer");
    }
    const std::int64_t value = integer->get();
    if (value < 0 || value > 0xffffffffll || !domain.holds(static_cast<std::uint32_t>(value))) {
        return reading.fail(node.source(), fmt::format("\"{}\" is {}; it must be {}", key, value,
                                                       allowed_text(domain)));
    }
    out = static_cast<std::uint32_t>(value);
    return true;
}

template <class E>
bool read_enum(Reading& reading, const toml::node& node, const std::string& key, E& out) {
    const auto* text = node.as_string();
    if (text == nullptr) {
        return wrong_type(reading, node, key, "a string");
    }
    std::string allowed;
    const auto& names = EnumNames<E>::names;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i] == text->get()) {
            out = static_cast<E>(i);
            return true;
        }
        allowed += fmt::format("{}\"{}\"", i == 0 ? "" : ", ", names[i]);
    }
    return reading.fail(node.source(), fmt::format("\"{}\" is \"{}\"; it must be one of {}", key,
                                                   text->get(), allowed));
}

template <class T>
bool read_op(Reading& reading, const toml::table& table, std::vector<T>& ops,
             const std::string& path) {
    const toml::node* kind = table.get("kind");
    if (kind == nullptr) {
        return reading.fail(table.source(), fmt::format("\"{}\" has no \"kind\"", path));
    }
    if (!kind->is_string()) {
        return wrong_type(reading, *kind, path + ".kind", "a string");
    }
    const std::string& name = kind->as_string()->get();
    std::string allowed;
    bool known = false;
    any_op_kind<T>([&](auto op) {
        using Kind = decltype(op);
        allowed += fmt::format("{}\"{}\"", allowed.empty() ? "" : ", ", Description<Kind>::name);
        if (Description<Kind>::name != name) {
            return false;
        }
        known = true;
        if (read_struct(reading, table, op, path, kOpKeys)) {
            ops.emplace_back(std::move(op));
        }
        return true;
    });
    if (!known) {
        reading.fail(kind->source(), fmt::format("\"{}.kind\" is \"{}\"; it must be one of {}",
                                                 path, name, allowed));
    }
    return reading.error.empty();
}

template <class T>
bool read_list(Reading& reading, const toml::node& node, const std::string& key, std::uint32_t max,
               std::vector<T>& out) {
    const toml::array* array = node.as_array();
    if (array == nullptr) {
        return wrong_type(reading, node, key, "an array of tables");
    }
    if (array->size() > max) {
        return reading.fail(
            node.source(),
            fmt::format("\"{}\" has {} entries; at most {} are allowed", key, array->size(), max));
    }
    out.reserve(array->size());
    for (std::size_t i = 0; i < array->size(); ++i) {
        const std::string path = fmt::format("{}[{}]", key, i);
        const toml::table* table = array->get(i)->as_table();
        if (table == nullptr) {
            return wrong_type(reading, *array->get(i), path, "a table");
        }
        if constexpr (kIsOp<T>) {
            if (!read_op(reading, *table, out, path)) {
                return false;
            }
        } else if (!read_struct(reading, *table, out.emplace_back(), path, {})) {
            return false;
        }
    }
    return true;
}

template <class Field, class T>
bool read_field(Reading& reading, const Field& field, const toml::node& node, T& out,
                const std::string& key) {
    auto& member = out.*field.member;
    if constexpr (Field::kKind == FieldKind::boolean) {
        const auto* value = node.as_boolean();
        if (value == nullptr) {
            return wrong_type(reading, node, key, "true or false");
        }
        member = value->get();
        return true;
    } else if constexpr (Field::kKind == FieldKind::enumeration) {
        return read_enum(reading, node, key, member);
    } else if constexpr (Field::kKind == FieldKind::number) {
        return read_integer(reading, node, key, *field.domain, member);
    } else if constexpr (Field::kKind == FieldKind::reference) {
        // Whether the entry exists is known when all is read (illegality_of).
        return read_integer(reading, node, key, domains::kAny, member);
    } else if constexpr (Field::kKind == FieldKind::nested) {
        const toml::table* table = node.as_table();
        return table != nullptr ? read_struct(reading, *table, member, key, {})
                                : wrong_type(reading, node, key, "a table");
    } else {
        return read_list(reading, node, key, field.max, member);
    }
}

template <class T>
std::string field_names(Names also_allowed) {
    std::string names;
    const auto add = [&names](std::string_view name) {
        names += (names.empty() ? "" : ", ") + std::string(name);
    };
    std::for_each(also_allowed.begin(), also_allowed.end(), add);
    for_each_field<T>([&add](const auto& field) { add(field.name); });
    return names.empty() ? "nothing" : names;
}

template <class T>
bool read_struct(Reading& reading, const toml::table& table, T& out, const std::string& path,
                 Names also_allowed) {
    for (auto&& [key, node] : table) {
        const std::string_view name = key.str();
        bool known =
            std::find(also_allowed.begin(), also_allowed.end(), name) != also_allowed.end();
        const toml::node& value = node;
        any_field<T>([&](const auto& field) {
            if (field.name != name) {
                return false;
            }
            known = true;
            read_field(reading, field, value, out, dotted(path, name));
            return true;
        });
        if (!known) {
            reading.fail(key.source(),
                         fmt::format("unknown key \"{}\"; allowed here: {}", dotted(path, name),
                                     field_names<T>(also_allowed)));
        }
        if (!reading.error.empty()) {
            return false;
        }
    }
    return true;
}

bool read_header(Reading& reading, const toml::table& table, Case& out) {
    if (const toml::node* format = table.get("format")) {
        const auto* version = format->as_integer();
        if (version == nullptr) {
            return wrong_type(reading, *format, "format", "an integer");
        }
        if (version->get() < 1 || version->get() > kCaseFormat) {
            return reading.fail(format->source(),
                                fmt::format("\"format\" is {}; this cqfuzz reads 1 to {}",
                                            version->get(), kCaseFormat));
        }
        out.format = static_cast<int>(version->get());
    }
    if (const toml::node* expected = table.get("expected")) {
        if (!expected->is_string()) {
            return wrong_type(reading, *expected, "expected", "a string");
        }
        out.expected = expected->as_string()->get();
        std::string allowed;
        bool known = false;
        for (const VerdictKind kind :
             {VerdictKind::pass, VerdictKind::violation, VerdictKind::hang, VerdictKind::livelock,
              VerdictKind::refused, VerdictKind::harness_fault}) {
            known = known || name_of(kind) == out.expected;
            allowed += fmt::format("{}\"{}\"", allowed.empty() ? "" : ", ", name_of(kind));
        }
        if (!known) {
            return reading.fail(
                expected->source(),
                fmt::format("\"expected\" is \"{}\"; it must be one of {}", out.expected, allowed));
        }
    }
    if (const toml::node* fault = table.get("fault")) {
        if (!fault->is_string()) {
            return wrong_type(reading, *fault, "fault", "a string");
        }
        out.fault = fault->as_string()->get();
    }
    return true;
}

// Empty, or why the text is not even parsed.
std::string oversize(std::string_view text, std::string_view file) {
    if (text.size() > kTextBytesMax) {
        return fmt::format("{}:1: the file has {} bytes; at most {} are read", file, text.size(),
                           kTextBytesMax);
    }
    std::size_t line = 1;
    while (!text.empty()) {
        const std::size_t length = std::min(text.find('\n'), text.size());
        if (length > kLineBytesMax) {
            return fmt::format("{}:{}: the line has {} bytes; at most {} are allowed", file, line,
                               length, kLineBytesMax);
        }
        text.remove_prefix(std::min(length + 1, text.size()));
        ++line;
    }
    return {};
}

std::string_view without_byte_order_mark(std::string_view text) {
    constexpr std::string_view kMark = "\xef\xbb\xbf";
    return text.substr(0, kMark.size()) == kMark ? text.substr(kMark.size()) : text;
}

// Names and values are ASCII. The decoder of toml++ is not proof against every other byte.
std::string plain_ascii(std::string_view text) {
    std::string plain(text);
    for (char& letter : plain) {
        const auto code = static_cast<unsigned char>(letter);
        const bool layout = letter == '\n' || letter == '\r' || letter == '\t';
        letter = layout || (code >= 0x20 && code < 0x7f) ? letter : '?';
    }
    return plain;
}

Result<Case> read(std::string_view text, std::string_view file, bool with_header) {
    if (std::string error = oversize(text, file); !error.empty()) {
        return Error{std::move(error)};
    }
    const toml::parse_result parsed = toml::parse(plain_ascii(without_byte_order_mark(text)));
    if (!parsed) {
        const toml::parse_error& error = parsed.error();
        return Error{
            fmt::format("{}:{}: {}", file, error.source().begin.line, error.description())};
    }
    Reading reading{file, {}};
    Case out;
    if (with_header) {
        read_header(reading, parsed.table(), out);
    }
    if (reading.error.empty()) {
        read_struct(reading, parsed.table(), out.scenario, "",
                    with_header ? Names(kHeaderKeys) : Names());
    }
    if (!reading.error.empty()) {
        return Error{std::move(reading.error)};
    }
    return out;
}

}  // namespace

Result<Scenario> scenario_from_toml(std::string_view text, std::string_view file_name) {
    Result<Case> read_case = read(text, file_name, false);
    if (!read_case) {
        return Error{read_case.message()};
    }
    return std::move(read_case.value().scenario);
}

Result<Case> case_from_toml(std::string_view text, std::string_view file_name) {
    Result<Case> read_case = read(text, file_name, true);
    const std::string_view start = without_byte_order_mark(text);
    if (read_case && start.substr(0, 2) == "# ") {
        std::string_view title = start.substr(2, start.find('\n') - 2);
        if (!title.empty() && title.back() == '\r') {
            title.remove_suffix(1);
        }
        read_case.value().title = std::string(title);
    }
    return read_case;
}

}  // namespace cqfuzz
