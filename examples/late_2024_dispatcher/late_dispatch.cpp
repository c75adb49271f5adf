// A dispatcher of the late-2024 generation, in the style of production kernels: file-level statics, compile-time
// arguments by position, raw polls of L1 words, write counts per ring block (facts §4.2). It shares
// nothing with the built-in firmware, and cqfuzz hosts it as it stands.
//
// -DSAMPLE_LATE_ORPHAN sends the piece of a packed write that straddles a block's end after the move
// to the next block (facts §12.3). Without it the piece goes out and is counted before.
#include "dataflow_api.h"
#include "late_commands.h"

constexpr uint32_t cb_base = get_compile_time_arg_val(0);
constexpr uint32_t cb_log_page_size = get_compile_time_arg_val(1);
constexpr uint32_t cb_pages = get_compile_time_arg_val(2);
constexpr uint32_t cb_blocks = get_compile_time_arg_val(3);
constexpr uint32_t cb_ready_addr = get_compile_time_arg_val(4);
constexpr uint32_t upstream_noc_xy = get_compile_time_arg_val(5);
constexpr uint32_t upstream_credits_addr = get_compile_time_arg_val(6);
constexpr uint32_t upstream_sync_addr = get_compile_time_arg_val(7);
constexpr uint32_t completion_base = get_compile_time_arg_val(8);
constexpr uint32_t completion_size = get_compile_time_arg_val(9);
constexpr uint32_t completion_wr_ptr_addr = get_compile_time_arg_val(10);
constexpr uint32_t completion_rd_ptr_addr = get_compile_time_arg_val(11);
constexpr uint32_t host_completion_wr_ptr = get_compile_time_arg_val(12);
constexpr uint32_t pcie_noc_xy = get_compile_time_arg_val(13);
constexpr uint32_t worker_go_addr = get_compile_time_arg_val(14);
constexpr uint32_t eth_go_addr = get_compile_time_arg_val(15);
constexpr uint32_t dram_banks = get_compile_time_arg_val(16);
constexpr uint32_t dram_first_xy = get_compile_time_arg_val(17);  // bank b is b rows further down
constexpr uint32_t worker_cols = get_compile_time_arg_val(18);
constexpr uint32_t worker_rows = get_compile_time_arg_val(19);
constexpr uint32_t worker_origin_x = get_compile_time_arg_val(20);
constexpr uint32_t worker_origin_y = get_compile_time_arg_val(21);

constexpr uint32_t page_size = 1u << cb_log_page_size;
constexpr uint32_t cb_end = cb_base + (cb_pages << cb_log_page_size);
constexpr uint32_t pages_per_block = cb_pages / cb_blocks;
constexpr uint32_t block_size = pages_per_block << cb_log_page_size;
constexpr uint8_t data_noc = 0;
constexpr uint8_t upstream_noc = 1;
constexpr uint32_t completion_page = 4096;
constexpr uint32_t toggle_bit = 1u << 31;
constexpr uint32_t command_size = sizeof(SampleCommand);

static uint32_t cmd_ptr = cb_base;    // of the next byte to read
static uint32_t cb_fence = cb_base;   // end of the pages acquired
static uint32_t block_end = cb_base + block_size;
static uint32_t pages_seen;           // of the ready word, acquired
static uint32_t current_block;        // where the fence is
static uint32_t oldest_block;         // first that is not given back
static uint32_t writes_until[cb_blocks];  // count at which a block's writes have departed
static uint32_t write_offset[3];
static uint32_t go_noc_data[64];
static uint32_t sub_words[128];
static uint32_t completion_ptr = completion_base;
static uint32_t completion_toggle;
static uint32_t completion_used;
static bool done;

static volatile tt_l1_ptr uint32_t* word_at(uint32_t addr) {
    return reinterpret_cast<volatile tt_l1_ptr uint32_t*>(addr);
}

static uint32_t writes_sent() { return NOC_STATUS_READ_REG(data_noc, NIU_MST_NONPOSTED_WR_REQ_SENT); }

static void give_back(uint32_t pages) {
    noc_semaphore_inc(get_noc_addr_helper(upstream_noc_xy, upstream_credits_addr), pages, upstream_noc);
}

