// A dispatcher of the mid-2024 generation beside the host (dispatch_hd): executes the commands that the
// prefetcher puts into its ring. Written from the facts in the style of the kernels of that time; nothing
// of cqfuzz is in it.
//
// -DSAMPLE_LATE_ORPHAN keeps that rule at the ring's end alone (facts §12.3): at the ends of other blocks,
// what straddles goes out as one write after the move, and counts for the new block.
#include "core_config.h"
#include "dataflow_api.h"
#include "debug/assert.h"
#include "debug/dprint.h"
#include "debug/waypoint.h"
#include "dispatch_address_map.hpp"
#include "noc/noc_parameters.h"
#include "noc_nonblocking_api.h"
#include "risc_attribs.h"
#include "sample_blocks.h"
#include "sample_commands.h"
#include "sample_rings.h"

// 0 … 5: the ring (sample_blocks.h).
constexpr uint32_t upstream_sync_sem = get_compile_time_arg_val(6);
constexpr uint32_t command_queue_base_addr = get_compile_time_arg_val(7);
constexpr uint32_t completion_queue_base_addr = get_compile_time_arg_val(8);
constexpr uint32_t completion_queue_size = get_compile_time_arg_val(9);
// 10 … 14: the ring of a dispatcher behind this one (dispatch_d).
constexpr uint32_t split_prefetch = get_compile_time_arg_val(15);
constexpr uint32_t prefetch_h_noc_xy = get_compile_time_arg_val(16);
constexpr uint32_t prefetch_h_local_downstream_sem_addr = get_compile_time_arg_val(17);
constexpr uint32_t prefetch_h_max_credits = get_compile_time_arg_val(18);
constexpr uint32_t packed_write_max_unicast_sub_cmds = get_compile_time_arg_val(19);
constexpr uint32_t is_d_variant = get_compile_time_arg_val(20);
constexpr uint32_t is_h_variant = get_compile_time_arg_val(21);
static_assert(is_d_variant != 0 && is_h_variant != 0, "this kernel does both halves");

constexpr uint32_t pcie_noc_xy = uint32_t(NOC_XY_PCIE_ENCODING(NOC_X(PCIE_NOC_X), NOC_Y(PCIE_NOC_Y), NOC_INDEX));

constexpr uint32_t completion_page_size = 4096;
constexpr uint32_t completion_queue_end = completion_queue_base_addr + completion_queue_size;
constexpr uint32_t completion_toggle_bit = 1u << 31;

constexpr uint32_t large_sub_command_words = sizeof(WritePackedLargeSub) / sizeof(uint32_t);
constexpr uint32_t cache_words_of_large = packed_sub_commands_max * large_sub_command_words;
constexpr uint32_t l1_cache_words =
    round_up_to_step(cache_words_of_large > packed_write_max_unicast_sub_cmds ? cache_words_of_large
                                                                             : packed_write_max_unicast_sub_cmds) +
    careful_copy_slack;

static uint32_t cmd_ptr = dispatch_cb_base;
static uint32_t l1_cache[l1_cache_words];

static uint32_t completion_wr_ptr;  // bytes
static uint32_t completion_wr_toggle;
static uint32_t completion_page_used = 0;

// --- writes

FORCE_INLINE volatile tt_l1_ptr DispatchCommand* command_at(uint32_t address) {
    return reinterpret_cast<volatile tt_l1_ptr DispatchCommand*>(address);
}

FORCE_INLINE void write_one(uint32_t source, uint32_t noc_xy, uint32_t addr, uint32_t length, uint32_t num_mcast_dests) {
    if (num_mcast_dests == 0)
        noc_async_write<dispatch_cb_page_size>(source, get_noc_addr_helper(noc_xy, addr), length);
    else
        noc_async_write_multicast<dispatch_cb_page_size>(source, get_noc_addr_helper(noc_xy, addr), length, num_mcast_dests);
    block_noc_writes_to_clear[rd_block_idx]++;
}

