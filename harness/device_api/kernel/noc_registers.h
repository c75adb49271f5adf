// The register layer of the NoC, and what kernels build on it (facts §8.2 to §8.4): command buffer
// registers by their names, ready and state, stateful writes, and interleaved address generators.
#pragma once

#include <cstdint>

#include "harness/device_api/dataflow_api.h"
#include "noc_parameters.h"

// --- command buffers and their registers (facts §8.2)

inline constexpr std::uint32_t NCRISC_WR_CMD_BUF = cqfuzz::device::kWriteBuffer;
inline constexpr std::uint32_t NCRISC_RD_CMD_BUF = cqfuzz::device::kReadBuffer;
inline constexpr std::uint32_t NCRISC_WR_REG_CMD_BUF = cqfuzz::device::kInlineBuffer;
inline constexpr std::uint32_t NCRISC_AT_CMD_BUF = cqfuzz::device::kAtomicBuffer;
inline constexpr std::uint32_t BRISC_WR_CMD_BUF = NCRISC_WR_CMD_BUF;
inline constexpr std::uint32_t BRISC_RD_CMD_BUF = NCRISC_RD_CMD_BUF;
inline constexpr std::uint32_t BRISC_WR_REG_CMD_BUF = NCRISC_WR_REG_CMD_BUF;
inline constexpr std::uint32_t BRISC_AT_CMD_BUF = NCRISC_AT_CMD_BUF;
inline constexpr std::uint32_t write_cmd_buf = NCRISC_WR_CMD_BUF;
inline constexpr std::uint32_t read_cmd_buf = NCRISC_RD_CMD_BUF;
inline constexpr std::uint32_t write_reg_cmd_buf = NCRISC_WR_REG_CMD_BUF;
inline constexpr std::uint32_t write_at_cmd_buf = NCRISC_AT_CMD_BUF;

enum CqfuzzNocRegister : std::uint32_t {
    NOC_TARG_ADDR_LO,
    NOC_TARG_ADDR_COORDINATE,
    NOC_RET_ADDR_LO,
    NOC_RET_ADDR_COORDINATE,
    NOC_CTRL,
    NOC_AT_LEN_BE,
    NOC_AT_DATA,
    NOC_CMD_CTRL,  // a write of NOC_CTRL_SEND_REQ sends
    // Bits 32 and up of an address. The coordinate is among them where chips have no register of its
    // own for it; a value without one leaves the coordinate as it is.
    NOC_TARG_ADDR_MID,
    NOC_RET_ADDR_MID,
    NOC_TARG_ADDR_HI,  // what follows: no effect here
    NOC_RET_ADDR_HI,
    NOC_AT_LEN_BE_1,
    NOC_PACKET_TAG,
    NOC_BRCST_EXCLUDE,
    NOC_L1_ACC_AT_INSTRN,
};

inline constexpr std::uint32_t NOC_CTRL_SEND_REQ = 1;
inline constexpr std::uint32_t NOC_CMD_CPY = 0;
inline constexpr std::uint32_t NOC_CMD_RD = cqfuzz::device::kNocCmdRead;
inline constexpr std::uint32_t NOC_CMD_WR = cqfuzz::device::kNocCmdWrite;
inline constexpr std::uint32_t NOC_CMD_WR_INLINE = cqfuzz::device::kNocCmdInline;
inline constexpr std::uint32_t NOC_CMD_AT = cqfuzz::device::kNocCmdAtomic;
inline constexpr std::uint32_t NOC_CMD_RESP_MARKED = cqfuzz::device::kNocCmdRespMarked;
inline constexpr std::uint32_t NOC_CMD_VC_LINKED = cqfuzz::device::kNocCmdLinked;
inline constexpr std::uint32_t NOC_CMD_BRCST_PACKET = cqfuzz::device::kNocCmdMulticast;
inline constexpr std::uint32_t NOC_CMD_BRCST_SRC_INCLUDE = cqfuzz::device::kNocCmdSourceInclude;
inline constexpr std::uint32_t NOC_CMD_PATH_RESERVE = cqfuzz::device::kNocCmdPathReserve;
#define NOC_CMD_BRCST_XY(y) 0u
inline constexpr std::uint32_t NOC_CMD_VC_STATIC = 0;  // every channel is static here
// Atomics: always the add over all 32 bits of NOC_AT_DATA.
#define NOC_AT_INS_INCR_GET 1
#define NOC_AT_INS(instruction) 0u
#define NOC_AT_WRAP(wrap) 0u
#define NOC_AT_IND_32(index) 0u
#define NOC_AT_IND_32_SRC(index) 0u
#define NOC_CMD_STATIC_VC(vc) (static_cast<std::uint32_t>(vc) << ::cqfuzz::device::kNocCmdVcShift)

inline void NOC_CMD_BUF_WRITE_REG(std::uint32_t noc, std::uint32_t buffer, CqfuzzNocRegister which,
                                  std::uint32_t value) {
    using namespace cqfuzz::device;
    constexpr std::uint32_t mid_shift = NOC_ADDR_LOCAL_BITS - 32;
    switch (which) {
        case NOC_CMD_CTRL:
            if (value == NOC_CTRL_SEND_REQ) noc_send(noc, buffer);
            return;
        case NOC_TARG_ADDR_MID:
            if (value >> mid_shift != 0)
                register_write(noc, buffer, Register::targ_addr_coordinate, value >> mid_shift);
            return;
        case NOC_RET_ADDR_MID:
            if (value >> mid_shift != 0)
                register_write(noc, buffer, Register::ret_addr_coordinate, value >> mid_shift);
            return;
        case NOC_TARG_ADDR_HI:
        case NOC_RET_ADDR_HI:
        case NOC_AT_LEN_BE_1:
        case NOC_PACKET_TAG:
        case NOC_BRCST_EXCLUDE:
        case NOC_L1_ACC_AT_INSTRN: return;
        default: register_write(noc, buffer, static_cast<Register>(which), value);
    }
}
inline std::uint32_t NOC_CMD_BUF_READ_REG(std::uint32_t noc, std::uint32_t buffer,
                                          CqfuzzNocRegister which) {
    using cqfuzz::device::Register;
    constexpr std::uint32_t mid_shift = NOC_ADDR_LOCAL_BITS - 32;
    if (which < NOC_CMD_CTRL)
        return cqfuzz::device::register_read(noc, buffer, static_cast<Register>(which));
    if (which == NOC_TARG_ADDR_MID)
        return cqfuzz::device::register_read(noc, buffer, Register::targ_addr_coordinate)
               << mid_shift;
    if (which == NOC_RET_ADDR_MID)
        return cqfuzz::device::register_read(noc, buffer, Register::ret_addr_coordinate)
               << mid_shift;
    return 0;  // NOC_CMD_CTRL: ready
}
// Waits in place of its caller's loop.
inline bool noc_cmd_buf_ready(std::uint32_t noc, std::uint32_t buffer) {
    cqfuzz::device::wait_command_buffer_ready(noc, buffer);
    return true;
}
// Software counters as the hardware's are.
inline void noc_local_state_init(std::uint32_t noc) {
    using namespace cqfuzz::device;
    for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(SoftwareCounter::kCount); ++i)
        software_counter(noc, static_cast<SoftwareCounter>(i)) =
            read_hardware_counter(noc, static_cast<HardwareCounter>(i));
}
