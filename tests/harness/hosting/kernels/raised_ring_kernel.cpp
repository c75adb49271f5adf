// Both ends of a ring whose words are raised by atomics, as the built-in rings' are; which end, a define
// says. The consumer copies pages to another place of its L1.
#include "dataflow_api.h"

constexpr uint32_t own_word_addr = get_compile_time_arg_val(0);  // credits, or pages ready
constexpr uint32_t other_xy = get_compile_time_arg_val(1);
constexpr uint32_t other_word = get_compile_time_arg_val(2);
constexpr uint32_t ring = get_compile_time_arg_val(3);  // of the consumer a pointer
constexpr uint32_t pages = get_compile_time_arg_val(4);
constexpr uint32_t scratch = get_compile_time_arg_val(5);
constexpr uint32_t turns = 50;

void kernel_main() {
    volatile tt_l1_ptr uint32_t* word = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(own_word_addr);
    for (uint32_t turn = 0; turn < turns; turn++) {
        const uint32_t page = ring + turn % pages * 32;
#if defined(PRODUCER)
        while (static_cast<int32_t>(*word - turn) <= 0) {
        }
        noc_async_write(scratch, get_noc_addr_helper(other_xy, page), 32);
        noc_async_write_barrier();
        noc_semaphore_inc(get_noc_addr_helper(other_xy, other_word), 1);
#else
        while (*word == turn) {
        }
        noc_async_write(page, get_noc_addr(scratch), 32);
#if !defined(EARLY_RELEASE)
        noc_async_writes_flushed();
#endif
        noc_semaphore_inc(get_noc_addr_helper(other_xy, other_word), 1);
#endif
    }
#if defined(PRODUCER)
    while (*word != pages + turns) {
    }
#endif
    noc_async_full_barrier();
}
