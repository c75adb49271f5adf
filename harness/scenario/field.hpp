// The kinds of field that a description is made of, and their domains. `describe.hpp` lists the
// fields.
//
// A field is an immutable value: permanent id, TOML name, member pointer, and what its kind needs.
// Ids are never used again for something else, so that old files keep their meaning.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

namespace cqfuzz {

// The tables of a scenario that other entries point into.
enum class Table : std::uint8_t { programs, buffers, traces, bodies };

// What an unsigned number may be. `preferred` are the values at and beside limits that generator
// and mutator favour; with `choices_only` they are the only legal ones, in rising order.
struct NumberDomain {
    static constexpr std::size_t kPreferredMax = 8;

    std::uint32_t min = 0;
    std::uint32_t max = 0xffffffff;
    std::uint32_t multiple = 1;
    std::string_view unit;
    std::array<std::uint32_t, kPreferredMax> preferred{};
    std::uint32_t preferred_count = 0;
    bool choices_only = false;

    constexpr bool holds(std::uint32_t value) const {
        if (!choices_only) {
            return value >= min && value <= max && (multiple == 1 || value % multiple == 0);
        }
        for (std::uint32_t i = 0; i < preferred_count; ++i) {
            if (preferred[i] == value) {
                return true;
            }
        }
        return false;
    }

    // The legal value nearest below, else the least; `value` itself when legal.
    constexpr std::uint32_t nearest(std::uint32_t value) const {
        if (choices_only) {
            std::uint32_t best = preferred[0];
            for (std::uint32_t i = 1; i < preferred_count; ++i) {
                best = preferred[i] <= value ? preferred[i] : best;
            }
            return best;
        }
        if (value < min) {
            return min;
        }
        const std::uint32_t capped = value > max ? max : value;
        return multiple == 1 ? capped : capped - capped % multiple;
    }
};

constexpr NumberDomain range(std::uint32_t min, std::uint32_t max, std::uint32_t multiple,
                             std::string_view unit,
                             std::initializer_list<std::uint32_t> preferred) {
    NumberDomain domain;
    domain.min = min;
    domain.max = max;
    domain.multiple = multiple;
    domain.unit = unit;
    for (const std::uint32_t value : preferred) {
        domain.preferred[domain.preferred_count++] = value;
    }
    return domain;
}

constexpr NumberDomain choice(std::string_view unit, std::initializer_list<std::uint32_t> values) {
    NumberDomain domain = range(*values.begin(), *(values.end() - 1), 1, unit, values);
    domain.choices_only = true;
    return domain;
}

enum class FieldKind : std::uint8_t { boolean, enumeration, number, reference, nested, list };

template <class S>
struct BoolField {
    static constexpr FieldKind kKind = FieldKind::boolean;
    std::uint32_t id;
    std::string_view name;
    bool S::*member;
    bool fallback;  // what a missing field means
};

// Specialised beside each description: the TOML names, by value.
template <class E>
struct EnumNames;

template <class S, class E>
struct EnumField {
    static constexpr FieldKind kKind = FieldKind::enumeration;
    using Enum = E;
    std::uint32_t id;
    std::string_view name;
    E S::*member;
    E fallback;
};

template <class S>
struct NumberField {
    static constexpr FieldKind kKind = FieldKind::number;
    std::uint32_t id;
    std::string_view name;
    std::uint32_t S::*member;
    const NumberDomain* domain;  // fields of one domain object may trade values
    std::uint32_t fallback;
};

template <class S>
struct ReferenceField {
    static constexpr FieldKind kKind = FieldKind::reference;
    std::uint32_t id;
    std::string_view name;
    std::uint32_t S::*member;
    Table table;
};

template <class S, class T>
struct NestedField {
    static constexpr FieldKind kKind = FieldKind::nested;
    using Value = T;
    std::uint32_t id;
    std::string_view name;
    T S::*member;
};

template <class S, class T>
struct ListField {
    static constexpr FieldKind kKind = FieldKind::list;
    using Value = T;
    std::uint32_t id;
    std::string_view name;
    std::vector<T> S::*member;
    std::uint32_t max;
};

template <class S>
constexpr BoolField<S> boolean(std::uint32_t id, std::string_view name, bool S::*member,
                               bool fallback) {
    return {id, name, member, fallback};
}
template <class S, class E>
constexpr EnumField<S, E> one_of(std::uint32_t id, std::string_view name, E S::*member,
                                 E fallback) {
    return {id, name, member, fallback};
}
template <class S>
constexpr NumberField<S> number(std::uint32_t id, std::string_view name, std::uint32_t S::*member,
                                const NumberDomain& domain, std::uint32_t fallback) {
    return {id, name, member, &domain, fallback};
}
template <class S>
constexpr ReferenceField<S> reference(std::uint32_t id, std::string_view name,
                                      std::uint32_t S::*member, Table table) {
    return {id, name, member, table};
}
template <class S, class T>
constexpr NestedField<S, T> nested(std::uint32_t id, std::string_view name, T S::*member) {
    return {id, name, member};
}
template <class S, class T>
constexpr ListField<S, T> list(std::uint32_t id, std::string_view name, std::vector<T> S::*member,
                               std::uint32_t max) {
    return {id, name, member, max};
}

}  // namespace cqfuzz
