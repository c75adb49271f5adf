// Kernels that the processor would stop, or that reach for memory which is nobody's, chosen by a
// define.
#include "dataflow_api.h"

static volatile uint32_t turns;  // a static: it must be 0 again in every run
static volatile uint32_t zero;
static volatile uint32_t ways = 3;
static uint32_t table[4];
static const uint32_t constants[4] = {1, 2, 3, 4};
static void (*volatile nothing)();

static uint32_t deeper(uint32_t level) {
    volatile uint32_t here = level;
    return deeper(here + 1) + here;
}

static uint32_t deeper_with_calls(uint32_t level) {
    noc_async_write_barrier();
    volatile uint32_t here = level;
    return deeper_with_calls(here + 1) + here;
}

static uint32_t wider(uint32_t level) {
    volatile uint32_t frame[4000];
    frame[level % 4000] = level;
    return wider(level + 1) + frame[level % 4000];
}

static uint32_t no_value(uint32_t way) {
    if (way == 0) return 1;
}

// As a kernel sees it: an address, with nothing that a compiler could know of it.
static volatile uint32_t* far_pointer(uint64_t address) {
    volatile uint64_t hidden = address;
    return reinterpret_cast<volatile uint32_t*>(hidden);
}

void kernel_main() {
    ASSERT(turns == 0);
    turns = turns + 1;
#if defined(FAR_POINTER)
    *far_pointer(0x123456789000) = 1;
#elif defined(NO_CANONICAL_POINTER)
    *far_pointer(0xdead00000000beef) = 1;
#elif defined(NULL_POINTER)
    (void)*reinterpret_cast<volatile uint32_t*>(zero);
#elif defined(CONSTANT_NULL)
    *static_cast<volatile uint32_t*>(nullptr) = 1;
#elif defined(ENDLESS_RECURSION)
    turns = deeper(0);
#elif defined(CALLING_RECURSION)
    turns = deeper_with_calls(0);
#elif defined(WIDE_RECURSION)
    turns = wider(0);
#elif defined(DIVISION_BY_ZERO)
    turns = turns / zero;
#elif defined(CONSTANT_DIVISION)
    turns = 5 % (sizeof(table) - 16);
#elif defined(NO_RETURN_VALUE)
    turns = no_value(turns);
#elif defined(TRAP)
    __builtin_trap();
#elif defined(UNREACHABLE)
    if (zero == 0) __builtin_unreachable();
#elif defined(BARE_LOOP)
    while (true) {
    }
#elif defined(NO_FUNCTION)
    nothing();
#elif defined(ARRAY_END)
    for (uint32_t i = 0; i < ways + 2; i++) table[i] = i;
#elif defined(STATICS_END)
    volatile uint32_t* word = &turns;
    for (uint32_t i = 0; i < 1u << 20; i++) word[i] = 7;
#elif defined(STACK_END)
    volatile uint32_t local[4];
    volatile uint32_t* volatile word = local;
    for (uint32_t i = 0; i < 1u << 20; i++) word[i] = 7;
#elif defined(CONSTANT_STORE)
    volatile uint32_t* volatile word = const_cast<volatile uint32_t*>(&constants[zero]);
    *word = 1;
#endif
#if defined(UNALIGNED_STORE)
    *reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_compile_time_arg_val(0) + 0x100002) = 1;
#elif defined(UNALIGNED_LOAD)
    turns = *reinterpret_cast<volatile tt_l1_ptr uint16_t*>(get_compile_time_arg_val(0) + 0x100001);
#endif
    (void)table;
    (void)constants;
    (void)no_value;
}
