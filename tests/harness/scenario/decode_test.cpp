// decode and encode: exact round trips, and totality. Old files keep their meaning: unknown ids and
// tags are skipped.
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "harness/scenario/describe.hpp"
#include "harness/scenario/verbs.hpp"
#include "harness/scenario/wire.hpp"
#include "tests/harness/scenario/wild.hpp"

namespace cqfuzz {
namespace {

std::vector<std::byte> bytes_of(std::initializer_list<int> values) {
    std::vector<std::byte> bytes;
    for (const int value : values) {
        bytes.push_back(static_cast<std::byte>(value));
    }
    return bytes;
}

TEST(DecodeTest, MakesTheDefaultScenarioOfNoBytes) {
    const Scenario scenario = decode({});
    EXPECT_TRUE(equal(scenario, Scenario{}));
    EXPECT_TRUE(encode(scenario).empty());
    Scenario settled = scenario;
    legalise(settled);
    EXPECT_TRUE(equal(scenario, settled));
}

TEST(DecodeTest, ReadsFieldsByTheirPermanentIds) {
    // order (4) = o2; topology (1) { worker_cols (1) = 3 }; an op (8) of tag 7, finish.
    const Scenario scenario =
        decode(bytes_of({4 << 1, 2, 1 << 1 | 1, 2, 1 << 1, 3, 8 << 1 | 1, 1, 7}));
    EXPECT_EQ(scenario.order, OrderLevel::o2);
    EXPECT_EQ(scenario.topology.worker_cols, 3u);
    EXPECT_EQ(scenario.topology.worker_rows, 2u);
    ASSERT_EQ(scenario.ops.size(), 1u);
    EXPECT_TRUE(std::holds_alternative<OpFinish>(scenario.ops[0]));
}

TEST(DecodeTest, SkipsUnknownIdsAndTagsByTheirLength) {
    const Scenario scenario = decode(bytes_of({
        0xc8,        0x01,   42,                      // unknown id 100 (two bytes of key), a number
        63 << 1 | 1, 3,      0xff,    0xff,    0xff,  // unknown id 63, three bytes
        1 << 1 | 1,  6,      60 << 1, 9,       59 << 1 | 1,
        0,           1 << 1, 5,  // topology with two unknown ids before worker_cols = 5
        8 << 1 | 1,  3,      99,      1 << 1,  1,  // an op of unknown tag 99: dropped
        8 << 1 | 1,  3,      7,       50 << 1, 3,  // finish, with a field it does not know
    }));
    EXPECT_EQ(scenario.topology.worker_cols, 5u);
    ASSERT_EQ(scenario.ops.size(), 1u);
    EXPECT_TRUE(std::holds_alternative<OpFinish>(scenario.ops[0]));
}

TEST(DecodeTest, SkipsAFieldWhoseKindIsAnother) {
    // worker_cols (1) with a length instead of a number; topology (1) with a number.
    const Scenario scenario = decode(bytes_of({1 << 1 | 1, 4, 1 << 1 | 1, 2, 7, 7, 1 << 1, 5}));
    EXPECT_TRUE(equal(scenario, Scenario{}));
}

TEST(DecodeTest, StopsAtTheMaximumOfAList) {
    std::vector<std::byte> bytes;
    WireWriter writer(bytes);
    for (std::uint32_t i = 0; i < limits::kOpsMax + 10; ++i) {
        writer.body(8, [&] { writer.varint(7); });
    }
    EXPECT_EQ(decode(bytes).ops.size(), limits::kOpsMax);
}

TEST(DecodeTest, MakesALegalScenarioOfAnyBytes) {
    Rng rng(1);
    for (int i = 0; i < 20'000; ++i) {
        const Scenario scenario = decode(wild::bytes(rng));
        ASSERT_EQ(illegality_of(scenario), "") << i;
    }
}

TEST(DecodeTest, MakesALegalScenarioOfEveryTruncation) {
    Rng rng(2);
    const std::vector<std::byte> bytes = encode(generate(Domain::trace_replay, rng, 64));
    for (std::size_t size = 0; size <= bytes.size(); ++size) {
        const Scenario scenario = decode(std::span(bytes).first(size));
        ASSERT_EQ(illegality_of(scenario), "") << size;
    }
}

TEST(DecodeTest, MakesALegalScenarioOfEachTwoBytes) {
    for (int a = 0; a < 256; ++a) {
        for (int b = 0; b < 256; ++b) {
            ASSERT_EQ(illegality_of(decode(bytes_of({a, b}))), "") << a << " " << b;
        }
    }
}

TEST(EncodeTest, ComesBackExactlyForEveryLegalScenario) {
    Rng rng(3);
    for (int i = 0; i < 5'000; ++i) {
        Scenario scenario = wild::scenario(rng);
        legalise(scenario);
        const std::vector<std::byte> bytes = encode(scenario);
        const Scenario back = decode(bytes);
        ASSERT_TRUE(equal(scenario, back)) << i;
        ASSERT_EQ(encode(back), bytes) << i;
    }
}

TEST(EncodeTest, LeavesDefaultsOut) {
    Scenario scenario;
    scenario.topology.split = true;
    EXPECT_EQ(encode(scenario), bytes_of({1 << 1 | 1, 2, 4 << 1, 1}));
}

TEST(WireTest, KeepsBodiesOfEveryLengthPrefixWidth) {
    for (const std::size_t length : {0u, 1u, 127u, 128u, 129u, 16383u, 16384u, 20000u}) {
        std::vector<std::byte> bytes;
        WireWriter writer(bytes);
        writer.body(3, [&] { bytes.resize(bytes.size() + length, std::byte{0x55}); });
        writer.scalar(4, 1);
        WireReader reader(bytes);
        EXPECT_EQ(reader.varint(), 3u << 1 | 1);
        WireReader body = reader.body();
        std::size_t read = 0;
        for (; !body.empty(); ++read) {
            EXPECT_EQ(body.varint(), 0x55u);
        }
        EXPECT_EQ(read, length);
        EXPECT_EQ(reader.varint(), 4u << 1);
    }
}

TEST(EqualTest, SeesEachLeaf) {
    Rng rng(4);
    const Scenario scenario = generate(Domain::trace_replay, rng, 64);
    std::uint32_t leaves = 0;
    for_each_leaf(scenario, [&leaves](const auto&, const auto&) { ++leaves; });
    for (std::uint32_t n = 0; n < leaves; ++n) {
        Scenario changed = scenario;
        std::uint32_t number = 0;
        for_each_leaf(changed, [&](const auto& field, auto& owner) {
            if (number++ == n) {
                using Member = std::decay_t<decltype(owner.*field.member)>;
                owner.*field.member =
                    static_cast<Member>(static_cast<std::uint32_t>(owner.*field.member) ^ 1);
            }
        });
        EXPECT_FALSE(equal(scenario, changed)) << n;
    }
}

TEST(PrintTest, SaysWhatAnOpDoes) {
    EXPECT_EQ(print(OpReplay{1, 3, false}, 4), "op 4: replay trace 1 x 3 (not blocking)");
    EXPECT_EQ(print(OpReplay{0, 1, true}, 0), "op 0: replay trace 0 x 1 (blocking)");
    EXPECT_EQ(print(OpEnqueue{2, 1}, 1), "op 1: enqueue program 2");
    EXPECT_EQ(print(OpEnqueue{2, 5}, 1), "op 1: enqueue program 2 x 5");
    EXPECT_EQ(print(OpWriteBuffer{1, 9}, 2), "op 2: write buffer 1 (content 9)");
    EXPECT_EQ(print(OpReadBuffer{1}, 2), "op 2: read buffer 1");
    EXPECT_EQ(print(OpCapture{0}, 2), "op 2: capture trace 0");
    EXPECT_EQ(print(OpRelease{0}, 2), "op 2: release trace 0");
    EXPECT_EQ(print(OpFinish{}, 2), "op 2: finish");
}

TEST(OpWeightTest, CountsRepeats) {
    Scenario scenario;
    EXPECT_EQ(op_weight(scenario), 0u);
    scenario.ops = {OpEnqueue{0, 5}, OpCapture{0}, OpReplay{0, 3, false}, OpFinish{}};
    EXPECT_EQ(op_weight(scenario), 10u);
}

}  // namespace
}  // namespace cqfuzz
