// Fields of wire structs: fixed-width values at byte offsets, little endian. The one place that
// knows the byte order.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace cqfuzz::rt {

static_assert(std::endian::native == std::endian::little, "the wire is little endian");

template <class T>
void put(std::byte* out, std::size_t offset, T value) {
    static_assert(std::is_unsigned_v<T>);
    std::memcpy(out + offset, &value, sizeof value);
}

template <class T>
void take(const std::byte* in, std::size_t offset, T& value) {
    static_assert(std::is_unsigned_v<T>);
    std::memcpy(&value, in + offset, sizeof value);
}

}  // namespace cqfuzz::rt
