#include "runtime_under_test/protocol/layout.hpp"

#include <algorithm>
#include <utility>

#include "runtime_under_test/protocol/commands.hpp"
#include "runtime_under_test/protocol/dev_msgs.hpp"
#include "runtime_under_test/protocol/packet.hpp"

namespace cqfuzz::rt {
namespace {

constexpr std::uint32_t kDispatchUnreservedBase = 0x4000;  // below: base firmware and mailboxes
// A word of 16 bytes for each count of completions (facts §3.2, DISPATCH_MESSAGE_ENTRIES).
constexpr std::uint32_t kDispatchMessageBytes = kMaxWorkerSemaphores * 16;
constexpr std::uint32_t kMailboxBase = 0x100;  // worker and ethernet cores
constexpr std::uint32_t kConfigBase = 0x2000;
constexpr std::uint32_t kHostRegionsBase = 4 * DispatchGeometry::kPcieAlignment;

// Hands out ranges of one memory from the bottom up.
class Ranges {
public:
    explicit Ranges(std::uint32_t base) : next_(base) {}

    std::uint32_t take(std::uint32_t bytes, std::uint32_t alignment) {
        const std::uint32_t address = align_up(next_, alignment);
        next_ = address + bytes;
        return address;
    }
    std::uint32_t end() const { return next_; }

private:
    std::uint32_t next_;
};

// The ring-buffer cache begins where scratch does (facts §3.2).
std::uint32_t scratch_and_cache_bytes(const DispatchGeometry& g) {
    return std::max(g.scratch_bytes, g.ringbuffer_bytes);
}

enum class HasScratch : std::uint8_t { no, yes };

// Words that every dispatch core has, each alone in an L1-aligned line so that no two writers share
// one (facts §3.3).
Ranges take_words(DispatchCoreLayout& map) {
    constexpr std::uint32_t line = DispatchGeometry::kL1Alignment;
    Ranges ranges(kDispatchUnreservedBase);
    map.semaphore_base = ranges.take(static_cast<std::uint32_t>(Semaphore::kCount) * line, line);
    map.prefetch_q_rd_ptr = ranges.take(line, line);
    map.prefetch_q_pcie_rd_ptr = ranges.take(line, line);
    map.completion_wr_ptr = ranges.take(line, line);
    map.completion_rd_ptr = ranges.take(line, line);
    map.dispatch_message = ranges.take(kDispatchMessageBytes, line);
    map.last_event_base = ranges.take(DispatchGeometry::kCommandQueuesMax * line, line);
    return ranges;
}

DispatchCoreLayout prefetch_host_side(const DispatchGeometry& g, HasScratch scratch) {
    DispatchCoreLayout map;
    Ranges ranges = take_words(map);
    map.prefetch_q_base = ranges.take(g.prefetch_q_entries * 2, DispatchGeometry::kPcieAlignment);
    map.cmddat_q_base = ranges.take(g.cmddat_q_bytes, DispatchGeometry::kPcieAlignment);
    if (scratch == HasScratch::yes)
        map.scratch_base =
            ranges.take(scratch_and_cache_bytes(g), DispatchGeometry::kDramAlignment);
    map.end = ranges.end();
    return map;
}

DispatchCoreLayout ring_side(const DispatchGeometry& g, const RingGeometry& ring,
                             HasScratch scratch) {
    DispatchCoreLayout map;
    Ranges ranges = take_words(map);
    map.ring_base = ranges.take(ring.size_bytes(), ring.page_size_bytes());
    if (scratch == HasScratch::yes)
        map.scratch_base =
            ranges.take(scratch_and_cache_bytes(g), DispatchGeometry::kDramAlignment);
    map.end = ranges.end();
    return map;
}

WorkerCoreLayout worker_map(std::uint32_t config_bytes) {
    constexpr std::uint32_t line = DispatchGeometry::kL1Alignment;
    WorkerCoreLayout map;
    Ranges ranges(kMailboxBase);
    map.launch_base = ranges.take(DispatchGeometry::kLaunchEntries * kLaunchMessageBytes, line);
    map.launch_read_index = ranges.take(line, line);
    map.go_message = ranges.take(line, line);
    map.config_base = kConfigBase;
    map.config_bytes = config_bytes;
    return map;
}

DispatchCoreLayout dispatch_s_side(const DispatchGeometry& g) {
    constexpr std::uint32_t line = DispatchGeometry::kL1Alignment;
    const RingGeometry ring = g.dispatch_s_ring();
    DispatchCoreLayout map;
    Ranges ranges = take_words(map);
    map.go_notify_base = ranges.take(kMaxGoIndices * line, line);
    map.ring_base = ranges.take(ring.size_bytes(), ring.page_size_bytes());
    map.end = ranges.end();
    return map;
}

DispatchCoreLayout mux_side(const DispatchGeometry& g, const RingGeometry& ring) {
    DispatchCoreLayout map = ring_side(g, ring, HasScratch::no);
    map.packet_header = map.end;
    map.end += kPacketHeaderBytes;
    return map;
}

TunnelerLayout tunneler_map(const DispatchGeometry& g) {
    constexpr std::uint32_t line = DispatchGeometry::kL1Alignment;
    TunnelerLayout map;
    Ranges ranges(kDispatchUnreservedBase);
    for (TunnelerLayout::Lane* lane : {&map.outbound, &map.inbound}) {
        lane->credits = ranges.take(line, line);
        lane->ready = ranges.take(line, line);
    }
    for (TunnelerLayout::Lane* lane : {&map.outbound, &map.inbound})
        lane->ring_base = ranges.take(g.tunnel.size_bytes(), g.tunnel.page_size_bytes());
    map.end = ranges.end();
    return map;
}

// The regions of the queues follow each other (facts §1.4).
HostLayout host_map(const DispatchGeometry& g, const ChipDescription& chip, std::uint32_t queue) {
    constexpr std::uint32_t slot = DispatchGeometry::kPcieAlignment;
    const std::uint32_t queue_bytes =
        align_up(kHostRegionsBase + g.issue_region_bytes, DispatchGeometry::kCompletionPageBytes) +
        g.completion_region_bytes;
    const std::uint32_t base = chip.hugepage_base + queue * queue_bytes;
    HostLayout map;
    map.channel_base = chip.hugepage_channel * kHugepageChannelBytes;
    map.issue_read_ptr = base;
    map.issue_write_ptr = base + slot;
    map.completion_write_ptr = base + 2 * slot;
    map.completion_read_ptr = base + 3 * slot;
    map.issue_base = base + kHostRegionsBase;
    map.completion_base =
        align_up(map.issue_base + g.issue_region_bytes, DispatchGeometry::kCompletionPageBytes);
    map.end = map.completion_base + g.completion_region_bytes;
    return map;
}

ChipDescription chip_of_queue(const ChipDescription& chip, std::uint32_t queue) {
    ChipDescription own = chip;
    if (queue == 0) return own;
    const DispatchCores& cores = chip.more_queues[queue - 1];
    own.prefetch = cores.prefetch;
    own.prefetch_d = cores.prefetch_d;
    own.dispatch = cores.dispatch;
    own.dispatch_h = cores.dispatch_h;
    own.dispatch_pointer_base = cores.dispatch_pointer_base;
    own.prefetch_pointer_base = cores.prefetch_pointer_base;
    return own;
}

std::string unfit(const char* core, std::uint32_t end) {
    if (end <= kTensixL1Bytes) return {};
    return std::string("geometry rule G10: the memory map of ") + core + " ends at byte " +
           std::to_string(end) + " of its L1; accepted: at most " + std::to_string(kTensixL1Bytes);
}

}  // namespace

DeviceConfig make_device_config(const DispatchGeometry& g, const ChipDescription& chip,
                                std::uint32_t queue) {
    DeviceConfig config;
    config.geometry = g;
    config.queue = queue;
    config.chip = chip_of_queue(chip, queue);
    config.prefetch = prefetch_host_side(g, g.split ? HasScratch::no : HasScratch::yes);
    config.dispatch = ring_side(g, g.dispatch, HasScratch::no);
    if (g.split) {
        config.prefetch_d = ring_side(g, g.prefetch_d, HasScratch::yes);
        config.dispatch_h = ring_side(g, g.dispatch_h, HasScratch::no);
    }
    if (g.has_dispatch_s()) config.dispatch_s = dispatch_s_side(g);
    if (chip.remote) {
        config.mux = mux_side(g, g.prefetch_d);
        config.mux_d = mux_side(g, g.dispatch_h);
        config.demux = ring_side(g, g.tunnel, HasScratch::no);
        config.tunneler = tunneler_map(g);
    }
    config.worker = worker_map(g.worker_config_bytes);
    config.ethernet = worker_map(g.ethernet_config_bytes);
    config.ethernet.exchange_count =
        align_up(kConfigBase + g.ethernet_config_bytes, DispatchGeometry::kDramAlignment);
    config.ethernet.exchange_base =
        config.ethernet.exchange_count + DispatchGeometry::kDramAlignment;
    config.host = host_map(g, chip, queue);
    return config;
}

std::string refusal_of(const DeviceConfig& config) {
    for (const auto& [core, end] :
         {std::pair{"the prefetcher", config.prefetch.end},
          std::pair{"prefetch_d", config.prefetch_d.end},
          std::pair{"the dispatcher", config.dispatch.end},
          std::pair{"dispatch_h", config.dispatch_h.end},
          std::pair{"dispatch_s", config.dispatch_s.end}, std::pair{"the mux", config.mux.end},
          std::pair{"mux_d", config.mux_d.end}, std::pair{"the demux", config.demux.end},
          std::pair{"a tunneler", config.tunneler.end},
          std::pair{"a worker", config.worker.config_base + config.worker.config_bytes},
          std::pair{"an ethernet core",
                    config.ethernet.config_base + config.ethernet.config_bytes}}) {
        std::string refusal = unfit(core, end);
        if (!refusal.empty()) return refusal;
    }
    return {};
}

}  // namespace cqfuzz::rt
