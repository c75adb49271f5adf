// Goal: the list of faults is what its users rely on: unique names, groups, nothing on by default.
#include "runtime_under_test/faults/faults.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>

namespace cqfuzz::rt {
namespace {

TEST(FaultsTest, EveryEntryIsCompleteAndInListOrder) {
    ASSERT_EQ(all_faults().size(), static_cast<std::size_t>(Fault::kCount));
    for (std::size_t i = 0; i < all_faults().size(); i++) {
        const FaultInfo& info = all_faults()[i];
        EXPECT_EQ(static_cast<std::size_t>(info.fault), i);
        EXPECT_FALSE(info.name.empty());
        EXPECT_FALSE(info.sentence.empty()) << info.name;
        EXPECT_FALSE(info.source.empty()) << info.name;
        EXPECT_EQ(info.invariant.substr(0, 5), "inv. ") << info.name;
        EXPECT_EQ(info.place.substr(0, 19), "runtime_under_test/") << info.name;
    }
}

TEST(FaultsTest, EveryNameEnablesSomethingAndIsUnique) {
    std::set<std::string_view> seen;
    for (const std::string_view name : fault_names()) {
        EXPECT_TRUE(seen.insert(name).second) << name;
        const std::optional<FaultSet> set = faults_named(name);
        ASSERT_TRUE(set.has_value()) << name;
        EXPECT_TRUE(set->any()) << name;
    }
    EXPECT_FALSE(faults_named("no-such-fault").has_value());
    EXPECT_FALSE(faults_named("").has_value());
}

TEST(FaultsTest, TheLateOrphanGroupEnablesItsFiveParts) {
    FaultSet set = faults_named("late-orphan-write").value();
    std::size_t on = 0;
    for (const FaultInfo& info : all_faults()) {
        const bool is_part = info.name.substr(0, 12) == "late-orphan-";
        EXPECT_EQ(set.on(info.fault), is_part) << info.name;
        on += is_part ? 1 : 0;
    }
    EXPECT_EQ(on, 5u);
}

TEST(FaultsTest, CountsHowOftenAFaultyLineWasReached) {
    FaultSet set;
    EXPECT_FALSE(set.any());
    EXPECT_FALSE(set.on(Fault::toggle_not_flipped));
    EXPECT_EQ(set.reached(Fault::toggle_not_flipped), 0u);
    set.enable(Fault::toggle_not_flipped);
    EXPECT_TRUE(set.on(Fault::toggle_not_flipped));
    EXPECT_TRUE(set.on(Fault::toggle_not_flipped));
    EXPECT_EQ(set.reached(Fault::toggle_not_flipped), 2u);
    EXPECT_FALSE(set.on(Fault::late_orphan_packed));
    set.clear();
    EXPECT_FALSE(set.any());
}

}  // namespace
}  // namespace cqfuzz::rt
