// The layer below the dataflow API (facts §8.4): one packet from a named command buffer. Software
// counters are raised here too. `posted` writes are not acknowledged.
#pragma once

#include "noc_registers.h"

using CqfuzzSoftware = cqfuzz::device::SoftwareCounter;
using CqfuzzHardware = cqfuzz::device::HardwareCounter;

inline void ncrisc_noc_fast_read(std::uint32_t noc, std::uint32_t cmd_buf, std::uint64_t src_addr,
                                 std::uint32_t dest_addr, std::uint32_t len_bytes) {
    noc_cmd_buf_ready(noc, cmd_buf);
    NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_TARG_ADDR_LO, static_cast<std::uint32_t>(src_addr));
    NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_TARG_ADDR_COORDINATE,
                          static_cast<std::uint32_t>(src_addr >> NOC_ADDR_COORD_SHIFT));
    NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_RET_ADDR_LO, dest_addr);
    NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_AT_LEN_BE, len_bytes);
    NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_CTRL,
                          NOC_CMD_RD | NOC_CMD_STATIC_VC(NOC_UNICAST_WRITE_VC));
    cqfuzz::device::software_counter(noc, CqfuzzSoftware::reads_num_issued) += 1;
    NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_CMD_CTRL, NOC_CTRL_SEND_REQ);
}
inline void ncrisc_noc_fast_read_any_len(std::uint32_t noc, std::uint32_t cmd_buf,
                                         std::uint64_t src_addr, std::uint32_t dest_addr,
                                         std::uint32_t len_bytes) {
    for (; len_bytes > NOC_MAX_BURST_SIZE; len_bytes -= NOC_MAX_BURST_SIZE) {
        ncrisc_noc_fast_read(noc, cmd_buf, src_addr, dest_addr, NOC_MAX_BURST_SIZE);
        src_addr += NOC_MAX_BURST_SIZE;
        dest_addr += NOC_MAX_BURST_SIZE;
    }
    ncrisc_noc_fast_read(noc, cmd_buf, src_addr, dest_addr, len_bytes);
}

inline void cqfuzz_count_write(std::uint32_t noc, std::uint32_t num_dests, bool posted) {
    using cqfuzz::device::software_counter;
    if (posted) {
        software_counter(noc, CqfuzzSoftware::posted_writes_num_issued) += 1;
        return;
    }
    software_counter(noc, CqfuzzSoftware::nonposted_writes_num_issued) += 1;
    software_counter(noc, CqfuzzSoftware::nonposted_writes_acked) += num_dests;
}

inline void ncrisc_noc_fast_write(std::uint32_t noc, std::uint32_t cmd_buf, std::uint32_t src_addr,
                                  std::uint64_t dest_addr, std::uint32_t len_bytes,
                                  std::uint32_t vc, bool mcast, bool linked,
                                  std::uint32_t num_dests, bool multicast_path_reserve = true,
                                  bool posted = false) {
    const std::uint32_t path = multicast_path_reserve ? NOC_CMD_PATH_RESERVE : 0;
    noc_cmd_buf_ready(noc, cmd_buf);
    NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_CTRL,
                          NOC_CMD_WR | NOC_CMD_STATIC_VC(vc) | (linked ? NOC_CMD_VC_LINKED : 0) |
                              (mcast ? NOC_CMD_BRCST_PACKET | path : 0) |
                              (posted ? 0 : NOC_CMD_RESP_MARKED));
    NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_TARG_ADDR_LO, src_addr);
    NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_RET_ADDR_LO, static_cast<std::uint32_t>(dest_addr));
    NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_RET_ADDR_COORDINATE,
                          static_cast<std::uint32_t>(dest_addr >> NOC_ADDR_COORD_SHIFT));
    NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_AT_LEN_BE, len_bytes);
    if (mcast) cqfuzz::device::note_receivers(noc, cmd_buf, num_dests);
    cqfuzz_count_write(noc, num_dests, posted);
    NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_CMD_CTRL, NOC_CTRL_SEND_REQ);
}
inline void ncrisc_noc_fast_write_any_len(std::uint32_t noc, std::uint32_t cmd_buf,
                                          std::uint32_t src_addr, std::uint64_t dest_addr,
                                          std::uint32_t len_bytes, std::uint32_t vc, bool mcast,
                                          bool linked, std::uint32_t num_dests,
                                          bool multicast_path_reserve = true, bool posted = false) {
    for (; len_bytes > NOC_MAX_BURST_SIZE; len_bytes -= NOC_MAX_BURST_SIZE) {
        ncrisc_noc_fast_write(noc, cmd_buf, src_addr, dest_addr, NOC_MAX_BURST_SIZE, vc, mcast,
                              linked, num_dests, multicast_path_reserve, posted);
        src_addr += NOC_MAX_BURST_SIZE;
        dest_addr += NOC_MAX_BURST_SIZE;
    }
    ncrisc_noc_fast_write(noc, cmd_buf, src_addr, dest_addr, len_bytes, vc, mcast, linked,
                          num_dests, multicast_path_reserve, posted);
}

