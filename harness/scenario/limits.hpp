// Limits: how much a scenario may hold, and the rules across its fields. From the facts and the
// contract with the runtime's own geometry check, never from the runtime (design §6).
//
// Rules across fields, by id; each bound depends only on fields that earlier rules have settled, so
// that `legalise` can apply them in this order:
//  G3a dispatch ring: (pages - 2 blocks) x page >= 4096, the least max_prefetch_command
//  G5a split: prefetch_d ring >= 2 x 4096 + 2 pages
//  G3b max_prefetch_command <= (pages - 2 blocks) x page of the dispatch ring
//  G5b split: 2 x max_prefetch_command + 2 pages <= prefetch_d ring
//  G3c scratch / 2 <= (pages - 2 blocks - 1) x page
//  G5c cmddat_q >= 2 x max_prefetch_command
//  G6  dram_banks << trace_log_page <= cmddat_q, or prefetch_d ring when split: one exec_buf chunk
//  fits
//  K1  several chips: not split (the remote ones are); at most 72 workers and ethernet cores a chip
//  K2  an op's device is a chip of the machine
//  Q3  a dispatch_s goes with one command queue (facts §1.3)
//  K3  a tunnel's ring holds the packet of the largest page: 16 bytes and the page
//  X1  bytes are exchanged by kernels on ethernet, with several chips, and at most the binary
//  X2  exchanges wait only when all chips go in step (rules.hpp) and both linked cores exchange
//  P1  core ranges: first corner <= last corner, inside the worker grid or the ethernet cores;
//  y is 0 on ethernet P2  ethernet: processor 0 P3  two kernels of a program never share (core,
//  processor); semaphores (core, id); circular buffers (core, index) P4  a program has a kernel;
//  semaphores and circular buffers need a kernel on that kind of core P5  per core kind: sum of
//  align32(binary) + align16(args) + align16(common args), + 832 <= config ring P6  circular
//  buffers of a program: sum of pages x page_size <= 1 MiB B1  a sharded buffer: its cores as P1,
//  its rows at most as long as it is B2  what all buffers in L1 take of a worker: <= 1 MiB T1  all
//  traces together, by the upper bound `trace_bytes_max`: <= 3 MiB R1  a reference names an entry
//  that exists R2  a trace is captured only while it is not live, replayed and released only while
//  it is D1  actors are tiles of the machine; deviations only with strategy in_order
//  C1  commands stand alone: no ops, programs, buffers, traces; one chip, one queue, no dispatch_s
//  C2  destinations exist; multicasts and packed writes go to cores, multicasts to workers
//  C3  a command and its payload in line: <= max_prefetch_command
//  C4  relayed bytes: whole units of 32; a sub-command at most half the scratch; 35 of them
//  C5  packed write: at most the geometry's sub-commands, a payload at most a page, a shared one in
//  the first page
//  C6  packed large: a linked part has its successor at the same cores; none is linked at the end
//  C7  a relay from the cache takes what loads have brought since the last relay through scratch;
//  in a body, the first load resets
//  C8  a WAIT that clears waits for all; a go has its cores
//  C9  a body holds no EXEC_BUF, DEBUG of the prefetcher, or what is the host's
// G1, G2, G4, the rest of G5, and G7 to G10 are domains of single fields (domains.hpp).
#pragma once

#include <cstdint>

#include "harness/scenario/scenario.hpp"

