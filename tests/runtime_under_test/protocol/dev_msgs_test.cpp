// Goal: go and launch messages have the fields of facts §6.3 at fixed places, since base firmware
// patches two in place.
#include "runtime_under_test/protocol/dev_msgs.hpp"

#include <gtest/gtest.h>

#include <array>

namespace cqfuzz::rt {
namespace {

TEST(DevMsgsTest, GoMessageIsOneWordWithTheSignalOnTop) {
    const std::uint32_t word = encode(GoMessage{2, 3, 13, kGoGo});
    EXPECT_EQ(word, 0x800d0302u);
    const GoMessage back = decode_go(word);
    EXPECT_EQ(back.dispatch_message_offset, 2u);
    EXPECT_EQ(back.master_x, 3u);
    EXPECT_EQ(back.master_y, 13u);
    EXPECT_EQ(back.signal, kGoGo);
}

TEST(DevMsgsTest, LaunchMessageComesBackAndKeepsEnablesAndPreloadInPlace) {
    LaunchMessage message;
    message.kernel_config_base = 0x2040;
    message.sem_offset = 0x100;
    message.local_cb_offset = 0x200;
    for (std::uint32_t p = 0; p < kProcessors; p++) {
        message.rta_offset[p] = static_cast<std::uint16_t>(16 * p);
        message.crta_offset[p] = static_cast<std::uint16_t>(0x80 + 16 * p);
        message.kernel_text_offset[p] = 0x11000 + p;
        message.kernel_text_bytes[p] = 0x22000 + p;
    }
    message.local_cb_mask = 0x80000001;
    message.mode = kModeDev;
    message.enables = 0x1f;
    message.preload = 0x80;
    message.host_assigned_id = 0xcafe;

    std::array<std::byte, kLaunchMessageBytes + 1> bytes;
    bytes.fill(std::byte{0xee});
    encode(bytes.data(), message);
    EXPECT_EQ(bytes[kLaunchEnablesOffset], std::byte{0x1f});
    EXPECT_EQ(bytes[kLaunchPreloadOffset], std::byte{0x80});
    EXPECT_EQ(bytes[kLaunchMessageBytes - 1], std::byte{0});
    EXPECT_EQ(bytes[kLaunchMessageBytes], std::byte{0xee});

    LaunchMessage back;
    decode(bytes.data(), back);
    EXPECT_EQ(back.kernel_config_base, message.kernel_config_base);
    EXPECT_EQ(back.sem_offset, message.sem_offset);
    EXPECT_EQ(back.local_cb_offset, message.local_cb_offset);
    for (std::uint32_t p = 0; p < kProcessors; p++) {
        EXPECT_EQ(back.rta_offset[p], message.rta_offset[p]);
        EXPECT_EQ(back.crta_offset[p], message.crta_offset[p]);
        EXPECT_EQ(back.kernel_text_offset[p], message.kernel_text_offset[p]);
        EXPECT_EQ(back.kernel_text_bytes[p], message.kernel_text_bytes[p]);
    }
    EXPECT_EQ(back.local_cb_mask, message.local_cb_mask);
    EXPECT_EQ(back.mode, message.mode);
    EXPECT_EQ(back.enables, message.enables);
    EXPECT_EQ(back.host_assigned_id, message.host_assigned_id);
}

}  // namespace
}  // namespace cqfuzz::rt
