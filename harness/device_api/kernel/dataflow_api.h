// The dataflow API as kernels include it (facts §8.4, §10): a superset of
// harness/device_api/dataflow_api.h with the names, default NoC and register macros that kernels
// use. Compiled into a kernel's shared object (harness/hosting); L1 pointers are 32 bits wide.
//
// Which name is of which generation: docs/hosting.md.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core_config.h"
#include "harness/device_api/core_port.hpp"
#include "noc_parameters.h"
#include "risc_attribs.h"

// All of the API is part of the line that calls it: places are the kernel's own.
#pragma clang attribute push(__attribute__((always_inline)), apply_to = function)
#include "harness/device_api/dataflow_api.h"

using std::int32_t;
using std::uint16_t;
using std::uint32_t;
using std::uint64_t;
using std::uint8_t;
using std::size_t;
typedef unsigned int uint;

// --- compile-time arguments: by position, or as defines of the manifest

#ifdef KERNEL_COMPILE_TIME_ARGS
inline constexpr uint32_t kernel_compile_time_args[] = {KERNEL_COMPILE_TIME_ARGS};
#else
inline constexpr uint32_t kernel_compile_time_args[] = {0};
#endif
constexpr uint32_t get_compile_time_arg_val(uint32_t index) { return kernel_compile_time_args[index]; }

// --- the NoC a kernel uses when it names none

#ifndef NOC_INDEX
#define NOC_INDEX 0
#endif
inline constexpr uint8_t noc_index = NOC_INDEX;

// --- software counters as assignable arrays: noc_reads_num_issued[noc] += 1

namespace cqfuzz::device {
template <SoftwareCounter which>
struct CounterArray {
    uint32_t& operator[](uint32_t noc) const { return software_counter(noc, which); }
};
}  // namespace cqfuzz::device
inline constexpr cqfuzz::device::CounterArray<cqfuzz::device::SoftwareCounter::reads_num_issued> noc_reads_num_issued{};
inline constexpr cqfuzz::device::CounterArray<cqfuzz::device::SoftwareCounter::nonposted_writes_num_issued> noc_nonposted_writes_num_issued{};
inline constexpr cqfuzz::device::CounterArray<cqfuzz::device::SoftwareCounter::nonposted_writes_acked> noc_nonposted_writes_acked{};
inline constexpr cqfuzz::device::CounterArray<cqfuzz::device::SoftwareCounter::nonposted_atomics_acked> noc_nonposted_atomics_acked{};
inline constexpr cqfuzz::device::CounterArray<cqfuzz::device::SoftwareCounter::posted_writes_num_issued> noc_posted_writes_num_issued{};

// --- addresses

inline uint64_t get_noc_addr(uint32_t x, uint32_t y, uint32_t addr, uint8_t = noc_index) {
    return get_noc_addr_helper(NOC_XY_ENCODING(x, y), addr);
}
inline uint64_t get_noc_addr(uint32_t addr, uint8_t = noc_index) {
    return get_noc_addr_helper(NOC_XY_ENCODING(cqfuzz::device::my_x(), cqfuzz::device::my_y()), addr);
}
inline uint64_t get_noc_multicast_addr(uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1, uint32_t addr, uint8_t = noc_index) {
    return get_noc_addr_helper(NOC_MULTICAST_ENCODING(x0, y0, x1, y1), addr);
}
#ifdef CQFUZZ_SEMAPHORE_BASE
template <ProgrammableCoreType = ProgrammableCoreType::TENSIX>
inline uint32_t get_semaphore(uint32_t id) {
    return CQFUZZ_SEMAPHORE_BASE + id * L1_ALIGNMENT;
}
#endif

// --- transfers on the default NoC

inline void noc_async_read(uint64_t src, uint32_t dst, uint32_t size) { noc_async_read(src, dst, size, noc_index); }
inline void noc_async_read_one_packet(uint64_t src, uint32_t dst, uint32_t size, uint8_t noc = noc_index) { noc_async_read(src, dst, size, noc); }
inline void noc_async_write(uint32_t src, uint64_t dst, uint32_t size) { noc_async_write(src, dst, size, noc_index); }
inline void noc_async_write_one_packet(uint32_t src, uint64_t dst, uint32_t size) { noc_async_write_one_packet(src, dst, size, noc_index); }
inline void noc_async_write_multicast_one_packet(uint32_t src, uint64_t dst, uint32_t size, uint32_t dests) { noc_async_write_multicast_one_packet(src, dst, size, dests, noc_index); }
inline void noc_async_write_multicast(uint32_t src, uint64_t dst, uint32_t size, uint32_t dests, bool linked = false, bool = true, uint8_t noc = noc_index) {
    while (size > NOC_MAX_BURST_SIZE) {
        noc_async_write_multicast_one_packet(src, dst, NOC_MAX_BURST_SIZE, dests, noc, NOC_MULTICAST_WRITE_VC, linked);
        src += NOC_MAX_BURST_SIZE;
        dst += NOC_MAX_BURST_SIZE;
        size -= NOC_MAX_BURST_SIZE;
    }
    noc_async_write_multicast_one_packet(src, dst, size, dests, noc, NOC_MULTICAST_WRITE_VC, linked);
}
inline void noc_inline_dw_write(uint64_t addr, uint32_t value) { noc_inline_dw_write(addr, value, noc_index); }
inline void noc_semaphore_inc(uint64_t addr, uint32_t incr) { noc_semaphore_inc(addr, incr, noc_index); }

