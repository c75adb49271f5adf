// Uses every name of docs/hosting.md's table once, by every name of its header. What has no effect on
// other cores runs; the rest compiles.
#include "api/dataflow/dataflow_api.h"
#include "api/debug/assert.h"
#include "api/debug/dprint.h"
#include "api/debug/waypoint.h"
#include "circular_buffer.h"
#include "compile_time_args.h"
#include "core_config.h"
#include "cq_noc.h"
#include "dataflow_api.h"
#include "dataflow_internal.h"
#include "debug/assert.h"
#include "debug/dprint.h"
#include "debug/pause.h"
#include "debug/ring_buffer.h"
#include "debug/sanitize_noc.h"
#include "debug/status.h"
#include "debug/watcher_common.h"
#include "debug/waypoint.h"
#include "dev_mem_map.h"
#include "dev_msgs.h"
#include "dispatch_address_map.hpp"
#include "eth_l1_address_map.h"
#include "hostdevcommon/common_runtime_address_map.h"
#include "hostdevcommon/common_values.hpp"
#include "hostdevcommon/dev_msgs.h"
#include "hostdevcommon/dprint_common.h"
#include "hostdevcommon/profiler_common.h"
#include "noc/noc_overlay_parameters.h"
#include "noc/noc_parameters.h"
#include "noc_nonblocking_api.h"
#include "noc_overlay_parameters.h"
#include "noc_parameters.h"
#include "noc_registers.h"
#include "ethernet/dataflow_api.h"
#include "firmware_common.h"
#include "noc/noc.h"
#include "risc_attribs.h"
#include "risc_common.h"
#include "stream_interface.h"
#include "stream_io_map.h"
#include "tensix.h"
#include "tensix_types.h"
#include "tools/profiler/kernel_profiler.hpp"
#include "tt_metal/hostdevcommon/common_runtime_address_map.h"
#include "tt_metal/hostdevcommon/common_values.hpp"
#include "tt_metal/hw/inc/dataflow_api.h"
#include "tt_metal/hw/inc/debug/dprint.h"
#include "tt_metal/hostdevcommon/dprint_common.h"
#include "tt_metal/hostdevcommon/profiler_common.h"
#include "tt_metal/hw/inc/dev_msgs.h"
#include "tt_metal/impl/dispatch/dispatch_address_map.hpp"

constexpr uint32_t source = get_compile_time_arg_val(0);
constexpr uint32_t pcie_xy = uint32_t(NOC_XY_PCIE_ENCODING(NOC_X(get_compile_time_arg_val(1)), NOC_Y(0), NOC_INDEX));
static_assert(pcie_xy == NOC_XY_PCIE_ENCODING(get_compile_time_arg_val(1), 0));
static_assert(min(3u, 4) == 3 && max(3u, 4) == 4 && align(17u, 16) == 32);
static_assert(NOC_0_X(0, noc_size_x, 3) == 3 && NOC_0_Y(0, noc_size_y, 4) == 4);

// In the place of the one that every object has.
CQWriteInterface cq_write_interface{4096, 0, 0, 0};

static volatile bool never = false;
static volatile tt_l1_ptr uint32_t* const words = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(source);

template <class T>
FORCE_INLINE void use(T value) {
    DPRINT << HEX() << DEC() << SETW(4) << value << ENDL();
    DPRINT_DATA0(DPRINT << value << ENDL());
    DPRINT_DATA1(DPRINT << value << ENDL());
}

// --- what runs

