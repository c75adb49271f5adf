#include "runtime_under_test/protocol/geometry.hpp"

#include <algorithm>
#include <initializer_list>

namespace cqfuzz::rt {
namespace {

constexpr std::uint32_t kIssueRegionMaxBytes =
    220u * 1024 * 1024;  // within the 256 MiB of a device's channel
constexpr std::uint32_t kEthernetConfigBytes = 25 * 1024;
constexpr std::uint32_t kPackedHeaderBytes = 16;
constexpr std::uint32_t kRingbufferMaxBytes = 1024 * 1024;  // worker dispatch (facts §3.2)
constexpr std::uint32_t kDramBankMinBytes = 64 * 1024;      // room for a buffer and a trace at all
constexpr std::uint32_t kDramBankMaxBytes = 1u << 31;

std::string text(std::uint64_t value) { return std::to_string(value); }

std::string refuse(const char* rule, const std::string& what, const std::string& accepted) {
    return std::string("geometry rule ") + rule + ": " + what + "; accepted: " + accepted;
}

std::string outside(const char* rule, const std::string& name, std::uint64_t value,
                    std::uint64_t low, std::uint64_t high) {
    if (value >= low && value <= high) return {};
    return refuse(rule, name + " is " + text(value), text(low) + " to " + text(high));
}

std::string not_multiple(const char* rule, const std::string& name, std::uint64_t value,
                         std::uint64_t of) {
    if (value % of == 0) return {};
    return refuse(rule, name + " is " + text(value), "a multiple of " + text(of));
}

// The first refusal that is not empty.
std::string first_of(std::initializer_list<std::string> refusals) {
    for (const std::string& refusal : refusals)
        if (!refusal.empty()) return refusal;
    return {};
}

// G1, G2
std::string ring_refusal(const std::string& name, const RingGeometry& ring) {
    const std::string range = outside("G1", name + ".log_page_size", ring.log_page_size, 10, 12);
    if (!range.empty()) return range;
    if (ring.blocks != 4 && ring.blocks != 8)
        return refuse("G2", name + ".blocks is " + text(ring.blocks), "4 or 8");
    if (ring.pages % ring.blocks != 0)
        return refuse("G2", name + ".pages is " + text(ring.pages),
                      "a multiple of its " + text(ring.blocks) + " blocks");
    return outside("G2", name + ".pages_per_block", ring.pages_per_block(), 1, 32);
}

// G3: what the dispatcher may withhold (a finished block and the current one) never starves the
// prefetcher (inv. 10, 11).
std::string capacity_refusal(const DispatchGeometry& g) {
    const std::uint64_t page = g.dispatch.page_size_bytes();
    const std::uint64_t capacity = g.dispatch.pages - 2 * g.dispatch.pages_per_block();
    const std::uint64_t half = g.scratch_bytes / 2;
    if (half > (capacity - 1) * page)
        return refuse("G3", "half the scratch is " + text(half) + " bytes",
                      "at most " + text((capacity - 1) * page) +
                          " bytes, the dispatch ring without two blocks and one page");
    if (g.max_prefetch_command_bytes > capacity * page)
        return refuse(
            "G3", "max_prefetch_command_bytes is " + text(g.max_prefetch_command_bytes),
            "at most " + text(capacity * page) + ", the dispatch ring without two blocks");
    return {};
}

// G5
std::string command_refusal(const DispatchGeometry& g) {
    const std::uint64_t command = g.max_prefetch_command_bytes;
    const std::string ranges = first_of({
        not_multiple("G5", "max_prefetch_command_bytes", command, 32),
        outside("G5", "max_prefetch_command_bytes", command, 4096, 131072),
        not_multiple("G5", "cmddat_q_bytes", g.cmddat_q_bytes, 32),
        outside("G5", "cmddat_q_bytes", g.cmddat_q_bytes, 2 * command, 262144),
        outside("G5", "prefetch_q_entries", g.prefetch_q_entries, 2, 1532),
    });
    if (!ranges.empty()) return ranges;
    // Two fetches may be joined under one header when a replay stalls the fetch (facts §4.7).
    const std::uint64_t needed = 2 * command + 2 * g.prefetch_d.page_size_bytes();
    if (g.split && g.prefetch_d.size_bytes() < needed)
        return refuse("G5", "the prefetch_d ring has " + text(g.prefetch_d.size_bytes()) + " bytes",
                      "at least " + text(needed) + ", two commands and two pages");
    return {};
}

// G6
std::string dram_refusal(const DispatchGeometry& g) {
    const std::string ranges = first_of({
        outside("G6", "dram_banks", g.dram_banks, 1, 16),
        outside("G6", "trace_log_page_size", g.trace_log_page_size, 10, 12),
        not_multiple("G6", "dram_bank_bytes", g.dram_bank_bytes, DispatchGeometry::kDramAlignment),
        outside("G6", "dram_bank_bytes", g.dram_bank_bytes, kDramBankMinBytes, kDramBankMaxBytes),
    });
    if (!ranges.empty()) return ranges;
    const std::uint64_t chunk = static_cast<std::uint64_t>(g.dram_banks) << g.trace_log_page_size;
    const std::uint64_t room = g.split ? g.prefetch_d.size_bytes() : g.cmddat_q_bytes;
    if (chunk > room)
        return refuse(
            "G6",
            "a trace chunk (a page of each of " + text(g.dram_banks) + " banks) is " + text(chunk) +
                " bytes",
            "at most " + text(room) + ", the command data memory of the core that runs it");
    return {};
}

// G7
std::string host_refusal(const DispatchGeometry& g) {
    const std::uint64_t needed =
        (static_cast<std::uint64_t>(g.prefetch_q_entries) + 2) * g.max_prefetch_command_bytes;
    return first_of({
        not_multiple("G7", "completion_region_bytes", g.completion_region_bytes,
                     DispatchGeometry::kCompletionPageBytes),
        outside("G7", "completion pages",
                g.completion_region_bytes / DispatchGeometry::kCompletionPageBytes, 2, 4096),
        not_multiple("G7", "issue_region_bytes", g.issue_region_bytes, 32),
        outside("G12", "command_queues", g.command_queues, 1, DispatchGeometry::kCommandQueuesMax),
        outside("G7", "issue_region_bytes", g.issue_region_bytes, needed,
                kIssueRegionMaxBytes / std::max(g.command_queues, 1u)),
    });
}

// G8
std::string packed_refusal(const DispatchGeometry& g) {
    const std::uint64_t most = g.packed_write_max_unicast;
    const std::string ranges = first_of({
        outside("G8", "packed_write_max_unicast", most, 2, 64),
        not_multiple("G8", "packed_write_max_unicast", most, 2),
    });
    if (!ranges.empty()) return ranges;
    const std::uint64_t page = g.dispatch.page_size_bytes();
    if (kPackedHeaderBytes + most * 4 > page)
        return refuse("G8",
                      text(most) + " sub-commands and their header are " +
                          text(kPackedHeaderBytes + most * 4) + " bytes",
                      "at most a dispatch page of " + text(page));
    return {};
}

// G13: the queues of a chip would each have to hear of the other's workers (facts §1.3).
std::string dispatch_s_refusal(const DispatchGeometry& g) {
    if (!g.has_dispatch_s()) return {};
    if (g.command_queues != 1)
        return refuse(
            "G13",
            "dispatch_s has a core of its own and command_queues is " + text(g.command_queues),
            "1 command queue, or no dispatch_s");
    return outside("G13", "dispatch_s_pages", g.dispatch_s_pages, 1,
                   DispatchGeometry::kDispatchSPagesMax);
}

}  // namespace

std::string refusal_of(const DispatchGeometry& g) {
    const std::string rings = first_of({
        ring_refusal("dispatch", g.dispatch),
        ring_refusal("prefetch_d", g.prefetch_d),
        ring_refusal("dispatch_h", g.dispatch_h),
    });
    if (!rings.empty()) return rings;
    if (g.split && g.dispatch_h.log_page_size != g.dispatch.log_page_size)
        return refuse("G1", "dispatch_h.log_page_size is " + text(g.dispatch_h.log_page_size),
                      "dispatch.log_page_size, " + text(g.dispatch.log_page_size));
    return first_of({
        not_multiple("G4", "scratch_bytes", g.scratch_bytes, 64),
        outside("G4", "half of scratch_bytes", g.scratch_bytes / 2, 512, 65536),
        capacity_refusal(g),
        command_refusal(g),
        dram_refusal(g),
        host_refusal(g),
        packed_refusal(g),
        dispatch_s_refusal(g),
        not_multiple("G9", "worker_config_bytes", g.worker_config_bytes, 32),
        outside("G9", "worker_config_bytes", g.worker_config_bytes, 8192, 70656),
        outside("G9", "ethernet_config_bytes", g.ethernet_config_bytes, kEthernetConfigBytes,
                kEthernetConfigBytes),
        not_multiple("G11", "ringbuffer_bytes", g.ringbuffer_bytes,
                     DispatchGeometry::kDramAlignment),
        outside("G11", "ringbuffer_bytes", g.ringbuffer_bytes, 1024, kRingbufferMaxBytes),
    });
}

DispatchGeometry ethernet_dispatch_geometry() { return {}; }

DispatchGeometry worker_dispatch_geometry() {
    DispatchGeometry g;
    g.prefetch_q_entries = 1532;
    g.max_prefetch_command_bytes = 128 * 1024;
    g.cmddat_q_bytes = 256 * 1024;
    g.scratch_bytes = 128 * 1024;
    g.ringbuffer_bytes = kRingbufferMaxBytes;
    g.prefetch_d = RingGeometry{12, 64, 4};
    g.dispatch = RingGeometry{12, 128, 4};
    g.dispatch_h = RingGeometry{12, 128, 4};
    g.issue_region_bytes = (g.prefetch_q_entries + 2) * g.max_prefetch_command_bytes;
    return g;
}

}  // namespace cqfuzz::rt
