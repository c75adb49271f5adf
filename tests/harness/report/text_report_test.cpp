// The text report: what it says, in which order, and how it is cut to ten lines.
#include "harness/report/text_report.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace cqfuzz {
namespace {

struct Example {
    Verdict verdict;
    Scenario scenario;
    Finding finding;

    Example() {
        verdict.kind = VerdictKind::violation;
        Violation& v = verdict.violation;
        v.property = "page-ownership/overwritten-while-owned";
        v.place = "dispatch_cb";
        v.actor = "prefetch_d";
        v.command = "RELAY_PAGED_PACKED";
        v.invariant = "inv. 4";
        v.summary = "prefetch_d overwrote page 7 of dispatch_cb while dispatch_d held it";
        v.story = {"page 7 was filled by prefetch_d", "it was handed over at step 40",
                   "dispatch_d released it at step 52"};
        v.step = 60;
        v.op_index = 1;
        scenario.ops = {OpFinish{}, OpFinish{}};
        finding.verdict = &verdict;
        finding.scenario = &scenario;
        finding.fault = "late-orphan-packed";
        finding.replay = "cqfuzz run a.toml --fault late-orphan-packed";
        finding.order_needed = OrderLevel::o1;
    }
};

std::size_t line_count(const std::string& text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST(TextReportTest, BeginsWithOneSentenceAndEndsWithTheReplayCommand) {
    const Example example;
    const std::string text = text_report(example.finding, {});
    EXPECT_EQ(text.substr(0, text.find('\n')),
              "violation: prefetch_d overwrote page 7 of dispatch_cb while dispatch_d held it");
    const std::string last = text.substr(text.rfind('\n', text.size() - 2) + 1);
    EXPECT_EQ(last, "  replay    cqfuzz run a.toml --fault late-orphan-packed\n");
}

TEST(TextReportTest, TellsPropertyStoryOpOrderScheduleAndFault) {
    const Example example;
    const std::string text = text_report(example.finding, {.verbose = true});
    EXPECT_NE(text.find("page-ownership/overwritten-while-owned, inv. 4; dispatch_cb, prefetch_d "
                        "at RELAY_PAGED_PACKED"),
              std::string::npos);
    EXPECT_NE(text.find("dispatch_d released it at step 52"), std::string::npos);
    EXPECT_NE(text.find("finish (step 60)"), std::string::npos) << text;
    EXPECT_NE(text.find("needs O1"), std::string::npos);
    EXPECT_NE(text.find("in order"), std::string::npos);
    EXPECT_NE(text.find("late-orphan-packed\n"), std::string::npos);
}

TEST(TextReportTest, PassIsOneLine) {
    Example example;
    example.verdict = Verdict{};
    EXPECT_EQ(text_report(example.finding, {}), "pass: nothing was found\n");
    example.finding.title = "the trace of a decode layer";
    EXPECT_EQ(text_report(example.finding, {.verbose = true}),
              "pass: the trace of a decode layer\n");
}

TEST(TextReportTest, InterruptedRunIsNoPass) {
    Example example;
    example.finding.interrupted = true;
    EXPECT_EQ(text_report(example.finding, {}).substr(0, 10), "violation:");
    example.verdict = Verdict{};
    EXPECT_EQ(text_report(example.finding, {}), "interrupted: nothing was found\n");
}

TEST(TextReportTest, WhatCameFromOutsideCannotSteerATerminal) {
    Example example;
    example.finding.title = "\x1b[2Jtitle";
    example.finding.replay = "cqfuzz run \x1b[2J";
    EXPECT_EQ(text_report(example.finding, {.verbose = true}).find('\x1b'), std::string::npos);
    example.verdict = Verdict{};
    EXPECT_EQ(text_report(example.finding, {}), "pass: \\x1b[2Jtitle\n");
}

TEST(TextReportTest, ColourOnlyWhenAskedFor) {
    const Example example;
    EXPECT_EQ(text_report(example.finding, {.verbose = true}).find('\x1b'), std::string::npos);
    EXPECT_NE(text_report(example.finding, {.colour = true}).find('\x1b'), std::string::npos);
}

class TextReportLength : public testing::TestWithParam<int> {};

TEST_P(TextReportLength, ShortReportHasTenLinesAtMostAndTheWholeOneHasAll) {
    Example example;
    example.verdict.violation.story.assign(static_cast<std::size_t>(GetParam()),
                                           "a line of the story");
    example.scenario.schedule.deviations.resize(static_cast<std::size_t>(GetParam()) / 2);
    const std::string whole = text_report(example.finding, {.verbose = true});
    const std::string cut = text_report(example.finding, {});
    EXPECT_LE(line_count(cut), kShortReportLines) << cut;
    if (line_count(whole) <= kShortReportLines) {
        EXPECT_EQ(cut, whole);
    } else {
        const std::string missing = std::to_string(line_count(whole) - line_count(cut) + 1);
        EXPECT_NE(cut.find("… " + missing + " more lines with --verbose"), std::string::npos)
            << cut;
        EXPECT_NE(cut.find("  replay "), std::string::npos) << cut;
    }
}

INSTANTIATE_TEST_SUITE_P(Lines, TextReportLength, testing::Values(0, 1, 2, 3, 4, 5, 6, 20, 100));

TEST(TextReportTest, ChainOfAHangIsCalledWaits) {
    Example example;
    example.verdict.kind = VerdictKind::hang;
    const std::string text = text_report(example.finding, {});
    EXPECT_EQ(text.substr(0, 5), "hang:");
    EXPECT_NE(text.find("  waits "), std::string::npos);
}

}  // namespace
}  // namespace cqfuzz
