// The dataflow API as kernels include it (facts §8.4, §10): a superset of
// harness/device_api/dataflow_api.h with the names, default NoC and register macros that kernels
// use. Compiled into a kernel's shared object (harness/hosting); L1 pointers are 32 bits wide.
//
// Which name is of which generation: docs/hosting.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#define CQFUZZ_HOSTED_KERNEL 1

// Inlined, so that the place of a call is the kernel's line.
#pragma clang attribute push(__attribute__((always_inline)), apply_to = function)

#include "core_config.h"
#include "cq_interfaces.h"
#include "debug/assert.h"
#include "debug/dprint.h"
#include "debug/pause.h"
#include "debug/ring_buffer.h"
#include "debug/sanitize_noc.h"
#include "debug/waypoint.h"
#include "dev_msgs.h"
#include "harness/device_api/dataflow_api.h"
#include "interleaved.h"
#include "noc_nonblocking_api.h"
#include "noc_overlay_parameters.h"
#include "noc_parameters.h"
#include "risc_attribs.h"
#include "tools/profiler/kernel_profiler.hpp"

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

namespace cqfuzz::device {
template <bool x>
struct OwnCoordinate {
    uint8_t operator[](uint32_t) const { return static_cast<uint8_t>(x ? my_x() : my_y()); }
};
}  // namespace cqfuzz::device
// By NoC, which makes no difference here.
inline constexpr cqfuzz::device::OwnCoordinate<true> my_x{};
inline constexpr cqfuzz::device::OwnCoordinate<false> my_y{};

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
inline void noc_async_write_multicast(uint32_t src, uint64_t dst, uint32_t size, uint32_t dests, bool linked, uint8_t noc) {
    noc_async_write_multicast(src, dst, size, dests, linked, true, noc);
}
// The sender is one of the receivers.
inline void noc_async_write_multicast_loopback_src(uint32_t src, uint64_t dst, uint32_t size, uint32_t dests, bool linked = false, bool = true, uint8_t noc = noc_index) {
    using namespace cqfuzz::device;
    for (bool last = false; !last; src += NOC_MAX_BURST_SIZE, dst += NOC_MAX_BURST_SIZE, size -= NOC_MAX_BURST_SIZE) {
        last = size <= NOC_MAX_BURST_SIZE;
        write_packet(src, dst, last ? size : NOC_MAX_BURST_SIZE, noc,
                     kNocCmdMulticast | kNocCmdPathReserve | kNocCmdSourceInclude | (linked ? kNocCmdLinked : 0),
                     NOC_MULTICAST_WRITE_VC, dests);
        if (last) return;
    }
}

// What is never longer than a burst is one packet, whatever `size` says.
template <uint32_t max_size>
void noc_async_read(uint64_t src, uint32_t dst, uint32_t size, uint8_t noc = noc_index) {
    noc_async_read(src, dst, size, static_cast<uint32_t>(noc));
}
template <uint32_t max_size>
void noc_async_write(uint32_t src, uint64_t dst, uint32_t size, uint8_t noc = noc_index) {
    if constexpr (max_size <= NOC_MAX_BURST_SIZE)
        noc_async_write_one_packet(src, dst, size, static_cast<uint32_t>(noc));
    else
        noc_async_write(src, dst, size, static_cast<uint32_t>(noc));
}
template <uint32_t max_size>
void noc_async_write_multicast(uint32_t src, uint64_t dst, uint32_t size, uint32_t dests, bool linked = false, bool = true, uint8_t noc = noc_index) {
    if constexpr (max_size <= NOC_MAX_BURST_SIZE)
        noc_async_write_multicast_one_packet(src, dst, size, dests, noc, NOC_MULTICAST_WRITE_VC, linked);
    else
        noc_async_write_multicast(src, dst, size, dests, linked, true, noc);
}
template <uint32_t max_size>
void noc_async_write_multicast(uint32_t src, uint64_t dst, uint32_t size, uint32_t dests, bool linked, uint8_t noc) {
    noc_async_write_multicast<max_size>(src, dst, size, dests, linked, true, noc);
}
template <class Generator>
void noc_async_read_tile(uint32_t page, const Generator& generator, uint32_t dst, uint32_t offset = 0, uint8_t noc = noc_index) {
    noc_async_read(generator.get_noc_addr(page, offset), dst, generator.page_size, static_cast<uint32_t>(noc));
}

inline void noc_inline_dw_write(uint64_t addr, uint32_t value, uint8_t byte_enables = 0xf, uint8_t noc = noc_index) {
    cqfuzz::device::write_word_inline(addr, value, byte_enables, noc);
}
inline void noc_semaphore_inc(uint64_t addr, uint32_t incr) { noc_semaphore_inc(addr, incr, noc_index); }
inline void noc_semaphore_inc(uint64_t addr, uint32_t incr, uint8_t noc, uint8_t vc) {
    noc_fast_atomic_increment(noc, NCRISC_AT_CMD_BUF, addr, vc, incr, 31, false);
}
inline void noc_semaphore_set_remote(uint32_t src, uint64_t dst, uint8_t noc = noc_index) { noc_async_write_one_packet(src, dst, 4, static_cast<uint32_t>(noc)); }
inline void noc_semaphore_set_multicast(uint32_t src, uint64_t dst, uint32_t dests, bool linked = false, bool = true, uint8_t noc = noc_index) {
    noc_async_write_multicast(src, dst, 4, dests, linked, true, noc);
}

