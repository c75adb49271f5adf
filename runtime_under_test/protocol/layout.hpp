// Where things lie: the L1 maps of dispatch, worker and ethernet cores, and the host's hugepage
// (facts §1.4, §3.3). All addresses are offsets within the memory they name.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime_under_test/protocol/generation.hpp"
#include "runtime_under_test/protocol/geometry.hpp"

namespace cqfuzz::rt {

inline constexpr std::uint32_t kTensixL1Bytes = 1464 * 1024;

// Semaphore numbers on a dispatch core; word at semaphore_base + id x 16 (facts §3.5).
enum class Semaphore : std::uint32_t {
    downstream_credits = 0,  // producer side: pages of the consumer's ring that may still be taken
    upstream_ready = 1,      // consumer side: pages handed over
    downstream_sync = 2,     // prefetcher: notifications from the dispatcher's WAIT (STALL)
    dispatch_s_credits = 3,  // prefetcher: as downstream_credits, of dispatch_s's ring
    kCount = 4,
};

// One map for every dispatch role; a role uses the parts that it has.
struct DispatchCoreLayout {
    std::uint32_t semaphore_base = 0;
    std::uint32_t prefetch_q_rd_ptr = 0;  // published for the host
    std::uint32_t prefetch_q_pcie_rd_ptr = 0;
    std::uint32_t completion_wr_ptr =
        0;  // device's own, in 16-byte units, toggle in bit 31 (facts §1.4)
    std::uint32_t completion_rd_ptr = 0;  // written by the host
    std::uint32_t dispatch_message = 0;   // workers' completion counter
    std::uint32_t last_event_base = 0;    // a word per command queue: its last event (facts §6.7)
    std::uint32_t prefetch_q_base = 0;
    std::uint32_t cmddat_q_base = 0;  // byte ring (h, hd); paged ring (d) lies at ring_base
    std::uint32_t scratch_base = 0;   // both halves; the ring-buffer cache begins here too
    std::uint32_t packet_header = 0;  // mux: where it builds them
    // dispatch_s: for each go index a word that the dispatcher's NOTIFY_SUBORDINATE raises.
    std::uint32_t go_notify_base = 0;
    std::uint32_t ring_base =
        0;  // dispatch_cb, prefetch_d's cmddat_q, dispatch_h's cb, dispatch_s_cb; page aligned
    std::uint32_t end = 0;  // first byte not used

    std::uint32_t semaphore(Semaphore id) const {
        return semaphore_base + static_cast<std::uint32_t>(id) * 16;
    }
    std::uint32_t last_event(std::uint32_t queue) const { return last_event_base + queue * 16; }
    std::uint32_t message(std::uint32_t index) const { return dispatch_message + index * 16; }
    std::uint32_t go_notify(std::uint32_t index) const { return go_notify_base + index * 16; }
};

// A tunneler's core: one lane towards the link, one from it.
struct TunnelerLayout {
    struct Lane {
        std::uint32_t credits = 0;  // of the ring that the lane fills
        std::uint32_t ready = 0;    // of the lane's own ring
        std::uint32_t ring_base = 0;
    };
    Lane outbound;  // NoC → link
    Lane inbound;   // link → NoC
    std::uint32_t end = 0;
};

struct WorkerCoreLayout {
    std::uint32_t launch_base = 0;  // launch-message ring: kLaunchEntries x sizeof(LaunchMessage)
    std::uint32_t launch_read_index = 0;  // word: next entry that base firmware will use
    std::uint32_t go_message = 0;         // 4 bytes, 16-aligned
    std::uint32_t config_base = 0;        // kernel-config ring
    std::uint32_t config_bytes = 0;
    // Ethernet cores: what the programs of linked cores send each other.
    std::uint32_t exchange_count = 0;  // word: messages that came
    std::uint32_t exchange_base = 0;   // kExchangeBytesMax
};

inline constexpr std::uint32_t kExchangeBytesMax = 16 * 1024;

// One behind the other as the host sees them (facts §1.4).
inline constexpr std::uint32_t kHugepageChannelBytes = 1u << 30;

struct HostLayout {
    // Where the channel begins as the host sees it; all else is an offset in the channel, as the
    // chip sees it (facts §1.4).
    std::uint32_t channel_base = 0;
    std::uint32_t issue_read_ptr = 0;  // pointer words, one per PCIe alignment slot
    std::uint32_t issue_write_ptr = 0;
    std::uint32_t completion_write_ptr = 0;
    std::uint32_t completion_read_ptr = 0;
    std::uint32_t issue_base = 0;
    std::uint32_t completion_base = 0;
    std::uint32_t end = 0;
};

struct Coord {
    std::uint8_t x = 0;
    std::uint8_t y = 0;
    std::uint8_t chip = 0;
    friend bool operator==(const Coord&, const Coord&) = default;
    // NOC_XY_ENCODING (facts §8.1): of the chip's own NoCs
    std::uint32_t noc_xy() const { return static_cast<std::uint32_t>(y) << 6 | x; }
};

// The cores that carry a remote chip's commands: host's chip → remote chip by mux, tunneler,
// tunneler_d and demux_d; back by mux_d, tunneler_d, tunneler and demux (facts §1.2).
struct TunnelDescription {
    Coord mux{};
    Coord demux{};
    Coord tunneler{};  // ethernet core of the host's chip; its link ends at tunneler_d
    Coord tunneler_d{};
    Coord mux_d{};
    Coord demux_d{};
};

// Cores set aside for the dispatch of one command queue. Merged: prefetch and dispatch. Split: all
// four, prefetch = h, dispatch = d.
struct DispatchCores {
    Coord prefetch{};
    Coord prefetch_d{};
    Coord dispatch{};
    Coord dispatch_h{};
    std::uint32_t dispatch_pointer_base = 0;  // as ChipDescription's
    std::uint32_t prefetch_pointer_base = 0;
};

// What the chip has, as its owner (the harness) describes it to the runtime.
struct ChipDescription {
    std::uint8_t chip = 0;
    bool remote = false;       // no PCIe of its own: reached over another chip and the tunnel
    TunnelDescription tunnel;  // of a remote chip
    std::uint32_t hugepage_base = 0;     // its part of the channel
    std::uint32_t hugepage_channel = 0;  // of the chip with PCIe
    Coord worker_origin{1, 1};
    std::uint8_t worker_cols = 1;
    std::uint8_t worker_rows = 1;
    std::vector<Coord> ethernet_cores;
    std::uint8_t linked_cores = 0;  // so many of them, from the first on, have a link
    std::vector<Coord> dram_banks;
    Coord pcie{};
    // Cores set aside for dispatch (DispatchCores), of command queue 0; in a DeviceConfig of its
    // own queue.
    Coord prefetch{};
    Coord prefetch_d{};
    Coord dispatch{};
    Coord dispatch_h{};
    Coord dispatch_s{};                      // if the geometry has one
    std::vector<DispatchCores> more_queues;  // of command queues 1 …
    // What the dispatcher's firmware, and the prefetcher's, adds to an address of its L1 to have a
    // pointer: 0 where both are the same.
    std::uint32_t dispatch_pointer_base = 0;
    std::uint32_t prefetch_pointer_base = 0;
};

// Everything that firmware gets as its compile-time arguments (facts §10), and the host as its
// address map.
// One for each command queue: its cores and host regions; all else is the same.
struct DeviceConfig {
    DispatchGeometry geometry;
    std::uint32_t queue = 0;
    ChipDescription chip;
    DispatchCoreLayout prefetch;  // h or hd
    DispatchCoreLayout prefetch_d;
    DispatchCoreLayout dispatch;  // d or hd
    DispatchCoreLayout dispatch_h;
    DispatchCoreLayout dispatch_s;
    DispatchCoreLayout mux;    // as prefetch_d's ring; of a remote chip
    DispatchCoreLayout mux_d;  // as dispatch_h's ring
    DispatchCoreLayout demux;  // and demux_d: a ring of packet words
    TunnelerLayout tunneler;   // and tunneler_d
    WorkerCoreLayout worker;
    WorkerCoreLayout ethernet;
    HostLayout host;
    // What the dispatch cores' firmware speaks. Null: late 2024, by which everything is encoded.
    const Generation* generation = nullptr;

