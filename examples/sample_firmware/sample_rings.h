// What both kernels of this pair use: the page ring between them as mid-2024 has it (facts §4.1), and
// the copy of sub-commands to local memory (facts §3.4).
//
// A ring is two words: credits at the producer, ready pages at the consumer. Either side adds to the
// other's word; its own it lowers by an atomic add to itself, never by a store, which could lose what
// comes in at that moment. So before it looks at its word again, the last lowering has to have landed.
#pragma once

#include "dataflow_api.h"

#ifndef FD_CORE_TYPE
#define FD_CORE_TYPE 0
#endif
constexpr ProgrammableCoreType fd_core_type = static_cast<ProgrammableCoreType>(FD_CORE_TYPE);

constexpr uint32_t my_noc_xy = uint32_t(NOC_XY_ENCODING(MY_NOC_X, MY_NOC_Y));

FORCE_INLINE uint32_t round_up_pow2(uint32_t value, uint32_t unit) { return (value + unit - 1) & ~(unit - 1); }

FORCE_INLINE volatile tt_l1_ptr uint32_t* l1_words(uint32_t address) {
    return reinterpret_cast<volatile tt_l1_ptr uint32_t*>(address);
}

// A wait tells that its core is alive. With SAMPLE_HEARTBEAT, an address in its own L1, it does so by hand.
#ifdef SAMPLE_HEARTBEAT
#define POST_HEARTBEAT(count) (*l1_words(SAMPLE_HEARTBEAT) = ++(count))
#else
#define POST_HEARTBEAT(count) RISC_POST_HEARTBEAT(count)
#endif

// Producer: takes n pages. Credits may be below zero while a trace is replayed: a signed distance.
template <uint32_t credits_sem_id>
void cb_acquire_pages(uint32_t n) {
    if (n == 0) return;
    volatile tt_l1_ptr uint32_t* credits = l1_words(get_semaphore<fd_core_type>(credits_sem_id));
    noc_async_atomic_barrier();
    WAYPOINT("DAPW");
    uint32_t heartbeat = 0;
    while (static_cast<int32_t>(n - *credits) > 0) {
        POST_HEARTBEAT(heartbeat);
    }
    WAYPOINT("DAPD");
    noc_semaphore_inc(get_noc_addr_helper(my_noc_xy, get_semaphore<fd_core_type>(credits_sem_id)), -n);
}

// Both sides: gives n pages to the other one. Behind the data on the same NoC and channel.
template <uint32_t other_noc_xy, uint32_t other_sem_id>
FORCE_INLINE void cb_release_pages(uint32_t n) {
    noc_semaphore_inc(get_noc_addr_helper(other_noc_xy, get_semaphore<fd_core_type>(other_sem_id)), n);
}

// Producer, at exit: every credit is home. Bit 31 is a mark of kernels that carry packets.
template <uint32_t credits_sem_id>
void cb_wait_all_pages(uint32_t pages) {
    volatile tt_l1_ptr uint32_t* credits = l1_words(get_semaphore<fd_core_type>(credits_sem_id));
    noc_async_atomic_barrier();
    WAYPOINT("TAPW");
    while ((*credits & 0x7fffffff) != pages) {
    }
    WAYPOINT("TAPD");
}

// Consumer: takes what is ready, up to `most` pages, and waits for the first one; meanwhile it does what
// `waiting` says. `available` is what it has seen and not taken.
template <uint32_t ready_sem_id, class Waiting>
uint32_t cb_take_ready_pages(uint32_t& available, uint32_t most, Waiting waiting) {
    if (available == 0) {
        volatile tt_l1_ptr uint32_t* ready = l1_words(get_semaphore<fd_core_type>(ready_sem_id));
        noc_async_atomic_barrier();
        WAYPOINT("UAPW");
        uint32_t heartbeat = 0;
        while ((available = *ready) == 0) {
            waiting();
            POST_HEARTBEAT(heartbeat);
        }
        WAYPOINT("UAPD");
    }
    const uint32_t usable = available < most ? available : most;
    noc_semaphore_inc(get_noc_addr_helper(my_noc_xy, get_semaphore<fd_core_type>(ready_sem_id)), -usable);
    available -= usable;
    return usable;
}

// L1 is slow to answer, so six loads go out before the first one is used. A step that is not full reads
// and writes up to five words too many: arrays have room for them.
constexpr uint32_t careful_copy_step = 6;
constexpr uint32_t careful_copy_slack = careful_copy_step - 1;

constexpr uint32_t round_up_to_step(uint32_t words) {
    return (words + careful_copy_step - 1) / careful_copy_step * careful_copy_step;
}

FORCE_INLINE void careful_copy_from_l1(volatile tt_l1_ptr uint32_t* from, uint32_t words, uint32_t* to) {
    for (uint32_t done = 0; done < words; done += careful_copy_step) {
        const uint32_t a = from[0], b = from[1], c = from[2];
        const uint32_t d = from[3], e = from[4], f = from[5];
        to[0] = a, to[1] = b, to[2] = c;
        to[3] = d, to[4] = e, to[5] = f;
        from += careful_copy_step;
        to += careful_copy_step;
    }
}

// The sum of words that a DEBUG command brings.
FORCE_INLINE uint32_t checksum_of(uint32_t address, uint32_t bytes) {
    uint32_t sum = 0;
    for (uint32_t at = 0; at < bytes; at += 4) sum += *l1_words(address + at);
    return sum;
}
