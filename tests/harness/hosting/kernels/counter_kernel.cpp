// Tells the device how often it has begun since its statics were fresh.
#include "dataflow_api.h"

static uint32_t begun;

void kernel_main() {
    begun++;
    volatile tt_l1_ptr uint32_t* word =
        reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_compile_time_arg_val(0) + 0x100000);
    for (uint32_t i = 0; i < 4; i++) word[i] = begun;
    noc_async_write_one_packet(get_compile_time_arg_val(0) + 0x100000, get_noc_addr(0x110000), 16);
    noc_async_write_barrier();
    ASSERT(*word == 1);
    ASSERT(!"it has begun once");
}
