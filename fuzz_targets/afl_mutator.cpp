// The target's mutator and crossover as AFL++ loads them (AFL_CUSTOM_MUTATOR_LIBRARY): AFL++ knows
// neither LLVMFuzzerCustomMutator nor LLVMFuzzerCustomCrossOver.
//
// The library holds the target's entry points; nothing is ever run in it. The buffer that AFL++
// gets belongs to the mutator and lives until the next call.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <vector>

#include "harness/base/rng.hpp"

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t size_max, unsigned int seed);
extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* a, std::size_t a_size,
                                                 const std::uint8_t* b, std::size_t b_size,
                                                 std::uint8_t* out, std::size_t size_max,
                                                 unsigned int seed);
// AFL++ has no byte mutation to lend; the target's mutator then keeps to its own.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t*, std::size_t, std::size_t) { return 0; }

namespace {

constexpr std::uint32_t kCrossoverOneIn = 8;

struct Mutator {
    explicit Mutator(std::uint32_t seed) : rng(seed) {}
    cqfuzz::Rng rng;
    std::vector<std::uint8_t> out;
};

}  // namespace

extern "C" void* afl_custom_init(void*, unsigned int seed) {
    return new (std::nothrow) Mutator(seed);
}

extern "C" std::size_t afl_custom_fuzz(void* handle, std::uint8_t* data, std::size_t size,
                                       std::uint8_t** out, std::uint8_t* other,
                                       std::size_t other_size, std::size_t size_max) {
    Mutator& mutator = *static_cast<Mutator*>(handle);
    mutator.out.resize(std::max(size, size_max));
    const std::uint32_t seed = static_cast<std::uint32_t>(mutator.rng.next());
    *out = mutator.out.data();
    if (other != nullptr && other_size > 0 && mutator.rng.one_in(kCrossoverOneIn))
        return LLVMFuzzerCustomCrossOver(data, size, other, other_size, *out, size_max, seed);
    std::memcpy(*out, data, size);
    return LLVMFuzzerCustomMutator(*out, size, size_max, seed);
}

extern "C" void afl_custom_deinit(void* handle) { delete static_cast<Mutator*>(handle); }
