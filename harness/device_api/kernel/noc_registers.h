// The register layer of the NoC, and what kernels build on it (facts §8.2 to §8.4): command buffer
// registers by their names, ready and state, stateful writes, and interleaved address generators.
#pragma once

#include <cstdint>

#include "harness/device_api/core_port.hpp"
#include "noc_parameters.h"

#pragma clang attribute push(__attribute__((always_inline)), apply_to = function)
#include "harness/device_api/dataflow_api.h"

// --- command buffers and their registers (facts §8.2)

inline constexpr std::uint32_t NCRISC_WR_CMD_BUF = cqfuzz::device::kWriteBuffer;
inline constexpr std::uint32_t NCRISC_RD_CMD_BUF = cqfuzz::device::kReadBuffer;
inline constexpr std::uint32_t NCRISC_WR_REG_CMD_BUF = cqfuzz::device::kInlineBuffer;
inline constexpr std::uint32_t NCRISC_AT_CMD_BUF = cqfuzz::device::kAtomicBuffer;
inline constexpr std::uint32_t BRISC_WR_CMD_BUF = NCRISC_WR_CMD_BUF;
inline constexpr std::uint32_t BRISC_RD_CMD_BUF = NCRISC_RD_CMD_BUF;
inline constexpr std::uint32_t BRISC_WR_REG_CMD_BUF = NCRISC_WR_REG_CMD_BUF;
inline constexpr std::uint32_t BRISC_AT_CMD_BUF = NCRISC_AT_CMD_BUF;

enum CqfuzzNocRegister : std::uint32_t {
    NOC_TARG_ADDR_LO,
    NOC_TARG_ADDR_COORDINATE,
    NOC_RET_ADDR_LO,
    NOC_RET_ADDR_COORDINATE,
    NOC_CTRL,
    NOC_AT_LEN_BE,
    NOC_AT_DATA,
    NOC_CMD_CTRL,  // a write of NOC_CTRL_SEND_REQ sends
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
inline constexpr std::uint32_t NOC_CMD_VC_STATIC = 0;  // every channel is static here
#define NOC_CMD_STATIC_VC(vc) (static_cast<std::uint32_t>(vc) << ::cqfuzz::device::kNocCmdVcShift)

inline void NOC_CMD_BUF_WRITE_REG(std::uint32_t noc, std::uint32_t buffer, CqfuzzNocRegister which,
                                  std::uint32_t value) {
    using namespace cqfuzz::device;
    if (which == NOC_CMD_CTRL) {
        if (value == NOC_CTRL_SEND_REQ) noc_send(noc, buffer);
        return;
    }
    register_write(noc, buffer, static_cast<Register>(which), value);
}
inline std::uint32_t NOC_CMD_BUF_READ_REG(std::uint32_t noc, std::uint32_t buffer,
                                          CqfuzzNocRegister which) {
    if (which == NOC_CMD_CTRL) return 0;  // ready
    return cqfuzz::device::register_read(noc, buffer, static_cast<cqfuzz::device::Register>(which));
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

// --- interleaved buffers (facts §7, §8.4); banks of the geometry that the role is built for

#ifdef NUM_DRAM_BANKS
namespace cqfuzz::device {
template <bool is_dram>
std::uint64_t interleaved_address(std::uint32_t page, std::uint32_t base, std::uint32_t row,
                                  std::uint32_t offset) {
    constexpr std::uint32_t banks = is_dram ? NUM_DRAM_BANKS : NUM_L1_BANKS;
    const std::uint32_t bank = page % banks;
    const std::uint32_t xy = is_dram ? CQFUZZ_DRAM_NOC_XY + (bank << 6)
                                     : NOC_XY_ENCODING(CQFUZZ_WORKER_X + bank % CQFUZZ_WORKER_COLS,
                                                       CQFUZZ_WORKER_Y + bank / CQFUZZ_WORKER_COLS);
    return get_noc_addr_helper(xy, base + page / banks * row + offset);
}
}  // namespace cqfuzz::device

template <bool is_dram>
struct InterleavedAddrGen {
    std::uint32_t bank_base_address;
    std::uint32_t page_size;

    std::uint64_t get_noc_addr(std::uint32_t page, std::uint32_t offset = 0) const {
        constexpr std::uint32_t unit = is_dram ? DRAM_ALIGNMENT : L1_ALIGNMENT;
        return cqfuzz::device::interleaved_address<is_dram>(
            page, bank_base_address, (page_size + unit - 1) / unit * unit, offset);
    }
};

template <bool is_dram>
struct InterleavedPow2AddrGen {
    std::uint32_t bank_base_address;
    std::uint32_t log_base_2_of_page_size;

    std::uint64_t get_noc_addr(std::uint32_t page, std::uint32_t offset = 0) const {
        return cqfuzz::device::interleaved_address<is_dram>(page, bank_base_address,
                                                            1u << log_base_2_of_page_size, offset);
    }
};

template <bool is_dram>
std::uint64_t get_noc_addr(std::uint32_t page, const InterleavedAddrGen<is_dram>& generator,
                           std::uint32_t offset = 0) {
    return generator.get_noc_addr(page, offset);
}
#endif

#pragma clang attribute pop
