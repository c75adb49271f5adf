#include <algorithm>

#include "harness/scenario/describe.hpp"
#include "harness/scenario/verbs.hpp"

namespace cqfuzz {
namespace {

template <class T>
bool same(const T& a, const T& b) {
    if constexpr (kIsOp<T>) {
        return a.index() == b.index() && std::visit(
                                             [&b](const auto& op) {
                                                 using Kind = std::decay_t<decltype(op)>;
                                                 return same(op, *std::get_if<Kind>(&b));
                                             },
                                             a);
    } else {
        return !any_field<T>([&](const auto& field) {
            using Field = std::decay_t<decltype(field)>;
            const auto& left = a.*field.member;
            const auto& right = b.*field.member;
            if constexpr (Field::kKind == FieldKind::nested) {
                return !same(left, right);
            } else if constexpr (Field::kKind == FieldKind::list) {
                return !std::equal(left.begin(), left.end(), right.begin(), right.end(),
                                   [](const auto& x, const auto& y) { return same(x, y); });
            } else {
                return left != right;
            }
        });
    }
}

}  // namespace

bool equal(const Scenario& a, const Scenario& b) { return same(a, b); }
bool equal(const Op& a, const Op& b) { return same(a, b); }
bool equal(const Command& a, const Command& b) { return same(a, b); }

}  // namespace cqfuzz
