// Goal: ranges never overlap, stay inside, and come back. Method: random takes and returns against
// a map.
#include "runtime_under_test/host/bank_space.hpp"

#include <gtest/gtest.h>

#include <map>

#include "harness/base/rng.hpp"

namespace cqfuzz::rt {
namespace {

TEST(BankSpaceTest, TakesFromTheBottomAndRefusesWhenFull) {
    BankSpace space(1024, 1024 + 128);
    EXPECT_EQ(space.take(33), 1024u);
    EXPECT_EQ(space.take(64), 1088u);
    EXPECT_FALSE(space.take(1).has_value());
    space.give_back(1024);
    EXPECT_FALSE(space.take(65).has_value());
    EXPECT_EQ(space.take(64), 1024u);
}

TEST(BankSpaceTest, RandomTakesAndReturnsKeepRangesApart) {
    Rng rng(2);
    BankSpace space(32, 32 + 4096);
    std::map<std::uint32_t, std::uint32_t> used;
    for (int round = 0; round < 5000; round++) {
        if (!used.empty() && rng.one_in(2)) {
            auto it = used.begin();
            std::advance(it, rng.below(static_cast<std::uint32_t>(used.size())));
            space.give_back(it->first);
            used.erase(it);
            continue;
        }
        const std::uint32_t bytes = 1 + rng.below(600);
        const std::uint32_t largest = space.largest_free_bytes();
        const std::optional<std::uint32_t> address = space.take(bytes);
        ASSERT_EQ(address.has_value(), bytes <= largest);
        if (!address) continue;
        ASSERT_EQ(*address % 32, 0u);
        ASSERT_LE(*address + bytes, 32u + 4096u);
        const auto next = used.lower_bound(*address);
        if (next != used.end()) {
            ASSERT_LE(*address + bytes, next->first);
        }
        if (next != used.begin()) {
            ASSERT_LE(std::prev(next)->first + std::prev(next)->second, *address);
        }
        used[*address] = bytes;
    }
}

}  // namespace
}  // namespace cqfuzz::rt
