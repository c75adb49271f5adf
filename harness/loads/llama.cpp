#include "harness/loads/llama.hpp"

#include "harness/base/rng.hpp"

namespace cqfuzz {
namespace {

constexpr std::uint32_t kGrid = 8;
constexpr CoreRange kAllWorkers{0, 0, kGrid - 1, kGrid - 1};

// What one program of a layer is like; sizes from facts §11 (1–4 KB a processor, 5–60 argument
// words, 3–10 buffers).
struct Shape {
    std::uint32_t binary_bytes = 0;  // each of the five processors
    std::uint32_t args_words = 0;
    std::uint32_t semaphores = 0;
    std::uint32_t circular_buffers = 0;
    bool ethernet = false;  // an all-gather: the data mover lies on ethernet core 0; of several
                            // chips on cores 0 and 1, whose links make a ring
};

Shape shape_of(std::uint32_t place, Rng& rng) {
    Shape shape;
    shape.ethernet = place == 1 || place == 12;
    // The program after an all-gather waits for it on its semaphores.
    const bool after_gather = place == 2 || place == 13;
    shape.binary_bytes = 1024 + 16 * rng.below(96);
    shape.args_words = 5 + rng.below(40);
    shape.semaphores = after_gather ? 4 : rng.below(3);
    shape.circular_buffers = 3 + rng.below(6);
    return shape;
}

// So many bytes go each way round the ring in an all-gather.
constexpr std::uint32_t kGatheredBytes = 4096;

Program program_of(const Shape& shape, std::uint32_t number, bool ring) {
    Program program;
    for (std::uint32_t processor = 0; processor < 5; ++processor) {
        Kernel kernel;
        kernel.cores = kAllWorkers;
        kernel.processor = processor;
        kernel.binary_bytes = shape.binary_bytes + 32 * processor;
        // Data movers take the unique arguments; compute processors share one set of common ones.
        kernel.args_words = processor < 2 ? shape.args_words : 0;
        kernel.common_args_words = processor < 2 ? 0 : 4;
        kernel.content_seed = number * 8 + processor + 1;
        program.kernels.push_back(kernel);
    }
    if (shape.ethernet) {
        Kernel mover;
        mover.on_ethernet = true;
        mover.cores = {0, 0, ring ? 1u : 0u, 0};
        mover.exchange_bytes = ring ? kGatheredBytes : 0;
        mover.binary_bytes = 6144;
        mover.args_words = 24;
        mover.content_seed = number * 8 + 7;
        program.kernels.push_back(mover);
        program.semaphores.push_back({true, mover.cores, 0, 0});
    }
    for (std::uint32_t id = 0; id < shape.semaphores; ++id)
        program.semaphores.push_back({false, kAllWorkers, id, id});
    for (std::uint32_t index = 0; index < shape.circular_buffers; ++index)
        program.circular_buffers.push_back({kAllWorkers, index, 2 + index % 3, 2048});
    return program;
}

}  // namespace

Scenario llama_decode(std::uint32_t layers, std::uint32_t iterations, std::uint32_t chips) {
    Scenario scenario;
    scenario.topology = {kGrid, kGrid, 2, chips == 1, chips};
    scenario.geometry.block_accounting = BlockAccounting::write_counts;
    scenario.geometry.config_style = ConfigStyle::packed_multicast;
    Rng rng(0x6c6c616d61);
    for (std::uint32_t place = 0; place < kLlamaProgramsPerLayer; ++place)
        scenario.programs.push_back(program_of(shape_of(place, rng), place, chips != 1));
    scenario.behaviour.exchanges_wait = chips != 1;
    Trace trace;
    for (std::uint32_t layer = 0; layer < layers; ++layer)
        for (std::uint32_t place = 0; place < kLlamaProgramsPerLayer; ++place)
            trace.steps.push_back({place, 1});
    scenario.traces.push_back(std::move(trace));
    // Token ids in, logits out, as facts §11: some KB each.
    scenario.buffers.push_back({4, 2048});
    // In step: no chip is waited for before all have been told the same.
    const auto on_each_chip = [&](auto op) {
        for (op.device = 0; op.device < chips; ++op.device) scenario.ops.push_back(op);
    };
    on_each_chip(OpWriteBuffer{0, 1});
    on_each_chip(OpCapture{0});
    for (std::uint32_t i = 0; i < iterations; ++i)
        on_each_chip(OpReplay{0, 1, chips == 1 && i + 1 == iterations});
    on_each_chip(OpReadBuffer{0});
    on_each_chip(OpFinish{});
    return scenario;
}

}  // namespace cqfuzz
