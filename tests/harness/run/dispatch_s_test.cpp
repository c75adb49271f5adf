// Goal: with a dispatch_s the sound runtime passes whatever is drawn, and it is dispatch_s alone
// that sends the gos; a wait that it cannot end is told by its name. Method: generated scenarios
// that get a dispatch_s, with rings of few and of many pages.
#include <gtest/gtest.h>

#include "harness/run/run.hpp"
#include "harness/run/translate.hpp"
#include "harness/scenario/verbs.hpp"

namespace cqfuzz {
namespace {

constexpr std::uint32_t kOpsMax = 64;
constexpr std::uint64_t kSeeds = 150;

Scenario with_dispatch_s(Domain domain, std::uint64_t seed) {
    Rng rng(seed);
    Scenario scenario = generate(domain, rng, kOpsMax);
    scenario.geometry.command_queues = 1;
    scenario.geometry.dispatch_s = DispatchS::own_core;
    scenario.geometry.dispatch_s_pages = seed % 3 == 0 ? 1 : 1u << seed % 9;
    if (seed % 2 == 0) scenario.order = OrderLevel::o2;
    legalise(scenario);
    return scenario;
}

std::string told(const Verdict& verdict) {
    std::string text(name_of(verdict.kind));
    text += ": " + verdict.violation.signature() + "\n" + verdict.violation.summary;
    for (const std::string& line : verdict.violation.story) text += "\n  " + line;
    return text;
}

TEST(DispatchSTest, SoundRuntimePassesWhatIsGenerated) {
    Runner runner;
    for (const Domain domain : {Domain::trace_replay, Domain::program_sequence, Domain::multi_chip,
                                Domain::semaphore_multicast}) {
        for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
            const Scenario scenario = with_dispatch_s(domain, seed);
            ASSERT_EQ(scenario.geometry.dispatch_s, DispatchS::own_core);
            const Verdict verdict = runner.run(scenario, RunOptions{});
            ASSERT_EQ(verdict.kind, VerdictKind::pass) << "domain " << static_cast<int>(domain)
                                                       << " seed " << seed << ": " << told(verdict);
        }
    }
}

// Who writes go words, and on which NoC.
TEST(DispatchSTest, EveryGoIsItsOwnAndOnNocOne) {
    Runner runner;
    std::uint64_t gos = 0;
    std::uint64_t others = 0;
    RunOptions options;
    options.on_entry = [&](const LogEntry& entry) {
        const MachineView& view = runner.view();
        if (entry.kind != LogKind::noc_issue || entry.noc_kind != NocKind::write) return;
        const bool to_cores = entry.target == kNoTile ||
                              view.tiles[entry.target].kind == TileKind::worker ||
                              view.tiles[entry.target].kind == TileKind::ethernet;
        if (!to_cores || entry.length != 4 ||
            entry.target_address != view.worker_mailbox.go_address)
            return;
        const bool own = view.tiles[entry.tile].role == Role::dispatch_s && entry.noc == 1;
        ++(own ? gos : others);
    };
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const Scenario scenario = with_dispatch_s(Domain::trace_replay, seed);
        if (scenario.topology.chips != 1) continue;
        runner.run(scenario, options);
        ASSERT_EQ(runner.view().go_senders.size(), 1u);
        EXPECT_EQ(runner.view().rings.back().name, "dispatch_s_cb");
    }
    EXPECT_GT(gos, 100u);
    EXPECT_EQ(others, 0u);
}

TEST(DispatchSTest, HangOfItsWaitsNamesWhoOwesWhat) {
    struct Case {
        rt::Fault fault;
        std::string_view story;  // part of it
    };
    for (const Case& c :
         {Case{rt::Fault::counts_kept_while_idle, "which dispatch_s passes on"},
          Case{rt::Fault::replay_without_notify, "waits for the notification of its next go"},
          Case{rt::Fault::go_names_dispatcher,
               "they have all sent: every core is back at its go word"}}) {
        Runner runner;
        RunOptions options;
        options.faults.enable(c.fault);
        bool named = false;
        std::string last;
        for (std::uint64_t seed = 1; seed <= 200 && !named; ++seed) {
            const Verdict verdict =
                runner.run(with_dispatch_s(Domain::trace_replay, seed), options);
            if (verdict.kind != VerdictKind::hang) continue;
            last = told(verdict);
            named = last.find(c.story) != std::string::npos;
        }
        EXPECT_TRUE(named) << c.story << "\nthe last hang: " << last;
    }
}

}  // namespace
}  // namespace cqfuzz
