// ConfigArrivals against rings kept byte by byte: where two cores' closed windows have one history,
// which covers a range, and neither was changed alone there or since, their bytes are equal.
#include "harness/oracle/config_arrivals.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/base/rng.hpp"

namespace cqfuzz {
namespace {

constexpr std::uint32_t kRing = 128;

TEST(ConfigArrivalsTest, TellsOnlyEqualBytesAlike) {
    std::uint32_t alike = 0;
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
        Rng rng(seed);
        ConfigArrivals arrivals;
        arrivals.reset(2);
        std::vector<std::uint64_t> bytes[2] = {std::vector<std::uint64_t>(kRing),
                                               std::vector<std::uint64_t>(kRing)};
        for (std::uint32_t transaction = 1; transaction <= 40; ++transaction) {
            const std::uint32_t begin = rng.below(kRing);
            const std::uint32_t length = 1 + rng.below(std::min(64u, kRing - begin));
            const std::uint32_t whom =
                rng.below(12);  // 0: core 0 alone, 1: core 1 alone, 2: go, else both
            if (whom == 2) {
                for (std::uint32_t core = 0; core < 2; ++core) arrivals.close(core);
                continue;
            }
            for (std::uint32_t core = 0; core < 2; ++core) {
                if (whom < 2 && whom != core) continue;
                if (whom == core)
                    arrivals.alone(core, begin, begin + length, kNoName);
                else
                    arrivals.multicast(core, begin, begin + length, transaction);
                for (std::uint32_t i = 0; i < length; ++i)
                    bytes[core][begin + i] = std::uint64_t{transaction} << 32 | i;
            }
            const std::uint32_t from = rng.below(kRing);
            const std::uint32_t to = from + 1 + rng.below(std::min(48u, kRing - from));
            if (arrivals.history(0) != arrivals.history(1) || !arrivals.covers(0, from, to))
                continue;
            if (arrivals.differs_in(0, from, to) || arrivals.differs_in(1, from, to)) continue;
            ++alike;
            for (std::uint32_t i = from; i < to; ++i)
                ASSERT_EQ(bytes[0][i], bytes[1][i]) << "seed " << seed;
        }
    }
    EXPECT_GT(alike, 500u);
}

TEST(ConfigArrivalsTest, CoversARangeThatSeveralMulticastsMakeUp) {
    ConfigArrivals arrivals;
    arrivals.reset(1);
    arrivals.multicast(0, 32, 64, 1);
    arrivals.multicast(0, 0, 16, 2);
    arrivals.multicast(0, 8, 32, 3);
    EXPECT_FALSE(arrivals.covers(0, 0, 64));  // no go yet
    arrivals.close(0);
    EXPECT_TRUE(arrivals.covers(0, 0, 64));
    EXPECT_FALSE(arrivals.covers(0, 0, 65));
    EXPECT_FALSE(arrivals.differs_in(0, 0, 64));
    arrivals.multicast(0, 40, 44, 4);
    EXPECT_TRUE(arrivals.differs_in(0, 0, 64));
    arrivals.close(0);
    EXPECT_FALSE(arrivals.covers(0, 0, 64));
}

TEST(ConfigArrivalsTest, NamesWhatCameToOneCoreAlone) {
    ConfigArrivals arrivals;
    arrivals.reset(1);
    arrivals.alone(0, 16, 48, 5);
    arrivals.alone(0, 16, 48, 6);
    arrivals.alone(0, 64, 80, 7);
    arrivals.alone(0, 72, 76, 8);
    arrivals.alone(0, 96, 112, 9);
    arrivals.multicast(0, 100, 104, 1);
    EXPECT_EQ(arrivals.name_alone(0, 16, 48), kNoName);
    arrivals.close(0);
    EXPECT_EQ(arrivals.name_alone(0, 16, 48), 6u);
    EXPECT_EQ(arrivals.name_alone(0, 16, 32), kNoName);
    EXPECT_EQ(arrivals.name_alone(0, 64, 80), kNoName);
    EXPECT_EQ(arrivals.name_alone(0, 96, 112), kNoName);
    arrivals.alone(0, 16, 20, 10);
    EXPECT_EQ(arrivals.name_alone(0, 16, 48), kNoName);
}

TEST(ConfigArrivalsTest, GivesDifferentBytesDifferentNames) {
    std::vector<std::byte> bytes(40);
    const std::uint64_t name = name_of_bytes(bytes.data(), bytes.size());
    EXPECT_EQ(name_of_bytes(bytes.data(), bytes.size()), name);
    EXPECT_NE(name_of_bytes(bytes.data(), 36), name);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] = std::byte{1};
        EXPECT_NE(name_of_bytes(bytes.data(), bytes.size()), name) << i;
        bytes[i] = std::byte{0};
    }
}

TEST(ConfigArrivalsTest, ClaimsNothingWhenThereWasMoreThanItKeeps) {
    ConfigArrivals arrivals;
    arrivals.reset(1);
    for (std::uint32_t i = 0; i < 100; ++i) arrivals.multicast(0, 0, 16, i + 1);
    arrivals.close(0);
    EXPECT_FALSE(arrivals.covers(0, 0, 16));
    for (std::uint32_t i = 0; i < 100; ++i) arrivals.alone(0, 64, 80, kNoName);
    EXPECT_TRUE(arrivals.differs_in(0, 0, 16));
}

}  // namespace
}  // namespace cqfuzz
