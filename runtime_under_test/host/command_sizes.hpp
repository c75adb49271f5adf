// The size calculator: how many bytes of the issue queue each command takes, payload included. The
// encoder (command_sequence.hpp) holds every add_… to these numbers (inv. 100).
#pragma once

#include <cstdint>

#include "runtime_under_test/protocol/commands.hpp"
#include "runtime_under_test/protocol/geometry.hpp"

namespace cqfuzz::rt {

enum class PackedPayload : std::uint8_t {
    each,
    shared
};  // shared: NO_STRIDE, one payload for all receivers

inline constexpr std::uint32_t kPayloadAlignment = DispatchGeometry::kL1Alignment;
inline constexpr std::uint32_t kUnicastSubBytes = 4;
inline constexpr std::uint32_t kMulticastSubBytes = 8;
inline constexpr std::uint32_t kLargeSubBytes = 12;
inline constexpr std::uint32_t kRelaySubBytes = 12;
inline constexpr std::uint32_t kEventBytes = 16;

// A prefetch command whose payload goes to the dispatcher (inv. 101).
inline std::uint32_t inline_bytes(std::uint32_t payload_bytes) {
    return align_up(kCommandBytes + payload_bytes, kBareMinBytes);
}

// A prefetch command without payload.
inline constexpr std::uint32_t kBareBytes = kBareMinBytes;

// WRITE_PACKED from its first byte to its first payload.
inline std::uint32_t packed_head_bytes(std::uint32_t count, std::uint32_t sub_bytes) {
    return align_up(kCommandBytes + count * sub_bytes, kPayloadAlignment);
}

// WRITE_PACKED as the dispatcher gets it.
inline std::uint32_t packed_bytes(std::uint32_t count, std::uint32_t sub_bytes, std::uint32_t size,
                                  PackedPayload payload) {
    const std::uint32_t payloads = payload == PackedPayload::shared ? 1 : count;
    return packed_head_bytes(count, sub_bytes) + payloads * align_up(size, kPayloadAlignment);
}

// WRITE_PACKED_LARGE from its first byte to its first payload.
inline std::uint32_t large_head_bytes(std::uint32_t count) {
    return align_up(kCommandBytes + count * kLargeSubBytes, kPayloadAlignment);
}

// RELAY_PAGED_PACKED with its sub-commands (inv. 101).
inline std::uint32_t relay_packed_bytes(std::uint32_t count) {
    return align_up(kCommandBytes + count * kRelaySubBytes, kBareMinBytes);
}

inline std::uint32_t write_paged_bytes(std::uint32_t pages, std::uint32_t page_size_bytes) {
    return inline_bytes(kCommandBytes + pages * page_size_bytes);
}

inline std::uint32_t event_command_bytes() { return inline_bytes(kCommandBytes + kEventBytes); }

// A NOFLUSH head and the relay that completes it.
inline std::uint32_t relayed_bytes(std::uint32_t head_bytes, std::uint32_t relay_bytes) {
    return inline_bytes(head_bytes) + relay_bytes;
}

}  // namespace cqfuzz::rt
