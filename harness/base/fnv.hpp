// FNV-1a: a 64-bit hash of bytes for file names and keys, the same in every build. Not for anything
// that has to withstand somebody.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace cqfuzz {

inline constexpr std::uint64_t kFnvBegin = 0xcbf29ce484222325u;

// Goes on from `hash`.
inline std::uint64_t fnv1a(std::span<const std::byte> bytes, std::uint64_t hash = kFnvBegin) {
    for (const std::byte byte : bytes)
        hash = (hash ^ static_cast<std::uint64_t>(byte)) * 0x100000001b3u;
    return hash;
}
inline std::uint64_t fnv1a(std::string_view text, std::uint64_t hash = kFnvBegin) {
    return fnv1a(std::as_bytes(std::span<const char>(text.data(), text.size())), hash);
}

}  // namespace cqfuzz
