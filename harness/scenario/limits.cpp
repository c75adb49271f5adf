#include "harness/scenario/limits.hpp"

#include <algorithm>

#include "harness/scenario/domains.hpp"

namespace cqfuzz::limits {

// Rules that hold for every value of the domains, so that nothing has to check them.
static_assert(std::uint64_t{domains::kPrefetchQEntries.max + 2} *
                      domains::kMaxPrefetchCommand.max <=
                  220u << 20,
              "G7: the issue region");
static_assert(std::uint64_t{kPrefetchQEntriesOfTwo + 2} * domains::kMaxPrefetchCommand.max * 2 <=
                  220u << 20,
              "G7: the issue regions of two queues");
static_assert(16 + domains::kPackedWriteMax.max * 4 <= 1u << domains::kLogPage.min,
              "G8: header and sub-commands of a packed write lie in its first page");
// G10: the largest role map is a ring of 1 MiB and the scratch beside it; 64 KiB are set aside for
// all the small words.
static_assert((domains::kPagesPerBlock.max * 8 << domains::kLogPage.max) + domains::kScratch.max +
                      65536 <=
                  1464u << 10,
              "G10: the maps fit L1");
static_assert(domains::kMaxPrefetchCommand.min == kMaxPrefetchCommandMin);
static_assert(domains::kCmddatQ.max >= 2 * domains::kMaxPrefetchCommand.max,
              "G5c can always be met");

namespace {

constexpr std::uint32_t div_ceil(std::uint32_t a, std::uint32_t b) { return (a + b - 1) / b; }

}  // namespace

std::uint32_t dispatch_pages_per_block_min(const Geometry& g) {
    return div_ceil(kMaxPrefetchCommandMin, dispatch_page_bytes(g) * (g.dispatch_blocks - 2));
}

std::uint32_t prefetch_d_pages_per_block_min(const Geometry& g, bool split) {
    const std::uint32_t page = 1u << g.prefetch_d_log_page;
    return split ? div_ceil(2 * kMaxPrefetchCommandMin + 2 * page, page * g.prefetch_d_blocks) : 1;
}

std::uint32_t max_prefetch_command_max(const Geometry& g, bool split) {
    std::uint32_t bytes = std::min(dispatch_capacity_pages(g) << g.dispatch_log_page,
                                   domains::kMaxPrefetchCommand.max);
    if (split) {
        bytes = std::min(bytes, prefetch_d_ring_bytes(g) / 2 - (1u << g.prefetch_d_log_page));
    }
    return bytes / 32 * 32;
}

std::uint32_t scratch_max(const Geometry& g) {
    const std::uint32_t half = (dispatch_capacity_pages(g) - 1) << g.dispatch_log_page;
    return std::min(2 * half / 64 * 64, domains::kScratch.max);
}

std::uint32_t cmddat_q_min(const Geometry& g) { return 2 * g.max_prefetch_command; }

std::uint32_t config_bytes(const Kernel& kernel) {
    return align_up(kernel.binary_bytes, 32) + align_up(kernel.args_words * 4, 16) +
           align_up(kernel.common_args_words * 4, 16);
}

std::uint32_t config_room_bytes(const Geometry& g, bool on_ethernet) {
    return (on_ethernet ? kEthernetConfigBytes : g.worker_config) - kProgramFixedBytes;
}

bool overlap(const CoreRange& a, const CoreRange& b) {
    return a.x0 <= b.x1 && b.x0 <= a.x1 && a.y0 <= b.y1 && b.y0 <= a.y1;
}

std::uint32_t l1_bytes(const Buffer& buffer, const Topology& topology) {
    const std::uint32_t rows = div_ceil(buffer.pages, buffer.row_pages);
    const std::uint32_t cores = cores_in(buffer.cores);
    std::uint32_t pages = 0;
    switch (buffer.placement) {
        case BufferPlacement::dram: break;
        case BufferPlacement::l1:
            pages = div_ceil(buffer.pages, topology.worker_cols * topology.worker_rows);
            break;
        case BufferPlacement::height_sharded:
            pages = div_ceil(rows, cores) * buffer.row_pages;
            break;
        case BufferPlacement::width_sharded:
            pages = rows * div_ceil(buffer.row_pages, cores);
            break;
        case BufferPlacement::block_sharded:
            pages = div_ceil(rows, buffer.cores.y1 - buffer.cores.y0 + 1) *
                    div_ceil(buffer.row_pages, buffer.cores.x1 - buffer.cores.x0 + 1);
            break;
    }
    return pages * buffer.page_size;
}

std::uint32_t trace_bytes_max(const Program& program, std::uint32_t ethernet_cores) {
    // Every command costs at most two heads and padding to 32 (96 bytes); packed writes are cut at
    // two sub-commands in the worst geometry, so each core of a kernel may have a command of its
    // own.
    constexpr std::uint32_t kCommand = 96;
    std::uint32_t bytes = 16 * kCommand + ethernet_cores * 8;
    for (const Kernel& kernel : program.kernels) {
        const std::uint32_t cores = cores_in(kernel.cores);
        bytes += cores * (kCommand + kernel.args_words * 4);
        bytes += (kernel.on_ethernet ? cores : 1) * (kCommand + kernel.common_args_words * 4);
        // Binary: sub-commands of 12 + 12 bytes for each part of at least 512, or a command for
        // each ethernet core.
        bytes += kernel.on_ethernet ? cores * 2 * kCommand
                                    : (div_ceil(kernel.binary_bytes, 512) + 1) * (24 + kCommand);
        // Launch messages.
        bytes += cores * (2 * kCommand + 8);
    }
    for (const SemaphoreInit& semaphore : program.semaphores) {
        bytes += (semaphore.on_ethernet ? cores_in(semaphore.cores) : 1) * (kCommand + 16);
    }
    // A circular buffer's range may be cut where kernels' ranges end; each piece carries up to 512
    // bytes.
    bytes += static_cast<std::uint32_t>(program.circular_buffers.size()) * 4 * (kCommand + 512);
    return bytes;
}

std::uint32_t trace_bytes_estimate(const Program& program) {
    std::uint32_t bytes = 6 * 32 + 2 * 48;
    for (const Kernel& kernel : program.kernels) {
        const std::uint32_t cores = cores_in(kernel.cores);
        if (kernel.args_words != 0) {
            bytes += 48 + cores * (4 + align_up(kernel.args_words * 4, 16));
        }
        if (kernel.common_args_words != 0) {
            bytes += 48 + 8 + align_up(kernel.common_args_words * 4, 16);
        }
        bytes += kernel.on_ethernet ? cores * 64 : 24;
        bytes += kernel.processor == 0 ? 112 : 0;
    }
    bytes += static_cast<std::uint32_t>(program.semaphores.size()) * 24;
    bytes += static_cast<std::uint32_t>(program.circular_buffers.size()) * 32;
    return bytes;
}

std::uint32_t tile_count(const Topology& topology, const Geometry& g) {
    const std::uint32_t rest = topology.ethernet_cores +
                               topology.worker_cols * topology.worker_rows + g.dram_banks +
                               (g.dispatch_s != DispatchS::absent ? 1 : 0);
    if (topology.chips == 1) return 1 + (topology.split ? 4 : 2) * g.command_queues + rest;
    // PCIe, the merged pair, the h pair and the tunnel; the d pair and the tunnel.
    return topology.chips / 2 * ((1 + 2 + 2 + 3 + rest) + (2 + 3 + rest));
}

}  // namespace cqfuzz::limits
