// Stateful writes of the dispatch kernels (facts §8.4): registers that are not named keep what they
// hold, and software counters are the caller's unless `update_counters` says otherwise.
//
// dataflow_api.h does not include it: kernels often bring these themselves, in a header beside them.
#pragma once

#include "dataflow_api.h"
#include "noc_nonblocking_api.h"

enum CQNocFlags : std::uint32_t {
    CQ_NOC_FLAG_SRC = 0x01,
    CQ_NOC_FLAG_NOC = 0x02,  // the coordinate
    CQ_NOC_FLAG_DST = 0x04,
    CQ_NOC_FLAG_LEN = 0x08,
    // Upper case: the register is written (source, coordinate, destination, length).
    CQ_NOC_sndl = 0, CQ_NOC_Sndl, CQ_NOC_sNdl, CQ_NOC_SNdl, CQ_NOC_snDl, CQ_NOC_SnDl, CQ_NOC_sNDl, CQ_NOC_SNDl,
    CQ_NOC_sndL, CQ_NOC_SndL, CQ_NOC_sNdL, CQ_NOC_SNdL, CQ_NOC_snDL, CQ_NOC_SnDL, CQ_NOC_sNDL, CQ_NOC_SNDL,
};
enum CQNocInlineFlags : std::uint32_t {
    CQ_NOC_INLINE_FLAG_NOC = 0x02,
    CQ_NOC_INLINE_FLAG_DST = 0x04,
    CQ_NOC_INLINE_FLAG_VAL = 0x10,
    CQ_NOC_INLINE_FLAG_BE = 0x20,
};
enum CQNocWait : std::uint32_t { CQ_NOC_wait = 0, CQ_NOC_WAIT = 1 };
enum CQNocSend : std::uint32_t { CQ_NOC_send = 0, CQ_NOC_SEND = 1 };

inline void cqfuzz_write_cq_state(std::uint32_t flags, std::uint32_t noc, std::uint32_t cmd_buf,
                                  std::uint32_t src, std::uint32_t noc_xy, std::uint32_t dst,
                                  std::uint32_t size) {
    if ((flags & CQ_NOC_FLAG_SRC) != 0) NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_TARG_ADDR_LO, src);
    if ((flags & CQ_NOC_FLAG_NOC) != 0)
        NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_RET_ADDR_COORDINATE, noc_xy);
    if ((flags & CQ_NOC_FLAG_DST) != 0) NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_RET_ADDR_LO, dst);
    if ((flags & CQ_NOC_FLAG_LEN) != 0) NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_AT_LEN_BE, size);
}

template <enum CQNocFlags flags, enum CQNocWait wait = CQ_NOC_WAIT, enum CQNocSend send = CQ_NOC_SEND,
          std::uint32_t cmd_buf = NCRISC_WR_CMD_BUF, bool update_counters = false>
void cq_noc_async_wwrite_with_state(std::uint32_t src, std::uint32_t noc_xy, std::uint64_t dst,
                                    std::uint32_t size = 0, std::uint32_t ndests = 1,
                                    std::uint8_t noc = noc_index) {
    if (wait == CQ_NOC_WAIT) noc_cmd_buf_ready(noc, cmd_buf);
    cqfuzz_write_cq_state(flags, noc, cmd_buf, src, noc_xy, static_cast<std::uint32_t>(dst), size);
    if (send == CQ_NOC_SEND) {
        if (update_counters) cqfuzz_count_write(noc, ndests, false);
        NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_CMD_CTRL, NOC_CTRL_SEND_REQ);
    }
}

template <enum CQNocFlags flags, enum CQNocWait wait = CQ_NOC_WAIT, enum CQNocSend send = CQ_NOC_SEND,
          std::uint32_t cmd_buf = NCRISC_WR_CMD_BUF, bool update_counters = false>
void cq_noc_async_write_with_state(std::uint32_t src, std::uint64_t dst, std::uint32_t size = 0,
                                   std::uint32_t ndests = 1, std::uint8_t noc = noc_index) {
    cq_noc_async_wwrite_with_state<flags, wait, send, cmd_buf, update_counters>(
        src, static_cast<std::uint32_t>(dst >> NOC_ADDR_COORD_SHIFT), dst, size, ndests, noc);
}

// Any length, a burst at a time; the last packet's length stays in the register. Returns the packets.
template <enum CQNocFlags flags, enum CQNocWait wait_first = CQ_NOC_WAIT,
          std::uint32_t cmd_buf = NCRISC_WR_CMD_BUF, bool update_counters = false>