static void registers_and_counters() {
    noc_local_state_init(noc_index);
    use(NOC_STATUS_READ_REG(noc_index, NIU_MST_RD_RESP_RECEIVED));
    use(NOC_STATUS_READ_REG(noc_index, NIU_MST_NONPOSTED_WR_REQ_SENT) + NOC_STATUS_READ_REG(noc_index, NIU_MST_WR_ACK_RECEIVED));
    use(NOC_STATUS_READ_REG(noc_index, NIU_MST_ATOMIC_RESP_RECEIVED) + NOC_STATUS_READ_REG(noc_index, NIU_MST_POSTED_WR_REQ_SENT));
    use(noc_reads_num_issued[noc_index] + noc_nonposted_writes_num_issued[noc_index] + noc_nonposted_writes_acked[noc_index]);
    use(noc_nonposted_atomics_acked[noc_index] + noc_posted_writes_num_issued[noc_index]);
    ASSERT(noc_cmd_buf_ready(noc_index, NCRISC_WR_CMD_BUF));
    NOC_CMD_BUF_WRITE_REG(noc_index, NCRISC_WR_CMD_BUF, NOC_RET_ADDR_COORDINATE, 0x41);
    NOC_CMD_BUF_WRITE_REG(noc_index, NCRISC_WR_CMD_BUF, NOC_RET_ADDR_MID, 0x82 << 4);
    ASSERT(NOC_CMD_BUF_READ_REG(noc_index, NCRISC_WR_CMD_BUF, NOC_RET_ADDR_COORDINATE) == 0x82);
    NOC_CMD_BUF_WRITE_REG(noc_index, NCRISC_RD_CMD_BUF, NOC_TARG_ADDR_MID, 0x43 << 4);
    ASSERT(NOC_CMD_BUF_READ_REG(noc_index, NCRISC_RD_CMD_BUF, NOC_TARG_ADDR_MID) == 0x43 << 4);
    NOC_CMD_BUF_WRITE_REG(noc_index, NCRISC_WR_REG_CMD_BUF, NOC_AT_DATA, 0);
    NOC_CMD_BUF_WRITE_REG(noc_index, NCRISC_AT_CMD_BUF, NOC_AT_LEN_BE, NOC_AT_WRAP(31) | NOC_AT_INS(NOC_AT_INS_INCR_GET) | NOC_AT_IND_32(0));
    ASSERT(NOC_CMD_BUF_READ_REG(noc_index, NCRISC_WR_CMD_BUF, NOC_CMD_CTRL) == 0);
}

static void words_of_this_core() {
    NOC_STREAM_WRITE_REG(48, STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_REG_INDEX, 5);
    NOC_STREAM_WRITE_REG(48, STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_UPDATE_REG_INDEX, 2 << REMOTE_DEST_BUF_WORDS_FREE_INC);
    ASSERT(NOC_STREAM_READ_REG(48, STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_REG_INDEX) == 7);
    ASSERT(*reinterpret_cast<volatile uint32_t*>(STREAM_REG_ADDR(48, STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_REG_INDEX)) == 7);
    ASSERT(cq_write_interface.completion_fifo_size == 4096 && cq_read_interface.issue_fifo_size == 0);
    cq_write_interface.completion_fifo_wr_ptr += cq_write_interface.completion_fifo_limit + cq_write_interface.completion_fifo_wr_toggle;
    noc_semaphore_set(reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore<ProgrammableCoreType::IDLE_ETH>(3)), 9);
    use(L1_UNRESERVED_BASE + PREFETCH_Q_RD_PTR + PREFETCH_Q_PCIE_RD_PTR + CQ_COMPLETION_WRITE_PTR + CQ_COMPLETION_READ_PTR);
    use(CQ0_COMPLETION_LAST_EVENT + CQ1_COMPLETION_LAST_EVENT + DISPATCH_MESSAGE_ADDR + PREFETCH_Q_BASE + DISPATCH_BUFFER_BASE);
    use(HOST_CQ_ISSUE_READ_PTR + HOST_CQ_COMPLETION_WRITE_PTR + HOST_CQ_COMPLETION_READ_PTR + CQ_START);
}

static void watcher_and_profiler() {
    DeviceZoneScopedN("every name");
    DeviceZoneScopedND("every name", 1, 2);
    DeviceZoneScopedMainN("main");
    DEBUG_STATUS("STAT");
    WATCHER_RING_BUFFER_PUSH(source);
    DEBUG_SANITIZE_NOC_ADDR(noc_index, 0, 4);
    DEBUG_SANITIZE_NOC_READ_TRANSACTION(noc_index, 0, 0, 4);
    DEBUG_SANITIZE_NOC_WRITE_TRANSACTION(noc_index, 0, 0, 4);
    DEBUG_SANITIZE_NOC_MULTI_WRITE_TRANSACTION(noc_index, 0, 0, 4);
    DEBUG_SANITIZE_NO_LINKED_TRANSACTION(noc_index, 0);
    DEBUG_INSERT_DELAY(TransactionWrite);
    PAUSE();
    uint32_t heartbeat = 0;
    RISC_POST_HEARTBEAT(heartbeat);
    RISC_POST_STATUS(heartbeat);
    IDLE_ERISC_HEARTBEAT_AND_RETURN(heartbeat);
    invalidate_l1_cache();
    riscv_wait(2);
}

