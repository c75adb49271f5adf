// The one source of randomness (design §4, determinism): splitmix64. Same seed, same numbers,
// everywhere.
//
// Call it at most once per full expression: the order in which arguments are evaluated differs
// between compilers.
#pragma once

#include <cstdint>

namespace cqfuzz {

class Rng {
public:
    explicit Rng(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        state_ += 0x9e3779b97f4a7c15u;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }

    // Uniform in [0, bound); bound 0 gives 0. The bias of the multiply is below 2^-32 and the same
    // everywhere.
    std::uint32_t below(std::uint32_t bound) {
        return static_cast<std::uint32_t>(((next() >> 32) * bound) >> 32);
    }

    // Uniform in [low, high], both inside; low <= high.
    std::uint64_t between(std::uint64_t low, std::uint64_t high) {
        const std::uint64_t span = high - low + 1;
        return span == 0 ? next() : low + next() % span;
    }

    // True once in `n` on average; n 0 is never.
    bool one_in(std::uint32_t n) { return n != 0 && below(n) == 0; }

    // A new generator whose numbers are unrelated to ours.
    Rng split() { return Rng(next()); }

private:
    std::uint64_t state_;
};

}  // namespace cqfuzz