// The current block's target is one more than its writes, so it is never reached.
static void give_back_finished_blocks() {
    for (int i = 0; i < 2; i++) {
        if (static_cast<int32_t>(writes_sent() - writes_until[oldest_block]) < 0) return;
        give_back(pages_per_block);
        oldest_block = (oldest_block + 1) % cb_blocks;
    }
}

static void next_block() {
    const uint32_t next = (current_block + 1) % cb_blocks;
    WAYPOINT("waits for a lap to depart");
    while (next == oldest_block) {
        if (static_cast<int32_t>(writes_sent() - writes_until[oldest_block]) >= 0) give_back_finished_blocks();
    }
    const uint32_t running = writes_until[current_block];
    writes_until[current_block] = running - 1;
    writes_until[next] = running;
    current_block = next;
    if (cb_fence == cb_end) {
        cb_fence = cb_base;
        cmd_ptr = cb_base;
    }
    block_end = cb_fence + block_size;
}

static void acquire_pages() {
    WAYPOINT("waits for pages");
    volatile tt_l1_ptr uint32_t* ready = word_at(cb_ready_addr);
    uint32_t available = *ready - pages_seen;
    while (available == 0) {
        if (oldest_block != current_block &&
            static_cast<int32_t>(writes_sent() - writes_until[oldest_block]) >= 0)
            give_back_finished_blocks();
        available = *ready - pages_seen;
    }
    const uint32_t room = (block_end - cb_fence) >> cb_log_page_size;
    const uint32_t pages = available < room ? available : room;
    pages_seen += pages;
    cb_fence += pages << cb_log_page_size;
}

static void wait_for_data() {
    if (cmd_ptr != cb_fence) return;
    if (cb_fence == block_end) next_block();
    acquire_pages();
}

// How many of the next `wanted` bytes may be sent in one piece: what is there, and at most a page.
static uint32_t next_piece(uint32_t wanted) {
    const uint32_t piece = wanted < page_size ? wanted : page_size;
    if (cmd_ptr + piece <= cb_fence) return piece;
    if (cb_fence == block_end) {
#ifdef SAMPLE_LATE_ORPHAN
        const bool cut = cb_fence == cb_end;
#else
        const bool cut = true;
#endif
        if (cmd_ptr < cb_fence && cut) return cb_fence - cmd_ptr;
        next_block();
    }
    acquire_pages();
    return piece;
}

static void skip(uint32_t length) {
    while (length != 0) {
        wait_for_data();
        const uint32_t n = length < cb_fence - cmd_ptr ? length : cb_fence - cmd_ptr;
        cmd_ptr += n;
        length -= n;
    }
}

static void send(uint64_t to, uint32_t n, uint32_t num_dests, bool linked) {
    if (num_dests == 0)
        noc_async_write_one_packet(cmd_ptr, to, n, data_noc);
    else
        noc_async_write_multicast_one_packet(cmd_ptr, to, n, num_dests, data_noc, NOC_DISPATCH_MULTICAST_WRITE_VC, linked);
    writes_until[current_block]++;
}

static void send_payload(uint32_t xy, uint32_t addr, uint32_t length, uint32_t num_dests, bool unlink) {
    while (length != 0) {
        const uint32_t n = next_piece(length);
        const bool last = unlink && n == length;
        send(get_noc_addr_helper(xy, addr), n, num_dests, num_dests != 0 && !last);
        cmd_ptr += n;
        addr += n;
        length -= n;
    }
}

static void write_linear(const SampleCommand& cmd) {
    cmd_ptr += command_size;
    send_payload(cmd.linear.noc_xy, cmd.linear.addr + write_offset[cmd.linear.write_offset_index],
                 cmd.linear.length, cmd.linear.num_mcast_dests, true);
}

static void write_paged(const SampleCommand& cmd) {
    const bool dram = cmd.paged.is_dram != 0;
    const uint32_t banks = dram ? dram_banks : worker_cols * worker_rows;
    const uint32_t row = align(cmd.paged.page_size, dram ? DRAM_ALIGNMENT : L1_ALIGNMENT);
    cmd_ptr += command_size;
    for (uint32_t i = 0; i < cmd.paged.pages; i++) {
        const uint32_t page = cmd.paged.start_page + i;
        const uint32_t bank = page % banks;
        const uint32_t xy = dram ? dram_first_xy + (bank << 6)
                                 : NOC_XY_ENCODING(worker_origin_x + bank % worker_cols, worker_origin_y + bank / worker_cols);
        send_payload(xy, cmd.paged.base_addr + page / banks * row, cmd.paged.page_size, 0, true);
        give_back_finished_blocks();
    }
}

