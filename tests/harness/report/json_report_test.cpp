// The JSON documents: their keys, and that odd bytes do not break them.
#include "harness/report/json_report.hpp"

#include <gtest/gtest.h>

namespace cqfuzz {
namespace {

bool has(const std::string& json, const std::string& text) {
    return json.find(text) != std::string::npos;
}

TEST(JsonReportTest, PassHasVerdictFingerprintAndNoViolation) {
    const Verdict verdict;
    const Scenario scenario;
    Finding finding;
    finding.verdict = &verdict;
    finding.scenario = &scenario;
    finding.fingerprint = 0xabcu;
    const std::string json = run_json(finding);
    EXPECT_TRUE(has(json, "\"cqfuzz\": 1"));
    EXPECT_TRUE(has(json, "\"command\": \"run\""));
    EXPECT_TRUE(has(json, "\"verdict\": \"pass\""));
    EXPECT_TRUE(has(json, "\"exit_code\": 0"));
    EXPECT_TRUE(has(json, "\"fingerprint\": \"0000000000000abc\""));
    EXPECT_FALSE(has(json, "\"violation\""));
}

TEST(JsonReportTest, FindingHasSignatureOpAndDeviations) {
    Verdict verdict;
    verdict.kind = VerdictKind::hang;
    verdict.violation.property = "hang";
    verdict.violation.op_index = 0;
    Scenario scenario;
    scenario.ops = {OpFinish{}};
    scenario.schedule.deviations.resize(1);
    Finding finding;
    finding.verdict = &verdict;
    finding.scenario = &scenario;
    const std::string json = run_json(finding);
    EXPECT_TRUE(has(json, "\"exit_code\": 11"));
    EXPECT_TRUE(has(json, "\"signature\": \"hang|||\""));
    EXPECT_TRUE(has(json, "\"op_index\": 0"));
    EXPECT_TRUE(has(json, "\"deviations\": ["));
    EXPECT_TRUE(has(json, "\"ordinal\": 1"));
}

TEST(JsonReportTest, PathThatIsNotUtf8IsStillWritten) {
    const Verdict verdict;
    const Scenario scenario;
    Finding finding;
    finding.verdict = &verdict;
    finding.scenario = &scenario;
    finding.path = "bad\xff.toml";
    EXPECT_TRUE(has(run_json(finding), "bad\xef\xbf\xbd.toml"));
}

TEST(JsonReportTest, InterruptedSaysSoAndEndsAsTheProcessDoes) {
    const Verdict verdict;
    const Scenario scenario;
    Finding finding;
    finding.verdict = &verdict;
    finding.scenario = &scenario;
    finding.interrupted = true;
    EXPECT_TRUE(has(run_json(finding), "\"verdict\": \"interrupted\""));
    EXPECT_TRUE(has(run_json(finding), "\"exit_code\": 130"));
    EXPECT_TRUE(has(hunt_json("none", {}, true), "\"interrupted\": true"));
    EXPECT_FALSE(has(hunt_json("none", {}), "interrupted"));
}

TEST(JsonReportTest, HuntAndFaultsListTheirRows) {
    const HuntRow row{3, true, 120, 4000, 7, "violation", "a|b|c|d", ""};
    const std::string hunt = hunt_json("late-orphan-write", std::span(&row, 1));
    EXPECT_TRUE(has(hunt, "\"fault\": \"late-orphan-write\""));
    EXPECT_TRUE(has(hunt, "\"scenarios\": 120"));
    EXPECT_FALSE(has(hunt, "\"file\""));
    const FaultRow fault{"a-fault", "a \"quoted\" sentence", "https://example.org", "inv. 4",
                         "a.cpp"};
    const FaultGroupRow group{"all", {"a-fault"}};
    const std::string faults = faults_json(std::span(&fault, 1), std::span(&group, 1));
    EXPECT_TRUE(has(faults, "a \\\"quoted\\\" sentence"));
    EXPECT_TRUE(has(faults, "\"members\""));
}

}  // namespace
}  // namespace cqfuzz
