// DispatchGeometry: every size, count and width of one device's dispatch, as data (facts §3).
// Nothing in host or firmware is a constant that could be here.
//
// Invariants (refused at open otherwise, with the rule named; see `refusal_of`):
//  1. Rings: page a power of two in [1024, 4096]; blocks a power of two that divides the page count
//  (facts §3.2, inv. 17).
//  2. cmddat_q >= 2 x max prefetch command; scratch even, each half a multiple of the DRAM
//  alignment (facts §3.2).
//  3. A half's pages and the longest inline command fit beside what the dispatcher may withhold
//  (inv. 10, 11).
//  4. The ring-buffer cache begins where scratch does; whole DRAM-aligned units, at most 1 MiB
//  (facts §3.2).
//  5. max command x (prefetch_q entries + 2) <= issue region (facts §1.4).
//  6. A DRAM bank has room for something, and is a multiple of the DRAM alignment.
//  7. A dispatch_s on a core of its own goes with one command queue (facts §1.3).
#pragma once

#include <cstdint>
#include <string>

namespace cqfuzz::rt {

// How the dispatcher knows that a block may be released: facts §4.2 with the repair of §12.3, or
// facts §4.3.
enum class BlockAccounting : std::uint8_t { write_counts, snapshot };

// How semaphores and circular buffers reach workers: WRITE_PACKED multicasts (facts §6.1) or
// WRITE_PACKED_LARGE (§6.2).
enum class ConfigStyle : std::uint8_t { packed_multicast, packed_large };

// Who sends the go signals: the dispatcher, or a dispatch_s beside it, on a core of its own (facts
// §1.3: "distributed dispatcher").
enum class DispatchS : std::uint8_t { absent, own_core };

struct RingGeometry {
    std::uint32_t log_page_size = 12;
    std::uint32_t pages = 32;
    std::uint32_t blocks = 4;

    std::uint32_t page_size_bytes() const { return 1u << log_page_size; }
    std::uint32_t pages_per_block() const { return pages / blocks; }
    std::uint32_t size_bytes() const { return pages << log_page_size; }
    friend bool operator==(const RingGeometry&, const RingGeometry&) = default;
};

// Defaults are the ethernet-dispatch column of facts §3.2: small buffers, where the Llama hang was
// seen.
struct DispatchGeometry {
    bool split =
        false;  // prefetch_h → prefetch_d → dispatch_d → dispatch_h instead of the merged pair
    std::uint32_t command_queues = 1;  // 1 or 2, each with cores and host regions of its own
    BlockAccounting block_accounting = BlockAccounting::snapshot;
    ConfigStyle config_style = ConfigStyle::packed_multicast;

    std::uint32_t prefetch_q_entries = 128;
    std::uint32_t max_prefetch_command_bytes = 32 * 1024;
    std::uint32_t cmddat_q_bytes = 64 * 1024;  // of prefetch_h or _hd
    std::uint32_t scratch_bytes = 19 * 1024;   // both halves; prefetch_d or _hd
    std::uint32_t ringbuffer_bytes =
        70 * 1024;  // cache of the same core, over scratch's bytes (facts §3.1)
    RingGeometry prefetch_d{12, 32, 4};  // cmddat_q of prefetch_d
    RingGeometry dispatch{12, 32, 4};    // dispatch_cb of dispatch_d or _hd
    RingGeometry dispatch_h{12, 32, 4};
    RingGeometry tunnel{8, 128, 4};  // of packet words, in each core of a tunnel (facts §1.5)
    std::uint32_t issue_region_bytes = 8 * 1024 * 1024;
    std::uint32_t completion_region_bytes = 1024 * 1024;  // multiple of 4096

    std::uint32_t dram_banks = 12;                         // 1 … 16
    std::uint32_t trace_log_page_size = 12;                // 10 … 12 (facts §5.1)
    std::uint32_t trace_region_bytes = 48u * 1024 * 1024;  // over all banks
    std::uint32_t dram_bank_bytes = 32u * 1024 * 1024;
    std::uint32_t packed_write_max_unicast =
        64;  // sub-commands of one WRITE_PACKED; multicast: half (facts §3.4)
    std::uint32_t worker_config_bytes = 69 * 1024;  // kernel-config ring (facts §6.4)
    std::uint32_t ethernet_config_bytes = 25 * 1024;
    DispatchS dispatch_s = DispatchS::absent;
    std::uint32_t dispatch_s_pages = 128;  // of its ring, a command each (facts §3.1)
    // Start values of the free-running words, so that wraps come early (facts §18.12).
    std::uint32_t semaphore_start = 0;  // page-ready words and what the consumer has seen of them

    static constexpr std::uint32_t kCommandQueuesMax = 2;
    static constexpr std::uint32_t kLaunchEntries = 8;
    static constexpr std::uint32_t kPcieAlignment = 32;
    static constexpr std::uint32_t kL1Alignment = 16;
    static constexpr std::uint32_t kDramAlignment = 32;
    static constexpr std::uint32_t kCompletionPageBytes = 4096;
    static constexpr std::uint32_t kMaxBurstBytes = 8192;
    static constexpr std::uint32_t kDispatchSLogPage = 8;  // one command a page (facts §2.7)
    static constexpr std::uint32_t kDispatchSPagesMax = 256;

    bool has_dispatch_s() const { return dispatch_s != DispatchS::absent; }
    RingGeometry dispatch_s_ring() const {
        return {kDispatchSLogPage, dispatch_s_pages, dispatch_s_pages};
    }

    friend bool operator==(const DispatchGeometry&, const DispatchGeometry&) = default;
};

// The two real sets (facts §3.2).
DispatchGeometry ethernet_dispatch_geometry();
DispatchGeometry worker_dispatch_geometry();

// Empty when the geometry is legal, else one sentence that names the rule, the values and what
// would be accepted.
std::string refusal_of(const DispatchGeometry& geometry);

}  // namespace cqfuzz::rt
