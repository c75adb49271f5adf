// A prefetcher of the mid-2024 generation beside the host (prefetch_hd): fetches slots of the issue
// queue as prefetch_q names them, executes their commands, and fills the dispatcher's ring. Written from
// the facts in the style of the kernels of that time; nothing of cqfuzz is in it.
//
// -DSAMPLE_SMALL_CACHE sizes the local copy of sub-commands for one copy alone (facts §12.2): copied in
// two parts, the last step may write two words past it.
#include "core_config.h"
#include "dataflow_api.h"
#include "debug/assert.h"
#include "debug/dprint.h"
#include "debug/waypoint.h"
#include "noc/noc_parameters.h"
#include "risc_attribs.h"
#include "sample_commands.h"
#include "sample_fetch.h"
#include "sample_rings.h"

constexpr uint32_t downstream_cb_base = get_compile_time_arg_val(0);
constexpr uint32_t downstream_cb_log_page_size = get_compile_time_arg_val(1);
constexpr uint32_t downstream_cb_pages = get_compile_time_arg_val(2);
constexpr uint32_t my_downstream_cb_sem_id = get_compile_time_arg_val(3);
constexpr uint32_t downstream_cb_sem_id = get_compile_time_arg_val(4);
// 5 … 12: the host's side (sample_fetch.h).
constexpr uint32_t scratch_db_base = get_compile_time_arg_val(13);
constexpr uint32_t scratch_db_size = get_compile_time_arg_val(14);
constexpr uint32_t downstream_sync_sem_id = get_compile_time_arg_val(15);
// 16 … 20: a prefetcher's ring that another one fills (prefetch_d).
constexpr uint32_t is_d_variant = get_compile_time_arg_val(21);
constexpr uint32_t is_h_variant = get_compile_time_arg_val(22);
static_assert(is_d_variant != 0 && is_h_variant != 0, "this kernel does both halves");

constexpr uint32_t downstream_cb_page_size = 1u << downstream_cb_log_page_size;
constexpr uint32_t downstream_cb_end = downstream_cb_base + (downstream_cb_pages << downstream_cb_log_page_size);
constexpr uint32_t scratch_half_size = scratch_db_size / 2;
constexpr uint32_t scratch_halves[2] = {scratch_db_base, scratch_db_base + scratch_half_size};
constexpr uint32_t downstream_noc_xy = uint32_t(NOC_XY_ENCODING(DOWNSTREAM_NOC_X, DOWNSTREAM_NOC_Y));

constexpr uint32_t sub_command_words = sizeof(RelayPagedPackedSub) / sizeof(uint32_t);
#ifdef SAMPLE_SMALL_CACHE
constexpr uint32_t l1_cache_words = round_up_to_step(packed_sub_commands_max * sub_command_words);
#else
// One more for the sentinel, and what the last step of a copy that began anywhere writes too much.
constexpr uint32_t l1_cache_words =
    round_up_to_step(packed_sub_commands_max * sub_command_words + 1) + careful_copy_slack;
#endif

struct ExecBufState {
    uint32_t page_id;
    uint32_t base_addr;
    uint32_t log_page_size;
    uint32_t pages;   // not read yet
    uint32_t length;  // bytes in cmddat_q from the current command on
};

static uint32_t downstream_data_ptr = downstream_cb_base;
static uint32_t stall_count = 0;
// One behind the other, as a linker has two statics that are used together.
static struct {
    uint32_t l1_cache[l1_cache_words];
    ExecBufState exec_buf;
} local;

// --- to the dispatcher

// Copies to the ring, around its end if need be. The pages are the caller's.
static void write_downstream(uint32_t source, uint32_t length) {
    if (downstream_data_ptr == downstream_cb_end) downstream_data_ptr = downstream_cb_base;
    const uint32_t room = downstream_cb_end - downstream_data_ptr;
    if (length > room) {
        noc_async_write(source, get_noc_addr_helper(downstream_noc_xy, downstream_data_ptr), room);
        source += room;
        length -= room;
        downstream_data_ptr = downstream_cb_base;
    }
    noc_async_write(source, get_noc_addr_helper(downstream_noc_xy, downstream_data_ptr), length);
    downstream_data_ptr += length;
}

// The next part of a relay. A part that is not the last one (round 0) and ends at a page's edge takes the
// page behind it too: the part after it begins there.
template <uint32_t round>
static uint32_t write_pages_to_dispatcher(uint32_t source, uint32_t length) {
    const uint32_t in_page = downstream_data_ptr & (downstream_cb_page_size - 1);
    const uint32_t npages = (length + in_page - round) >> downstream_cb_log_page_size;
    cb_acquire_pages<my_downstream_cb_sem_id>(npages);
    write_downstream(source, length);
    return npages;
}

