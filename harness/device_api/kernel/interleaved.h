// Buffers interleaved over DRAM banks or the workers' L1 (facts §7, §8.4), of the geometry that the role
// is built for.
#pragma once

#include <cstdint>

#include "noc_parameters.h"

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

// A format's tile size is the user's: `page_size` here.
template <bool is_dram>
struct InterleavedAddrGenFast {
    std::uint32_t bank_base_address;
    std::uint32_t page_size;

    std::uint64_t get_noc_addr(std::uint32_t page, std::uint32_t offset = 0) const {
        return InterleavedAddrGen<is_dram>{bank_base_address, page_size}.get_noc_addr(page, offset);
    }
};

template <bool is_dram>
struct InterleavedPow2AddrGenFast {
    std::uint32_t bank_base_address;
    std::uint32_t log_base_2_of_page_size;

    std::uint64_t get_noc_addr(std::uint32_t page, std::uint32_t offset = 0) const {
        return InterleavedPow2AddrGen<is_dram>{bank_base_address, log_base_2_of_page_size}
            .get_noc_addr(page, offset);
    }
};

// An address of one bank.
template <bool is_dram>
std::uint64_t get_noc_addr_from_bank_id(std::uint32_t bank, std::uint32_t address,
                                        std::uint8_t = 0) {
    return cqfuzz::device::interleaved_address<is_dram>(bank, address, 0, 0);
}

template <bool is_dram>
std::uint64_t get_noc_addr(std::uint32_t page, const InterleavedPow2AddrGen<is_dram>& generator,
                           std::uint32_t offset = 0, std::uint8_t = 0) {
    return generator.get_noc_addr(page, offset);
}
template <bool is_dram>
std::uint64_t get_noc_addr(std::uint32_t page, const InterleavedAddrGen<is_dram>& generator,
                           std::uint32_t offset = 0, std::uint8_t = 0) {
    return generator.get_noc_addr(page, offset);
}
#endif