namespace cqfuzz::limits {

inline constexpr std::uint32_t kProgramsMax = 12;
inline constexpr std::uint32_t kKernelsMax = 24;
inline constexpr std::uint32_t kSemaphoresMax = 64;
inline constexpr std::uint32_t kCircularBuffersMax = 64;
inline constexpr std::uint32_t kBuffersMax = 8;
inline constexpr std::uint32_t kTracesMax = 4;
inline constexpr std::uint32_t kEventsMax = 4;
// Two queues share the host channel (facts §1.4): 1532 entries are divided (facts §3.2).
inline constexpr std::uint32_t kPrefetchQEntriesOfTwo = 766;
inline constexpr std::uint32_t kStepsMax = 64;
inline constexpr std::uint32_t kOpsMax = 1024;
inline constexpr std::uint32_t kCommandsMax = 512;
inline constexpr std::uint32_t kBodiesMax = 4;
inline constexpr std::uint32_t kBodyCommandsMax = 64;
inline constexpr std::uint32_t kLargePartsMax = 35;  // facts §3.4
// A recorded schedule of a small run has to fit.
inline constexpr std::uint32_t kDeviationsMax = 8192;

inline constexpr std::uint32_t kEthernetConfigBytes = 25600;  // G9
inline constexpr std::uint32_t kProgramFixedBytes =
    256 + 512 + 64;  // semaphores, CB configs, alignment (P5)
inline constexpr std::uint32_t kCircularBufferBytesMax = 1u << 20;
inline constexpr std::uint32_t kL1BufferBytesMax = 1u << 20;
// The run gives each bank 8 MiB of trace region, so this always fits, padding included.
inline constexpr std::uint32_t kTraceBytesMax = 3u << 20;
inline constexpr std::uint32_t kMaxPrefetchCommandMin = 4096;
// K1: with eight more for dispatch and the tunnel, 80 cores a chip; eight chips fill the L1 region.
constexpr std::uint32_t ethernet_cores_max(const Topology& topology) {
    return topology.chips == 1 ? 16 : 72 - topology.worker_cols * topology.worker_rows;
}

constexpr std::uint32_t align_up(std::uint32_t value, std::uint32_t alignment) {
    return (value + alignment - 1) / alignment * alignment;
}

// Pages of the dispatch ring that a producer can count on: the dispatcher may withhold two blocks.
constexpr std::uint32_t dispatch_capacity_pages(const Geometry& g) {
    return g.dispatch_pages_per_block * (g.dispatch_blocks - 2);
}
constexpr std::uint32_t dispatch_page_bytes(const Geometry& g) { return 1u << g.dispatch_log_page; }
constexpr std::uint32_t prefetch_d_ring_bytes(const Geometry& g) {
    return (g.prefetch_d_pages_per_block * g.prefetch_d_blocks) << g.prefetch_d_log_page;
}
// What one exec_buf read may bring (facts §5.3), and the room for it.
constexpr std::uint32_t chunk_bytes(const Geometry& g) { return g.dram_banks << g.trace_log_page; }
constexpr std::uint32_t chunk_room_bytes(const Geometry& g, const Topology& topology) {
    const std::uint32_t ring = prefetch_d_ring_bytes(g);
    if (topology.chips == 1) return topology.split ? ring : g.cmddat_q;
    return ring < g.cmddat_q ? ring : g.cmddat_q;  // both kinds of device
}
// Has any device a split pipeline?
constexpr bool splits(const Topology& topology) { return topology.split || topology.chips != 1; }

inline constexpr std::uint32_t kPacketHeaderBytes = 16;
// K3
constexpr std::uint32_t tunnel_pages_min(const Geometry& g) {
    const std::uint32_t log_page =
        g.prefetch_d_log_page > g.dispatch_log_page ? g.prefetch_d_log_page : g.dispatch_log_page;
    return (kPacketHeaderBytes + (1u << log_page) + (1u << g.tunnel_log_page) - 1) >>
           g.tunnel_log_page;
}

// Bounds of the rules above; all are multiples of what the field must be a multiple of.
std::uint32_t dispatch_pages_per_block_min(const Geometry& g);                // G3a
std::uint32_t prefetch_d_pages_per_block_min(const Geometry& g, bool split);  // G5a
std::uint32_t max_prefetch_command_max(const Geometry& g, bool split);        // G3b, G5b
std::uint32_t scratch_max(const Geometry& g);                                 // G3c
std::uint32_t cmddat_q_min(const Geometry& g);                                // G5c

// P5: what a kernel may take of its core's config ring, and what the ring offers to all kernels of
// a program.
std::uint32_t config_bytes(const Kernel& kernel);
std::uint32_t config_room_bytes(const Geometry& g, bool on_ethernet);

// P3
bool overlap(const CoreRange& a, const CoreRange& b);
constexpr std::uint32_t cores_in(const CoreRange& r) {
    return (r.x1 - r.x0 + 1) * (r.y1 - r.y0 + 1);
}

// B1, B2: sharded buffers lie on `cores`; the bytes that a buffer takes of each worker's L1.
constexpr bool is_sharded(BufferPlacement placement) {
    return placement >= BufferPlacement::height_sharded;
}
std::uint32_t l1_bytes(const Buffer& buffer, const Topology& topology);

// T1: no encoding of one enqueue of the program in a trace is longer.
std::uint32_t trace_bytes_max(const Program& program, std::uint32_t ethernet_cores);
// About how long it is, for a generator that wants a trace to pass the end of a chunk.
std::uint32_t trace_bytes_estimate(const Program& program);

// D1
std::uint32_t tile_count(const Topology& topology, const Geometry& g);

}  // namespace cqfuzz::limits