inline void noc_fast_write_dw_inline(std::uint32_t noc, std::uint32_t cmd_buf, std::uint32_t val,
                                     std::uint64_t dest_addr, std::uint32_t be,
                                     std::uint32_t static_vc, bool mcast, bool posted = false) {
    noc_cmd_buf_ready(noc, cmd_buf);
    NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_CTRL,
                          NOC_CMD_WR | NOC_CMD_WR_INLINE | NOC_CMD_STATIC_VC(static_vc) |
                              (mcast ? NOC_CMD_BRCST_PACKET : 0) |
                              (posted ? 0 : NOC_CMD_RESP_MARKED));
    NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_RET_ADDR_LO, static_cast<std::uint32_t>(dest_addr));
    NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_RET_ADDR_COORDINATE,
                          static_cast<std::uint32_t>(dest_addr >> NOC_ADDR_COORD_SHIFT));
    NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_AT_DATA, val);
    NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_AT_LEN_BE, be);
    cqfuzz_count_write(noc, 1, posted);
    NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_CMD_CTRL, NOC_CTRL_SEND_REQ);
}

// `wrap` 31 is the whole word, the only one there is here.
inline void noc_fast_atomic_increment(std::uint32_t noc, std::uint32_t cmd_buf, std::uint64_t addr,
                                      std::uint32_t vc, std::uint32_t incr, std::uint32_t wrap,
                                      bool linked, bool posted = false, std::uint32_t = 0) {
    if (wrap != 31) cqfuzz::device::firmware_assert_failed("an atomic add that wraps at 2^32");
    noc_cmd_buf_ready(noc, cmd_buf);
    NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_CTRL,
                          NOC_CMD_AT | NOC_CMD_STATIC_VC(vc) | (linked ? NOC_CMD_VC_LINKED : 0) |
                              (posted ? 0 : NOC_CMD_RESP_MARKED));
    NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_RET_ADDR_LO, static_cast<std::uint32_t>(addr));
    NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_RET_ADDR_COORDINATE,
                          static_cast<std::uint32_t>(addr >> NOC_ADDR_COORD_SHIFT));
    NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_AT_DATA, incr);
    NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_AT_LEN_BE, 4);
    if (!posted) cqfuzz::device::software_counter(noc, CqfuzzSoftware::nonposted_atomics_acked) += 1;
    NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_CMD_CTRL, NOC_CTRL_SEND_REQ);
}

// One look each: has the hardware caught up with software?
inline bool cqfuzz_caught_up(std::uint32_t noc, CqfuzzHardware hardware, CqfuzzSoftware software) {
    return cqfuzz::device::poll_hardware_counter(noc, hardware) ==
           cqfuzz::device::software_counter(noc, software);
}
inline bool ncrisc_noc_reads_flushed(std::uint32_t noc) {
    return cqfuzz_caught_up(noc, CqfuzzHardware::rd_resp_received, CqfuzzSoftware::reads_num_issued);
}
inline bool ncrisc_noc_nonposted_writes_sent(std::uint32_t noc) {
    return cqfuzz_caught_up(noc, CqfuzzHardware::nonposted_wr_req_sent,
                            CqfuzzSoftware::nonposted_writes_num_issued);
}
inline bool ncrisc_noc_nonposted_writes_flushed(std::uint32_t noc) {
    return cqfuzz_caught_up(noc, CqfuzzHardware::wr_ack_received,
                            CqfuzzSoftware::nonposted_writes_acked);
}
inline bool ncrisc_noc_posted_writes_sent(std::uint32_t noc) {
    return cqfuzz_caught_up(noc, CqfuzzHardware::posted_wr_req_sent,
                            CqfuzzSoftware::posted_writes_num_issued);
}
inline bool ncrisc_noc_nonposted_atomics_flushed(std::uint32_t noc) {
    return cqfuzz_caught_up(noc, CqfuzzHardware::atomic_resp_received,
                            CqfuzzSoftware::nonposted_atomics_acked);
}
