#include "runtime_under_test/firmware/debug_checksum.hpp"

#include <algorithm>

#include "harness/device_api/core_port.hpp"

namespace cqfuzz::fw {

std::uint32_t checksum_of_words(std::uint32_t address, std::uint32_t bytes) {
    constexpr std::uint32_t kStep = 16;
    std::uint32_t sum = 0;
    for (std::uint32_t at = 0; at < bytes; at += kStep * 4) {
        std::uint32_t words[kStep] = {};
        device::l1_load(address + at, words, std::min(bytes - at, kStep * 4));
        for (const std::uint32_t word : words) sum += word;
    }
    return sum;
}

}  // namespace cqfuzz::fw
