// Two roles of one source: one errs when the other has told it that it runs too.
#include "dataflow_api.h"

static volatile tt_l1_ptr uint32_t* own_word() {
    return reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_compile_time_arg_val(0) + 0x100000);
}

#if defined(ERRS)
static void err() {
    noc_semaphore_wait(own_word(), 1);
    *reinterpret_cast<volatile tt_l1_ptr uint32_t*>(0x1000) = 1;
}
#endif

void kernel_main() {
#if defined(ERRS)
    err();
#else
    noc_semaphore_inc(get_noc_addr_helper(get_compile_time_arg_val(1), 0x100000), 1);
    while (*own_word() == 0) {
    }
#endif
}
