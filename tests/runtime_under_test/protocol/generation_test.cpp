// Ids of another generation: every command of a slot is translated, heads of the dispatcher inside
// inline commands too, payloads never, and broken bytes end the walk inside the slot.
#include "runtime_under_test/protocol/generation.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace cqfuzz::rt {
namespace {

// Ids that are nobody's in late 2024.
Generation shifted() {
    Generation g = late_2024();
    for (std::uint8_t& id : g.prefetch) id = static_cast<std::uint8_t>(id + 100);
    for (std::uint8_t& id : g.dispatch) id = static_cast<std::uint8_t>(id + 150);
    return g;
}

struct Slot {
    std::vector<std::byte> bytes;
    std::byte* add(std::uint32_t size) {
        bytes.resize(bytes.size() + size, std::byte{7});  // what a payload may hold
        return bytes.data() + bytes.size() - size;
    }
    int at(std::size_t offset) const { return std::to_integer<int>(bytes[offset]); }
};

TEST(GenerationTest, MidOf2024HasItsOwnTerminateAndNoGoSignals) {
    Generation mid = mid_2024();
    EXPECT_EQ(mid.id(PrefetchId::terminate), 11);
    EXPECT_EQ(mid.id(DispatchId::terminate), 14);
    EXPECT_FALSE(mid.has(DispatchId::send_go_signal));
    EXPECT_FALSE(mid.has(PrefetchId::relay_ringbuffer));
    EXPECT_TRUE(mid.has(PrefetchId::relay_paged_packed));
    EXPECT_EQ(prefetch_id_of("RELAY_INLINE"), PrefetchId::relay_inline);
    EXPECT_EQ(dispatch_id_of("RELAY_INLINE"), DispatchId::kCount);
}

TEST(GenerationTest, TranslatesHeadsAndNothingElse) {
    Slot slot;
    RelayInline inline_command;
    inline_command.length = 32;
    inline_command.stride = 64;
    std::byte* out = slot.add(64);
    encode(out, PrefetchId::relay_inline, inline_command);
    WriteLinear write;
    write.length = 16;
    encode(out + 16, DispatchId::write_linear, write);
    encode(slot.add(32), PrefetchId::stall);
    encode(slot.add(32), RelayPaged{});
    translate(slot.bytes, shifted());
    EXPECT_EQ(slot.at(0), 104);
    EXPECT_EQ(slot.at(16), 151);
    EXPECT_EQ(slot.at(32), 7);  // payload
    EXPECT_EQ(slot.at(64), 108);
    EXPECT_EQ(slot.at(96), 102);
}

TEST(GenerationTest, TheCommandBehindADebugIsTranslatedToo) {
    Slot slot;
    RelayInline inline_command;
    inline_command.length = 48;
    inline_command.stride = 64;
    std::byte* out = slot.add(64);
    encode(out, PrefetchId::relay_inline, inline_command);
    Debug debug;
    debug.size = 16;
    debug.stride = 32;
    encode(out + 16, DispatchId::debug, debug);
    encode(out + 48, Delay{1});
    translate(slot.bytes, shifted());
    EXPECT_EQ(slot.at(16), 160);
    EXPECT_EQ(slot.at(32), 7);
    EXPECT_EQ(slot.at(48), 161);
}

TEST(GenerationTest, BrokenStridesAndLengthsEndTheWalkInsideTheSlot) {
    for (const std::uint32_t stride : {0u, 8u, 4096u, 0xffffffffu}) {
        Slot slot;
        RelayInline inline_command;
        inline_command.length = stride;
        inline_command.stride = stride;
        encode(slot.add(32), PrefetchId::relay_inline, inline_command);
        encode(slot.add(32), PrefetchId::stall);
        translate(slot.bytes, shifted());
        EXPECT_EQ(slot.at(0), 104);
        EXPECT_EQ(slot.at(32), 9 - 1);  // not reached
    }
}

TEST(GenerationTest, WhatTheGenerationDoesNotKnowStays) {
    Slot slot;
    encode(slot.add(32), RelayRingbuffer{});
    translate(slot.bytes, mid_2024());
    EXPECT_EQ(slot.at(0), 13);
}

}  // namespace
}  // namespace cqfuzz::rt
