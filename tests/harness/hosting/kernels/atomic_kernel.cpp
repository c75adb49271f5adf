// __atomic builtins on L1, a wait by them, and words of packed structs that lie where they like.
#include "dataflow_api.h"

struct Packed {
    uint8_t id;
    uint32_t word;
    uint64_t long_word;
} __attribute__((packed));

void kernel_main() {
    constexpr uint32_t base = get_compile_time_arg_val(0);
    uint32_t* word = reinterpret_cast<uint32_t*>(base);
    for (uint32_t i = 0; i < 4; i++) word[i] = 0;
    __atomic_store_n(word, 5, __ATOMIC_RELEASE);
    ASSERT(__atomic_fetch_add(word, 2, __ATOMIC_RELAXED) == 5);
    ASSERT(__atomic_fetch_xor(word, 1, __ATOMIC_RELAXED) == 7);
    ASSERT(__atomic_exchange_n(word, 9, __ATOMIC_ACQ_REL) == 6);
    uint32_t expected = 8;
    ASSERT(!__atomic_compare_exchange_n(word, &expected, 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    ASSERT(expected == 9);
    ASSERT(__atomic_compare_exchange_n(word, &expected, 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    __atomic_thread_fence(__ATOMIC_SEQ_CST);

    // Others move while it waits, or it would wait for ever.
    noc_semaphore_inc(get_noc_addr(base & 0x1fffff), 1);
    while (__atomic_load_n(word, __ATOMIC_ACQUIRE) != 2) {
    }
    noc_async_atomic_barrier();

    // What was stored is what a write takes along.
    __atomic_store_n(word, 77, __ATOMIC_RELEASE);
    noc_async_write_one_packet(base, get_noc_addr((base & 0x1fffff) + 64), 16);
    noc_async_write_barrier();
    volatile tt_l1_ptr uint32_t* copied = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(base + 64);
    while (*copied != 77) {
    }

    volatile Packed* packed = reinterpret_cast<volatile Packed*>(base + 128);
    packed->word = 0x12345678;
    packed->long_word = 0x123456789abcdef0;
    ASSERT(packed->word == 0x12345678);
    ASSERT(packed->long_word == 0x123456789abcdef0);
    ASSERT(!"reached the end");
}
