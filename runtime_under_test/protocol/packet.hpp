// Packets between chips: `dispatch_packet_header_t` (facts §1.5).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace cqfuzz::rt {

inline constexpr std::uint32_t kPacketHeaderBytes = 16;
inline constexpr std::uint16_t kPacketCmdStart = 1u << 1;
inline constexpr std::uint16_t kPacketCmdEnd = 1u << 2;

struct PacketHeader {
    std::uint32_t packet_size_bytes = 0;  // header included
    std::uint16_t packet_src = 0;
    std::uint16_t packet_dest = 0;
    std::uint16_t packet_flags = 0;
    std::uint16_t num_cmds = 0;
    std::uint32_t tag = 0;  // running number of the stream's packets
};
static_assert(sizeof(PacketHeader) == kPacketHeaderBytes);

}  // namespace cqfuzz::rt
