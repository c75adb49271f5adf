// Goal: command streams: sound firmware passes what is drawn, what is planted is caught, broken
// commands end in a verdict that they explain. Method: drawn streams, pinned seeds.
#include <gtest/gtest.h>

#include <set>

#include "harness/run/broken_commands.hpp"
#include "harness/run/run.hpp"
#include "harness/scenario/verbs.hpp"

namespace cqfuzz {
namespace {

constexpr std::uint32_t kOpsMax = 256;

Scenario drawn(Domain domain, std::uint64_t seed) {
    Rng rng(seed);
    return generate(domain, rng, kOpsMax);
}

std::string told(const Verdict& verdict) {
    return std::string(name_of(verdict.kind)) + ": " + verdict.violation.signature() + "\n" +
           verdict.violation.summary;
}

TEST(StreamTest, SoundFirmwarePassesWhatIsDrawnAndDoesItAgain) {
    Runner runner;
    std::set<std::uint64_t> fingerprints;
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        const Scenario scenario = drawn(Domain::command_stream, seed);
        const Verdict verdict = runner.run(scenario, RunOptions{});
        ASSERT_EQ(verdict.kind, VerdictKind::pass) << "seed " << seed << ": " << told(verdict);
        const std::uint64_t first = runner.fingerprint();
        runner.run(scenario, RunOptions{});
        ASSERT_EQ(runner.fingerprint(), first) << "seed " << seed;
        fingerprints.insert(first);
    }
    EXPECT_GT(fingerprints.size(), 290u);
    EXPECT_GT(runner.reach().commands(), 300u * 8u);
}

struct PlantedCase {
    rt::Fault fault;
    const char* found;  // property, its beginning
};

class PlantedInStreamTest : public testing::TestWithParam<PlantedCase> {};

TEST_P(PlantedInStreamTest, IsCaught) {
    Runner runner;
    RunOptions options;
    options.faults.enable(GetParam().fault);
    for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
        const Verdict verdict = runner.run(drawn(Domain::command_stream, seed), options);
        if (!verdict.bad()) continue;
        EXPECT_EQ(verdict.violation.property.rfind(GetParam().found, 0), 0u)
            << "seed " << seed << ": " << told(verdict);
        return;
    }
    FAIL() << "not found in 2000 streams";
}

// Two of each way to be caught, golden memory's most of all.
INSTANTIATE_TEST_SUITE_P(
    Faults, PlantedInStreamTest,
    testing::Values(PlantedCase{rt::Fault::stale_write_coordinates, "golden-memory/"},
                    PlantedCase{rt::Fault::write_offset_kept, "golden-memory/"},
                    PlantedCase{rt::Fault::no_restore_after_orphan, "golden-memory/"},
                    PlantedCase{rt::Fault::late_orphan_packed, "page-ownership/"},
                    PlantedCase{rt::Fault::no_flush_before_scratch_refill, "page-ownership/"},
                    PlantedCase{rt::Fault::short_subcommand_cache, "local-arrays/"}));

TEST(StreamTest, BrokenCommandsExplainTheirVerdicts) {
    Runner runner;
    std::set<VerdictKind> kinds;
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
        const Scenario scenario = drawn(Domain::malformed_stream, seed);
        const Verdict verdict = runner.run(scenario, RunOptions{});
        kinds.insert(verdict.kind);
        if (!verdict.bad()) continue;
        ASSERT_TRUE(explained_by_broken_commands(scenario, verdict))
            << "seed " << seed << ": " << told(verdict);
        ASSERT_FALSE(verdict.violation.summary.empty()) << "seed " << seed;
    }
    EXPECT_TRUE(kinds.count(VerdictKind::pass) != 0 && kinds.count(VerdictKind::violation) != 0 &&
                kinds.count(VerdictKind::hang) != 0);
}

TEST(BrokenCommandsTest, ExplainNeitherOverrunsNorWhatIsOurs) {
    Scenario broken;
    broken.commands = {CommandCorrupt{}, CommandDelay{}};
    Verdict verdict;
    verdict.kind = VerdictKind::violation;
    verdict.violation.property = "firmware-asserts/failed";
    EXPECT_TRUE(explained_by_broken_commands(broken, verdict));
    EXPECT_FALSE(explained_by_broken_commands(Scenario{}, verdict));
    verdict.violation.property = "local-arrays/store-past-end";
    EXPECT_FALSE(explained_by_broken_commands(broken, verdict));
    verdict.kind = VerdictKind::hang;
    EXPECT_FALSE(explained_by_broken_commands(broken, verdict));
    verdict.violation.story = {"prefetch_hd waits for credits of dispatch_cb"};
    EXPECT_TRUE(explained_by_broken_commands(broken, verdict));
    verdict.kind = VerdictKind::harness_fault;
    EXPECT_FALSE(explained_by_broken_commands(broken, verdict));
}

}  // namespace
}  // namespace cqfuzz
