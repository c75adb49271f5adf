#include "tests/harness/scenario/wild.hpp"

#include <algorithm>

#include "harness/scenario/describe.hpp"
#include "harness/scenario/verbs.hpp"

namespace cqfuzz::wild {
namespace {

std::uint32_t any_number(Rng& rng) {
    const std::uint32_t width = rng.below(33);
    const auto bits = static_cast<std::uint32_t>(rng.next() >> 32);
    return width == 0 ? 0 : bits >> (32 - width);
}

template <class T>
void fill(T& value, Rng& rng);

template <class T>
void fill_list(std::vector<T>& entries, std::uint32_t max, Rng& rng) {
    const std::uint32_t few = rng.below(5);
    const std::uint32_t beyond = max + rng.below(3);
    entries.resize(rng.one_in(64) && max <= 64 ? beyond : few);
    for (T& entry : entries) {
        fill(entry, rng);
    }
}

template <class Field, class T>
void fill_leaf(const Field& field, T& owner, Rng& rng) {
    auto& member = owner.*field.member;
    if constexpr (Field::kKind == FieldKind::boolean) {
        member = rng.one_in(2);
    } else if constexpr (Field::kKind == FieldKind::enumeration) {
        using Enum = typename Field::Enum;
        const auto count = static_cast<std::uint32_t>(EnumNames<Enum>::names.size());
        member = static_cast<Enum>(rng.one_in(16) ? rng.below(256) : rng.below(count));
    } else if constexpr (Field::kKind == FieldKind::reference) {
        member = rng.one_in(16) ? any_number(rng) : rng.below(5);
    } else {
        const std::uint32_t at_limit =
            field.domain->preferred[rng.below(field.domain->preferred_count)];
        const std::uint32_t any = any_number(rng);
        member = rng.one_in(2) ? at_limit : any;
    }
}

template <class T>
void fill(T& value, Rng& rng) {
    if constexpr (kIsOp<T>) {
        std::uint32_t kind = rng.below(std::variant_size_v<T>);
        any_op_kind<T>([&](auto op) {
            if (kind-- != 0) {
                return false;
            }
            fill(op, rng);
            value = op;
            return true;
        });
    } else {
        for_each_field<T>([&](const auto& field) {
            using Field = std::decay_t<decltype(field)>;
            if constexpr (Field::kKind == FieldKind::nested) {
                fill(value.*field.member, rng);
            } else if constexpr (Field::kKind == FieldKind::list) {
                fill_list(value.*field.member, field.max, rng);
            } else {
                fill_leaf(field, value, rng);
            }
        });
    }
}

void spoil(std::vector<std::byte>& bytes, Rng& rng) {
    if (bytes.empty()) {
        return;
    }
    const std::uint32_t at = rng.below(static_cast<std::uint32_t>(bytes.size()));
    const std::uint32_t length =
        std::min(1 + rng.below(8), static_cast<std::uint32_t>(bytes.size()) - at);
    const auto first = bytes.begin() + at;
    switch (rng.below(5)) {
        case 0: bytes[at] = static_cast<std::byte>(rng.below(256)); break;
        case 1: bytes[at] ^= static_cast<std::byte>(1u << rng.below(8)); break;
        case 2: bytes.erase(first, first + length); break;
        case 3: bytes.resize(at); break;
        default: {
            const std::vector<std::byte> copy(first, first + length);
            bytes.insert(first, copy.begin(), copy.end());
            break;
        }
    }
}

}  // namespace

Scenario scenario(Rng& rng) {
    Scenario out;
    fill(out, rng);
    return out;
}

std::vector<std::byte> bytes(Rng& rng) {
    if (rng.one_in(4)) {
        std::vector<std::byte> noise(rng.below(200));
        for (std::byte& byte : noise) {
            byte = static_cast<std::byte>(rng.below(256));
        }
        return noise;
    }
    const Domain domain = rng.one_in(2) ? Domain::trace_replay : Domain::semaphore_multicast;
    std::vector<std::byte> out = encode(generate(domain, rng, 64));
    for (std::uint32_t left = 1 + rng.below(6); left != 0; --left) {
        spoil(out, rng);
    }
    return out;
}

}  // namespace cqfuzz::wild