inline void noc_async_read_barrier() { noc_async_read_barrier(noc_index); }
inline void noc_async_write_barrier() { noc_async_write_barrier(noc_index); }
inline void noc_async_writes_flushed() { noc_async_writes_flushed(noc_index); }
inline void noc_async_atomic_barrier() { noc_async_atomic_barrier(noc_index); }
inline void noc_async_full_barrier() { noc_async_full_barrier(noc_index); }

// Stateful writes: registers keep what is not written again (facts §8.2).
inline void noc_async_write_one_packet_set_state(uint64_t dst, uint32_t size, uint8_t noc = noc_index, uint8_t vc = NOC_UNICAST_WRITE_VC) {
    using namespace cqfuzz::device;
    wait_command_buffer_ready(noc, kWriteBuffer);
    register_write(noc, kWriteBuffer, Register::ctrl, kNocCmdWrite | kNocCmdRespMarked | (static_cast<uint32_t>(vc) << kNocCmdVcShift));
    register_write(noc, kWriteBuffer, Register::ret_addr_coordinate, coordinate_of(dst));
    register_write(noc, kWriteBuffer, Register::at_len_be, size);
}
inline void noc_async_write_one_packet_with_state(uint32_t src, uint32_t dst, uint8_t noc = noc_index) {
    using namespace cqfuzz::device;
    wait_command_buffer_ready(noc, kWriteBuffer);
    register_write(noc, kWriteBuffer, Register::targ_addr_lo, src);
    register_write(noc, kWriteBuffer, Register::ret_addr_lo, dst);
    noc_nonposted_writes_num_issued[noc] += 1;
    noc_nonposted_writes_acked[noc] += 1;
    noc_send(noc, kWriteBuffer);
}

// --- semaphores in L1

inline void noc_semaphore_set(volatile tt_l1_ptr uint32_t* at, uint32_t value) { *at = value; }
inline void noc_semaphore_wait(volatile tt_l1_ptr uint32_t* at, uint32_t value) {
    while (*at != value) {
    }
}
inline void noc_semaphore_wait_min(volatile tt_l1_ptr uint32_t* at, uint32_t value) {
    while (*at < value) {
    }
}

// --- status registers: software against hardware

#define NIU_MST_RD_RESP_RECEIVED ::cqfuzz::device::HardwareCounter::rd_resp_received
#define NIU_MST_NONPOSTED_WR_REQ_SENT ::cqfuzz::device::HardwareCounter::nonposted_wr_req_sent
#define NIU_MST_WR_ACK_RECEIVED ::cqfuzz::device::HardwareCounter::wr_ack_received
#define NIU_MST_ATOMIC_RESP_RECEIVED ::cqfuzz::device::HardwareCounter::atomic_resp_received
#define NIU_MST_POSTED_WR_REQ_SENT ::cqfuzz::device::HardwareCounter::posted_wr_req_sent
inline uint32_t NOC_STATUS_READ_REG(uint32_t noc, cqfuzz::device::HardwareCounter which) {
    return cqfuzz::device::poll_hardware_counter(noc, which);
}

// The caches are not modelled here; a poll is told by its loads.
inline void invalidate_l1_cache() {}

#include "debug/assert.h"
#include "debug/dprint.h"
#include "debug/waypoint.h"

#ifndef FORCE_INLINE
#define FORCE_INLINE inline __attribute__((always_inline))
#endif
#define RISC_POST_HEARTBEAT(counter) ((void)(counter))
#define DeviceZoneScopedN(name)
#define DeviceZoneScopedND(name, count, value)

template <class T>
constexpr T align(T value, uint32_t alignment) {
    return (value + alignment - 1) & ~(static_cast<T>(alignment) - 1);
}

#pragma clang attribute pop

void kernel_main();
