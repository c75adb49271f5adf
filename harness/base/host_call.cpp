#include "harness/base/host_call.hpp"

#include "harness/base/rng.hpp"

namespace cqfuzz {

std::uint32_t runtime_arg_word(std::uint64_t seed, std::uint32_t x, std::uint32_t y,
                               std::uint32_t index) {
    const std::uint64_t place = (std::uint64_t{x} << 48) ^ (std::uint64_t{y} << 32) ^ index;
    Rng rng(seed ^ (place * 0x9e3779b97f4a7c15u));
    return static_cast<std::uint32_t>(rng.next());
}

}  // namespace cqfuzz
