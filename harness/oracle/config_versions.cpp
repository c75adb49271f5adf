#include "harness/oracle/config_versions.hpp"

namespace cqfuzz {
namespace {

constexpr std::uint64_t kPrivate = std::uint64_t{1} << 63;  // names of changes that are no transaction

}  // namespace

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
    std::uint64_t z = (a ^ (b * 0x9e3779b97f4a7c15u)) + 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

void ConfigVersions::reset(std::uint32_t cores, std::uint32_t ring_bytes_max) {
    chunks_ = (ring_bytes_max + kVersionChunkBytes - 1) / kVersionChunkBytes;
    changes_ = 0;
    versions_.assign(std::size_t{cores} * chunks_, 0);
    equal_.fill(0);
}

void ConfigVersions::write(std::uint32_t core, std::uint32_t offset, std::uint32_t length, std::uint64_t name) {
    if (length == 0) return;
    const std::uint32_t end = offset + length;
    std::uint64_t* const versions = &versions_[std::size_t{core} * chunks_];
    for (std::uint32_t chunk = offset / kVersionChunkBytes; chunk * kVersionChunkBytes < end; ++chunk) {
        const std::uint32_t begin = chunk * kVersionChunkBytes;
        const bool whole = offset <= begin && end >= begin + kVersionChunkBytes;
        versions[chunk] = mixed(whole ? 0 : versions[chunk], name);
    }
}

void ConfigVersions::arrived(std::uint32_t core, std::uint32_t offset, std::uint32_t length, std::uint32_t transaction) {
    write(core, offset, length, transaction);
}

void ConfigVersions::changed(std::uint32_t core, std::uint32_t offset, std::uint32_t length) {
    write(core, offset, length, kPrivate | ++changes_);
}

}  // namespace cqfuzz
