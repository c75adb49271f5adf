// Kernels that do one thing wrong, chosen by a define.
#include "dataflow_api.h"

static volatile uint32_t turns;  // a static: it must be 0 again in every run

void kernel_main() {
    ASSERT(turns == 0);
    turns = turns + 1;
#if defined(WILD_POINTER)
    *reinterpret_cast<volatile tt_l1_ptr uint32_t*>(0x1000) = 1;
#elif defined(OTHER_CORE)
    (void)*reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_compile_time_arg_val(0) + 0x400000);
#elif defined(ENDLESS_LOOP)
    for (;;) turns = turns + 1;
#elif defined(ENDLESS_WAIT)
    volatile tt_l1_ptr uint32_t* words =
        reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_compile_time_arg_val(0) + 0x100000);
    words[0] = words[1] = 0;
    while (words[0] == 0) words[1] = words[1] + 1;
#elif defined(OWN_ASSERTION)
    ASSERT(get_compile_time_arg_val(0) == 3);
#elif defined(ZERO_LENGTH)
    noc_async_write_one_packet(get_compile_time_arg_val(0), get_noc_addr(0x100), 0);
#elif defined(NO_SUCH_TILE)
    noc_async_write_one_packet(get_compile_time_arg_val(0), get_noc_addr(50, 50, 0x100), 16);
#endif
}
