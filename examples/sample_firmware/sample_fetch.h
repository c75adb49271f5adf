// The prefetcher's side to the host: slots of the issue queue come to cmddat_q as prefetch_q names them
// (facts §4.7). Commands lie from cmd_ptr to the fence; at most one read is on its way behind it.
#pragma once

#include "sample_rings.h"

constexpr uint32_t pcie_base = get_compile_time_arg_val(5);
constexpr uint32_t pcie_size = get_compile_time_arg_val(6);
constexpr uint32_t prefetch_q_base = get_compile_time_arg_val(7);
constexpr uint32_t prefetch_q_size = get_compile_time_arg_val(8);
constexpr uint32_t prefetch_q_rd_ptr_addr = get_compile_time_arg_val(9);
constexpr uint32_t prefetch_q_pcie_rd_ptr_addr = get_compile_time_arg_val(10);
constexpr uint32_t cmddat_q_base = get_compile_time_arg_val(11);
constexpr uint32_t cmddat_q_size = get_compile_time_arg_val(12);
constexpr uint32_t prefetch_q_end = prefetch_q_base + prefetch_q_size;
constexpr uint32_t cmddat_q_end = cmddat_q_base + cmddat_q_size;
constexpr uint32_t pcie_noc_xy = uint32_t(NOC_XY_PCIE_ENCODING(NOC_X(PCIE_NOC_X), NOC_Y(PCIE_NOC_Y), NOC_INDEX));
constexpr uint16_t entry_stall_flag = 0x8000;
constexpr uint32_t entry_log_unit = 4;

enum StallState : uint32_t { NOT_STALLED = 0, STALLED = 1, STALL_NEXT = 2 };

static uint32_t prefetch_q_rd_ptr = prefetch_q_base;
static uint32_t pcie_read_ptr = pcie_base;
static uint32_t pending_read_size = 0;
static StallState stall_state = NOT_STALLED;
static uint32_t cmd_ptr = cmddat_q_base;
static uint32_t fence = cmddat_q_base;

// Starts the read of a slot, behind the fence. Not while that would wrap over commands that are not done.
static void read_from_pcie(uint32_t size) {
    if (fence + size > cmddat_q_end) {
        if (cmd_ptr != fence) return;
        cmd_ptr = fence = cmddat_q_base;
    }
    if (pcie_read_ptr + size > pcie_base + pcie_size) pcie_read_ptr = pcie_base;
    noc_async_read(get_noc_addr_helper(pcie_noc_xy, pcie_read_ptr), fence, size);
    pending_read_size = size;
    pcie_read_ptr += size;

    *reinterpret_cast<volatile tt_l1_ptr uint16_t*>(prefetch_q_rd_ptr) = 0;
    prefetch_q_rd_ptr += sizeof(uint16_t);
    if (prefetch_q_rd_ptr == prefetch_q_end) prefetch_q_rd_ptr = prefetch_q_base;
    *l1_words(prefetch_q_pcie_rd_ptr_addr) = pcie_read_ptr;
    *l1_words(prefetch_q_rd_ptr_addr) = prefetch_q_rd_ptr;
}

static void land_pending_read() {
    noc_async_read_barrier();
    fence += pending_read_size;
    pending_read_size = 0;
}

static uint16_t look_at_prefetch_q() { return *reinterpret_cast<volatile tt_l1_ptr uint16_t*>(prefetch_q_rd_ptr); }

// A slot with the flag has EXEC_BUF at its end: it is here before anything runs, and nothing follows it.
static void fetch_slot(uint16_t entry) {
    const bool stall = (entry & entry_stall_flag) != 0;
    if (stall) stall_state = STALL_NEXT;
    read_from_pcie(static_cast<uint32_t>(entry & ~entry_stall_flag) << entry_log_unit);
    if (stall) {
        if (pending_read_size == 0) {
            stall_state = NOT_STALLED;  // it would not fit: later
            return;
        }
        land_pending_read();
        stall_state = STALLED;
    }
}

// Returns with a command at cmd_ptr.
static void fetch_q_get_cmds() {
    if (stall_state == STALLED) {
        ASSERT(cmd_ptr != fence);
        return;
    }
    for (;;) {
        const bool cmd_ready = cmd_ptr != fence;
        if (cmd_ready && pending_read_size != 0) return;
        const uint16_t entry = look_at_prefetch_q();
        if (cmd_ready) {
            if (entry != 0) fetch_slot(entry);
            return;
        }
        if (pending_read_size != 0) {
            land_pending_read();
            const uint16_t next = look_at_prefetch_q();
            if (next != 0) fetch_slot(next);
            return;
        }
        if (entry != 0) {
            fetch_slot(entry);
            if (pending_read_size != 0) land_pending_read();
            return;
        }
        WAYPOINT("HQW");
        uint32_t heartbeat = 0;
        while (look_at_prefetch_q() == 0) {
            IDLE_ERISC_HEARTBEAT_AND_RETURN(heartbeat);
            POST_HEARTBEAT(heartbeat);
        }
        WAYPOINT("HQD");
    }
}