FORCE_INLINE void release_downstream(uint32_t npages) {
    if (npages != 0) cb_release_pages<downstream_noc_xy, downstream_cb_sem_id>(npages);
}

static void round_up_downstream() { downstream_data_ptr = round_up_pow2(downstream_data_ptr, downstream_cb_page_size); }

// Pulls through both halves of scratch: one is read into while the other goes out. `read(half)` starts
// reads of what fits a half, and returns the bytes.
template <class Read>
static void relay_through_scratch(Read read) {
    // The halves may be the source of writes that have not left.
    noc_async_writes_flushed();
    uint32_t half = 0;
    uint32_t amount = read(scratch_halves[half]);
    noc_async_read_barrier();
    for (;;) {
        noc_async_writes_flushed();
        const uint32_t next_amount = read(scratch_halves[1 - half]);
        if (next_amount == 0) break;
        release_downstream(write_pages_to_dispatcher<0>(scratch_halves[half], amount));
        noc_async_read_barrier();
        half = 1 - half;
        amount = next_amount;
    }
    // One more: the page that the head of the command took.
    const uint32_t npages = write_pages_to_dispatcher<1>(scratch_halves[half], amount);
    release_downstream(npages + 1);
    round_up_downstream();
}

// --- exec_buf: commands out of DRAM, a chunk at a time, over cmddat_q

static void read_exec_buf_chunk() {
    ExecBufState& state = local.exec_buf;
    const uint32_t page_size = 1u << state.log_page_size;
    const uint32_t npages = state.pages < NUM_DRAM_BANKS ? state.pages : NUM_DRAM_BANKS;
    ASSERT(npages != 0);
    const InterleavedPow2AddrGen<true> pages = {.bank_base_address = state.base_addr, .log_base_2_of_page_size = state.log_page_size};
    noc_async_writes_flushed();
    uint32_t to = cmddat_q_base;
    for (uint32_t i = 0; i < npages; i++) {
        noc_async_read(pages.get_noc_addr(state.page_id), to, page_size);
        state.page_id++;
        to += page_size;
    }
    state.pages -= npages;
    state.length = npages << state.log_page_size;
    noc_async_read_barrier();
}

// The rest of the command at `at` lies in the next chunk: cmd_ptr moves to its base, and what the chunk
// before had of it no longer counts.
static void refill_inside_command(uint32_t& at, uint32_t& stride) {
    stride -= local.exec_buf.length;
    read_exec_buf_chunk();
    cmd_ptr = at = cmddat_q_base;
}

// --- commands; each returns how far the next one is from cmd_ptr

FORCE_INLINE volatile tt_l1_ptr PrefetchCommand* command_at(uint32_t address) {
    return reinterpret_cast<volatile tt_l1_ptr PrefetchCommand*>(address);
}

// Writes a command's payload downstream, chunk by chunk in a trace.
template <bool exec_buf>
static uint32_t write_payload(uint32_t length, uint32_t stride) {
    uint32_t at = cmd_ptr + command_bytes;
    if constexpr (exec_buf) {
        uint32_t remaining = local.exec_buf.length - command_bytes;
        while (length > remaining) {
            if (remaining != 0) write_downstream(at, remaining);
            length -= remaining;
            refill_inside_command(at, stride);
            remaining = local.exec_buf.length;
        }
    }
    if (length != 0) write_downstream(at, length);
    return stride;
}

template <bool exec_buf>
static uint32_t process_relay_inline_cmd() {
    const uint32_t length = command_at(cmd_ptr)->in_line.length;
    uint32_t stride = command_at(cmd_ptr)->in_line.stride;
    const uint32_t npages = (length + downstream_cb_page_size - 1) >> downstream_cb_log_page_size;
    cb_acquire_pages<my_downstream_cb_sem_id>(npages);
    stride = write_payload<exec_buf>(length, stride);
    round_up_downstream();
    // cmddat_q is read into again.
    noc_async_writes_flushed();
    release_downstream(npages);
    return stride;
}

// The head of a command whose payload is relayed next: takes a page and leaves it to that relay.
template <bool exec_buf>
static uint32_t process_relay_inline_noflush_cmd() {
    const uint32_t length = command_at(cmd_ptr)->in_line.length;
    const uint32_t stride = command_at(cmd_ptr)->in_line.stride;
    ASSERT(length < downstream_cb_page_size);
    cb_acquire_pages<my_downstream_cb_sem_id>(1);
    return write_payload<exec_buf>(length, stride);
}

