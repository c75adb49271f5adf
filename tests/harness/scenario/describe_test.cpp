// The description itself: what every verb takes for granted.
#include "harness/scenario/describe.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "harness/scenario/limits.hpp"
#include "harness/scenario/schema.hpp"
#include "harness/scenario/verbs.hpp"

namespace cqfuzz {
namespace {

void expect_sound_domain(std::string_view name, const NumberDomain& domain,
                         std::uint32_t fallback) {
    EXPECT_TRUE(domain.holds(fallback)) << name;
    ASSERT_GT(domain.preferred_count, 0u) << name;
    for (std::uint32_t i = 0; i < domain.preferred_count; ++i) {
        EXPECT_TRUE(domain.holds(domain.preferred[i])) << name << " " << domain.preferred[i];
        EXPECT_EQ(domain.nearest(domain.preferred[i]), domain.preferred[i]) << name;
    }
    for (const std::uint32_t value : {0u, 1u, 5u, 100u, 4097u, 70657u, 0xffffffffu}) {
        EXPECT_TRUE(domain.holds(domain.nearest(value))) << name << " " << value;
    }
}

template <class T>
void expect_sound_struct() {
    std::set<std::uint32_t> ids;
    std::set<std::string_view> names;
    const T plain{};
    for_each_field<T>([&](const auto& field) {
        using Field = std::decay_t<decltype(field)>;
        EXPECT_NE(field.id, 0u) << field.name;
        EXPECT_TRUE(ids.insert(field.id).second)
            << Description<T>::name << "." << field.name << ": id given twice";
        EXPECT_TRUE(names.insert(field.name).second)
            << Description<T>::name << "." << field.name << ": name given twice";
        const auto& member = plain.*field.member;
        if constexpr (Field::kKind == FieldKind::list) {
            EXPECT_TRUE(member.empty()) << field.name;
        } else if constexpr (Field::kKind == FieldKind::reference) {
            EXPECT_EQ(member, 0u) << field.name;
        } else if constexpr (Field::kKind == FieldKind::number) {
            EXPECT_EQ(member, field.fallback) << Description<T>::name << "." << field.name;
            expect_sound_domain(field.name, *field.domain, field.fallback);
        } else if constexpr (Field::kKind != FieldKind::nested) {
            EXPECT_EQ(member, field.fallback) << Description<T>::name << "." << field.name;
        }
        if constexpr (Field::kKind == FieldKind::nested || Field::kKind == FieldKind::list) {
            if constexpr (!kIsOp<typename Field::Value>) {
                expect_sound_struct<typename Field::Value>();
            }
        }
    });
}

TEST(DescribeTest, GivesEachFieldItsOwnIdAndTheStructsDefault) { expect_sound_struct<Scenario>(); }

template <class Of>
void expect_own_tags_and_names() {
    std::set<std::uint32_t> tags;
    std::set<std::string_view> names;
    any_op_kind<Of>([&](auto op) {
        using Kind = decltype(op);
        EXPECT_TRUE(tags.insert(Description<Kind>::tag).second) << Description<Kind>::name;
        EXPECT_TRUE(names.insert(Description<Kind>::name).second) << Description<Kind>::name;
        expect_sound_struct<Kind>();
        return false;
    });
    EXPECT_EQ(tags.size(), std::variant_size_v<Of>);
}

TEST(DescribeTest, GivesEachOpItsOwnTagAndName) { expect_own_tags_and_names<Op>(); }

TEST(DescribeTest, GivesEachCommandItsOwnTagAndName) { expect_own_tags_and_names<Command>(); }

TEST(DescribeTest, CallsTheDefaultScenarioLegal) { EXPECT_EQ(illegality_of(Scenario{}), ""); }

TEST(SchemaTest, NamesEveryFieldAndOp) {
    const std::string schema = describe_schema();
    for (const char* name :
         {"order", "scratch", "writes_sent", "binary_bytes", "initial", "page_size", "steps",
          "times", "split_multicast_one_in", "ordinal", "kernel_steps", "x0"}) {
        EXPECT_NE(schema.find("| `" + std::string(name) + "` |"), std::string::npos) << name;
    }
    any_op_kind([&](auto op) {
        EXPECT_NE(schema.find("kind = \"" + std::string(Description<decltype(op)>::name)),
                  std::string::npos);
        return false;
    });
}

}  // namespace
}  // namespace cqfuzz
