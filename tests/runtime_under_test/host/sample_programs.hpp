// Programs for tests: one by hand, and random ones that obey every rule of check_program.
#pragma once

#include <array>
#include <vector>

#include "harness/base/rng.hpp"
#include "runtime_under_test/host/program.hpp"

namespace cqfuzz::rt {

inline std::vector<std::byte> sample_bytes(Rng& rng, std::size_t count) {
    std::vector<std::byte> bytes(count);
    for (std::byte& b : bytes) b = static_cast<std::byte>(rng.below(256));
    return bytes;
}

inline std::vector<std::uint32_t> sample_words(Rng& rng, std::size_t count) {
    std::vector<std::uint32_t> words(count);
    for (std::uint32_t& w : words) w = rng.below(0xffffffff);
    return words;
}

inline Kernel sample_kernel(Rng& rng, CoreKind kind, CoreRange cores, std::uint8_t processor,
                            std::uint32_t binary_bytes, std::uint32_t args, std::uint32_t common) {
    Kernel kernel;
    kernel.core_kind = kind;
    kernel.cores = cores;
    kernel.processor = processor;
    kernel.binary = sample_bytes(rng, binary_bytes);
    kernel.args_words = args;
    kernel.args = sample_words(rng, std::size_t{args} * cores.count());
    kernel.common_args = sample_words(rng, common);
    return kernel;
}

inline CoreRange sample_range(Rng& rng, std::uint32_t cols, std::uint32_t rows) {
    CoreRange range;
    range.x0 = static_cast<std::uint8_t>(rng.below(cols));
    range.y0 = static_cast<std::uint8_t>(rng.below(rows));
    range.x1 = static_cast<std::uint8_t>(range.x0 + rng.below(cols - range.x0));
    range.y1 = static_cast<std::uint8_t>(range.y0 + rng.below(rows - range.y0));
    return range;
}

inline Program sample_program(Rng& rng, std::uint32_t id, const ChipDescription& chip,
                              std::uint32_t binary_max) {
    Program program;
    program.id = id;
    const auto ethernet = static_cast<std::uint32_t>(chip.ethernet_cores.size());
    const bool on_workers = ethernet == 0 || !rng.one_in(5);
    const bool on_ethernet = ethernet != 0 && (!on_workers || rng.one_in(2));
    const auto size = [&rng, binary_max] { return 16 * (1 + rng.below(binary_max / 16)); };
    if (on_workers) {
        for (std::uint8_t p = 0; p < 5; p++) {
            if (p != 0 && rng.one_in(2)) continue;
            const CoreRange cores = sample_range(rng, chip.worker_cols, chip.worker_rows);
            const std::uint32_t bytes = size();
            const std::uint32_t args = rng.one_in(3) ? 0 : rng.below(257);
            const std::uint32_t common = rng.one_in(2) ? 0 : rng.below(257);
            program.kernels.push_back(
                sample_kernel(rng, CoreKind::worker, cores, p, bytes, args, common));
        }
        for (std::uint8_t id16 = 0; id16 < 16; id16++)
            if (rng.one_in(3)) {
                const CoreRange cores = sample_range(rng, chip.worker_cols, chip.worker_rows);
                program.semaphores.push_back(
                    SemaphoreInit{CoreKind::worker, cores, id16, rng.below(1000)});
            }
        for (std::uint8_t index = 0; index < 32; index++)
            if (rng.one_in(6)) {
                const CoreRange cores = sample_range(rng, chip.worker_cols, chip.worker_rows);
                program.circular_buffers.push_back(
                    CircularBufferConfig{cores, index, 0x20000u + 64u * index, 4096, 4, 1024});
            }
    }
    if (on_ethernet) {
        const CoreRange cores = sample_range(rng, ethernet, 1);
        const std::uint32_t bytes = size();
        const std::uint32_t args = rng.below(65);
        const std::uint32_t common = rng.below(257);
        program.kernels.push_back(
            sample_kernel(rng, CoreKind::ethernet, cores, 0, bytes, args, common));
        const CoreRange semaphore_cores = sample_range(rng, ethernet, 1);
        program.semaphores.push_back(SemaphoreInit{CoreKind::ethernet, semaphore_cores, 3, 77});
    }
    return program;
}

// Cores that run something of the program.
inline std::uint32_t cores_with_kernels(const Program& program) {
    std::uint32_t count = 0;
    for (const CoreKind kind : {CoreKind::worker, CoreKind::ethernet})
        for (std::uint32_t y = 0; y < 16; y++)
            for (std::uint32_t x = 0; x < 64; x++)
                for (const Kernel& k : program.kernels)
                    if (k.core_kind == kind && x >= k.cores.x0 && x <= k.cores.x1 &&
                        y >= k.cores.y0 && y <= k.cores.y1) {
                        count++;
                        break;
                    }
    return count;
}

// The smallest rings that are legal: every wrap comes soon.
inline DispatchGeometry tiny_geometry(std::uint32_t banks) {
    DispatchGeometry g;
    g.prefetch_q_entries = 3;
    g.max_prefetch_command_bytes = 4096;
    g.cmddat_q_bytes = 16384;
    g.scratch_bytes = 1024;
    g.dispatch = g.dispatch_h = RingGeometry{10, 16, 4};
    g.issue_region_bytes = 5 * 4096;
    g.completion_region_bytes = 2 * 4096;
    g.dram_banks = banks;
    g.trace_log_page_size = 10;
    g.packed_write_max_unicast = 4;
    g.worker_config_bytes = 16384;
    return g;
}

}  // namespace cqfuzz::rt