static uint32_t process_relay_linear_cmd() {
    volatile tt_l1_ptr PrefetchCommand* cmd = command_at(cmd_ptr);
    const uint32_t noc_xy = cmd->linear.noc_xy;
    uint32_t addr = cmd->linear.addr;
    uint32_t length = cmd->linear.length;
    relay_through_scratch([&](uint32_t half) {
        const uint32_t n = length < scratch_half_size ? length : scratch_half_size;
        if (n != 0) noc_async_read(get_noc_addr_helper(noc_xy, addr), half, n);
        addr += n;
        length -= n;
        return n;
    });
    return prefetch_command_unit;
}

// Whole pages, as many as fit a half. What length_adjust cuts is read and not sent.
template <bool is_dram>
static void relay_small_pages(uint32_t page_id, uint32_t base, uint32_t page_size, uint32_t pages, uint32_t length_adjust) {
    const InterleavedAddrGen<is_dram> generator = {.bank_base_address = base, .page_size = page_size};
    relay_through_scratch([&](uint32_t half) {
        uint32_t amount = 0;
        while (pages != 0 && amount + page_size <= scratch_half_size) {
            noc_async_read(generator.get_noc_addr(page_id), half + amount, page_size);
            amount += page_size;
            page_id++;
            pages--;
        }
        return pages == 0 && amount != 0 ? amount - length_adjust : amount;
    });
}

// Pages larger than a half: part by part.
template <bool is_dram>
static void relay_large_pages(uint32_t page_id, uint32_t base, uint32_t page_size, uint32_t length) {
    const InterleavedAddrGen<is_dram> generator = {.bank_base_address = base, .page_size = page_size};
    uint32_t page_offset = 0;
    relay_through_scratch([&](uint32_t half) {
        uint32_t amount = 0;
        while (length != 0 && amount != scratch_half_size) {
            uint32_t n = page_size - page_offset;
            if (n > length) n = length;
            if (n > scratch_half_size - amount) n = scratch_half_size - amount;
            noc_async_read(generator.get_noc_addr(page_id, page_offset), half + amount, n);
            amount += n;
            length -= n;
            page_offset += n;
            if (page_offset == page_size) {
                page_offset = 0;
                page_id++;
            }
        }
        return amount;
    });
}

template <bool is_dram>
static uint32_t process_relay_paged_cmd(uint32_t start_page) {
    volatile tt_l1_ptr PrefetchCommand* cmd = command_at(cmd_ptr);
    const uint32_t base = cmd->paged.base_addr;
    const uint32_t page_size = cmd->paged.page_size;
    const uint32_t pages = cmd->paged.pages;
    const uint32_t length_adjust = cmd->paged.length_adjust;
    if (page_size > scratch_half_size)
        relay_large_pages<is_dram>(start_page, base, page_size, pages * page_size - length_adjust);
    else
        relay_small_pages<is_dram>(start_page, base, page_size, pages, length_adjust);
    return prefetch_command_unit;
}

static void read_packed_sub_command(const RelayPagedPackedSub& sub, uint32_t to) {
    const InterleavedPow2AddrGen<true> pages = {.bank_base_address = sub.base_addr, .log_base_2_of_page_size = sub.log_page_size};
    const uint32_t page_size = 1u << sub.log_page_size;
    uint32_t page_id = sub.start_page;
    for (uint32_t left = sub.length; left != 0; page_id++) {
        const uint32_t n = left < page_size ? left : page_size;
        noc_async_read(pages.get_noc_addr(page_id), to, n);
        to += n;
        left -= n;
    }
}

template <bool exec_buf>
static uint32_t process_relay_paged_packed_cmd() {
    const uint32_t count = command_at(cmd_ptr)->packed.count;
    uint32_t stride = command_at(cmd_ptr)->packed.stride;
    ASSERT(count != 0 && count <= packed_sub_commands_max);

    // Reads of scratch overlap with what is left of this command: the sub-commands are copied first.
    uint32_t at = cmd_ptr + command_bytes;
    uint32_t words_left = count * sub_command_words;
    uint32_t copied = 0;
    if constexpr (exec_buf) {
        uint32_t words_here = (local.exec_buf.length - command_bytes) / sizeof(uint32_t);
        while (words_left > words_here) {
            careful_copy_from_l1(l1_words(at), words_here, local.l1_cache + copied);
            copied += words_here;
            words_left -= words_here;
            refill_inside_command(at, stride);
            words_here = local.exec_buf.length / sizeof(uint32_t);
        }
    }
    careful_copy_from_l1(l1_words(at), words_left, local.l1_cache + copied);
    // The loop below looks at the length of the sub-command behind the last one: it never fits.
    local.l1_cache[count * sub_command_words + 2] = 0xffffffff;

    uint32_t next = 0;
    relay_through_scratch([&](uint32_t half) {
        uint32_t amount = 0;
        while (local.l1_cache[next * sub_command_words + 2] <= scratch_half_size - amount) {
            RelayPagedPackedSub sub;
            __builtin_memcpy(&sub, &local.l1_cache[next * sub_command_words], sizeof sub);
            read_packed_sub_command(sub, half + amount);
            amount += sub.length;
            next++;
        }
        return amount;
    });
    ASSERT(next == count);
    return stride;
}

