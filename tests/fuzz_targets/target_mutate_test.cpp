// The engine's mutator and crossover: what libFuzzer asks of them, whatever it passes.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "fuzz_targets/target.hpp"
#include "harness/base/rng.hpp"

// The engine's byte mutations: here one that does nothing, as when the engine has no idea.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t*, std::size_t, std::size_t) { return 0; }

namespace cqfuzz::target {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t kSizeMax = 16384;

Bytes drawn(std::uint64_t seed, Domain domain = Domain::trace_replay) {
    Rng rng(seed);
    const std::vector<std::byte> bytes = encode(generate(domain, rng, 32));
    Bytes out(bytes.size());
    std::transform(bytes.begin(), bytes.end(), out.begin(),
                   [](std::byte b) { return static_cast<std::uint8_t>(b); });
    return out;
}

// Runs the mutator in a block of exactly the size the engine promises, so that a sanitizer sees a
// byte too many.
Bytes mutated(const Bytes& input, std::size_t size_max, std::uint32_t seed) {
    Bytes block(std::max(input.size(), size_max));
    std::copy(input.begin(), input.end(), block.begin());
    const std::size_t size =
        mutate_bytes(Domain::trace_replay, block.data(), input.size(), size_max, seed);
    EXPECT_GE(size, 1u);
    EXPECT_LE(size, size_max);
    block.resize(std::min(size, size_max));
    return block;
}

TEST(TargetMutateTest, SizeStaysWithinWhatTheEngineGives) {
    const Bytes input = drawn(1);
    Rng rng(2);
    for (std::uint32_t i = 0; i < 300; ++i) {
        const std::size_t size_max = 1 + rng.below(i % 2 == 0 ? 64 : 4096);
        mutated(input, size_max, i);  // often shorter than the input, as with -minimize_crash
    }
    for (std::size_t size_max = 1; size_max <= 40; ++size_max) mutated(input, size_max, 7);
}

TEST(TargetMutateTest, AnyBytesAreTaken) {
    Rng rng(3);
    for (std::uint32_t i = 0; i < 300; ++i) {
        Bytes input(1 + rng.below(200));
        for (std::uint8_t& byte : input) byte = static_cast<std::uint8_t>(rng.next());
        mutated(input, kSizeMax, i);
    }
    mutated({}, kSizeMax, 1);
}

TEST(TargetMutateTest, SameSeedGivesSameBytes) {
    const Bytes input = drawn(4);
    for (std::uint32_t seed = 0; seed < 50; ++seed) {
        EXPECT_EQ(mutated(input, kSizeMax, seed), mutated(input, kSizeMax, seed)) << seed;
    }
}

TEST(TargetMutateTest, ChangesSomethingNearlyAlwaysAndShrinksNowAndThen) {
    const Bytes input = drawn(5);
    int changed = 0, shorter = 0;
    for (std::uint32_t seed = 0; seed < 200; ++seed) {
        const Bytes output = mutated(input, kSizeMax, seed);
        changed += output != input;
        shorter += output.size() < input.size();
    }
    EXPECT_GT(changed, 180);
    EXPECT_GT(shorter, 20);
}

TEST(TargetMutateTest, EmptyInputBecomesAScenarioWithOps) {
    int with_ops = 0;
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        const Bytes output = mutated({'\n'}, kSizeMax, seed);
        with_ops += !decode(std::as_bytes(std::span(output))).ops.empty();
    }
    EXPECT_GE(with_ops, 19);
}

TEST(TargetMutateTest, CrossoverStaysWithinWhatTheEngineGives) {
    const Bytes a = drawn(6), b = drawn(7, Domain::semaphore_multicast);
    for (std::uint32_t seed = 0; seed < 100; ++seed) {
        for (const std::size_t size_max : {std::size_t{1}, std::size_t{50}, kSizeMax}) {
            Bytes out(size_max);
            const std::size_t size =
                crossover_bytes(a.data(), a.size(), b.data(), b.size(), out.data(), size_max, seed);
            EXPECT_GE(size, 1u);
            EXPECT_LE(size, size_max);
        }
    }
}

TEST(TargetMutateTest, EngineWithoutBytesFallsBackOnOurs) {
    const Bytes input = drawn(8);
    Bytes block(kSizeMax);
    std::copy(input.begin(), input.end(), block.begin());
    const std::size_t size =
        engine_mutate(Domain::trace_replay, block.data(), input.size(), kSizeMax, 16);
    block.resize(size);
    EXPECT_EQ(block, mutated(input, kSizeMax, 16));
}

}  // namespace
}  // namespace cqfuzz::target