    // Who is next in the split pipeline: each other, or the ends of the tunnel.
    struct Neighbour {
        Coord coord;
        const DispatchCoreLayout& map;
    };
    Neighbour after_prefetch_h() const {
        return chip.remote ? Neighbour{chip.tunnel.mux, mux}
                           : Neighbour{chip.prefetch_d, prefetch_d};
    }
    Neighbour before_prefetch_d() const {
        return chip.remote ? Neighbour{chip.tunnel.demux_d, demux}
                           : Neighbour{chip.prefetch, prefetch};
    }
    Neighbour after_dispatch_d() const {
        return chip.remote ? Neighbour{chip.tunnel.mux_d, mux_d}
                           : Neighbour{chip.dispatch_h, dispatch_h};
    }
    Neighbour before_dispatch_h() const {
        return chip.remote ? Neighbour{chip.tunnel.demux, demux}
                           : Neighbour{chip.dispatch, dispatch};
    }
    // Who sends the go signals, and hears of the completions first.
    Neighbour go_sender() const {
        return geometry.has_dispatch_s() ? Neighbour{chip.dispatch_s, dispatch_s}
                                         : Neighbour{chip.dispatch, dispatch};
    }
    // The prefetcher that executes commands.
    Neighbour executing_prefetcher() const {
        return geometry.split ? Neighbour{chip.prefetch_d, prefetch_d}
                              : Neighbour{chip.prefetch, prefetch};
    }
    // The workers' completion counter, as a command names it to the dispatcher.
    std::uint32_t message_pointer() const {
        return dispatch.dispatch_message + chip.dispatch_pointer_base;
    }
    // The word of a command queue's last event, as a command names it to this queue's dispatcher.
    std::uint32_t event_pointer(std::uint32_t of_queue) const {
        return dispatch.last_event(of_queue) + chip.dispatch_pointer_base;
    }
    // The first entry of prefetch_q, as the prefetcher publishes its read pointer.
    std::uint32_t prefetch_q_pointer() const {
        return prefetch.prefetch_q_base + chip.prefetch_pointer_base;
    }
};

// REQUIRES: refusal_of(geometry) is empty. Deterministic: geometry alone decides the maps.
// REQUIRES: queue < geometry.command_queues, and the chip has cores for it.
DeviceConfig make_device_config(const DispatchGeometry& geometry, const ChipDescription& chip,
                                std::uint32_t queue = 0);

// Empty when every map of `config` fits its memory (tensix L1 1464 KB), else the sentence to show.
std::string refusal_of(const DeviceConfig& config);

}  // namespace cqfuzz::rt
