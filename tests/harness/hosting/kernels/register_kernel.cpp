// A kernel that does what it does by registers and address generators: four bytes to a bank, an atomic
// add to itself, and the counters that go with both.
#include "dataflow_api.h"
#include "noc_registers.h"

void kernel_main() {
    constexpr uint32_t source = get_compile_time_arg_val(0);
    noc_local_state_init(0);
    const InterleavedAddrGen<true> banks = {.bank_base_address = 0x2000, .page_size = 64};
    const InterleavedPow2AddrGen<false> cores = {.bank_base_address = 0x20000, .log_base_2_of_page_size = 5};
    ASSERT(banks.get_noc_addr(NUM_DRAM_BANKS, 4) == get_noc_addr_helper(CQFUZZ_DRAM_NOC_XY, 0x2000 + 64 + 4));
    ASSERT(get_noc_addr(1, banks) == get_noc_addr_helper(CQFUZZ_DRAM_NOC_XY + (1 << 6), 0x2000));
    ASSERT(cores.get_noc_addr(0) == get_noc_addr(CQFUZZ_WORKER_X, CQFUZZ_WORKER_Y, 0x20000));

    volatile tt_l1_ptr uint32_t* word = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(source);
    for (uint32_t i = 0; i < 4; i++) word[i] = 0x12345678;
    const uint64_t to = banks.get_noc_addr(0);
    while (!noc_cmd_buf_ready(0, NCRISC_WR_CMD_BUF)) {
    }
    NOC_CMD_BUF_WRITE_REG(0, NCRISC_WR_CMD_BUF, NOC_CTRL,
                          NOC_CMD_CPY | NOC_CMD_WR | NOC_CMD_VC_STATIC | NOC_CMD_STATIC_VC(1) | NOC_CMD_RESP_MARKED);
    NOC_CMD_BUF_WRITE_REG(0, NCRISC_WR_CMD_BUF, NOC_TARG_ADDR_LO, source);
    NOC_CMD_BUF_WRITE_REG(0, NCRISC_WR_CMD_BUF, NOC_RET_ADDR_LO, static_cast<uint32_t>(to));
    NOC_CMD_BUF_WRITE_REG(0, NCRISC_WR_CMD_BUF, NOC_RET_ADDR_COORDINATE, static_cast<uint32_t>(to >> 36));
    NOC_CMD_BUF_WRITE_REG(0, NCRISC_WR_CMD_BUF, NOC_AT_LEN_BE, 16);
    NOC_CMD_BUF_WRITE_REG(0, NCRISC_WR_CMD_BUF, NOC_CMD_CTRL, NOC_CTRL_SEND_REQ);
    noc_nonposted_writes_num_issued[0] += 1;
    noc_nonposted_writes_acked[0] += 1;
    noc_async_write_barrier(0);

    // The word comes back from the bank, one more than it went.
    noc_async_read(to, source + 32, 16);
    noc_async_read_barrier();
    const uint32_t before = word[8];
    noc_semaphore_inc(get_noc_addr(source + 32), 1);
    noc_async_atomic_barrier();
    noc_semaphore_wait(word + 8, before + 1);
    ASSERT(word[8] == 0x12345679);
    uint32_t id = 3;
    volatile tt_l1_ptr uint32_t* semaphore = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore<ProgrammableCoreType::ACTIVE_ETH>(id));
    noc_semaphore_set(semaphore, 7);
    DPRINT << "done" << HEX() << *semaphore << ENDL();
    ASSERT(!"reached the end");
}