static void reads_and_writes() {
    const InterleavedAddrGen<true> banks = {.bank_base_address = 0x2000, .page_size = 64};
    const InterleavedPow2AddrGen<true> pow2 = {.bank_base_address = 0x2000, .log_base_2_of_page_size = 6};
    ASSERT(banks.get_noc_addr(1, 4) == pow2.get_noc_addr(1, 4) && get_noc_addr(1, banks) == get_noc_addr(1, pow2));
    const InterleavedAddrGenFast<true> fast = {.bank_base_address = 0x2000, .page_size = 64};
    const InterleavedPow2AddrGenFast<true> fast2 = {.bank_base_address = 0x2000, .log_base_2_of_page_size = 6};
    ASSERT(fast.get_noc_addr(NUM_DRAM_BANKS) == fast2.get_noc_addr(NUM_DRAM_BANKS));
    const uint64_t to = get_noc_addr_from_bank_id<true>(0, 0x2000);
    ASSERT(to == banks.get_noc_addr(0) && NUM_L1_BANKS != 0);

    for (uint32_t i = 0; i < 16; i++) words[i] = 0x1000 + i;
    noc_async_write<64>(source, to, 64);
    noc_async_write<NOC_MAX_BURST_SIZE + 1>(source, to, 64, noc_index);
    noc_async_write(source, to, 64);
    noc_async_write_one_packet(source, to, 64, noc_index);
    noc_async_writes_flushed();
    noc_async_write_barrier();
    noc_async_write_one_packet_set_state(to, 32);
    noc_async_write_one_packet_with_state(source, static_cast<uint32_t>(to));
    ncrisc_noc_fast_write_any_len(noc_index, NCRISC_WR_CMD_BUF, source, to, 64, NOC_UNICAST_WRITE_VC, false, false, 1);
    cq_noc_async_write_init_state<CQ_NOC_SNDL>(source, to, 32);
    cq_noc_async_write_with_state<CQ_NOC_SnDl>(source, to);
    noc_nonposted_writes_num_issued[noc_index] += 1;
    noc_nonposted_writes_acked[noc_index] += 1;
    cq_noc_async_write_with_state<CQ_NOC_SnDL, CQ_NOC_WAIT, CQ_NOC_SEND, NCRISC_WR_CMD_BUF, true>(source, to, 16, 1);
    ASSERT((cq_noc_async_write_with_state_any_len<CQ_NOC_SnDL, CQ_NOC_WAIT, NCRISC_WR_CMD_BUF, true>(source, to, 64) == 1));
    noc_async_write_barrier(noc_index);
    while (!ncrisc_noc_nonposted_writes_sent(noc_index) || !ncrisc_noc_nonposted_writes_flushed(noc_index)) {
    }

    noc_async_read_set_trid(1);
    noc_async_read<64>(to, source + 64, 64);
    noc_async_read_barrier_with_trid(1);
    ASSERT(noc_available_transactions(noc_index, 1) != 0 && words[16] == 0x1000 && words[31] == 0x100f);
    noc_async_read_one_packet(to, source + 64, 64);
    noc_async_read_one_packet_set_state(to, 32);
    noc_async_read_one_packet_with_state(static_cast<uint32_t>(to), source + 64);
    noc_async_read_with_state(static_cast<uint32_t>(to), source + 64, 32);
    ncrisc_noc_fast_read_any_len(noc_index, NCRISC_RD_CMD_BUF, to, source + 64, 32);
    noc_async_read_barrier();
    while (!ncrisc_noc_reads_flushed(noc_index)) {
    }
}

