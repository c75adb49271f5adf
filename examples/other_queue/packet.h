// A packet: 64 bytes, one page of the ring.
#pragma once

#include <cstdint>

enum PacketKind : uint32_t { PACKET_STORE = 1, PACKET_LAST = 2 };

constexpr uint32_t packet_bytes = 64;
constexpr uint32_t payload_bytes = 32;  // behind the header

struct Packet {
    uint32_t kind;
    uint32_t sequence;
    uint32_t bank;
    uint32_t addr;
    uint32_t check;  // the sum of the payload
    uint32_t pad[3];
    uint32_t payload[payload_bytes / 4];
};
static_assert(sizeof(Packet) == packet_bytes);