static void load_sub_words(uint32_t count) {
    volatile tt_l1_ptr uint32_t* from = word_at(cmd_ptr + command_size);
    ASSERT(count <= 128);
    for (uint32_t i = 0; i < count; i++) sub_words[i] = from[i];
}

static void write_packed(const SampleCommand& cmd) {
    const bool multicast = (cmd.packed.flags & 1) != 0;
    const bool no_stride = (cmd.packed.flags & 2) != 0;
    const uint32_t words = multicast ? 2 : 1;
    const uint32_t sub_bytes = cmd.packed.count * words * 4;
    load_sub_words(cmd.packed.count * words);
    const uint32_t addr = cmd.packed.addr + write_offset[cmd.packed.write_offset_index];
    const uint32_t pad = align(static_cast<uint32_t>(cmd.packed.size), L1_ALIGNMENT) - cmd.packed.size;
    cmd_ptr += align(command_size + sub_bytes, L1_ALIGNMENT);
    for (uint32_t i = 0; i < cmd.packed.count; i++) {
        const uint32_t payload = cmd_ptr;
        send_payload(sub_words[i * words], addr, cmd.packed.size, multicast ? sub_words[i * words + 1] : 0, true);
        cmd_ptr += pad;
        if (no_stride && i + 1 < cmd.packed.count) cmd_ptr = payload;
    }
}

static void write_packed_large(const SampleCommand& cmd) {
    const uint32_t count = cmd.packed_large.count;
    load_sub_words(count * 3);
    const uint32_t offset = write_offset[cmd.packed_large.write_offset_index];
    cmd_ptr += align(command_size + count * 12, L1_ALIGNMENT);
    for (uint32_t i = 0; i < count; i++) {
        SampleLargeSub sub;
        __builtin_memcpy(&sub, &sub_words[i * 3], sizeof sub);
        send_payload(sub.noc_xy, sub.addr + offset, sub.length, sub.num_mcast_dests, (sub.flags & 1) != 0);
        skip(align(static_cast<uint32_t>(sub.length), cmd.packed_large.alignment) - sub.length);
        give_back_finished_blocks();
    }
}

static void wait_at_least(uint32_t addr, uint32_t count) {
    volatile tt_l1_ptr uint32_t* word = word_at(addr);
    while (static_cast<int32_t>(*word - count) < 0) {
    }
}

static void wait(const SampleCommand& cmd) {
    cmd_ptr += command_size;
    if (cmd.wait.barrier) noc_async_write_barrier(data_noc);
    if (cmd.wait.wait) {
        WAYPOINT("waits for workers");
        wait_at_least(cmd.wait.addr, cmd.wait.count);
    }
    if (cmd.wait.clear_count) {
        const uint32_t value = *word_at(cmd.wait.addr);
        noc_semaphore_inc(get_noc_addr(cmd.wait.addr), 0u - value, data_noc);
        noc_async_atomic_barrier(data_noc);
    }
    if (cmd.wait.notify_prefetch)
        noc_semaphore_inc(get_noc_addr_helper(upstream_noc_xy, upstream_sync_addr), 1, upstream_noc);
}

static void send_go_signal(const SampleCommand& cmd) {
    const uint32_t command = cmd_ptr;
    const SampleGo go = cmd.go;
    WAYPOINT("waits for the program before");
    wait_at_least(go.wait_addr, go.wait_count);
    // The command's own first word is the only aligned source at hand; its fields have been read.
    *word_at(command) = go.go_signal;
    uint32_t index = go.noc_data_start_index;
    for (uint32_t i = 0; i < go.num_mcast_txns; i++, index += 2)
        send(get_noc_addr_helper(go_noc_data[index], worker_go_addr), 4, go_noc_data[index + 1], false);
    for (uint32_t i = 0; i < go.num_unicast_txns; i++, index++)
        send(get_noc_addr_helper(go_noc_data[index], eth_go_addr), 4, 0, false);
    cmd_ptr += command_size;
}

