// decode: bytes → scenario. The format and what makes it total: wire.hpp.
#include <algorithm>
#include <limits>

#include "harness/scenario/describe.hpp"
#include "harness/scenario/verbs.hpp"
#include "harness/scenario/wire.hpp"

namespace cqfuzz {
namespace {

template <class T>
void decode_struct(WireReader reader, T& out);

std::uint32_t saturated(std::uint64_t value) {
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(value, std::numeric_limits<std::uint32_t>::max()));
}

void decode_op(WireReader body, std::vector<Op>& ops) {
    const std::uint64_t tag = body.varint();
    any_op_kind([&](auto op) {
        if (Description<decltype(op)>::tag != tag) {
            return false;
        }
        decode_struct(body, op);
        ops.emplace_back(op);
        return true;
    });
}

template <class T>
void decode_entry(WireReader body, std::vector<T>& entries) {
    if constexpr (kIsOp<T>) {
        decode_op(body, entries);
    } else {
        decode_struct(body, entries.emplace_back());
    }
}

template <class T>
void set_scalar(T& out, std::uint64_t id, std::uint64_t value) {
    any_field<T>([&](const auto& field) {
        using Field = std::decay_t<decltype(field)>;
        if (field.id != id) {
            return false;
        }
        if constexpr (Field::kKind == FieldKind::boolean) {
            out.*field.member = value != 0;
        } else if constexpr (Field::kKind == FieldKind::enumeration) {
            using Enum = typename Field::Enum;
            out.*field.member = static_cast<Enum>(value % EnumNames<Enum>::names.size());
        } else if constexpr (Field::kKind == FieldKind::number ||
                             Field::kKind == FieldKind::reference) {
            out.*field.member = saturated(value);
        }
        return true;
    });
}

template <class T>
void set_body(T& out, std::uint64_t id, WireReader body) {
    any_field<T>([&](const auto& field) {
        using Field = std::decay_t<decltype(field)>;
        if (field.id != id) {
            return false;
        }
        if constexpr (Field::kKind == FieldKind::nested) {
            decode_struct(body, out.*field.member);
        } else if constexpr (Field::kKind == FieldKind::list) {
            if ((out.*field.member).size() < field.max) {
                decode_entry(body, out.*field.member);
            }
        }
        return true;
    });
}

template <class T>
void decode_struct(WireReader reader, T& out) {
    while (!reader.empty()) {
        const std::uint64_t key = reader.varint();
        if ((key & 1) != 0) {
            set_body(out, key >> 1, reader.body());
        } else {
            set_scalar(out, key >> 1, reader.varint());
        }
    }
}

}  // namespace

Scenario decode(std::span<const std::byte> bytes) {
    Scenario scenario;
    if (bytes.empty()) {
        return scenario;
    }
    decode_struct(WireReader(bytes), scenario);
    legalise(scenario);
    return scenario;
}

}  // namespace cqfuzz
