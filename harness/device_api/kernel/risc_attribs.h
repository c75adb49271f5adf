// Attributes of pointers by address space; there is one space here.
#pragma once

#define tt_l1_ptr
#define tt_reg_ptr
#define tt_uncached_ptr
#define tt_l1_uncached_ptr
#define FORCE_INLINE inline __attribute__((always_inline))
