// Goal: the list of faults is what its users rely on: unique names, groups, nothing on by default.
#include "runtime_under_test/faults/faults.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
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

// docs/repairs.md: every fault that it names exists, and its line names the file where that is.
TEST(FaultsTest, TheTableOfRepairsNamesFaultsWhereTheyAre) {
    std::ifstream file(std::string(CQFUZZ_SOURCE_DIR) + "/docs/repairs.md");
    ASSERT_TRUE(file.good());
    std::map<std::string, std::string> place_of;
    for (const FaultInfo& info : all_faults())
        place_of[std::string(info.name)] = std::string(info.place);
    std::size_t named = 0;
    for (std::string line; std::getline(file, line);) {
        if (line.rfind("| ", 0) != 0) continue;
        const std::size_t last = line.rfind(" | ");
        for (std::size_t at = line.find('`', last); at != std::string::npos;
             at = line.find('`', at + 1)) {
            const std::size_t end = line.find('`', at + 1);
            ASSERT_NE(end, std::string::npos) << line;
            const std::string name = line.substr(at + 1, end - at - 1);
            at = end;
            ASSERT_TRUE(faults_named(name).has_value()) << name;
            ++named;
            const auto place = place_of.find(name);
            if (place == place_of.end() || line.find(".cpp`") == std::string::npos) continue;
            const std::string inside =
                place->second.substr(std::string("runtime_under_test/").size());
            EXPECT_NE(line.find('`' + inside + '`'), std::string::npos) << name << ": " << inside;
        }
    }
    EXPECT_GT(named, 25u);
}

}  // namespace
}  // namespace cqfuzz::rt
