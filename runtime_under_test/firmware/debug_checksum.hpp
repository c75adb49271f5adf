// The checksum that DEBUG commands carry: the sum of their payload's words (facts §2.3).
#pragma once

#include <cstdint>

namespace cqfuzz::fw {

// Of [address, +bytes) of own L1. REQUIRES: both are multiples of 4.
std::uint32_t checksum_of_words(std::uint32_t address, std::uint32_t bytes);

}  // namespace cqfuzz::fw
