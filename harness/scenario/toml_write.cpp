// The text form, writing: by hand, so that a case reads well and differs by one line for one
// change.
//
// Structs of the scenario are [tables], its lists are [[tables]] with singular names; lists inside
// an entry are one inline table a line. Defaults are left out, references are always written.
#include <string>

#include <fmt/core.h>

#include "harness/scenario/case.hpp"
#include "harness/scenario/describe.hpp"
#include "harness/scenario/verbs.hpp"

namespace cqfuzz {
namespace {

template <class Field>
inline constexpr bool kIsLeaf = Field::kKind != FieldKind::nested&& Field::kKind != FieldKind::list;

// "key = value", or "" when it is the default.
template <class Field, class T>
std::string leaf_text(const Field& field, const T& owner) {
    const auto value = owner.*field.member;
    if constexpr (Field::kKind == FieldKind::reference) {
        return fmt::format("{} = {}", field.name, value);
    } else {
        if (value == field.fallback) {
            return {};
        }
        if constexpr (Field::kKind == FieldKind::boolean) {
            return fmt::format("{} = {}", field.name, value ? "true" : "false");
        } else if constexpr (Field::kKind == FieldKind::enumeration) {
            return fmt::format(
                "{} = \"{}\"", field.name,
                EnumNames<typename Field::Enum>::names[static_cast<std::size_t>(value)]);
        } else {
            return fmt::format("{} = {}", field.name, value);
        }
    }
}

// "{ x1 = 1, y1 = 1 }", or "" when all is default. Lists inside break the line: a line of a file
// has a bound.
template <class T>
std::string inline_text(const T& value, const std::string& indent = "    ");

template <class T>
std::string list_text(const std::vector<T>& entries, const std::string& indent) {
    std::string text = "[\n";
    for (const T& entry : entries) {
        const std::string body = inline_text(entry, indent + "    ");
        text += fmt::format("{}{},\n", indent, body.empty() ? "{}" : body);
    }
    return text + indent.substr(4) + "]";
}

template <class T>
std::string inline_items(const T& value, const std::string& indent) {
    std::string items;
    for_each_field<T>([&](const auto& field) {
        using Field = std::decay_t<decltype(field)>;
        std::string item;
        if constexpr (kIsLeaf<Field>) {
            item = leaf_text(field, value);
        } else if constexpr (Field::kKind == FieldKind::nested) {
            const std::string body = inline_text(value.*field.member, indent);
            item = body.empty() ? "" : fmt::format("{} = {}", field.name, body);
        } else if (!(value.*field.member).empty()) {
            item = fmt::format("{} = {}", field.name, list_text(value.*field.member, indent));
        }
        if (!item.empty()) {
            items += items.empty() ? item : ", " + item;
        }
    });
    return items;
}

template <class T>
std::string inline_text(const T& value, const std::string& indent) {
    if constexpr (kIsOp<T>) {
        return std::visit(
            [&indent](const auto& op) {
                const std::string items = inline_items(op, indent);
                return fmt::format("{{ kind = \"{}\"{}{} }}",
                                   Description<std::decay_t<decltype(op)>>::name,
                                   items.empty() ? "" : ", ", items);
            },
            value);
    } else {
        const std::string items = inline_items(value, indent);
        return items.empty() ? "" : "{ " + items + " }";
    }
}

// The lines of a [table] or of one entry of [[tables]].
template <class T>
std::string block_text(const T& value) {
    std::string lines;
    for_each_field<T>([&](const auto& field) {
        using Field = std::decay_t<decltype(field)>;
        if constexpr (kIsLeaf<Field>) {
            const std::string line = leaf_text(field, value);
            lines += line.empty() ? "" : line + "\n";
        } else if constexpr (Field::kKind == FieldKind::nested) {
            const std::string body = inline_text(value.*field.member);
            lines += body.empty() ? "" : fmt::format("{} = {}\n", field.name, body);
        } else if (!(value.*field.member).empty()) {
            lines += fmt::format("{} = {}\n", field.name, list_text(value.*field.member, "    "));
        }
    });
    return lines;
}

template <class T>
std::string entry_text(const T& entry) {
    if constexpr (kIsOp<T>) {
        return std::visit(
            [](const auto& op) {
                return fmt::format("kind = \"{}\"\n{}",
                                   Description<std::decay_t<decltype(op)>>::name, block_text(op));
            },
            entry);
    } else {
        return block_text(entry);
    }
}

void add_table(std::string& text, const std::string& header, const std::string& lines) {
    text += (text.empty() ? "" : "\n") + header + "\n" + lines;
}

void add_scenario(std::string& text, const Scenario& scenario) {
    // Top-level keys have to stand before the first table.
    for_each_field<Scenario>([&](const auto& field) {
        if constexpr (kIsLeaf<std::decay_t<decltype(field)>>) {
            const std::string line = leaf_text(field, scenario);
            text += line.empty() ? "" : line + "\n";
        }
    });
    for_each_field<Scenario>([&](const auto& field) {
        using Field = std::decay_t<decltype(field)>;
        if constexpr (Field::kKind == FieldKind::nested) {
            const std::string lines = block_text(scenario.*field.member);
            if (!lines.empty()) {
                add_table(text, fmt::format("[{}]", field.name), lines);
            }
        } else if constexpr (Field::kKind == FieldKind::list) {
            for (const auto& entry : scenario.*field.member) {
                add_table(text, fmt::format("[[{}]]", field.name), entry_text(entry));
            }
        }
    });
}

std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            out += '\\';
        }
        out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
    }
    return out + "\"";
}

}  // namespace

std::string scenario_to_toml(const Scenario& scenario) {
    std::string text;
    add_scenario(text, scenario);
    return text;
}

std::string case_to_toml(const Case& c) {
    std::string title;
    for (const char letter : c.title) {
        title += static_cast<unsigned char>(letter) < 0x20 || letter == 0x7f ? ' ' : letter;
    }
    std::string text = title.empty() ? "" : "# " + title + "\n";
    text += fmt::format("format = {}\nexpected = {}\n", c.format, quoted(c.expected));
    if (!c.fault.empty()) {
        text += fmt::format("fault = {}\n", quoted(c.fault));
    }
    add_scenario(text, c.scenario);
    return text;
}

}  // namespace cqfuzz
