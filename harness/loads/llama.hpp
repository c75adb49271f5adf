// llama-decode: the load that hung (facts §11, §12): L layers of about 20 programs, captured once
// into a trace and replayed, on every chip of the machine. Split prefetcher and dispatcher with
// ethernet-dispatch sizes, as on the machine where it happened.
#pragma once

#include <cstdint>

#include "harness/scenario/scenario.hpp"

namespace cqfuzz {

inline constexpr std::uint32_t kLlamaProgramsPerLayer = 20;
inline constexpr std::uint32_t kLlamaLayersMax = 250;  // what the trace region holds
inline constexpr std::uint32_t kLlamaIterationsMax = 1'000'000;

// `chips`: 1, or pairs (of eight, half are merged and half split, over the tunnel). A layer is:
// matmul-like programs with five binaries on the worker grid, semaphores, circular buffers and
// runtime arguments, and twice an all-gather, whose data mover is a binary on an ethernet core,
// followed by a program whose semaphores are initialised by a multicast packed write. One op per
// replay and chip.
Scenario llama_decode(std::uint32_t layers, std::uint32_t iterations, std::uint32_t chips = 1);

}  // namespace cqfuzz