inline void noc_async_read_barrier() { noc_async_read_barrier(noc_index); }
inline void noc_async_write_barrier() { noc_async_write_barrier(noc_index); }
inline void noc_async_writes_flushed() { noc_async_writes_flushed(noc_index); }
inline void noc_async_atomic_barrier() { noc_async_atomic_barrier(noc_index); }
inline void noc_async_full_barrier() { noc_async_full_barrier(noc_index); }
inline void noc_async_posted_writes_flushed(uint8_t noc = noc_index) {
    using namespace cqfuzz::device;
    wait_counter(noc, HardwareCounter::posted_wr_req_sent, SoftwareCounter::posted_writes_num_issued);
}

// Reads with transaction ids: an id's barrier waits for the reads of all ids, so what relies on an earlier
// one of its own is not found out.
inline void noc_async_read_set_trid(uint32_t, uint8_t = noc_index) {}
inline void noc_async_read_barrier_with_trid(uint32_t, uint8_t noc = noc_index) { noc_async_read_barrier(static_cast<uint32_t>(noc)); }
inline void noc_async_write_barrier_with_trid(uint32_t, uint8_t noc = noc_index) { noc_async_write_barrier(static_cast<uint32_t>(noc)); }
inline uint32_t noc_available_transactions(uint32_t, uint32_t) { return 15; }

// Stateful reads: coordinate and length stay.
inline void noc_async_read_set_state(uint64_t src, uint8_t noc = noc_index) {
    NOC_CMD_BUF_WRITE_REG(noc, NCRISC_RD_CMD_BUF, NOC_CTRL, NOC_CMD_RD | NOC_CMD_STATIC_VC(NOC_UNICAST_WRITE_VC));
    NOC_CMD_BUF_WRITE_REG(noc, NCRISC_RD_CMD_BUF, NOC_TARG_ADDR_COORDINATE, cqfuzz::device::coordinate_of(src));
}
inline void noc_async_read_one_packet_set_state(uint64_t src, uint32_t size, uint8_t noc = noc_index) {
    noc_async_read_set_state(src, noc);
    NOC_CMD_BUF_WRITE_REG(noc, NCRISC_RD_CMD_BUF, NOC_AT_LEN_BE, size);
}
inline void noc_async_read_one_packet_with_state(uint32_t src, uint32_t dst, uint8_t noc = noc_index) {
    noc_cmd_buf_ready(noc, NCRISC_RD_CMD_BUF);
    NOC_CMD_BUF_WRITE_REG(noc, NCRISC_RD_CMD_BUF, NOC_TARG_ADDR_LO, src);
    NOC_CMD_BUF_WRITE_REG(noc, NCRISC_RD_CMD_BUF, NOC_RET_ADDR_LO, dst);
    noc_reads_num_issued[noc] += 1;
    NOC_CMD_BUF_WRITE_REG(noc, NCRISC_RD_CMD_BUF, NOC_CMD_CTRL, NOC_CTRL_SEND_REQ);
}
inline void noc_async_read_with_state(uint32_t src, uint32_t dst, uint32_t size, uint8_t noc = noc_index) {
    while (size != 0) {
        const uint32_t n = size < NOC_MAX_BURST_SIZE ? size : NOC_MAX_BURST_SIZE;
        NOC_CMD_BUF_WRITE_REG(noc, NCRISC_RD_CMD_BUF, NOC_AT_LEN_BE, n);
        noc_async_read_one_packet_with_state(src, dst, noc);
        src += n, dst += n, size -= n;
    }
}
inline void noc_read_with_state(uint32_t dst, uint32_t src, uint32_t size, uint8_t noc = noc_index) { noc_async_read_with_state(src, dst, size, noc); }

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

#ifndef FORCE_INLINE
#define FORCE_INLINE inline __attribute__((always_inline))
#endif

// --- what base firmware asks of a kernel that waits: nothing here

#define RISC_POST_STATUS(status) ((void)(status))
#define RISC_POST_HEARTBEAT(counter) ((void)(counter))
#define IDLE_ERISC_HEARTBEAT_AND_RETURN(counter) ((void)(counter))
#define IDLE_ERISC_RETURN(...) ((void)0)
inline void riscv_wait(uint32_t cycles) {
    for (; cycles != 0; --cycles) cqfuzz::device::pause();
}

template <class A, class B>
constexpr std::common_type_t<A, B> min(A a, B b) {
    using Common = std::common_type_t<A, B>;
    return static_cast<Common>(b) < static_cast<Common>(a) ? static_cast<Common>(b) : static_cast<Common>(a);
}
template <class A, class B>
constexpr std::common_type_t<A, B> max(A a, B b) {
    using Common = std::common_type_t<A, B>;
    return static_cast<Common>(a) < static_cast<Common>(b) ? static_cast<Common>(b) : static_cast<Common>(a);
}
template <class T>
constexpr T align(T value, uint32_t alignment) {
    return (value + alignment - 1) & ~(static_cast<T>(alignment) - 1);
}

#pragma clang attribute pop

void kernel_main();