// A payload of any length to one place, a page at a time.
template <bool release_blocks>
static void write_bytes(uint32_t& data_ptr, uint32_t noc_xy, uint32_t addr, uint32_t length, uint32_t num_mcast_dests) {
    while (length != 0) {
        uint32_t xfer = length < dispatch_cb_page_size ? length : dispatch_cb_page_size;
        length -= xfer;
        get_bytes<release_blocks>(data_ptr, xfer, [&](uint32_t orphan) {
            write_one(data_ptr, noc_xy, addr, orphan, num_mcast_dests);
            addr += orphan;
        });
        write_one(data_ptr, noc_xy, addr, xfer, num_mcast_dests);
        addr += xfer;
        data_ptr += xfer;
    }
}

static void process_write_linear() {
    volatile tt_l1_ptr DispatchCommand* cmd = command_at(cmd_ptr);
    const uint32_t noc_xy = cmd->linear.noc_xy;
    const uint32_t addr = cmd->linear.addr;
    const uint32_t length = cmd->linear.length;
    const uint32_t num_mcast_dests = cmd->linear.num_mcast_dests;
    uint32_t data_ptr = cmd_ptr + command_bytes;
    write_bytes<true>(data_ptr, noc_xy, addr, length, num_mcast_dests);
    cmd_ptr = data_ptr;
}

template <bool is_dram>
static void process_write_paged() {
    volatile tt_l1_ptr DispatchCommand* cmd = command_at(cmd_ptr);
    uint32_t page_id = cmd->paged.start_page;
    const uint32_t page_size = cmd->paged.page_size;
    uint32_t pages = cmd->paged.pages;
    const InterleavedAddrGen<is_dram> generator = {.bank_base_address = cmd->paged.base_addr, .page_size = page_size};
    uint32_t data_ptr = cmd_ptr + command_bytes;
    uint32_t page_offset = 0;
    while (pages != 0) {
        uint32_t xfer = page_size - page_offset;
        if (xfer > dispatch_cb_page_size) xfer = dispatch_cb_page_size;
        const uint32_t whole = xfer;
        uint64_t dst = generator.get_noc_addr(page_id, page_offset);
        get_bytes<true>(data_ptr, xfer, [&](uint32_t orphan) {
            noc_async_write<dispatch_cb_page_size>(data_ptr, dst, orphan);
            block_noc_writes_to_clear[rd_block_idx]++;
            dst += orphan;
        });
        noc_async_write<dispatch_cb_page_size>(data_ptr, dst, xfer);
        block_noc_writes_to_clear[rd_block_idx]++;
        data_ptr += xfer;
        page_offset += whole;
        if (page_offset == page_size) {
            page_offset = 0;
            page_id++;
            pages--;
        }
    }
    cmd_ptr = data_ptr;
}

// Registers that every write of a packed command keeps.
FORCE_INLINE void init_write_state(bool multicast, uint32_t length) {
    constexpr uint32_t unicast_ctrl = NOC_CMD_CPY | NOC_CMD_WR | NOC_CMD_VC_STATIC | NOC_CMD_STATIC_VC(NOC_UNICAST_WRITE_VC) | NOC_CMD_RESP_MARKED;
    constexpr uint32_t multicast_ctrl = NOC_CMD_CPY | NOC_CMD_WR | NOC_CMD_VC_STATIC | NOC_CMD_STATIC_VC(NOC_MULTICAST_WRITE_VC) |
                                        NOC_CMD_BRCST_PACKET | NOC_CMD_PATH_RESERVE | NOC_CMD_RESP_MARKED;
    while (!noc_cmd_buf_ready(noc_index, NCRISC_WR_CMD_BUF)) {
    }
    NOC_CMD_BUF_WRITE_REG(noc_index, NCRISC_WR_CMD_BUF, NOC_CTRL, multicast ? multicast_ctrl : unicast_ctrl);
    NOC_CMD_BUF_WRITE_REG(noc_index, NCRISC_WR_CMD_BUF, NOC_AT_LEN_BE, length);
}

FORCE_INLINE void write_length_state(uint32_t length) {
    while (!noc_cmd_buf_ready(noc_index, NCRISC_WR_CMD_BUF)) {
    }
    NOC_CMD_BUF_WRITE_REG(noc_index, NCRISC_WR_CMD_BUF, NOC_AT_LEN_BE, length);
}

