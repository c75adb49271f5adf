// The public dataflow API, by its public names, over the register-level core port (facts §8.3,
// §8.4).
//
// Transfers are non-blocking; barriers wait for what software has counted. A transfer longer than a
// burst becomes several packets, each counted. `noc` is the NoC index. NoC addresses carry the
// coordinate above bit 36 (facts §8.1).
#pragma once

#include <cstdint>

#include "harness/device_api/core_port.hpp"

inline constexpr std::uint32_t NOC_MAX_BURST_SIZE = 8192;
inline constexpr std::uint32_t NOC_UNICAST_WRITE_VC = 1;
inline constexpr std::uint32_t NOC_MULTICAST_WRITE_VC = 4;
inline constexpr std::uint32_t NOC_DISPATCH_MULTICAST_WRITE_VC = 5;
inline constexpr std::uint32_t NOC_ADDR_LOCAL_BITS = 36;

#define NOC_XY_ENCODING(x, y) (static_cast<std::uint32_t>(y) << 6 | static_cast<std::uint32_t>(x))

inline std::uint64_t get_noc_addr_helper(std::uint32_t noc_xy, std::uint32_t addr) {
    return (static_cast<std::uint64_t>(noc_xy) << NOC_ADDR_LOCAL_BITS) | addr;
}

namespace cqfuzz::device {

inline std::uint32_t coordinate_of(std::uint64_t noc_addr) {
    return static_cast<std::uint32_t>(noc_addr >> NOC_ADDR_LOCAL_BITS);
}

// Issues one write packet. Software counts it before the command goes out, so that a barrier never
// runs ahead.
inline void write_packet(std::uint32_t src, std::uint64_t dst, std::uint32_t size,
                         std::uint32_t noc, std::uint32_t flags, std::uint32_t vc,
                         std::uint32_t num_dests) {
    constexpr std::uint32_t buffer = kWriteBuffer;
    wait_command_buffer_ready(noc, buffer);
    register_write(noc, buffer, Register::targ_addr_lo, src);
    register_write(noc, buffer, Register::ret_addr_lo, static_cast<std::uint32_t>(dst));
    register_write(noc, buffer, Register::ret_addr_coordinate, coordinate_of(dst));
    register_write(noc, buffer, Register::at_len_be, size);
    register_write(noc, buffer, Register::ctrl,
                   kNocCmdWrite | kNocCmdRespMarked | flags | (vc << kNocCmdVcShift));
    if ((flags & kNocCmdMulticast) != 0) note_receivers(noc, buffer, num_dests);
    software_counter(noc, SoftwareCounter::nonposted_writes_num_issued) += 1;
    software_counter(noc, SoftwareCounter::nonposted_writes_acked) += num_dests;
    noc_send(noc, buffer);
}

// The plain read first: a poll that repeats an earlier one puts the core to sleep, and that one may
// have been the last of a wait that is over.
inline void wait_counter(std::uint32_t noc, HardwareCounter hardware, SoftwareCounter software) {
    if (read_hardware_counter(noc, hardware) == software_counter(noc, software)) return;
    while (poll_hardware_counter(noc, hardware) != software_counter(noc, software)) {
    }
}

}  // namespace cqfuzz::device

inline void noc_async_read(std::uint64_t src_noc_addr, std::uint32_t dst_l1_addr,
                           std::uint32_t size, std::uint32_t noc) {
    using namespace cqfuzz::device;
    constexpr std::uint32_t buffer = kReadBuffer;
    while (size != 0) {
        const std::uint32_t n = size < NOC_MAX_BURST_SIZE ? size : NOC_MAX_BURST_SIZE;
        wait_command_buffer_ready(noc, buffer);
        register_write(noc, buffer, Register::targ_addr_lo,
                       static_cast<std::uint32_t>(src_noc_addr));
        register_write(noc, buffer, Register::targ_addr_coordinate, coordinate_of(src_noc_addr));
        register_write(noc, buffer, Register::ret_addr_lo, dst_l1_addr);
        register_write(noc, buffer, Register::at_len_be, n);
        register_write(noc, buffer, Register::ctrl,
                       kNocCmdRead | (NOC_UNICAST_WRITE_VC << kNocCmdVcShift));
        software_counter(noc, SoftwareCounter::reads_num_issued) += 1;
        noc_send(noc, buffer);
        src_noc_addr += n;
        dst_l1_addr += n;
        size -= n;
    }
}

inline void noc_async_write_one_packet(std::uint32_t src, std::uint64_t dst, std::uint32_t size,
                                       std::uint32_t noc) {
    cqfuzz::device::write_packet(src, dst, size, noc, 0, NOC_UNICAST_WRITE_VC, 1);
}