static uint32_t process_stall_cmd() {
    stall_count++;
    volatile tt_l1_ptr uint32_t* sync = l1_words(get_semaphore<fd_core_type>(downstream_sync_sem_id));
    WAYPOINT("PSW");
    uint32_t heartbeat = 0;
    while (*sync != stall_count) {
        RISC_POST_HEARTBEAT(heartbeat);
    }
    WAYPOINT("PSD");
    return prefetch_command_unit;
}

static uint32_t process_debug_cmd() {
    volatile tt_l1_ptr PrefetchCommand* cmd = command_at(cmd_ptr);
    ASSERT(checksum_of(cmd_ptr + command_bytes, cmd->debug.size) == cmd->debug.checksum);
    return cmd->debug.stride;
}

template <bool exec_buf>
static bool process_cmd(uint32_t& stride);

static uint32_t process_exec_buf_cmd() {
    ASSERT(stall_state == STALLED);
    volatile tt_l1_ptr PrefetchCommand* cmd = command_at(cmd_ptr);
    ExecBufState& state = local.exec_buf;
    state.page_id = 0;
    state.base_addr = cmd->exec_buf.base_addr;
    state.log_page_size = cmd->exec_buf.log_page_size;
    state.pages = cmd->exec_buf.pages;
    state.length = 0;

    const uint32_t behind = cmd_ptr;
    bool done = false;
    while (!done) {
        read_exec_buf_chunk();
        cmd_ptr = cmddat_q_base;
        while (!done && state.length != 0) {
            uint32_t stride = 0;
            done = process_cmd<true>(stride);
            state.length -= stride;
            cmd_ptr += stride;
        }
    }
    // Its inline payloads came from cmddat_q, where the host's slots go on.
    noc_async_writes_flushed();
    cmd_ptr = behind;
    stall_state = NOT_STALLED;
    return prefetch_command_unit;
}

// True: the kernel's, or the trace's, last command.
template <bool exec_buf>
static bool process_cmd(uint32_t& stride) {
    volatile tt_l1_ptr PrefetchCommand* cmd = command_at(cmd_ptr);
    DeviceZoneScopedN("PREFETCH-CMD");
    switch (cmd->id) {
        case PREFETCH_RELAY_LINEAR: stride = process_relay_linear_cmd(); break;
        case PREFETCH_RELAY_PAGED: {
            const uint32_t flags = cmd->paged.page_flags;
            stride = (flags & 0x10) != 0 ? process_relay_paged_cmd<true>(flags & 0xf)
                                         : process_relay_paged_cmd<false>(flags & 0xf);
            break;
        }
        case PREFETCH_RELAY_PAGED_PACKED: stride = process_relay_paged_packed_cmd<exec_buf>(); break;
        case PREFETCH_RELAY_INLINE: stride = process_relay_inline_cmd<exec_buf>(); break;
        case PREFETCH_RELAY_INLINE_NOFLUSH: stride = process_relay_inline_noflush_cmd<exec_buf>(); break;
        case PREFETCH_EXEC_BUF:
            ASSERT(!exec_buf);
            if constexpr (!exec_buf) stride = process_exec_buf_cmd();
            break;
        case PREFETCH_EXEC_BUF_END:
            ASSERT(exec_buf);
            stride = process_relay_inline_cmd<exec_buf>();
            return true;
        case PREFETCH_STALL: stride = process_stall_cmd(); break;
        case PREFETCH_DEBUG:
            ASSERT(!exec_buf);
            stride = process_debug_cmd();
            break;
        case PREFETCH_TERMINATE:
            ASSERT(!exec_buf);
            stride = prefetch_command_unit;
            return true;
        default:
            DPRINT << "prefetcher: no command: " << HEX() << uint32_t(cmd->id) << DEC() << ENDL();
            ASSERT(!"a command that this prefetcher knows");
    }
    return false;
}

void kernel_main() {
    DPRINT << "sample prefetcher: start" << ENDL();
    bool done = false;
    while (!done) {
        fetch_q_get_cmds();
        uint32_t stride = 0;
        done = process_cmd<false>(stride);
        cmd_ptr += stride;
    }
    // Nothing but what came home is left to wait for.
    cb_wait_all_pages<my_downstream_cb_sem_id>(downstream_cb_pages);
    noc_async_full_barrier();
    DPRINT << "sample prefetcher: end" << ENDL();
}
