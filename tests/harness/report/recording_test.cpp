// The packed records, and the reports that are made of them, of a real run.
#include "harness/report/recording.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "harness/report/command_listing.hpp"
#include "harness/report/html_report.hpp"
#include "harness/report/machine_reports.hpp"
#include "harness/run/run.hpp"
#include "harness/scenario/rich.hpp"

namespace cqfuzz {
namespace {

// One simulated machine lives in a process.
Runner& shared_runner() {
    static Runner instance;
    return instance;
}

struct Recorded {
    Scenario scenario = rich_scenario();
    Runner& runner = shared_runner();
    Verdict verdict;
    MachineView view;

    explicit Recorded(std::string_view fault = "") {
        if (!fault.empty()) options.faults = *rt::faults_named(fault);
        verdict = runner.run(scenario, options);
        view = runner.view();
    }
    template <class Recorder>
    Recorder record() {
        Recorder recorder(view);
        RunOptions again = options;
        again.on_entry = [&](const LogEntry& entry) { recorder.observe(entry); };
        runner.run(scenario, again);
        return recorder;
    }
    Finding finding() {
        Finding out;
        out.verdict = &verdict;
        out.scenario = &scenario;
        out.view = &view;
        out.path = "some.toml";
        out.replay = "cqfuzz run some.toml";
        return out;
    }
    RunOptions options;
};

TEST(RecordingTest, APageGoesRoundTheRingsOwnersInOrder) {
    Recorded run;
    ASSERT_EQ(run.verdict.kind, VerdictKind::pass);
    const Recording recording = run.record<Recording>();
    ASSERT_FALSE(recording.pages().empty());
    EXPECT_EQ(recording.dropped(), 0u);
    // Of every page of every ring: filled, handed over, the consumer's, released, back.
    std::vector<std::array<DrawnState, 64>> state(run.view.rings.size());
    std::uint64_t laps = 0;
    for (const PageRecordPacked& record : recording.pages()) {
        DrawnState& now = state[record.ring][record.page];
        switch (record.state) {
            case DrawnState::filling: EXPECT_EQ(now, DrawnState::producers); break;
            case DrawnState::hand_over_in_flight: EXPECT_EQ(now, DrawnState::filling); break;
            case DrawnState::consumers: EXPECT_EQ(now, DrawnState::hand_over_in_flight); break;
            case DrawnState::release_in_flight: EXPECT_EQ(now, DrawnState::consumers); break;
            case DrawnState::producers:
                EXPECT_EQ(now, DrawnState::release_in_flight);
                ++laps;
                break;
        }
        now = record.state;
    }
    EXPECT_GT(laps, 40u) << "the rings hardly turned";
}

TEST(RecordingTest, SpansEndAndNameTheirOps) {
    Recorded run;
    const Recording recording = run.record<Recording>();
    std::size_t commands = 0, kernels = 0, writes = 0, with_op = 0;
    for (const SpanPacked& span : recording.spans()) {
        EXPECT_GE(span.end, span.begin);
        commands += span.kind == SpanKind::command ? 1 : 0;
        kernels += span.kind == SpanKind::kernel ? 1 : 0;
        writes += span.kind == SpanKind::write ? 1 : 0;
        with_op += span.op != kNoOpShort ? 1 : 0;
    }
    EXPECT_GT(commands, 50u);
    EXPECT_GT(kernels, 6u);
    EXPECT_GT(writes, 100u);
    EXPECT_GT(with_op, 100u);
}

TEST(HtmlReportTest, IsOneFileThatMarksTheGuiltyPageAndOp) {
    Recorded run("one-orphan-count-missing");
    ASSERT_TRUE(run.verdict.bad());
    ASSERT_NE(run.verdict.violation.page, kNoRingPage);
    const std::string html =
        html_report(run.finding(), run.record<Recording>(), "# t\n[[op]]\nkind = \"</script>\"\n");
    EXPECT_EQ(html.find("@@"), std::string::npos);
    EXPECT_NE(html.find("\"page\":" + std::to_string(run.verdict.violation.page)),
              std::string::npos);
    EXPECT_EQ(html.find("src=\"http"), std::string::npos);
    // The data cannot end the element that it lies in.
    EXPECT_EQ(html.find("kind = \\\"</script>"), std::string::npos);
    EXPECT_NE(html.find("<\\/script>"), std::string::npos);
}

TEST(HtmlReportTest, LinesOfAnOp) {
    const std::string toml =
        "# t\nformat = 1\n\n[[op]]\nkind = \"finish\"\n\n[[op]]\nkind = \"replay\"\ntimes = 2\n";
    EXPECT_EQ(lines_of_op(toml, 0).first, 3u);
    EXPECT_EQ(lines_of_op(toml, 0).behind, 5u);
    EXPECT_EQ(lines_of_op(toml, 1).first, 6u);
    EXPECT_EQ(lines_of_op(toml, 1).behind, 9u);
    EXPECT_EQ(lines_of_op(toml, 2).behind, 0u);
}

TEST(MachineReportsTest, SarifNamesRulePlaceAndSignature) {
    Recorded run("one-orphan-count-missing");
    const std::string sarif = sarif_report(run.finding(), "1.2.3");
    EXPECT_NE(sarif.find("\"version\": \"2.1.0\""), std::string::npos);
    EXPECT_NE(sarif.find("\"ruleId\": \"" + run.verdict.violation.property + "\""),
              std::string::npos);
    EXPECT_NE(sarif.find(run.verdict.violation.signature()), std::string::npos);
    Recorded sound;
    EXPECT_NE(sarif_report(sound.finding(), "1").find("\"results\": []"), std::string::npos);
}

TEST(MachineReportsTest, JunitCountsFailures) {
    Recorded run("one-orphan-count-missing");
    const std::string bad = junit_report(run.finding(), 0.25);
    EXPECT_NE(bad.find("failures=\"1\" errors=\"0\" time=\"0.250\""), std::string::npos) << bad;
    EXPECT_NE(bad.find("</failure>"), std::string::npos);
    Recorded sound;
    EXPECT_NE(junit_report(sound.finding(), 1).find("failures=\"0\""), std::string::npos);
}

TEST(MachineReportsTest, PerfettoHasAThreadPerCoreAndACounterPerRing) {
    Recorded run;
    const std::string trace = perfetto_trace(run.record<Recording>());
    EXPECT_NE(trace.find("\"name\":\"dispatch_d\""), std::string::npos);
    EXPECT_NE(trace.find("\"name\":\"WRITE_PACKED\""), std::string::npos);
    EXPECT_NE(trace.find("\"ph\":\"C\",\"name\":\"dispatch_cb\""), std::string::npos);
    const auto count = [&](const char* phase) {
        std::size_t n = 0;
        for (std::size_t at = 0; (at = trace.find(phase, at)) != std::string::npos; ++at) ++n;
        return n;
    };
    EXPECT_EQ(count("\"ph\":\"b\""), count("\"ph\":\"e\""));
}

TEST(CommandListingTest, ListsWordsAndNames) {
    Recorded run;
    const std::string text = run.record<CommandListing>().text();
    EXPECT_NE(text.find("# RELAY_INLINE (WRITE_PACKED)"), std::string::npos);
    EXPECT_NE(text.find("# EXEC_BUF\n"), std::string::npos);
    EXPECT_NE(text.find("# TERMINATE\n"), std::string::npos);
}

TEST(SignatureTest, MergedAndSplitShapesAreOneCause) {
    Violation merged, split;
    merged.property = split.property = "page-ownership/overwritten-while-owned";
    merged.place = "prefetch_hd.scratch[0]";
    split.place = "prefetch_d.scratch[1]";
    merged.actor = "dispatch_hd";
    split.actor = "dispatch_d";
    EXPECT_EQ(merged.signature(), split.signature());
    EXPECT_EQ(merged.signature(),
              "page-ownership/overwritten-while-owned|prefetch.scratch|dispatch|");
    split.place = "dispatch_cb";
    EXPECT_NE(merged.signature(), split.signature());
}

Violation at(const char* property, const char* place, const char* actor, const char* command) {
    Violation violation;
    violation.property = property;
    violation.place = place;
    violation.actor = actor;
    violation.command = command;
    return violation;
}

TEST(SignatureTest, QueuesChipsAndNumbersAreNoPartOfIt) {
    const std::string plain =
        at("noc-rules/misaligned", "NoC 0", "dispatch_d", "WRITE_PACKED").signature();
    EXPECT_EQ(plain, "noc-rules/misaligned|NoC|dispatch|WRITE_PACKED");
    EXPECT_EQ(at("noc-rules/misaligned", "NoC 1", "dispatch_hd", "WRITE_PACKED").signature(),
              plain);
    EXPECT_EQ(at("page-ownership/x", "cq1 dispatch_cb", "a", "").signature(),
              at("page-ownership/x", "dispatch_cb", "a", "").signature());
    EXPECT_EQ(at("page-ownership/x", "chip 3 cq1 dispatch_d.cb", "a", "").signature(),
              at("page-ownership/x", "dispatch_h.cb", "a", "").signature());
    EXPECT_NE(at("page-ownership/x", "chip", "a", "").signature(),
              at("page-ownership/x", "", "a", "").signature());
}

TEST(SignatureTest, CommandsThatRunOtherCodeAreOtherCauses) {
    const char* early = "page-ownership/released-too-early";
    const auto of = [&](const char* command) {
        return at(early, "dispatch_cb", "dispatch_d", command).signature();
    };
    EXPECT_NE(of("WRITE_PACKED"), of("WRITE_PACKED_LARGE"));
    EXPECT_NE(of("WRITE_LINEAR"), of("WRITE_LINEAR_H"));
    EXPECT_EQ(of("WRITE_LINEAR_H"), of("WRITE_LINEAR_H_HOST"));
    EXPECT_EQ(of("RELAY_PAGED"), of("RELAY_PAGED_PACKED"));
    EXPECT_EQ(of("WRITE_PACKED"),
              at("page-ownership/used-after-release", "dispatch_cb", "dispatch_hd", "WRITE_PACKED")
                  .signature());
}

TEST(SignatureTest, ATunnelsFrontRingIsTheOneBehindItButNotForTheMux) {
    const char* property = "page-ownership/filled-without-credit";
    EXPECT_EQ(at(property, "mux.in", "prefetch_h", "RELAY_INLINE").signature(),
              at(property, "prefetch_d.cmddat_q", "prefetch_h", "RELAY_INLINE").signature());
    EXPECT_EQ(at(property, "mux.in", "mux", "").signature(),
              at(property, "mux_d.in", "mux_d", "").signature());
    EXPECT_NE(at(property, "mux.in", "mux", "").signature(),
              at(property, "mux.in", "prefetch_h", "").signature());
}

}  // namespace
}  // namespace cqfuzz
