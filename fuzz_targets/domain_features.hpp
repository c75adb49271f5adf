// What a run has reached (harness/run/reach.hpp), told to the engine in the form that it knows.
//
// libFuzzer reads extra counters, Centipede user features, from sections of their names, and both
// clear them before each input; in other builds the sections are dead bytes. AFL++, honggfuzz and
// others know edges alone: with CQFUZZ_DOMAIN_EDGES every feature is an edge of its own.
#pragma once

#include <cstdint>
#include <span>

namespace cqfuzz::target {

// REQUIRES: every feature < kReachFeatures.
void note_domain_features(std::span<const std::uint16_t> features);

}  // namespace cqfuzz::target
