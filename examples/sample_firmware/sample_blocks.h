// The dispatcher's side to its ring. It counts its writes by ring block (facts §4.2): a block goes back when
// as many writes have departed as had been issued when it was left. So whatever is sent out of a block is
// sent, and counted, before the next one is taken.
#pragma once

#include "sample_rings.h"

constexpr uint32_t dispatch_cb_base = get_compile_time_arg_val(0);
constexpr uint32_t dispatch_cb_log_page_size = get_compile_time_arg_val(1);
constexpr uint32_t dispatch_cb_pages = get_compile_time_arg_val(2);
constexpr uint32_t my_dispatch_cb_sem_id = get_compile_time_arg_val(3);
constexpr uint32_t upstream_dispatch_cb_sem_id = get_compile_time_arg_val(4);
constexpr uint32_t dispatch_cb_blocks = get_compile_time_arg_val(5);
constexpr uint32_t dispatch_cb_page_size = 1u << dispatch_cb_log_page_size;
constexpr uint32_t dispatch_cb_end = dispatch_cb_base + (dispatch_cb_pages << dispatch_cb_log_page_size);
constexpr uint32_t dispatch_cb_pages_per_block = dispatch_cb_pages / dispatch_cb_blocks;
constexpr uint32_t block_size = dispatch_cb_pages_per_block << dispatch_cb_log_page_size;
constexpr uint32_t upstream_noc_xy = uint32_t(NOC_XY_ENCODING(UPSTREAM_NOC_X, UPSTREAM_NOC_Y));

static uint32_t cb_fence = dispatch_cb_base;  // end of the pages taken
static uint32_t pages_available = 0;
static uint32_t rd_block_idx = 0;  // holds the last page taken
static uint32_t wr_block_idx = 0;  // the oldest one that is not given back
static uint32_t block_next_start_addr[dispatch_cb_blocks];
static uint32_t block_noc_writes_to_clear[dispatch_cb_blocks];

static void init_blocks() {
    for (uint32_t block = 0; block < dispatch_cb_blocks; block++)
        block_next_start_addr[block] = dispatch_cb_base + (block + 1) * block_size;
    block_noc_writes_to_clear[0] = noc_nonposted_writes_num_issued[noc_index] + 1;
}

static uint32_t writes_sent() { return NOC_STATUS_READ_REG(noc_index, NIU_MST_NONPOSTED_WR_REQ_SENT); }

FORCE_INLINE bool has_departed(uint32_t block, uint32_t sent) {
    return static_cast<int32_t>(sent - block_noc_writes_to_clear[block]) >= 0;
}

// Gives back what has departed. Twice with the same count, or the reader could stay a block behind for
// ever. The block being read never looks complete: its count is one too high.
static void cb_block_release_pages() {
    const uint32_t sent = writes_sent();
    for (uint32_t i = 0; i < 2; i++) {
        if (!has_departed(wr_block_idx, sent)) return;
        cb_release_pages<upstream_noc_xy, upstream_dispatch_cb_sem_id>(dispatch_cb_pages_per_block);
        wr_block_idx = (wr_block_idx + 1) & (dispatch_cb_blocks - 1);
    }
}

// The fence is at the end of the block: what follows comes out of the next one.
static void move_rd_to_next_block(uint32_t& data_ptr) {
    const uint32_t next = (rd_block_idx + 1) & (dispatch_cb_blocks - 1);
    // A whole lap behind: the count of the oldest block is still needed.
    WAYPOINT("DLW");
    while (next == wr_block_idx) cb_block_release_pages();
    WAYPOINT("DLD");
    const uint32_t writes = block_noc_writes_to_clear[rd_block_idx];
    block_noc_writes_to_clear[rd_block_idx] = writes - 1;
    block_noc_writes_to_clear[next] = writes;
    rd_block_idx = next;
    if (cb_fence == dispatch_cb_end) cb_fence = data_ptr = dispatch_cb_base;
}

static void get_cb_page() {
    const uint32_t room = (block_next_start_addr[rd_block_idx] - cb_fence) >> dispatch_cb_log_page_size;
    // What departs while nothing comes has to go back, or the prefetcher may wait for it for ever.
    const uint32_t pages = cb_take_ready_pages<my_dispatch_cb_sem_id>(pages_available, room, cb_block_release_pages);
    cb_fence += pages << dispatch_cb_log_page_size;
}

FORCE_INLINE bool fence_at_block_end() { return cb_fence == block_next_start_addr[rd_block_idx]; }

// Must what is left of a block go out before the block is left?
FORCE_INLINE bool orphan_goes_first() {
#ifdef SAMPLE_LATE_ORPHAN
    return cb_fence == dispatch_cb_end;
#else
    return true;
#endif
}

// Makes `length` bytes, at most a page, readable at data_ptr. Where they straddle the end of a block,
// send_orphan(n) is called for the n of them that the block ends with, and they are done.
template <bool release_blocks, class SendOrphan>
FORCE_INLINE void get_bytes(uint32_t& data_ptr, uint32_t& length, SendOrphan send_orphan) {
    if (data_ptr + length <= cb_fence) return;
    if (fence_at_block_end()) {
        const uint32_t orphan = cb_fence - data_ptr;
        if (orphan != 0 && orphan_goes_first()) {
            send_orphan(orphan);
            data_ptr += orphan;
            length -= orphan;
        }
        move_rd_to_next_block(data_ptr);
    }
    get_cb_page();
    if (release_blocks) cb_block_release_pages();
}

static void skip_bytes(uint32_t& data_ptr, uint32_t length) {
    while (length > cb_fence - data_ptr) {
        length -= cb_fence - data_ptr;
        data_ptr = cb_fence;
        if (fence_at_block_end()) move_rd_to_next_block(data_ptr);
        get_cb_page();
    }
    data_ptr += length;
}
