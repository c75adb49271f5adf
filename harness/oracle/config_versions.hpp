// ConfigVersions: which bytes of the kernel-config rings are known to be equal on different cores, so that a binary that
// went to 64 cores by multicast is compared once and not 64 times.
//
// A ring is cut into chunks. A chunk's version is a number made of everything that was written into it since it was last
// written as a whole. Writes are named by their transaction: whatever it delivers is one payload for all its receivers. So
// equal versions of one chunk on two cores mean equal bytes (of 64-bit numbers made by mixing two meet by chance never).
//
// Invariant: every change of the ring's bytes is told here, by `arrived` or `changed`; a version then never lies.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace cqfuzz {

inline constexpr std::uint32_t kVersionChunkBytes = 1024;

class ConfigVersions {
public:
    void reset(std::uint32_t cores, std::uint32_t ring_bytes_max);

    // Bytes [offset, +length) of the ring of `core` now hold what `transaction` brought. REQUIRES: inside the ring.
    void arrived(std::uint32_t core, std::uint32_t offset, std::uint32_t length, std::uint32_t transaction);
    // … or something that no other core got.
    void changed(std::uint32_t core, std::uint32_t offset, std::uint32_t length);

    std::uint64_t version(std::uint32_t core, std::uint32_t chunk) const { return versions_[core * chunks_ + chunk]; }

    // Has this comparison been made before and come out equal? A small memory: forgetting costs a comparison.
    bool was_equal(std::uint64_t comparison) const { return equal_[comparison % kRemembered] == comparison; }
    void note_equal(std::uint64_t comparison) { equal_[comparison % kRemembered] = comparison; }

private:
    static constexpr std::uint32_t kRemembered = 1024;

    void write(std::uint32_t core, std::uint32_t offset, std::uint32_t length, std::uint64_t name);

    std::uint32_t chunks_ = 0;
    std::uint64_t changes_ = 0;
    std::vector<std::uint64_t> versions_;  // by core and chunk
    std::array<std::uint64_t, kRemembered> equal_{};
};

// A number that depends on both, for versions and comparisons.
std::uint64_t mixed(std::uint64_t a, std::uint64_t b);

}  // namespace cqfuzz
