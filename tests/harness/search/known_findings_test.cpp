// Known findings: the file's form, and a hunt that passes over what is known.
#include "harness/search/known_findings.hpp"

#include <gtest/gtest.h>

#include "harness/search/hunt.hpp"

namespace cqfuzz {
namespace {

constexpr std::string_view kFile =
    "# waits for firmware 2\n"
    "# and longer\n"
    "hang|STALL|prefetch|\n"
    "\n"
    "# a comment that belongs to nothing\n"
    "\n"
    "# never\n"
    "a|b|c|d\r\n";

TEST(KnownFindingsTest, ReadsSignaturesWithTheirNotes) {
    const Result<KnownFindings> known = KnownFindings::parse(kFile, "known");
    ASSERT_TRUE(known) << known.message();
    ASSERT_EQ(known.value().list().size(), 2u);
    EXPECT_EQ(known.value().list()[0].note, "waits for firmware 2 and longer");
    EXPECT_EQ(known.value().find("a|b|c|d"), std::optional<std::size_t>(1));
    EXPECT_FALSE(known.value().find("a|b|c|"));
}

TEST(KnownFindingsTest, TellsWhatWasMetAndWhatNoLongerOccurs) {
    KnownFindings known = KnownFindings::parse(kFile, "known").take();
    known.count(0, 3);
    const std::string text = known.summary();
    EXPECT_EQ(known.met(), 3u);
    EXPECT_NE(text.find("3  hang|STALL|prefetch|: waits for firmware 2"), std::string::npos)
        << text;
    EXPECT_NE(text.find("never  a|b|c|d"), std::string::npos) << text;
}

TEST(KnownFindingsTest, MistakesNameTheLine) {
    const auto message = [](std::string_view text) {
        return KnownFindings::parse(text, "f").message();
    };
    EXPECT_EQ(message("\nhang|x|y|\n").rfind("f:2: ", 0), 0u);
    EXPECT_EQ(message("# n\na|b|c|\n# n\na|b|c|\n").rfind("f:4: ", 0), 0u);
}

TEST(KnownFindingsTest, AHuntPassesOverWhatIsKnown) {
    Runner runner;
    HuntOptions options;
    options.faults = *rt::faults_named("no-sentinel");
    options.seed = 1;
    options.scenarios_max = 60;
    const HuntTrial first = hunt(runner, options);
    ASSERT_TRUE(first.found);
    std::uint64_t met = 0;
    options.is_known = [&](const Verdict& verdict) {
        const bool same = verdict.violation.signature() == first.verdict.violation.signature();
        met += same ? 1 : 0;
        return same;
    };
    const HuntTrial second = hunt(runner, options);
    EXPECT_GT(met, 1u);
    EXPECT_GT(second.scenarios, first.scenarios);
    if (second.found) {
        EXPECT_NE(second.verdict.violation.signature(), first.verdict.violation.signature());
    }
}

}  // namespace
}  // namespace cqfuzz