FORCE_INLINE void write_with_state(uint32_t source, uint32_t noc_xy, uint32_t addr) {
    while (!noc_cmd_buf_ready(noc_index, NCRISC_WR_CMD_BUF)) {
    }
    NOC_CMD_BUF_WRITE_REG(noc_index, NCRISC_WR_CMD_BUF, NOC_TARG_ADDR_LO, source);
    NOC_CMD_BUF_WRITE_REG(noc_index, NCRISC_WR_CMD_BUF, NOC_RET_ADDR_LO, addr);
    NOC_CMD_BUF_WRITE_REG(noc_index, NCRISC_WR_CMD_BUF, NOC_RET_ADDR_COORDINATE, noc_xy);
    NOC_CMD_BUF_WRITE_REG(noc_index, NCRISC_WR_CMD_BUF, NOC_CMD_CTRL, NOC_CTRL_SEND_REQ);
}

template <bool multicast>
static void process_write_packed() {
    volatile tt_l1_ptr DispatchCommand* cmd = command_at(cmd_ptr);
    constexpr uint32_t sub_words = multicast ? 2 : 1;
    const uint32_t count = cmd->packed.count;
    const uint32_t size = cmd->packed.size;
    const uint32_t addr = cmd->packed.addr;
    const bool no_stride = (cmd->packed.flags & packed_flag_no_stride) != 0;
    ASSERT(size != 0 && size <= dispatch_cb_page_size);
    ASSERT(count * sub_words <= packed_write_max_unicast_sub_cmds);
    careful_copy_from_l1(l1_words(cmd_ptr + command_bytes), count * sub_words, l1_cache);

    uint32_t data_ptr = cmd_ptr + round_up_pow2(command_bytes + count * sub_words * sizeof(uint32_t), L1_ALIGNMENT);
    const uint32_t stride = no_stride ? 0 : round_up_pow2(size, L1_ALIGNMENT);
    uint32_t writes = 0;
    uint32_t acks = 0;
    const auto add_up = [&] {
        block_noc_writes_to_clear[rd_block_idx] += writes;
        noc_nonposted_writes_num_issued[noc_index] += writes;
        noc_nonposted_writes_acked[noc_index] += acks;
        writes = acks = 0;
    };
    init_write_state(multicast, size);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t noc_xy = l1_cache[i * sub_words];
        const uint32_t dests = multicast ? l1_cache[i * sub_words + sub_words - 1] : 1;
        uint32_t xfer = size;
        uint32_t dst = addr;
        if (data_ptr + xfer > cb_fence) {
            if (fence_at_block_end()) {
                const uint32_t orphan = cb_fence - data_ptr;
                if (orphan != 0 && orphan_goes_first()) {
                    write_length_state(orphan);
                    write_with_state(data_ptr, noc_xy, dst);
                    writes++;
                    acks += dests;
                    data_ptr += orphan;
                    dst += orphan;
                    xfer -= orphan;
                    write_length_state(xfer);
                }
                add_up();
                move_rd_to_next_block(data_ptr);
            }
            get_cb_page();
        }
        write_with_state(data_ptr, noc_xy, dst);
        writes++;
        acks += dests;
        if (xfer != size) write_length_state(size);
        data_ptr += no_stride ? 0 : stride - (size - xfer);
    }
    add_up();
    cb_block_release_pages();
    cmd_ptr = no_stride ? data_ptr + size : data_ptr;
}

static void process_write_packed_large() {
    volatile tt_l1_ptr DispatchCommand* cmd = command_at(cmd_ptr);
    const uint32_t count = cmd->packed_large.count;
    const uint32_t alignment = cmd->packed_large.alignment;
    ASSERT(count <= packed_sub_commands_max);
    careful_copy_from_l1(l1_words(cmd_ptr + command_bytes), count * large_sub_command_words, l1_cache);

    uint32_t data_ptr = cmd_ptr + round_up_pow2(command_bytes + count * sizeof(WritePackedLargeSub), L1_ALIGNMENT);
    for (uint32_t i = 0; i < count; i++) {
        WritePackedLargeSub sub;
        __builtin_memcpy(&sub, &l1_cache[i * large_sub_command_words], sizeof sub);
        write_bytes<false>(data_ptr, sub.noc_xy, sub.addr, sub.length, sub.num_mcast_dests);
        skip_bytes(data_ptr, round_up_pow2(sub.length, alignment) - sub.length);
        cb_block_release_pages();
    }
    cmd_ptr = data_ptr;
}

