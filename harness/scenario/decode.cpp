// decode: bytes → scenario. The format and what makes it total: wire.hpp.
#include <algorithm>
#include <limits>

#include "harness/scenario/describe.hpp"
#include "harness/scenario/verbs.hpp"
#include "harness/scenario/wire.hpp"

namespace cqfuzz {
namespace {

template <class T>
void decode_struct(WireReader reader, T& out, DecodeNotes& notes);

std::uint32_t saturated(std::uint64_t value) {
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(value, std::numeric_limits<std::uint32_t>::max()));
}

template <class T>
void decode_op(WireReader body, std::vector<T>& ops, DecodeNotes& notes) {
    const std::uint64_t tag = body.varint();
    const bool known = any_op_kind<T>([&](auto op) {
        if (Description<decltype(op)>::tag != tag) {
            return false;
        }
        decode_struct(body, op, notes);
        ops.emplace_back(std::move(op));
        return true;
    });
    notes.unknown_ops += known ? 0 : 1;
}

template <class T>
void decode_entry(WireReader body, std::vector<T>& entries, DecodeNotes& notes) {
    if constexpr (kIsOp<T>) {
        decode_op(body, entries, notes);
    } else {
        decode_struct(body, entries.emplace_back(), notes);
    }
}

template <class T>
bool set_scalar(T& out, std::uint64_t id, std::uint64_t value) {
    return any_field<T>([&](const auto& field) {
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
bool set_body(T& out, std::uint64_t id, WireReader body, DecodeNotes& notes) {
    return any_field<T>([&](const auto& field) {
        using Field = std::decay_t<decltype(field)>;
        if (field.id != id) {
            return false;
        }
        if constexpr (Field::kKind == FieldKind::nested) {
            decode_struct(body, out.*field.member, notes);
        } else if constexpr (Field::kKind == FieldKind::list) {
            if ((out.*field.member).size() < field.max) {
                decode_entry(body, out.*field.member, notes);
            } else {
                ++notes.entries_too_many;
            }
        }
        return true;
    });
}

template <class T>
void decode_struct(WireReader reader, T& out, DecodeNotes& notes) {
    while (!reader.empty()) {
        const std::uint64_t key = reader.varint();
        const bool known = (key & 1) != 0 ? set_body(out, key >> 1, reader.body(), notes)
                                          : set_scalar(out, key >> 1, reader.varint());
        notes.unknown_fields += known ? 0 : 1;
    }
}

}  // namespace

Scenario decode(std::span<const std::byte> bytes, DecodeNotes* notes) {
    DecodeNotes unread;
    Scenario scenario;
    if (bytes.empty()) {
        return scenario;
    }
    decode_struct(WireReader(bytes), scenario, unread);
    if (notes == nullptr) {
        legalise(scenario);
        return scenario;
    }
    *notes = unread;
    const Scenario before = scenario;
    legalise(scenario);
    notes->legalised = !equal(before, scenario);
    return scenario;
}

}  // namespace cqfuzz
