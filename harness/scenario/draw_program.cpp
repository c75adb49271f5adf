// Programs, drawn: kernels, semaphores, circular buffers.
#include <algorithm>

#include "harness/scenario/domains.hpp"
#include "harness/scenario/draw.hpp"
#include "harness/scenario/limits.hpp"
#include "harness/scenario/rules.hpp"

namespace cqfuzz {
namespace {

constexpr const GeneratorWeights& kWeights = kGeneratorWeights;
constexpr std::uint32_t kProcessors = 5;
constexpr std::uint32_t kSubCommandsMax = 35;  // facts §2.2

std::uint32_t draw_seed(Rng& rng) { return rng.below(1u << 16); }

CoreRange whole_grid(const Topology& topology) {
    return {0, 0, topology.worker_cols - 1, topology.worker_rows - 1};
}

// One interval inside [0, size).
void draw_interval(std::uint32_t size, std::uint32_t& first, std::uint32_t& last, Rng& rng) {
    const std::uint32_t a = rng.below(size);
    const std::uint32_t b = rng.below(size);
    first = std::min(a, b);
    last = std::max(a, b);
}

void draw_arguments(const Features& features, Kernel& kernel, Rng& rng) {
    if (features.args) {
        kernel.args_words = draw_args_words(rng);
    }
    if (features.common_args) {
        kernel.common_args_words = draw_args_words(rng);
    }
}

// The k-th core of the grid, row by row, for programs that give each kernel group a core of its
// own.
CoreRange core_number(const Topology& topology, std::uint32_t k) {
    const std::uint32_t x = k % topology.worker_cols;
    const std::uint32_t y = k / topology.worker_cols;
    return {x, y, x, y};
}

// Kernels whose binaries make `kSubCommandsMax` parts of at most half the scratch, or a few more.
void draw_many_parts(const Features& features, const Scenario& scenario, Program& program,
                     Rng& rng) {
    const Topology& topology = scenario.topology;
    const std::uint32_t half = scenario.geometry.scratch / 2;
    const std::uint32_t cores = topology.worker_cols * topology.worker_rows;
    const std::uint32_t kernels_max = std::min({limits::kKernelsMax, kProcessors * cores, 24u});
    const std::uint32_t count = 2 + rng.below(kernels_max - 1);
    std::array<std::uint32_t, limits::kKernelsMax> parts{};
    parts.fill(1);
    const std::uint32_t parts_max = domains::kBinary.max / half;
    const std::uint32_t wanted = kSubCommandsMax + (rng.one_in(4) ? rng.below(4) : 0);
    for (std::uint32_t sum = count; sum < wanted && count * parts_max >= wanted;) {
        const std::uint32_t i = rng.below(count);
        if (parts[i] < parts_max) {
            ++parts[i];
            ++sum;
        }
    }
    const bool args_everywhere = rng.one_in(4);
    for (std::uint32_t i = 0; i < count; ++i) {
        Kernel kernel;
        kernel.cores = core_number(topology, i / kProcessors);
        kernel.processor = i % kProcessors;
        kernel.binary_bytes = (parts[i] - 1) * half / 16 * 16 + 16 * (1 + rng.below(8));
        kernel.content_seed = draw_seed(rng);
        if (args_everywhere || i == 0) {
            draw_arguments(features, kernel, rng);
        }
        program.kernels.push_back(kernel);
    }
}

// One to three groups of cores, each with some of the processors.
void draw_few_kernels(const Features& features, const Scenario& scenario, Program& program,
                      Rng& rng) {
    const Topology& topology = scenario.topology;
    const std::uint32_t groups = 1 + rng.below(3);
    for (std::uint32_t group = 0; group < groups; ++group) {
        const CoreRange cores =
            percent(rng, 40) ? whole_grid(topology) : draw_range(topology, false, rng);
        std::uint32_t processors = 1 + rng.below(31);
        const std::uint32_t thinned = processors & (1 + rng.below(31));
        if (thinned != 0 && percent(rng, 60)) {
            processors = thinned;
        }
        for (std::uint32_t processor = 0; processor < kProcessors; ++processor) {
            if ((processors >> processor & 1) == 0) {
                continue;
            }
            Kernel kernel = draw_kernel(features, scenario, rng);
            kernel.on_ethernet = false;
            kernel.cores = cores;
            kernel.processor = processor;
            program.kernels.push_back(kernel);
        }
    }
}

void draw_semaphores(const Features& features, const Topology& topology, Program& program,
                     Rng& rng) {
    const bool many = features.domain == Domain::semaphore_multicast;
    const std::uint32_t count = many ? 2 + rng.below(15) : rng.below(5);
    for (std::uint32_t i = 0; i < count; ++i) {
        SemaphoreInit semaphore = draw_semaphore(program, topology, rng);
        if (percent(rng, 60)) {
            semaphore.id = i;  // rising ids: neighbours in L1, none shared
        }
        program.semaphores.push_back(semaphore);
    }
}

// An end of the domain, or a unit beside it.
std::uint32_t draw_end(const NumberDomain& domain, Rng& rng) {
    const std::uint32_t beside = domain.multiple * rng.below(2);
    return rng.one_in(2) ? domain.min + beside : domain.max - beside;
}

void draw_circular_buffers(const Features& features, const Topology& topology, Program& program,
                           Rng& rng) {
    const bool many = features.domain == Domain::semaphore_multicast;
    const std::uint32_t count = many ? 1 + rng.below(8) : rng.below(5);
    const bool full_range = percent(rng, 40);
    for (std::uint32_t i = 0; i < count; ++i) {
        CircularBuffer buffer = draw_circular_buffer(topology, rng);
        if (features.domain == Domain::cb_geometry) {
            buffer.pages = draw_end(domains::kCbPages, rng);
            buffer.page_size = draw_end(domains::kCbPageSize, rng);
        }
        if (full_range) {
            buffer.cores = whole_grid(topology);
        }
        program.circular_buffers.push_back(buffer);
    }
}

}  // namespace

CoreRange draw_range(const Topology& topology, bool on_ethernet, Rng& rng) {
    CoreRange range;
    draw_interval(on_ethernet ? topology.ethernet_cores : topology.worker_cols, range.x0, range.x1,
                  rng);
    if (!on_ethernet) {
        draw_interval(topology.worker_rows, range.y0, range.y1, rng);
    }
    return range;
}

std::uint32_t draw_binary_bytes(const Geometry& geometry, Rng& rng) {
    switch (draw_weighted(rng, kWeights.binary_kind)) {
        case 0: return 16 * (1 + rng.below(32));
        case 1: return 16 * (1 + rng.below(128));
        case 2: {
            // One unit below, at or above a multiple of half the scratch.
            const std::uint32_t half = geometry.scratch / 2;
            const std::uint32_t at = half * (1 + rng.below(3)) / 16 * 16;
            const std::uint32_t bytes = at - 16 + 16 * rng.below(3);
            return std::min(std::max(bytes, domains::kBinary.min), kWeights.binary_large_bytes);
        }
        default: return 16 * (1 + rng.below(kWeights.binary_large_bytes / 16));
    }
}

std::uint32_t draw_args_words(Rng& rng) {
    switch (draw_weighted(rng, kWeights.args_kind)) {
        case 0: return 0;
        case 1: return 1 + rng.below(16);
        case 2: return 4 * (1 + rng.below(16));  // shifts all that follows by 16-byte units
        default: return 1 + rng.below(domains::kArgs.max);
    }
}

Kernel draw_kernel(const Features& features, const Scenario& scenario, Rng& rng) {
    Kernel kernel;
    kernel.on_ethernet =
        features.ethernet && scenario.topology.ethernet_cores != 0 && rng.one_in(4);
    kernel.cores = draw_range(scenario.topology, kernel.on_ethernet, rng);
    kernel.processor = kernel.on_ethernet ? 0 : rng.below(kProcessors);
    kernel.binary_bytes = draw_binary_bytes(scenario.geometry, rng);
    kernel.content_seed = draw_seed(rng);
    draw_arguments(features, kernel, rng);
    if (kernel.on_ethernet && scenario.topology.chips != 1 && percent(rng, kWeights.exchanges))
        kernel.exchange_bytes =
            std::min(kernel.binary_bytes, 16 * (1 + rng.below(1u << rng.below(11))));
    return kernel;
}

SemaphoreInit draw_semaphore(const Program& program, const Topology& topology, Rng& rng) {
    SemaphoreInit semaphore;
    const bool on_workers = rules::has_kernel(program, false);
    semaphore.on_ethernet = rules::has_kernel(program, true) && (!on_workers || rng.one_in(8));
    semaphore.cores = draw_range(topology, semaphore.on_ethernet, rng);
    semaphore.id = rng.below(domains::kSemaphoreId.max + 1);
    semaphore.initial = draw_seed(rng);
    return semaphore;
}

CircularBuffer draw_circular_buffer(const Topology& topology, Rng& rng) {
    constexpr std::array<std::uint32_t, 4> kIndices{0, 7, 15, 31};
    CircularBuffer buffer;
    buffer.cores = draw_range(topology, false, rng);
    // The highest index decides how long a core's configuration is.
    const std::uint32_t any = rng.below(domains::kCbIndex.max + 1);
    const std::uint32_t limit = draw_from(rng, kIndices);
    buffer.index = percent(rng, 50) ? any : limit;
    buffer.pages = 1 + rng.below(4);
    buffer.page_size = 16 * (1 + rng.below(128));
    return buffer;
}

Program draw_program(const Features& features, const Scenario& scenario, bool many_sub_commands,
                     Rng& rng) {
    Program program;
    const Topology& topology = scenario.topology;
    const bool can_use_ethernet = features.ethernet && topology.ethernet_cores != 0;
    const bool ethernet_only = can_use_ethernet && !many_sub_commands && rng.one_in(12);
    if (many_sub_commands) {
        draw_many_parts(features, scenario, program, rng);
    } else if (!ethernet_only) {
        draw_few_kernels(features, scenario, program, rng);
    }
    if (ethernet_only || (can_use_ethernet && percent(rng, 40))) {
        Kernel kernel = draw_kernel(features, scenario, rng);
        kernel.on_ethernet = true;
        kernel.cores = draw_range(topology, true, rng);
        kernel.processor = 0;
        program.kernels.push_back(kernel);
    }
    if (features.semaphores) {
        draw_semaphores(features, topology, program, rng);
    }
    if (features.circular_buffers && !ethernet_only) {
        draw_circular_buffers(features, topology, program, rng);
    }
    return program;
}

}  // namespace cqfuzz