std::uint32_t cq_noc_async_write_with_state_any_len(std::uint32_t src, std::uint64_t dst,
                                                    std::uint32_t size = 0, std::uint32_t ndests = 1,
                                                    std::uint8_t noc = noc_index) {
    constexpr auto pieces = static_cast<CQNocFlags>(flags | CQ_NOC_FLAG_SRC | CQ_NOC_FLAG_DST | CQ_NOC_FLAG_LEN);
    std::uint32_t packets = 1;
    for (; size > NOC_MAX_BURST_SIZE; size -= NOC_MAX_BURST_SIZE, ++packets) {
        cq_noc_async_write_with_state<pieces, CQ_NOC_WAIT, CQ_NOC_SEND, cmd_buf, update_counters>(
            src, dst, NOC_MAX_BURST_SIZE, ndests, noc);
        src += NOC_MAX_BURST_SIZE;
        dst += NOC_MAX_BURST_SIZE;
    }
    cq_noc_async_write_with_state<pieces, wait_first, CQ_NOC_SEND, cmd_buf, update_counters>(
        src, dst, size, ndests, noc);
    return packets;
}

template <enum CQNocFlags flags, bool mcast = false, bool linked = false,
          std::uint32_t cmd_buf = NCRISC_WR_CMD_BUF>
void cq_noc_async_wwrite_init_state(std::uint32_t src, std::uint32_t noc_xy, std::uint64_t dst,
                                    std::uint32_t size = 0, std::uint8_t noc = noc_index) {
    const std::uint32_t vc = mcast ? NOC_DISPATCH_MULTICAST_WRITE_VC : NOC_UNICAST_WRITE_VC;
    noc_cmd_buf_ready(noc, cmd_buf);
    NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_CTRL,
                          NOC_CMD_CPY | NOC_CMD_WR | NOC_CMD_STATIC_VC(vc) | NOC_CMD_RESP_MARKED |
                              (linked ? NOC_CMD_VC_LINKED : 0) |
                              (mcast ? NOC_CMD_BRCST_PACKET | NOC_CMD_PATH_RESERVE : 0));
    cqfuzz_write_cq_state(flags, noc, cmd_buf, src, noc_xy, static_cast<std::uint32_t>(dst), size);
}
template <enum CQNocFlags flags, bool mcast = false, bool linked = false,
          std::uint32_t cmd_buf = NCRISC_WR_CMD_BUF>
void cq_noc_async_write_init_state(std::uint32_t src, std::uint64_t dst, std::uint32_t size = 0,
                                   std::uint8_t noc = noc_index) {
    cq_noc_async_wwrite_init_state<flags, mcast, linked, cmd_buf>(
        src, static_cast<std::uint32_t>(dst >> NOC_ADDR_COORD_SHIFT), dst, size, noc);
}

template <enum CQNocInlineFlags flags, enum CQNocWait wait = CQ_NOC_WAIT, enum CQNocSend send = CQ_NOC_SEND>
void cq_noc_inline_dw_write_with_state(std::uint64_t dst, std::uint32_t val = 0, std::uint8_t be = 0xf,
                                       std::uint8_t noc = noc_index) {
    constexpr std::uint32_t cmd_buf = NCRISC_WR_REG_CMD_BUF;
    if (wait == CQ_NOC_WAIT) noc_cmd_buf_ready(noc, cmd_buf);
    if ((flags & CQ_NOC_INLINE_FLAG_NOC) != 0)
        NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_RET_ADDR_COORDINATE,
                              static_cast<std::uint32_t>(dst >> NOC_ADDR_COORD_SHIFT));
    if ((flags & CQ_NOC_INLINE_FLAG_DST) != 0)
        NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_RET_ADDR_LO, static_cast<std::uint32_t>(dst));
    if ((flags & CQ_NOC_INLINE_FLAG_VAL) != 0) NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_AT_DATA, val);
    if ((flags & CQ_NOC_INLINE_FLAG_BE) != 0) NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_AT_LEN_BE, be);
    if (send == CQ_NOC_SEND)
        NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_CMD_CTRL, NOC_CTRL_SEND_REQ);
}
template <enum CQNocInlineFlags flags>
void cq_noc_inline_dw_write_init_state(std::uint64_t dst, std::uint32_t val = 0, std::uint8_t be = 0xf,
                                       std::uint8_t noc = noc_index) {
    noc_cmd_buf_ready(noc, NCRISC_WR_REG_CMD_BUF);
    NOC_CMD_BUF_WRITE_REG(noc, NCRISC_WR_REG_CMD_BUF, NOC_CTRL,
                          NOC_CMD_WR | NOC_CMD_WR_INLINE | NOC_CMD_STATIC_VC(NOC_UNICAST_WRITE_VC) |
                              NOC_CMD_RESP_MARKED);
    cq_noc_inline_dw_write_with_state<flags, CQ_NOC_wait, CQ_NOC_send>(dst, val, be, noc);
}
