// encode: scenario → bytes (wire.hpp). Fields that have their default, and nested structs of
// nothing else, are left out.
#include "harness/scenario/describe.hpp"
#include "harness/scenario/verbs.hpp"
#include "harness/scenario/wire.hpp"

namespace cqfuzz {
namespace {

template <class T>
void encode_struct(WireWriter& writer, const T& value);

template <class T>
void encode_entry(WireWriter& writer, const T& entry) {
    if constexpr (kIsOp<T>) {
        std::visit(
            [&writer](const auto& op) {
                writer.varint(Description<std::decay_t<decltype(op)>>::tag);
                encode_struct(writer, op);
            },
            entry);
    } else {
        encode_struct(writer, entry);
    }
}

template <class Field, class T>
void encode_field(WireWriter& writer, const Field& field, const T& value) {
    if constexpr (Field::kKind == FieldKind::nested) {
        const std::size_t before = writer.size();
        writer.body(field.id, [&] { encode_struct(writer, value.*field.member); });
        if (writer.size() == before + 2) {
            writer.cut(before);
        }
    } else if constexpr (Field::kKind == FieldKind::list) {
        for (const auto& entry : value.*field.member) {
            writer.body(field.id, [&] { encode_entry(writer, entry); });
        }
    } else if constexpr (Field::kKind == FieldKind::reference) {
        if (value.*field.member != 0) {
            writer.scalar(field.id, value.*field.member);
        }
    } else {
        if (value.*field.member != field.fallback) {
            writer.scalar(field.id, static_cast<std::uint64_t>(value.*field.member));
        }
    }
}

template <class T>
void encode_struct(WireWriter& writer, const T& value) {
    for_each_field<T>([&](const auto& field) { encode_field(writer, field, value); });
}

}  // namespace

std::vector<std::byte> encode(const Scenario& scenario) {
    std::vector<std::byte> bytes;
    bytes.reserve(1024);
    WireWriter writer(bytes);
    encode_struct(writer, scenario);
    return bytes;
}

}  // namespace cqfuzz
