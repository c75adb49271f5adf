// Dispatch commands of the late-2024 generation, as this firmware reads them: little endian, packed.
#pragma once

#include <cstdint>

enum SampleCommandId : uint8_t {
    SAMPLE_WRITE_LINEAR = 1,
    SAMPLE_WRITE_LINEAR_H = 2,
    SAMPLE_WRITE_LINEAR_H_HOST = 3,
    SAMPLE_WRITE_PAGED = 4,
    SAMPLE_WRITE_PACKED = 5,
    SAMPLE_WRITE_PACKED_LARGE = 6,
    SAMPLE_WAIT = 7,
    SAMPLE_EXEC_BUF_END = 12,
    SAMPLE_SET_WRITE_OFFSET = 13,
    SAMPLE_TERMINATE = 14,
    SAMPLE_SEND_GO_SIGNAL = 15,
    SAMPLE_SET_NUM_WORKER_SEMS = 17,
    SAMPLE_SET_GO_SIGNAL_NOC_DATA = 18,
};

struct SampleWriteLinear {
    uint8_t num_mcast_dests;
    uint8_t write_offset_index;
    uint8_t pad;
    uint32_t noc_xy;
    uint32_t addr;
    uint32_t length;
} __attribute__((packed));

struct SampleWriteHost {
    uint8_t is_event;
    uint8_t pad[10];
    uint32_t length;  // these 16 bytes included
} __attribute__((packed));

struct SampleWritePaged {
    uint8_t is_dram;
    uint16_t start_page;
    uint32_t base_addr;
    uint32_t page_size;
    uint32_t pages;
} __attribute__((packed));

struct SampleWritePacked {
    uint8_t flags;
    uint16_t count;
    uint16_t write_offset_index;
    uint16_t size;
    uint32_t addr;
} __attribute__((packed));

struct SampleWritePackedLarge {
    uint8_t pad;
    uint16_t count;
    uint16_t alignment;
    uint16_t write_offset_index;
} __attribute__((packed));

struct SampleLargeSub {
    uint32_t noc_xy;
    uint32_t addr;
    uint16_t length;
    uint8_t num_mcast_dests;
    uint8_t flags;
} __attribute__((packed));

struct SampleWait {
    uint8_t barrier;
    uint8_t notify_prefetch;
    uint8_t clear_count;
    uint8_t wait;
    uint8_t pad[3];
    uint32_t addr;
    uint32_t count;
} __attribute__((packed));

struct SampleGo {
    uint32_t go_signal;
    uint8_t num_mcast_txns;
    uint8_t num_unicast_txns;
    uint8_t noc_data_start_index;
    uint32_t wait_count;
    uint32_t wait_addr;
} __attribute__((packed));

struct SampleWords {
    uint8_t pad[3];
    uint32_t word[3];
} __attribute__((packed));

struct SampleCommand {
    uint8_t id;
    union {
        SampleWriteLinear linear;
        SampleWriteHost host;
        SampleWritePaged paged;
        SampleWritePacked packed;
        SampleWritePackedLarge packed_large;
        SampleWait wait;
        SampleGo go;
        SampleWords words;
    };
} __attribute__((packed));
static_assert(sizeof(SampleCommand) == 16, "a command is 16 bytes");
