// Goal: commands have the bytes of the fact sheet. Method: the worked examples (facts §17), byte
// offsets of each field, and a round trip of every struct.
#include "runtime_under_test/protocol/commands.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

namespace cqfuzz::rt {
namespace {

using Bytes = std::array<std::byte, 16>;

std::uint32_t byte_at(const Bytes& bytes, std::size_t offset) {
    return std::to_integer<std::uint32_t>(bytes[offset]);
}

std::uint32_t u16_at(const Bytes& bytes, std::size_t offset) {
    return byte_at(bytes, offset) | byte_at(bytes, offset + 1) << 8;
}

std::uint32_t u32_at(const Bytes& bytes, std::size_t offset) {
    return u16_at(bytes, offset) | u16_at(bytes, offset + 2) << 16;
}

// The bytes start as 0xee, so that padding that is left alone shows.
Bytes fresh() {
    Bytes bytes;
    bytes.fill(std::byte{0xee});
    return bytes;
}

TEST(CommandsTest, InlineWaitIsTheFirstWorkedExample) {
    Bytes prefetch = fresh();
    encode(prefetch.data(), PrefetchId::relay_inline, RelayInline{0, 16, 32});
    EXPECT_EQ(byte_at(prefetch, 0), 4u);
    EXPECT_EQ(u32_at(prefetch, 4), 16u);
    EXPECT_EQ(u32_at(prefetch, 8), 32u);
    EXPECT_EQ(u32_at(prefetch, 12), 0u);

    Bytes wait = fresh();
    encode(wait.data(), Wait{1, 0, 0, 1, 0x1234, 77});
    EXPECT_EQ(byte_at(wait, 0), 7u);
    EXPECT_EQ(byte_at(wait, 1), 1u);  // barrier
    EXPECT_EQ(byte_at(wait, 2), 0u);  // notify
    EXPECT_EQ(byte_at(wait, 3), 0u);  // clear
    EXPECT_EQ(byte_at(wait, 4), 1u);  // wait
    EXPECT_EQ(byte_at(wait, 5), 0u);
    EXPECT_EQ(u16_at(wait, 6), 0u);
    EXPECT_EQ(u32_at(wait, 8), 0x1234u);
    EXPECT_EQ(u32_at(wait, 12), 77u);
}

TEST(CommandsTest, StallHasItsIdAndNothingElse) {
    Bytes bytes = fresh();
    encode(bytes.data(), PrefetchId::stall);
    EXPECT_EQ(byte_at(bytes, 0), 8u);
    for (std::size_t i = 1; i < bytes.size(); i++) EXPECT_EQ(byte_at(bytes, i), 0u);
}

TEST(CommandsTest, ReadOfThreePagesIsTheThirdWorkedExample) {
    Bytes head = fresh();
    encode(head.data(), WriteLinearHHost{0, 0, 0, 0, 6160});
    EXPECT_EQ(byte_at(head, 0), 3u);
    EXPECT_EQ(byte_at(head, 1), 0u);
    EXPECT_EQ(u32_at(head, 12), 6160u);
    Bytes relay = fresh();
    encode(relay.data(), RelayPaged{5, true, 64, 0x1000, 2048, 3});
    EXPECT_EQ(byte_at(relay, 0), 2u);
    EXPECT_EQ(byte_at(relay, 1), 0x15u);  // start page, is_dram
    EXPECT_EQ(u16_at(relay, 2), 64u);
    EXPECT_EQ(u32_at(relay, 4), 0x1000u);
    EXPECT_EQ(u32_at(relay, 8), 2048u);
    EXPECT_EQ(u32_at(relay, 12), 3u);
}

TEST(CommandsTest, TraceTailIsTheSixthWorkedExample) {
    Bytes prefetch = fresh();
    encode(prefetch.data(), PrefetchId::exec_buf_end, RelayInline{0, 16, 32});
    EXPECT_EQ(byte_at(prefetch, 0), 7u);
    EXPECT_EQ(u32_at(prefetch, 4), 16u);
    EXPECT_EQ(u32_at(prefetch, 8), 32u);
    Bytes dispatch = fresh();
    encode(dispatch.data(), DispatchId::exec_buf_end);
    EXPECT_EQ(byte_at(dispatch, 0), 12u);
}

TEST(CommandsTest, SendGoSignalIsPackedWithoutAlignment) {
    Bytes bytes = fresh();
    encode(bytes.data(), SendGoSignal{0x80030201, 1, 5, 2, 0xdeadbeef, 0x4090});
    EXPECT_EQ(byte_at(bytes, 0), 15u);
    EXPECT_EQ(u32_at(bytes, 1), 0x80030201u);
    EXPECT_EQ(byte_at(bytes, 5), 1u);
    EXPECT_EQ(byte_at(bytes, 6), 5u);
    EXPECT_EQ(byte_at(bytes, 7), 2u);
    EXPECT_EQ(u32_at(bytes, 8), 0xdeadbeefu);
    EXPECT_EQ(u32_at(bytes, 12), 0x4090u);
}

TEST(CommandsTest, PackedWritesHaveTheirFieldsWhereTheFactsSay) {
    Bytes packed = fresh();
    encode(packed.data(), WritePacked{kPackedMulticast | kPackedNoStride, 64, 1, 120, 0x500});
    EXPECT_EQ(byte_at(packed, 0), 5u);
    EXPECT_EQ(byte_at(packed, 1), 3u);
    EXPECT_EQ(u16_at(packed, 2), 64u);
    EXPECT_EQ(u16_at(packed, 4), 1u);
    EXPECT_EQ(u16_at(packed, 6), 120u);
    EXPECT_EQ(u32_at(packed, 8), 0x500u);
    Bytes large = fresh();
    encode(large.data(), WritePackedLarge{35, 32, 2});
    EXPECT_EQ(byte_at(large, 0), 6u);
    EXPECT_EQ(u16_at(large, 2), 35u);
    EXPECT_EQ(u16_at(large, 4), 32u);
    EXPECT_EQ(u16_at(large, 6), 2u);
    Bytes sub = fresh();
    encode(sub.data(), WritePackedLargeSub{0x11223344, 0x600, 4080, 56, kPackedLargeUnlink});
    EXPECT_EQ(u32_at(sub, 0), 0x11223344u);
    EXPECT_EQ(u32_at(sub, 4), 0x600u);
    EXPECT_EQ(u16_at(sub, 8), 4080u);
    EXPECT_EQ(byte_at(sub, 10), 56u);
    EXPECT_EQ(byte_at(sub, 11), 1u);
    EXPECT_EQ(byte_at(sub, 12), 0xeeu);  // a sub-command is 12 bytes
}

TEST(CommandsTest, RingBufferCommandsHaveTheirFieldsWhereTheFactsSay) {
    Bytes load = fresh();
    encode(load.data(), PagedToRingbuffer{kRingbufferResetToStart, 11, 7, 4096, 0x12340, 4064});
    EXPECT_EQ(byte_at(load, 0), 11u);
    EXPECT_EQ(byte_at(load, 1), 1u);
    EXPECT_EQ(byte_at(load, 2), 11u);
    EXPECT_EQ(byte_at(load, 3), 7u);
    EXPECT_EQ(u32_at(load, 4), 4096u);
    EXPECT_EQ(u32_at(load, 8), 0x12340u);
    EXPECT_EQ(u32_at(load, 12), 4064u);
    Bytes offset = fresh();
    encode(offset.data(), SetRingbufferOffset{0x11223344, 1});
    EXPECT_EQ(byte_at(offset, 0), 12u);
    EXPECT_EQ(u32_at(offset, 1), 0x11223344u);  // no natural alignment
    EXPECT_EQ(byte_at(offset, 8), 1u);
    Bytes relay = fresh();
    encode(relay.data(), RelayRingbuffer{52, 448});
    EXPECT_EQ(byte_at(relay, 0), 13u);
    EXPECT_EQ(u16_at(relay, 2), 52u);
    EXPECT_EQ(u32_at(relay, 4), 448u);
    Bytes sub = fresh();
    encode(sub.data(), RelayRingbufferSub{64, 2048});
    EXPECT_EQ(u32_at(sub, 0), 64u);
    EXPECT_EQ(u32_at(sub, 4), 2048u);
    EXPECT_EQ(byte_at(sub, 8), 0xeeu);  // a sub-command is 8 bytes
}

TEST(CommandsTest, DebugAndLinearRelayHaveTheirFieldsWhereTheFactsSay) {
    Bytes linear = fresh();
    encode(linear.data(), RelayLinear{0x305, 0x2000, 4096});
    EXPECT_EQ(byte_at(linear, 0), 1u);
    EXPECT_EQ(u32_at(linear, 4), 0x305u);
    EXPECT_EQ(u32_at(linear, 8), 0x2000u);
    EXPECT_EQ(u32_at(linear, 12), 4096u);
    for (const std::uint32_t id : {9u, 10u}) {
        Bytes debug = fresh();
        const Debug command{0x1234, 0xdeadbeef, 64, 96};
        if (id == 9)
            encode(debug.data(), PrefetchId::debug, command);
        else
            encode(debug.data(), DispatchId::debug, command);
        EXPECT_EQ(byte_at(debug, 0), id);
        EXPECT_EQ(u16_at(debug, 2), 0x1234u);
        EXPECT_EQ(u32_at(debug, 4), 0xdeadbeefu);
        EXPECT_EQ(u32_at(debug, 8), 64u);
        EXPECT_EQ(u32_at(debug, 12), 96u);
    }
}

TEST(CommandsTest, DecodeGivesBackWhatWasEncoded) {
    Bytes b = fresh();
    encode(b.data(), RelayPagedPacked{35, 70000, 448});
    RelayPagedPacked packed;
    decode(b.data(), packed);
    EXPECT_EQ(packed.count, 35u);
    EXPECT_EQ(packed.total_length, 70000u);
    EXPECT_EQ(packed.stride, 448u);

    encode(b.data(), RelayPagedPackedSub{11, 12, 0x80000000u, 9728});
    RelayPagedPackedSub sub;
    decode(b.data(), sub);
    EXPECT_EQ(sub.start_page, 11u);
    EXPECT_EQ(sub.log_page_size, 12u);
    EXPECT_EQ(sub.base_addr, 0x80000000u);
    EXPECT_EQ(sub.length, 9728u);

    encode(b.data(), ExecBuf{0x1e00000, 10, 8191});
    ExecBuf exec_buf;
    decode(b.data(), exec_buf);
    EXPECT_EQ(exec_buf.base_addr, 0x1e00000u);
    EXPECT_EQ(exec_buf.log_page_size, 10u);
    EXPECT_EQ(exec_buf.pages, 8191u);

    encode(b.data(), DispatchId::write_linear, WriteLinear{0, 2, 0x305, 0x2000, 4096});
    WriteLinear linear;
    decode(b.data(), linear);
    EXPECT_EQ(linear.write_offset_index, 2u);
    EXPECT_EQ(linear.noc_xy_addr, 0x305u);
    EXPECT_EQ(linear.addr, 0x2000u);
    EXPECT_EQ(linear.length, 4096u);

    encode(b.data(), WritePaged{1, 0xffff, 0x400, 2048, 9});
    WritePaged paged;
    decode(b.data(), paged);
    EXPECT_EQ(paged.start_page, 0xffffu);
    EXPECT_EQ(paged.pages, 9u);

    encode(b.data(), SetWriteOffset{{0, 0x2000, 0x3000}});
    SetWriteOffset offsets;
    decode(b.data(), offsets);
    EXPECT_EQ(offsets.offset[1], 0x2000u);
    EXPECT_EQ(offsets.offset[2], 0x3000u);

    encode(b.data(), Delay{77});
    Delay delay;
    decode(b.data(), delay);
    EXPECT_EQ(delay.iterations, 77u);

    encode(b.data(), NotifySubordinateGoSignal{1, 0x8001});
    NotifySubordinateGoSignal notify;
    decode(b.data(), notify);
    EXPECT_EQ(notify.wait, 1u);
    EXPECT_EQ(notify.index_bitmask, 0x8001u);

    encode(b.data(), SetNumWorkerSems{8});
    SetNumWorkerSems sems;
    decode(b.data(), sems);
    EXPECT_EQ(sems.num_worker_sems, 8u);

    encode(b.data(), PackedMulticastSub{0xabcdef, 64});
    PackedMulticastSub receiver;
    decode(b.data(), receiver);
    EXPECT_EQ(receiver.noc_xy_addr, 0xabcdefu);
    EXPECT_EQ(receiver.num_mcast_dests, 64u);
}

TEST(CommandsTest, MulticastCoordinatesHoldBothCorners) {
    EXPECT_EQ(multicast_xy(1, 2, 8, 7), 8u | 7u << 6 | 1u << 12 | 2u << 18);
}

TEST(CommandsTest, EveryIdHasAName) {
    for (int id = 0; id < static_cast<int>(PrefetchId::kCount); id++)
        EXPECT_NE(name_of(static_cast<PrefetchId>(id)), "UNKNOWN");
    for (int id = 0; id < static_cast<int>(DispatchId::kCount); id++)
        EXPECT_NE(name_of(static_cast<DispatchId>(id)), "UNKNOWN");
    EXPECT_EQ(name_of(PrefetchId::relay_inline_noflush), "RELAY_INLINE_NOFLUSH");
    EXPECT_EQ(name_of(PrefetchId::relay_ringbuffer), "RELAY_RINGBUFFER");
    EXPECT_EQ(name_of(DispatchId::set_go_signal_noc_data), "SET_GO_SIGNAL_NOC_DATA");
    EXPECT_EQ(name_of(static_cast<DispatchId>(200)), "UNKNOWN");
}

}  // namespace
}  // namespace cqfuzz::rt