// --- the host's completion queue

static void wait_for_completion_page() {
    volatile tt_l1_ptr uint32_t* read_word = l1_words(CQ_COMPLETION_READ_PTR);
    WAYPOINT("QRBW");
    uint32_t read_ptr;
    uint32_t read_toggle;
    do {
        const uint32_t word = *read_word;
        read_ptr = (word & ~completion_toggle_bit) << 4;
        read_toggle = word & completion_toggle_bit;
    } while (read_ptr == completion_wr_ptr && read_toggle != completion_wr_toggle);
    WAYPOINT("QRBD");
}

// The page is full, or the command is done with it: the host may look at it.
static void push_completion_page() {
    completion_page_used = 0;
    completion_wr_ptr += completion_page_size;
    if (completion_wr_ptr == completion_queue_end) {
        completion_wr_ptr = completion_queue_base_addr;
        completion_wr_toggle ^= completion_toggle_bit;
    }
    *l1_words(CQ_COMPLETION_WRITE_PTR) = (completion_wr_ptr >> 4) | completion_wr_toggle;
    const uint64_t host = get_noc_addr_helper(pcie_noc_xy, command_queue_base_addr + HOST_CQ_COMPLETION_WRITE_PTR);
    noc_async_write<4>(CQ_COMPLETION_WRITE_PTR, host, 4);
    block_noc_writes_to_clear[rd_block_idx]++;
    // The word is written again for the next page.
    noc_async_writes_flushed();
}

static void process_write_host_h() {
    uint32_t length = command_at(cmd_ptr)->host.length;
    uint32_t data_ptr = cmd_ptr;  // the host gets the command too
    while (length != 0) {
        if (data_ptr == cb_fence) {
            if (fence_at_block_end()) move_rd_to_next_block(data_ptr);
            get_cb_page();
            cb_block_release_pages();
        }
        uint32_t xfer = cb_fence - data_ptr;
        if (xfer > length) xfer = length;
        if (completion_page_used == 0) wait_for_completion_page();
        const uint32_t room = completion_page_size - completion_page_used;
        if (xfer > room) xfer = room;
        noc_async_write<completion_page_size>(data_ptr, get_noc_addr_helper(pcie_noc_xy, completion_wr_ptr + completion_page_used), xfer);
        block_noc_writes_to_clear[rd_block_idx]++;
        completion_page_used += xfer;
        data_ptr += xfer;
        length -= xfer;
        if (completion_page_used == completion_page_size) push_completion_page();
    }
    if (completion_page_used != 0) push_completion_page();
    cmd_ptr = data_ptr;
}

// --- what moves no payload

static void process_wait() {
    volatile tt_l1_ptr DispatchCommand* cmd = command_at(cmd_ptr);
    const uint32_t addr = cmd->wait.addr;
    const uint32_t count = cmd->wait.count;
    if (cmd->wait.barrier) noc_async_write_barrier();
    if (cmd->wait.wait) {
        WAYPOINT("PWW");
        uint32_t heartbeat = 0;
        while (static_cast<int32_t>(*l1_words(addr) - count) < 0) {
            IDLE_ERISC_HEARTBEAT_AND_RETURN(heartbeat);
        }
        WAYPOINT("PWD");
    }
    if (cmd->wait.clear_count) {
        const uint32_t negative = -*l1_words(addr);
        noc_semaphore_inc(get_noc_addr_helper(my_noc_xy, addr), negative);
        noc_async_atomic_barrier();
    }
    if (cmd->wait.notify_prefetch)
        noc_semaphore_inc(get_noc_addr_helper(upstream_noc_xy, get_semaphore<fd_core_type>(upstream_sync_sem)), 1);
    cmd_ptr += command_bytes;
}

static void process_delay() {
    const uint32_t iterations = command_at(cmd_ptr)->delay.iterations;
    for (volatile uint32_t i = 0; i < iterations; i = i + 1) {
    }
    cmd_ptr += command_bytes;
}