static void publish_completion_page() {
    completion_used = 0;
    completion_ptr += completion_page;
    if (completion_ptr == completion_base + completion_size) {
        completion_ptr = completion_base;
        completion_toggle ^= toggle_bit;
    }
    *word_at(completion_wr_ptr_addr) = (completion_ptr >> 4) | completion_toggle;
    noc_async_write_one_packet(completion_wr_ptr_addr, get_noc_addr_helper(pcie_noc_xy, host_completion_wr_ptr), 4, data_noc);
    writes_until[current_block]++;
    noc_async_writes_flushed(data_noc);
}

static void write_host(const SampleCommand& cmd) {
    uint32_t length = cmd.host.length;
    while (length != 0) {
        uint32_t n = next_piece(length);
        if (completion_used == 0) {
            WAYPOINT("waits for room in the completion queue");
            volatile tt_l1_ptr uint32_t* read = word_at(completion_rd_ptr_addr);
            uint32_t seen = *read;
            while (((seen & ~toggle_bit) << 4) == completion_ptr && (seen & toggle_bit) != completion_toggle) seen = *read;
        }
        const uint32_t room = completion_page - completion_used;
        n = n < room ? n : room;
        send(get_noc_addr_helper(pcie_noc_xy, completion_ptr + completion_used), n, 0, false);
        completion_used += n;
        cmd_ptr += n;
        length -= n;
        if (completion_used == completion_page) publish_completion_page();
    }
    if (completion_used != 0) publish_completion_page();
}

static void execute(const SampleCommand& cmd) {
    switch (cmd.id) {
        case SAMPLE_WRITE_LINEAR: write_linear(cmd); break;
        case SAMPLE_WRITE_LINEAR_H_HOST: write_host(cmd); break;
        case SAMPLE_WRITE_PAGED: write_paged(cmd); break;
        case SAMPLE_WRITE_PACKED: write_packed(cmd); break;
        case SAMPLE_WRITE_PACKED_LARGE: write_packed_large(cmd); break;
        case SAMPLE_WAIT: wait(cmd); break;
        case SAMPLE_SEND_GO_SIGNAL: send_go_signal(cmd); break;
        case SAMPLE_SET_WRITE_OFFSET:
            for (uint32_t i = 0; i < 3; i++) write_offset[i] = cmd.words.word[i];
            cmd_ptr += command_size;
            break;
        case SAMPLE_SET_GO_SIGNAL_NOC_DATA: {
            const uint32_t words = cmd.words.word[0];
            ASSERT(words <= 64);
            cmd_ptr += command_size;
            for (uint32_t i = 0; i < words; i++) go_noc_data[i] = word_at(cmd_ptr)[i];
            cmd_ptr += words * 4;
            break;
        }
        case SAMPLE_SET_NUM_WORKER_SEMS:
        case SAMPLE_EXEC_BUF_END: cmd_ptr += command_size; break;
        case SAMPLE_TERMINATE:
            cmd_ptr += command_size;
            done = true;
            break;
        default: ASSERT(!"a command that this dispatcher knows");
    }
}

void kernel_main() {
    writes_until[0] = noc_nonposted_writes_num_issued[data_noc] + 1;
    while (!done) {
        wait_for_data();
        SampleCommand cmd;
        __builtin_memcpy(&cmd, reinterpret_cast<const void*>(cmd_ptr), sizeof cmd);
        cqfuzz::device::command_begin(cmd.id, cmd_ptr);
        execute(cmd);
        cmd_ptr = cb_base + align(cmd_ptr - cb_base, page_size);
        cqfuzz::device::command_end(cmd_ptr);
        give_back_finished_blocks();
    }
    noc_async_write_barrier(data_noc);
    for (; oldest_block != current_block; oldest_block = (oldest_block + 1) % cb_blocks) give_back(pages_per_block);
    const uint32_t rest = pages_per_block - ((block_end - cmd_ptr) >> cb_log_page_size);
    if (rest != 0) give_back(rest);
    WAYPOINT("waits for the last pages");
    while (*word_at(cb_ready_addr) != pages_seen) {
    }
    noc_async_full_barrier(data_noc);
    noc_async_full_barrier(upstream_noc);
}
