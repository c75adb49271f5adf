// Goal: the load that hung passes on the sound runtime and fails with the fault that hung it.
// Method: few layers in order; `cqfuzz stress` runs the whole.
#include "harness/loads/llama.hpp"

#include <gtest/gtest.h>

#include "harness/run/run.hpp"

namespace cqfuzz {
namespace {

TEST(LlamaTest, TwoLayersPassOnTheSoundRuntime) {
    Runner runner;
    const Verdict verdict = runner.run(llama_decode(2, 2), RunOptions{});
    EXPECT_EQ(verdict.kind, VerdictKind::pass) << verdict.violation.summary;
    EXPECT_FALSE(runner.stats().truncated);
}

TEST(LlamaTest, LateOrphanIsFoundInTheFirstIteration) {
    Runner runner;
    RunOptions options;
    options.faults = *rt::faults_named("late-orphan-write");
    const Verdict verdict = runner.run(llama_decode(2, 1), options);
    EXPECT_EQ(verdict.kind, VerdictKind::violation);
    EXPECT_EQ(verdict.violation.place, "dispatch_cb") << verdict.violation.summary;
}

// Only the chips behind the tunnel relay to a dispatch_h, but all have a dispatch_cb.
TEST(LlamaTest, EightChipsPassAndTheLateOrphanIsFoundOnThem) {
    Runner runner;
    const Verdict sound = runner.run(llama_decode(1, 2, 8), RunOptions{});
    EXPECT_EQ(sound.kind, VerdictKind::pass) << sound.violation.summary;
    RunOptions options;
    options.faults = *rt::faults_named("late-orphan-write");
    const Verdict verdict = runner.run(llama_decode(1, 2, 8), options);
    EXPECT_EQ(verdict.kind, VerdictKind::violation);
    EXPECT_EQ(verdict.violation.place, "dispatch_cb") << verdict.violation.summary;
}

// A chip more costs what a chip costs: moves grow with chips, layers and iterations, and nothing
// faster.
TEST(LlamaTest, CostIsLinear) {
    Runner runner;
    const auto moves = [&runner](std::uint32_t layers, std::uint32_t iterations,
                                 std::uint32_t chips) {
        runner.run(llama_decode(layers, iterations, chips), RunOptions{});
        return static_cast<double>(runner.stats().moves);
    };
    const double two = moves(1, 1, 2);
    EXPECT_LT(moves(1, 1, 8), 4.1 * two);
    EXPECT_LT(moves(2, 4, 2), 8.1 * two);
}

}  // namespace
}  // namespace cqfuzz
