#include "harness/scenario/schema.hpp"

#include <fmt/core.h>

#include "harness/scenario/describe.hpp"
#include "harness/scenario/text.hpp"

namespace cqfuzz {
namespace {

struct Row {
    std::string allowed;
    std::string fallback;
};

template <class E>
std::string names_of() {
    std::string names;
    for (const std::string_view name : EnumNames<E>::names) {
        names += fmt::format("{}`{}`", names.empty() ? "" : ", ", name);
    }
    return names;
}

template <class Field>
Row row_of(const Field& field) {
    if constexpr (Field::kKind == FieldKind::boolean) {
        return {"true or false", field.fallback ? "true" : "false"};
    } else if constexpr (Field::kKind == FieldKind::enumeration) {
        using Enum = typename Field::Enum;
        return {
            names_of<Enum>(),
            fmt::format("`{}`", EnumNames<Enum>::names[static_cast<std::size_t>(field.fallback)])};
    } else if constexpr (Field::kKind == FieldKind::number) {
        return {allowed_text(*field.domain), fmt::format("{}", field.fallback)};
    } else if constexpr (Field::kKind == FieldKind::reference) {
        return {fmt::format("number of a `{}`, from 0", name_of(field.table)), "0"};
    } else if constexpr (Field::kKind == FieldKind::nested) {
        return {fmt::format("a {}", Description<typename Field::Value>::name), ""};
    } else if constexpr (kIsOp<typename Field::Value>) {
        return {fmt::format("at most {} {}", field.max,
                            std::is_same_v<typename Field::Value, Op> ? "ops" : "commands"),
                "none"};
    } else {
        return {fmt::format("at most {}: {}", field.max, Description<typename Field::Value>::name),
                "none"};
    }
}

template <class T>
void add_rows(std::string& text) {
    text += "| field | allowed | default | id |\n|---|---|---|---|\n";
    for_each_field<T>([&text](const auto& field) {
        const Row row = row_of(field);
        text += fmt::format("| `{}` | {} | {} | {} |\n", field.name, row.allowed, row.fallback,
                            field.id);
    });
    text += "\n";
}

template <class T>
void add_struct(std::string& text, std::string& shown);

template <class T>
void add_parts(std::string& text, std::string& shown) {
    for_each_field<T>([&](const auto& field) {
        using Field = std::decay_t<decltype(field)>;
        if constexpr (Field::kKind == FieldKind::nested || Field::kKind == FieldKind::list) {
            add_struct<typename Field::Value>(text, shown);
        }
    });
}

// A struct, then those inside it that have not been shown.
template <class T>
void add_struct(std::string& text, std::string& shown) {
    if constexpr (!kIsOp<T>) {
        const std::string key = fmt::format("[{}]", Description<T>::name);
        if (shown.find(key) != std::string::npos) {
            return;
        }
        shown += key;
        text += fmt::format("## {}\n\n", Description<T>::name);
        add_rows<T>(text);
        add_parts<T>(text, shown);
    } else {
        constexpr std::string_view kNoun = std::is_same_v<T, Op> ? "op" : "command";
        const std::string key = fmt::format("[{}]", kNoun);
        if (shown.find(key) != std::string::npos) {
            return;
        }
        shown += key;
        any_op_kind<T>([&text, &shown, kNoun](auto op) {
            using Kind = decltype(op);
            text += fmt::format("## {}: kind = \"{}\" (tag {})\n\n", kNoun,
                                Description<Kind>::name, Description<Kind>::tag);
            if (std::tuple_size_v<decltype(Description<Kind>::fields)> != 0) {
                add_rows<Kind>(text);
            }
            add_parts<Kind>(text, shown);
            return false;
        });
    }
}

}  // namespace

std::string describe_schema() {
    std::string text =
        "# Scenario schema\n\nWritten from `harness/scenario/describe.hpp`. A field that is "
        "missing has its "
        "default. Ids and tags are permanent.\n\n";
    std::string shown;
    add_struct<Scenario>(text, shown);
    return text;
}

}  // namespace cqfuzz
