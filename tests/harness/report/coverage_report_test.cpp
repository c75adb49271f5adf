// Coverage: the table has a line for what was begun, dots for its holes, and names what never was.
#include "harness/report/coverage_report.hpp"

#include <gtest/gtest.h>

#include "harness/run/run.hpp"

namespace cqfuzz {
namespace {

TEST(CoverageReportTest, AnEmptyOneHasOnlyHoles) {
    Runner runner;
    const std::string text = coverage_text(runner.reach());
    EXPECT_NE(text.find("0 scenarios; 0 of 0 cells are holes."), std::string::npos) << text;
    EXPECT_NE(text.find("dispatch_d: anything\n"), std::string::npos) << text;
    EXPECT_NE(text.find("dispatch_s: anything\n"), std::string::npos) << text;
    EXPECT_EQ(text.find("worker"), std::string::npos) << "workers execute no commands";
}

TEST(CoverageReportTest, ShowsWhatARunReached) {
    Runner runner;
    runner.run(Scenario{}, RunOptions{});
    const std::string text = coverage_text(runner.reach());
    EXPECT_NE(text.find("1 scenarios; "), std::string::npos) << text;
    EXPECT_NE(text.find("\ndispatch_hd  TERMINATE"), std::string::npos) << text;
    EXPECT_NE(text.find("dispatch_d: anything\n"), std::string::npos) << text;
    EXPECT_NE(text.find("1...."), std::string::npos) << "one in one cell: " << text;

    const std::string page = coverage_html(runner.reach(), "<a & b>");
    EXPECT_NE(page.find("Coverage of &lt;a &amp; b&gt;"), std::string::npos);
    EXPECT_NE(page.find("<td class=\"hole\">0</td>"), std::string::npos);
    EXPECT_NE(page.find("<td>1</td>"), std::string::npos);
    EXPECT_EQ(page.find("http"), std::string::npos) << "it needs no network";
}

}  // namespace
}  // namespace cqfuzz
