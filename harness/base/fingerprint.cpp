#include "harness/base/fingerprint.hpp"

namespace cqfuzz {
namespace {

std::uint64_t little_endian(const std::byte* data, std::uint32_t length) {
    std::uint64_t word = 0;
    for (std::uint32_t i = 0; i < length; ++i)
        word |= static_cast<std::uint64_t>(data[i]) << (8 * i);
    return word;
}

}  // namespace

void Fingerprint::add_bytes(const std::byte* data, std::uint32_t length) {
    if (data == nullptr || length == 0) return;
    const std::uint32_t ends = length < 8 ? length : 8;
    word(little_endian(data, ends));
    word(little_endian(data + (length - ends), ends));
}

}  // namespace cqfuzz
