// Carries packets out: stores their payloads in DRAM, straight from the ring, and tells the producer how
// many it is done with.
//
// -DOTHER_QUEUE_EARLY_RELEASE gives packets back while their stores still read them.
#include "dataflow_api.h"
#include "packet.h"

constexpr uint32_t ring_base = get_compile_time_arg_val(0);
constexpr uint32_t ring_pages = get_compile_time_arg_val(1);
constexpr uint32_t doorbell = get_compile_time_arg_val(2);
constexpr uint32_t producer_xy = get_compile_time_arg_val(3);
constexpr uint32_t given_back_addr = get_compile_time_arg_val(4);
constexpr uint32_t dram_first_xy = get_compile_time_arg_val(5);  // bank b is b rows further down
constexpr uint32_t dram_banks = get_compile_time_arg_val(6);
constexpr uint32_t batch = get_compile_time_arg_val(7);

static uint32_t done;
static uint32_t given_back;

static void give_back() {
#ifndef OTHER_QUEUE_EARLY_RELEASE
    noc_async_writes_flushed();
#endif
    given_back = done;
    noc_inline_dw_write(get_noc_addr_helper(producer_xy, given_back_addr), given_back);
}

static void store(volatile tt_l1_ptr Packet* packet) {
    uint32_t check = 0;
    for (uint32_t i = 0; i < payload_bytes / 4; i++) check += packet->payload[i];
    ASSERT(check == packet->check);
    const uint64_t to = get_noc_addr_helper(dram_first_xy + (packet->bank % dram_banks << 6), packet->addr);
    noc_async_write(reinterpret_cast<uint32_t>(packet->payload), to, payload_bytes);
}

void kernel_main() {
    volatile tt_l1_ptr uint32_t* rung = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(doorbell);
    for (bool last = false; !last;) {
        if (done == *rung && done != given_back) give_back();
        WAYPOINT("waits for packets");
        while (*rung == done) {
        }
        volatile tt_l1_ptr Packet* packet =
            reinterpret_cast<volatile tt_l1_ptr Packet*>(ring_base + done % ring_pages * packet_bytes);
        ASSERT(packet->sequence == done);
        last = packet->kind == PACKET_LAST;
        if (!last) store(packet);
        done++;
        if (last || done - given_back >= batch) give_back();
    }
    noc_async_write_barrier();
}
