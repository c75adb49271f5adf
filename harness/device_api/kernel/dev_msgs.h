// Mailboxes of base firmware (facts §6.3), as far as dispatch kernels look into them. On a dispatch core
// nobody writes them here: all zero at the start of a run.
#pragma once

#include <cstdint>

inline constexpr std::uint8_t RUN_MSG_INIT = 0x40;
inline constexpr std::uint8_t RUN_MSG_GO = 0x80;
inline constexpr std::uint8_t RUN_MSG_RESET_READ_PTR = 0xc0;
inline constexpr std::uint8_t RUN_MSG_RESET_READ_PTR_FROM_HOST = 0xe0;
inline constexpr std::uint8_t RUN_MSG_REPLAY_TRACE = 0xf0;
inline constexpr std::uint8_t RUN_MSG_DONE = 0;
inline constexpr std::uint32_t launch_msg_buffer_num_entries = 8;

struct go_msg_t {
    std::uint8_t dispatch_message_offset;
    std::uint8_t master_x;
    std::uint8_t master_y;
    std::uint8_t signal;
};
struct kernel_config_msg_t {
    std::uint32_t kernel_config_base[3];
    std::uint16_t sem_offset[3];
    std::uint8_t mode;
    std::uint8_t enables;
    std::uint8_t brisc_noc_id;
    std::uint8_t preload;
    std::uint16_t pad;
};
struct launch_msg_t {
    kernel_config_msg_t kernel_config;
};
struct watcher_msg_t {
    std::uint32_t enable;
    std::uint32_t debug_waypoint[5];
};
struct mailboxes_t {
    std::uint32_t ncrisc_halt[2];
    std::uint32_t slave_sync;
    std::uint32_t launch_msg_rd_ptr;
    launch_msg_t launch[launch_msg_buffer_num_entries];
    go_msg_t go_message;
    watcher_msg_t watcher;
};
static_assert(sizeof(go_msg_t) == 4 && sizeof(mailboxes_t) < 0xf00, "below what dispatch uses");

#ifdef CQFUZZ_L1
#define MEM_MAILBOX_BASE (CQFUZZ_L1 + 0x100u)
#define MEM_IERISC_MAILBOX_BASE MEM_MAILBOX_BASE
#define GET_MAILBOX_ADDRESS_DEV(member) (&(reinterpret_cast<mailboxes_t tt_l1_ptr*>(MEM_MAILBOX_BASE)->member))
#endif
