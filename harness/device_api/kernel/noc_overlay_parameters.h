// Stream registers: plain words of the core's L1, below what dispatch uses. A local write to an update
// register adds to the counter beside it; all else is a store. Inline writes of other cores to them are
// stores, too: counters that are to be added to by others are not modelled.
#pragma once

#include <cstdint>

enum CqfuzzStreamRegister : std::uint32_t {
    STREAM_REMOTE_DEST_BUF_START_REG_INDEX = 0,
    STREAM_REMOTE_DEST_BUF_SIZE_REG_INDEX = 1,
    STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_REG_INDEX = 2,
    STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_UPDATE_REG_INDEX = 3,
    STREAM_REMOTE_SRC_REG_INDEX = 4,
    STREAM_REMOTE_DEST_REG_INDEX = 5,
    STREAM_MISC_CFG_REG_INDEX = 6,
    STREAM_SCRATCH_REG_INDEX = 7,
};
inline constexpr std::uint32_t NOC_NUM_STREAMS = 64;
inline constexpr std::uint32_t REMOTE_DEST_BUF_WORDS_FREE_INC = 6;
inline constexpr std::uint32_t MEM_WORD_ADDR_WIDTH = 17;

#ifdef CQFUZZ_L1
#define STREAM_REG_ADDR(stream, reg) (CQFUZZ_L1 + 0x1000u + (static_cast<uint32_t>(stream) % 64 * 16 + static_cast<uint32_t>(reg) % 16) * 4)
inline std::uint32_t NOC_STREAM_READ_REG(std::uint32_t stream, std::uint32_t reg) {
    return *reinterpret_cast<volatile std::uint32_t*>(STREAM_REG_ADDR(stream, reg));
}
inline void NOC_STREAM_WRITE_REG(std::uint32_t stream, std::uint32_t reg, std::uint32_t value) {
    if (reg == STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_UPDATE_REG_INDEX) {
        auto* counter = reinterpret_cast<volatile std::uint32_t*>(
            STREAM_REG_ADDR(stream, STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_REG_INDEX));
        *counter = *counter + (value >> REMOTE_DEST_BUF_WORDS_FREE_INC);
        return;
    }
    *reinterpret_cast<volatile std::uint32_t*>(STREAM_REG_ADDR(stream, reg)) = value;
}
#endif
