// Makes packets of its input: each word gives one to four stores. Rings the consumer's doorbell with the
// number of packets so far.
#include "dataflow_api.h"
#include "packet.h"

constexpr uint32_t input_base = get_compile_time_arg_val(0);
constexpr uint32_t packet_addr = get_compile_time_arg_val(1);
constexpr uint32_t consumer_xy = get_compile_time_arg_val(2);
constexpr uint32_t ring_base = get_compile_time_arg_val(3);
constexpr uint32_t ring_pages = get_compile_time_arg_val(4);
constexpr uint32_t doorbell = get_compile_time_arg_val(5);
constexpr uint32_t given_back_addr = get_compile_time_arg_val(6);

static uint32_t sent;

static volatile tt_l1_ptr uint32_t* given_back() {
    return reinterpret_cast<volatile tt_l1_ptr uint32_t*>(given_back_addr);
}

static void wait_for_room() {
    WAYPOINT("waits for room");
    while (sent - *given_back() >= ring_pages) {
    }
}

static void send(uint32_t kind, uint32_t bank, uint32_t addr, uint32_t content) {
    // The packet before has left.
    noc_async_writes_flushed();
    volatile tt_l1_ptr Packet* packet = reinterpret_cast<volatile tt_l1_ptr Packet*>(packet_addr);
    packet->kind = kind;
    packet->sequence = sent;
    packet->bank = bank;
    packet->addr = addr;
    uint32_t check = 0;
    for (uint32_t i = 0; i < payload_bytes / 4; i++) {
        const uint32_t word = content * 2654435761u + i;
        packet->payload[i] = word;
        check += word;
    }
    packet->check = check;
    wait_for_room();
    const uint32_t page = ring_base + sent % ring_pages * packet_bytes;
    noc_async_write(packet_addr, get_noc_addr_helper(consumer_xy, page), packet_bytes);
    sent++;
}

static void ring_doorbell() {
    noc_async_write_barrier();  // the packets lie there before they are told of
    noc_inline_dw_write(get_noc_addr_helper(consumer_xy, doorbell), sent);
}

void kernel_main() {
    volatile tt_l1_ptr uint32_t* input = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(input_base);
    const uint32_t words = input[0];
    for (uint32_t i = 0; i < words; i++) {
        const uint32_t word = input[1 + i];
        const uint32_t stores = 1 + (word & 3);
        for (uint32_t s = 0; s < stores; s++) {
            send(PACKET_STORE, (word >> 2) + s, 0x10000 + (word >> 8) % 256 * 32, word + s);
            if ((word & 4) != 0) ring_doorbell();
        }
        if ((word & 4) == 0) ring_doorbell();
    }
    send(PACKET_LAST, 0, 0, 0);
    ring_doorbell();
    WAYPOINT("waits for the last packets");
    while (*given_back() != sent) {
    }
    noc_async_write_barrier();
}
