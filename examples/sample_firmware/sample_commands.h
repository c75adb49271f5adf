// Commands of the mid-2024 generation as this firmware reads them: packed, little endian, the id in
// byte 0 (facts §2). Prefetch commands begin at multiples of 32 bytes, dispatch commands at pages.
#pragma once

#include <cstdint>

enum SamplePrefetchId : uint8_t {
    PREFETCH_RELAY_LINEAR = 1,
    PREFETCH_RELAY_PAGED = 2,
    PREFETCH_RELAY_PAGED_PACKED = 3,
    PREFETCH_RELAY_INLINE = 4,
    PREFETCH_RELAY_INLINE_NOFLUSH = 5,
    PREFETCH_EXEC_BUF = 6,
    PREFETCH_EXEC_BUF_END = 7,
    PREFETCH_STALL = 8,
    PREFETCH_DEBUG = 9,
    PREFETCH_WAIT_FOR_EVENT = 10,
    PREFETCH_TERMINATE = 11,
};

enum SampleDispatchId : uint8_t {
    DISPATCH_WRITE_LINEAR = 1,
    DISPATCH_WRITE_LINEAR_H = 2,
    DISPATCH_WRITE_LINEAR_H_HOST = 3,
    DISPATCH_WRITE_PAGED = 4,
    DISPATCH_WRITE_PACKED = 5,
    DISPATCH_WRITE_PACKED_LARGE = 6,
    DISPATCH_WAIT = 7,
    DISPATCH_GO = 8,
    DISPATCH_SINK = 9,
    DISPATCH_DEBUG = 10,
    DISPATCH_DELAY = 11,
    DISPATCH_EXEC_BUF_END = 12,
    DISPATCH_REMOTE_WRITE = 13,
    DISPATCH_TERMINATE = 14,
};

constexpr uint32_t command_bytes = 16;
constexpr uint32_t prefetch_command_unit = 32;
constexpr uint32_t packed_sub_commands_max = 35;
constexpr uint8_t packed_flag_multicast = 1;
constexpr uint8_t packed_flag_no_stride = 2;

struct RelayLinearFields {
    uint8_t pad[3];
    uint32_t noc_xy;
    uint32_t addr;
    uint32_t length;
} __attribute__((packed));

struct RelayPagedFields {
    uint8_t page_flags;  // start page in bits 0..3, DRAM in bit 4
    uint16_t length_adjust;
    uint32_t base_addr;
    uint32_t page_size;
    uint32_t pages;
} __attribute__((packed));

struct RelayPagedPackedFields {
    uint8_t pad;
    uint16_t count;
    uint32_t total_length;
    uint32_t stride;
    uint32_t pad2;
} __attribute__((packed));

struct RelayPagedPackedSub {
    uint16_t start_page;
    uint16_t log_page_size;
    uint32_t base_addr;
    uint32_t length;
} __attribute__((packed));

struct RelayInlineFields {
    uint8_t pad[3];
    uint32_t length;
    uint32_t stride;
    uint32_t pad2;
} __attribute__((packed));

struct ExecBufFields {
    uint8_t pad[3];
    uint32_t base_addr;
    uint32_t log_page_size;
    uint32_t pages;
} __attribute__((packed));

struct DebugFields {
    uint8_t pad;
    uint16_t key;
    uint32_t checksum;  // of the payload's words, which follow
    uint32_t size;
    uint32_t stride;  // to the next command
} __attribute__((packed));

struct WriteLinearFields {
    uint8_t num_mcast_dests;
    uint8_t pad[2];
    uint32_t noc_xy;
    uint32_t addr;
    uint32_t length;
} __attribute__((packed));

struct WriteHostFields {
    uint8_t is_event;
    uint8_t pad[10];
    uint32_t length;  // these 16 bytes included
} __attribute__((packed));

struct WritePagedFields {
    uint8_t is_dram;
    uint16_t start_page;
    uint32_t base_addr;
    uint32_t page_size;
    uint32_t pages;
} __attribute__((packed));

struct WritePackedFields {
    uint8_t flags;
    uint16_t count;
    uint16_t pad;
    uint16_t size;
    uint32_t addr;
    uint32_t pad2;
} __attribute__((packed));

struct WritePackedLargeFields {
    uint8_t pad;
    uint16_t count;
    uint16_t alignment;
    uint8_t pad2[10];
} __attribute__((packed));

struct WritePackedLargeSub {
    uint32_t noc_xy;
    uint32_t addr;
    uint16_t length;
    uint8_t num_mcast_dests;
    uint8_t pad;
} __attribute__((packed));

struct WaitFields {
    uint8_t barrier;
    uint8_t notify_prefetch;
    uint8_t clear_count;
    uint8_t wait;
    uint8_t pad[3];
    uint32_t addr;
    uint32_t count;
} __attribute__((packed));

struct DelayFields {
    uint8_t pad[3];
    uint32_t iterations;
    uint32_t pad2[2];
} __attribute__((packed));

struct RemoteWriteFields {
    uint8_t pad[3];
    uint32_t data;
    uint32_t noc_xy;
    uint32_t addr;
} __attribute__((packed));

struct PrefetchCommand {
    uint8_t id;
    union {
        RelayLinearFields linear;
        RelayPagedFields paged;
        RelayPagedPackedFields packed;
        RelayInlineFields in_line;
        ExecBufFields exec_buf;
        DebugFields debug;
    };
} __attribute__((packed));

struct DispatchCommand {
    uint8_t id;
    union {
        WriteLinearFields linear;
        WriteHostFields host;
        WritePagedFields paged;
        WritePackedFields packed;
        WritePackedLargeFields packed_large;
        WaitFields wait;
        DelayFields delay;
        RemoteWriteFields remote;
        DebugFields debug;
    };
} __attribute__((packed));

static_assert(sizeof(PrefetchCommand) == command_bytes, "a prefetch command has 16 bytes");
static_assert(sizeof(DispatchCommand) == command_bytes, "a dispatch command has 16 bytes");
static_assert(sizeof(RelayPagedPackedSub) == 12 && sizeof(WritePackedLargeSub) == 12, "3 words each");