static void atomics_and_words() {
    const uint64_t own = get_noc_addr(my_x[noc_index], my_y[noc_index], source + 128);
    words[32] = 1;
    noc_semaphore_inc(own, 1);
    noc_semaphore_inc(own, 1, noc_index);
    noc_semaphore_inc(own, 1, noc_index, uint8_t(NOC_UNICAST_WRITE_VC));
    noc_fast_atomic_increment(noc_index, NCRISC_AT_CMD_BUF, own, NOC_UNICAST_WRITE_VC, 1, 31, false);
    noc_async_atomic_barrier();
    while (!ncrisc_noc_nonposted_atomics_flushed(noc_index)) {
    }
    noc_semaphore_wait(words + 32, 5);
    noc_semaphore_wait_min(words + 32, 4);
    noc_inline_dw_write(own, 0x11223344);
    noc_async_write_barrier();
    noc_inline_dw_write(own, 0x55, 0x1, noc_index);
    noc_async_write_barrier();
    noc_fast_write_dw_inline(noc_index, NCRISC_WR_REG_CMD_BUF, 0x66 << 8, own, 0x2, NOC_UNICAST_WRITE_VC, false);
    noc_async_write_barrier();
    cq_noc_inline_dw_write_init_state<CQNocInlineFlags(CQ_NOC_INLINE_FLAG_NOC | CQ_NOC_INLINE_FLAG_DST | CQ_NOC_INLINE_FLAG_BE)>(own, 0, 0xf);
    noc_async_full_barrier();
    noc_async_posted_writes_flushed();
    ASSERT(words[32] == 0x11226655);
}

// --- what compiles

static void multicasts() {
    use(GET_MAILBOX_ADDRESS_DEV(go_message)->signal == RUN_MSG_DONE);
    use(reinterpret_cast<mailboxes_t*>(MEM_MAILBOX_BASE)->launch_msg_rd_ptr);
    const uint64_t to = get_noc_multicast_addr(1, 1, 2, 2, source);
    use(NOC_MULTICAST_ENCODING(1, 1, 2, 2) + L1_ALIGNMENT + DRAM_ALIGNMENT + NOC_PCIE_READ_ALIGNMENT_BYTES + NOC_PCIE_WRITE_ALIGNMENT_BYTES);
    noc_async_write_multicast(source, to, 64, 4);
    noc_async_write_multicast(source, to, 64, 4, true, noc_index);
    noc_async_write_multicast<64>(source, to, 64, 4, false, true, noc_index);
    noc_async_write_multicast<64>(source, to, 64, 4, false, noc_index);
    noc_async_write_multicast_one_packet(source, to, 64, 4);
    noc_async_write_multicast_loopback_src(source, to, 64, 5);
    noc_semaphore_set_multicast(source, to, 4);
    noc_semaphore_set_remote(source, get_noc_addr(source));
    cq_noc_async_wwrite_init_state<CQ_NOC_sNDL, true, true>(0, NOC_MULTICAST_ENCODING(1, 1, 2, 2), 0, 32);
    cq_noc_async_wwrite_with_state<CQ_NOC_SnDL>(source, 0, source, 32, 4);
    cq_noc_inline_dw_write_with_state<CQ_NOC_INLINE_FLAG_VAL>(0, 1);
    NOC_CMD_BUF_WRITE_REG(noc_index, NCRISC_WR_CMD_BUF, NOC_CTRL,
                          NOC_CMD_CPY | NOC_CMD_WR | NOC_CMD_VC_STATIC | NOC_CMD_STATIC_VC(NOC_DISPATCH_MULTICAST_WRITE_VC) | NOC_CMD_VC_LINKED |
                              NOC_CMD_BRCST_PACKET | NOC_CMD_PATH_RESERVE | NOC_CMD_BRCST_SRC_INCLUDE | NOC_CMD_RESP_MARKED);
    while (!ncrisc_noc_posted_writes_sent(noc_index)) {
    }
}

void kernel_main() {
    WAYPOINT("EVRY");
    registers_and_counters();
    words_of_this_core();
    watcher_and_profiler();
    reads_and_writes();
    atomics_and_words();
    if (never) multicasts();
    ASSERT(!"reached the end");
}
