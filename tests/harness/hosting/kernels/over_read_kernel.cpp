// A careful copy that is too careful: it reads words behind the last page that it was handed.
#include "dataflow_api.h"

static volatile tt_l1_ptr uint32_t* word_at(uint32_t addr) {
    return reinterpret_cast<volatile tt_l1_ptr uint32_t*>(addr);
}

void kernel_main() {
    const uint32_t words = get_compile_time_arg_val(3);
    volatile tt_l1_ptr uint32_t* ready = word_at(get_compile_time_arg_val(0));
    uint32_t pages = *ready;
    while (pages == 0) pages = *ready;
    volatile tt_l1_ptr uint32_t* end = word_at(get_compile_time_arg_val(1) + pages * get_compile_time_arg_val(2));
    for (uint32_t i = 0; i < words; i++) (void)end[i];
    ASSERT(!"reached the end");
}
