// What order level O3 gives up beyond O2, each by itself (design §4): the hardware's documentation
// does not promise it. Bits of RunOptions::relaxed.
//
// Not modelled: tearing of a write's bytes on arrival, and PCIe writes that overtake a fence.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace cqfuzz {

// Writes, inline writes and atomics of one channel to one receiver pass each other.
inline constexpr std::uint8_t kRelaxKinds = 1;
// Writes depart in order only within one command buffer.
inline constexpr std::uint8_t kRelaxBuffers = 2;
// A write counts as sent before its source bytes have been read.
inline constexpr std::uint8_t kRelaxSent = 4;
inline constexpr std::uint8_t kRelaxAll = 7;

inline constexpr std::array<std::string_view, 3> kRelaxationNames{"kinds", "buffers", "sent"};

}  // namespace cqfuzz