static void process_remote_write() {
    volatile tt_l1_ptr DispatchCommand* cmd = command_at(cmd_ptr);
    noc_inline_dw_write(get_noc_addr_helper(cmd->remote.noc_xy, cmd->remote.addr), cmd->remote.data);
    block_noc_writes_to_clear[rd_block_idx]++;
    cmd_ptr += command_bytes;
}

static void process_exec_buf_end() {
    if (split_prefetch != 0)
        noc_semaphore_inc(get_noc_addr_helper(prefetch_h_noc_xy, prefetch_h_local_downstream_sem_addr), prefetch_h_max_credits);
    cmd_ptr += command_bytes;
}

// The next command lies in the same page.
static void process_debug() {
    volatile tt_l1_ptr DispatchCommand* cmd = command_at(cmd_ptr);
    ASSERT(checksum_of(cmd_ptr + command_bytes, cmd->debug.size) == cmd->debug.checksum);
    cmd_ptr += cmd->debug.stride;
}

// True: the last command.
static bool process_cmd() {
    DeviceZoneScopedN("DISPATCH-CMD");
    for (;;) {
        volatile tt_l1_ptr DispatchCommand* cmd = command_at(cmd_ptr);
        switch (cmd->id) {
            case DISPATCH_WRITE_LINEAR:
            case DISPATCH_WRITE_LINEAR_H: process_write_linear(); return false;
            case DISPATCH_WRITE_LINEAR_H_HOST: process_write_host_h(); return false;
            case DISPATCH_WRITE_PAGED:
                if (cmd->paged.is_dram)
                    process_write_paged<true>();
                else
                    process_write_paged<false>();
                return false;
            case DISPATCH_WRITE_PACKED:
                if (cmd->packed.flags & packed_flag_multicast)
                    process_write_packed<true>();
                else
                    process_write_packed<false>();
                return false;
            case DISPATCH_WRITE_PACKED_LARGE: process_write_packed_large(); return false;
            case DISPATCH_WAIT: process_wait(); return false;
            case DISPATCH_GO:
            case DISPATCH_SINK: cmd_ptr += command_bytes; return false;
            case DISPATCH_DEBUG: process_debug(); break;
            case DISPATCH_DELAY: process_delay(); return false;
            case DISPATCH_EXEC_BUF_END: process_exec_buf_end(); return false;
            case DISPATCH_REMOTE_WRITE: process_remote_write(); return false;
            case DISPATCH_TERMINATE: cmd_ptr += command_bytes; return true;
            default:
                DPRINT << "dispatcher: no command: " << HEX() << uint32_t(cmd->id) << DEC() << ENDL();
                ASSERT(!"a command that this dispatcher knows");
        }
    }
}

static void init() {
    init_blocks();
    const uint32_t word = *l1_words(CQ_COMPLETION_WRITE_PTR);  // the host's
    completion_wr_ptr = (word & ~completion_toggle_bit) << 4;
    completion_wr_toggle = word & completion_toggle_bit;
}

void kernel_main() {
    DPRINT << "sample dispatcher: start" << ENDL();
    init();
    bool done = false;
    while (!done) {
        if (cmd_ptr == cb_fence) {
            if (fence_at_block_end()) move_rd_to_next_block(cmd_ptr);
            get_cb_page();
        }
        done = process_cmd();
        cmd_ptr = round_up_pow2(cmd_ptr, dispatch_cb_page_size);
        cb_block_release_pages();
    }

    noc_async_write_barrier();
    while (wr_block_idx != rd_block_idx) cb_block_release_pages();
    const uint32_t pages_left = (block_next_start_addr[rd_block_idx] - cmd_ptr) >> dispatch_cb_log_page_size;
    if (pages_left != dispatch_cb_pages_per_block)
        cb_release_pages<upstream_noc_xy, upstream_dispatch_cb_sem_id>(dispatch_cb_pages_per_block - pages_left);
    // Everything that was handed over has been taken.
    noc_async_atomic_barrier();
    WAYPOINT("DEW");
    while (*l1_words(get_semaphore<fd_core_type>(my_dispatch_cb_sem_id)) != 0) {
    }
    WAYPOINT("DED");
    noc_async_full_barrier();
    DPRINT << "sample dispatcher: end" << ENDL();
}