inline void noc_async_write(std::uint32_t src, std::uint64_t dst, std::uint32_t size,
                            std::uint32_t noc) {
    for (; size > NOC_MAX_BURST_SIZE; size -= NOC_MAX_BURST_SIZE) {
        noc_async_write_one_packet(src, dst, NOC_MAX_BURST_SIZE, noc);
        src += NOC_MAX_BURST_SIZE;
        dst += NOC_MAX_BURST_SIZE;
    }
    // Of length 0 too: the hardware takes it, and inv. 32 forbids it.
    noc_async_write_one_packet(src, dst, size, noc);
}

// Every core of the rectangle but the sender. A linked packet keeps the path for the next one,
// which goes to the same rectangle (inv. 92). REQUIRES: num_dests is the real number of receivers
// (inv. 91).
inline void noc_async_write_multicast_one_packet(std::uint32_t src, std::uint64_t dst_mcast,
                                                 std::uint32_t size, std::uint32_t num_dests,
                                                 std::uint32_t noc,
                                                 std::uint32_t vc = NOC_MULTICAST_WRITE_VC,
                                                 bool linked = false) {
    using namespace cqfuzz::device;
    write_packet(src, dst_mcast, size, noc,
                 kNocCmdMulticast | kNocCmdPathReserve | (linked ? kNocCmdLinked : 0), vc,
                 num_dests);
}

namespace cqfuzz::device {

// `byte_enables`: which of the value's bytes are written.
inline void write_word_inline(std::uint64_t addr, std::uint32_t val, std::uint32_t byte_enables,
                              std::uint32_t noc) {
    constexpr std::uint32_t buffer = kInlineBuffer;
    wait_command_buffer_ready(noc, buffer);
    register_write(noc, buffer, Register::ret_addr_lo, static_cast<std::uint32_t>(addr));
    register_write(noc, buffer, Register::ret_addr_coordinate, coordinate_of(addr));
    register_write(noc, buffer, Register::at_data, val);
    register_write(noc, buffer, Register::at_len_be, byte_enables);
    register_write(noc, buffer, Register::ctrl,
                   kNocCmdWrite | kNocCmdInline | kNocCmdRespMarked |
                       (NOC_UNICAST_WRITE_VC << kNocCmdVcShift));
    software_counter(noc, SoftwareCounter::nonposted_writes_num_issued) += 1;
    software_counter(noc, SoftwareCounter::nonposted_writes_acked) += 1;
    noc_send(noc, buffer);
}

}  // namespace cqfuzz::device

// Hosted kernels have a fourth parameter, the byte enables, before the NoC.
#ifndef CQFUZZ_HOSTED_KERNEL
inline void noc_inline_dw_write(std::uint64_t addr, std::uint32_t val, std::uint32_t noc) {
    cqfuzz::device::write_word_inline(addr, val, 0xf, noc);
}
#endif

// Atomic add, full 32-bit wrap. `incr` may be the two's complement of a decrement.
inline void noc_semaphore_inc(std::uint64_t addr, std::uint32_t incr, std::uint32_t noc) {
    using namespace cqfuzz::device;
    constexpr std::uint32_t buffer = kAtomicBuffer;
    wait_command_buffer_ready(noc, buffer);
    register_write(noc, buffer, Register::ret_addr_lo, static_cast<std::uint32_t>(addr));
    register_write(noc, buffer, Register::ret_addr_coordinate, coordinate_of(addr));
    register_write(noc, buffer, Register::at_data, incr);
    register_write(noc, buffer, Register::at_len_be, 4);
    register_write(noc, buffer, Register::ctrl,
                   kNocCmdAtomic | kNocCmdRespMarked | (NOC_UNICAST_WRITE_VC << kNocCmdVcShift));
    software_counter(noc, SoftwareCounter::nonposted_atomics_acked) += 1;
    noc_send(noc, buffer);
}

// All data of earlier reads has landed.
inline void noc_async_read_barrier(std::uint32_t noc) {
    using namespace cqfuzz::device;
    wait_counter(noc, HardwareCounter::rd_resp_received, SoftwareCounter::reads_num_issued);
}

// Earlier writes have departed: their source bytes may be reused.
inline void noc_async_writes_flushed(std::uint32_t noc) {
    using namespace cqfuzz::device;
    wait_counter(noc, HardwareCounter::nonposted_wr_req_sent,
                 SoftwareCounter::nonposted_writes_num_issued);
}

// Earlier writes have been acknowledged by every receiver.
inline void noc_async_write_barrier(std::uint32_t noc) {
    using namespace cqfuzz::device;
    wait_counter(noc, HardwareCounter::wr_ack_received, SoftwareCounter::nonposted_writes_acked);
}

inline void noc_async_atomic_barrier(std::uint32_t noc) {
    using namespace cqfuzz::device;
    wait_counter(noc, HardwareCounter::atomic_resp_received,
                 SoftwareCounter::nonposted_atomics_acked);
}

inline void noc_async_full_barrier(std::uint32_t noc) {
    noc_async_read_barrier(noc);
    noc_async_writes_flushed(noc);
    noc_async_write_barrier(noc);
    noc_async_atomic_barrier(noc);
}
