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

}  // namespace
}  // namespace cqfuzz
