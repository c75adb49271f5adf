// Goal: the encoder writes what the size calculator says (inv. 100, 101), and keeps a NOFLUSH head
// with its relay.
#include "runtime_under_test/host/command_sequence.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <stdexcept>
#include <vector>

namespace cqfuzz::rt {
namespace {

std::uint32_t u32_at(const CommandSequence& sequence, std::size_t offset) {
    std::uint32_t value = 0;
    std::memcpy(&value, sequence.bytes().data() + offset, sizeof value);
    return value;
}

TEST(CommandSequenceTest, StalledReadPreambleIsTheSecondWorkedExample) {
    CommandSequence sequence;
    Wait wait;
    wait.barrier = wait.wait = wait.notify_prefetch = 1;
    sequence.add_wait(wait);
    EXPECT_EQ(sequence.size_bytes(), 32u);
    EXPECT_EQ(u32_at(sequence, 8), 32u);
    sequence.add_stall();
    EXPECT_EQ(sequence.size_bytes(), 64u);
    EXPECT_EQ(sequence.size_bytes() >> 4, 4u);  // the prefetch_q entry
}

TEST(CommandSequenceTest, PackedWriteToSixtyFourCoresIsTheFifthWorkedExample) {
    EXPECT_EQ(packed_bytes(64, kUnicastSubBytes, 120, PackedPayload::each), 8464u);
    CommandSequence sequence;
    const std::vector<std::uint32_t> cores(64, 0x41);
    std::byte* payload =
        sequence.add_write_packed(PackedTarget{1, 0, 120}, cores, PackedPayload::each);
    EXPECT_EQ(payload - sequence.bytes().data(), 16 + 272);
    EXPECT_EQ(u32_at(sequence, 4), 8464u);
    EXPECT_EQ(u32_at(sequence, 8), 8480u);
    EXPECT_EQ(sequence.size_bytes(), 8480u);
    EXPECT_EQ(sequence.size_bytes() >> 4, 530u);
}

TEST(CommandSequenceTest, EveryPackedShapeTakesThePredictedBytes) {
    CommandSequence sequence;
    for (const PackedPayload payload : {PackedPayload::each, PackedPayload::shared}) {
        for (std::uint32_t count = 1; count <= 40; count++) {
            for (std::uint32_t size = 4; size <= 100; size += 4) {
                sequence.clear();
                const std::vector<std::uint32_t> cores(count);
                const std::vector<PackedMulticastSub> rectangles(count);
                sequence.add_write_packed(PackedTarget{1, 0, size}, cores, payload);
                const std::uint32_t unicast =
                    inline_bytes(packed_bytes(count, kUnicastSubBytes, size, payload));
                ASSERT_EQ(sequence.size_bytes(), unicast);
                sequence.add_write_packed(PackedTarget{1, 0, size}, rectangles, payload);
                ASSERT_EQ(sequence.size_bytes() - unicast,
                          inline_bytes(packed_bytes(count, kMulticastSubBytes, size, payload)));
                ASSERT_EQ(sequence.unit_ends().size(), 2u);
                ASSERT_EQ(sequence.size_bytes() % 32, 0u);
            }
        }
    }
}

TEST(CommandSequenceTest, EveryCountOfRelayedSubCommandsIsOneUnit) {
    for (std::uint16_t count = 1; count <= kMaxPackedSubCommands; count++) {
        CommandSequence sequence;
        const std::vector<WritePackedLargeSub> subs(count, WritePackedLargeSub{0, 0, 48, 1, 1});
        const std::vector<RelayPagedPackedSub> relays(count, RelayPagedPackedSub{0, 11, 0, 64});
        sequence.add_relayed(WritePackedLarge{count, 32, 1}, subs, relays);
        ASSERT_EQ(sequence.size_bytes(),
                  relayed_bytes(large_head_bytes(count), relay_packed_bytes(count)));
        ASSERT_EQ(sequence.unit_ends().size(), 1u);
    }
}

TEST(CommandSequenceTest, RefusesARelayThatDoesNotMatchItsHead) {
    CommandSequence sequence;
    WriteLinear head;
    head.length = 100;
    EXPECT_THROW(sequence.add_relayed(head, RelayPaged{0, true, 0, 0, 2048, 1}), std::logic_error);
    const std::vector<WritePackedLargeSub> subs(1, WritePackedLargeSub{0, 0, 48, 1, 1});
    const std::vector<RelayPagedPackedSub> relays(1, RelayPagedPackedSub{0, 11, 0, 96});
    EXPECT_THROW(sequence.add_relayed(WritePackedLarge{1, 32, 1}, subs, relays), std::logic_error);
}

TEST(CommandSequenceTest, AppendKeepsUnits) {
    CommandSequence a;
    a.add_stall();
    CommandSequence b;
    b.add_event(7);
    b.add_exec_buf_end();
    a.append(b);
    ASSERT_EQ(a.unit_ends().size(), 3u);
    EXPECT_EQ(a.unit_ends()[0], 32u);
    EXPECT_EQ(a.unit_ends()[1], 32u + event_command_bytes());
    EXPECT_EQ(a.unit_ends()[2], a.size_bytes());
    a.clear();
    EXPECT_EQ(a.size_bytes(), 0u);
    EXPECT_TRUE(a.unit_ends().empty());
}

TEST(CommandSequenceTest, EventAndPagedWriteTakeThePredictedBytes) {
    CommandSequence sequence;
    sequence.add_event(1);
    EXPECT_EQ(sequence.size_bytes(), event_command_bytes());
    EXPECT_EQ(event_command_bytes(), 64u);
    for (std::uint32_t pages = 1; pages < 9; pages++) {
        sequence.clear();
        WritePaged command;
        command.pages = pages;
        command.page_size = 96;
        sequence.add_write_paged(command);
        EXPECT_EQ(sequence.size_bytes(), write_paged_bytes(pages, 96));
    }
}

}  // namespace
}  // namespace cqfuzz::rt
