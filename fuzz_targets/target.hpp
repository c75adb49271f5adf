// What all fuzz targets share: bytes → scenario → verdict, and the structured mutator and
// crossover.
//
// Invariants:
//  1. Any bytes at all are an input; nothing of a run outlives it but the pooled machine.
//  2. Nothing is written before a bad verdict; then the text report, then abort() in one function
//  per kind of verdict, so
//     that the engine tells findings apart by their stack.
//  3. mutate_bytes and crossover_bytes are functions of their arguments alone; what they return is
//  never empty and never
//     longer than `size_max`, also when the input is longer than that (-minimize_crash does it).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "harness/scenario/verbs.hpp"

namespace cqfuzz::target {

// Host actions in a scenario that a target draws.
inline constexpr std::uint32_t kOpsMax = 256;

// Before the first run. Turns on `fault`, or when that is empty the one that the environment
// variable CQFUZZ_FAULT names; an unknown name is one clear line and exit code 2.
void initialize(std::string_view fault);
// Runs the scenario that the bytes stand for.
void run_bytes(const std::uint8_t* data, std::size_t size);
// Of the last run, for the replay main.
std::uint64_t last_fingerprint();

std::size_t mutate_bytes(Domain domain, std::uint8_t* data, std::size_t size, std::size_t size_max,
                         std::uint32_t seed);
std::size_t crossover_bytes(const std::uint8_t* a, std::size_t a_size, const std::uint8_t* b,
                            std::size_t b_size, std::uint8_t* out, std::size_t size_max,
                            std::uint32_t seed);

// The engine's custom mutator: mutate_bytes, and now and then the engine's own byte mutations,
// which know the values that comparisons want to see.
std::size_t engine_mutate(Domain domain, std::uint8_t* data, std::size_t size, std::size_t size_max,
                          std::uint32_t seed);

}  // namespace cqfuzz::target

// The entry points of an engine. `domain` is what the mutator draws; `fault` is "" for the sound
// runtime.
#define CQFUZZ_TARGET_ENTRY_POINTS(domain, fault)                                             \
    extern "C" int LLVMFuzzerInitialize(int*, char***) {                                      \
        cqfuzz::target::initialize(fault);                                                    \
        return 0;                                                                             \
    }                                                                                         \
    extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {       \
        cqfuzz::target::run_bytes(data, size);                                                \
        return 0;                                                                             \
    }                                                                                         \
    extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,      \
                                                   std::size_t size_max, unsigned int seed) { \
        return cqfuzz::target::engine_mutate(domain, data, size, size_max, seed);             \
    }                                                                                         \
    extern "C" std::size_t LLVMFuzzerCustomCrossOver(                                         \
        const std::uint8_t* a, std::size_t a_size, const std::uint8_t* b, std::size_t b_size, \
        std::uint8_t* out, std::size_t size_max, unsigned int seed) {                         \
        return cqfuzz::target::crossover_bytes(a, a_size, b, b_size, out, size_max, seed);    \
    }
