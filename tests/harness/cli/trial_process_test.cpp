// Trials in child processes: outcomes come back whole, and a child that dies is told apart.
#include "harness/cli/trial_process.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <map>

namespace cqfuzz::cli {
namespace {

std::map<std::uint32_t, TrialOutcome> run(std::uint32_t trials, std::uint32_t jobs,
                                          const std::function<TrialOutcome(std::uint32_t)>& trial) {
    std::map<std::uint32_t, TrialOutcome> outcomes;
    run_trials(
        trials, jobs, trial,
        [&](std::uint32_t k, const TrialOutcome& outcome) { outcomes[k] = outcome; },
        [] { return true; });
    return outcomes;
}

TEST(TrialProcessTest, OutcomesComeBackWhole) {
    const auto outcomes = run(5, 2, [](std::uint32_t k) {
        TrialOutcome outcome;
        outcome.found = k % 2 == 1;
        outcome.scenarios = 1000u + k;
        outcome.moves = std::uint64_t{1} << 40;
        outcome.verdict = "violation";
        outcome.signature = "a|b";
        outcome.scenario = std::string(300'000, '\0');  // more than a pipe holds
        return outcome;
    });
    ASSERT_EQ(outcomes.size(), 5u);
    for (const auto& [k, outcome] : outcomes) {
        EXPECT_EQ(outcome.found, k % 2 == 1);
        EXPECT_FALSE(outcome.lost);
        EXPECT_EQ(outcome.scenarios, 1000u + k);
        EXPECT_EQ(outcome.moves, std::uint64_t{1} << 40);
        EXPECT_EQ(outcome.signature, "a|b");
        EXPECT_EQ(outcome.scenario.size(), 300'000u);
    }
}

TEST(TrialProcessTest, ChildThatDiesIsLostAndTheOthersGoOn) {
    const auto outcomes = run(3, 3, [](std::uint32_t k) {
        if (k == 0) _exit(20);
        if (k == 1) kill(getpid(), SIGKILL);
        TrialOutcome outcome;
        outcome.found = true;
        return outcome;
    });
    ASSERT_EQ(outcomes.size(), 3u);
    EXPECT_TRUE(outcomes.at(0).lost);
    EXPECT_NE(outcomes.at(0).summary.find("code 20"), std::string::npos);
    EXPECT_TRUE(outcomes.at(1).lost);
    EXPECT_NE(outcomes.at(1).summary.find("signal 9"), std::string::npos);
    EXPECT_TRUE(outcomes.at(2).found);
}

// The parent is a child of this test, so that it can be killed.
TEST(TrialProcessTest, ChildrenEndWithTheirParent) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t parent = fork();
    ASSERT_GE(parent, 0);
    if (parent == 0) {
        close(ends[0]);
        run(2, 2, [&ends](std::uint32_t) {
            if (write(ends[1], "b", 1) == 1) pause();
            return TrialOutcome{};
        });
        _exit(0);
    }
    close(ends[1]);
    char begun[1];
    for (int i = 0; i < 2; ++i) ASSERT_EQ(read(ends[0], begun, 1), 1);
    kill(parent, SIGKILL);
    ASSERT_EQ(waitpid(parent, nullptr, 0), parent);
    // The end of the pipe: nobody holds it any more. Otherwise the test's time runs out here.
    alarm(10);
    EXPECT_EQ(read(ends[0], begun, 1), 0);
    alarm(0);
    close(ends[0]);
}

TEST(TrialProcessTest, CountsOfChildrenReachTheParent) {
    SharedCounts counts(2);
    run(2, 2, [&counts](std::uint32_t k) {
        counts.set(k, 10u + k);
        return TrialOutcome{};
    });
    EXPECT_EQ(counts.sum(), 21u);
}

}  // namespace
}  // namespace cqfuzz::cli
