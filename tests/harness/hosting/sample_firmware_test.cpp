// The mid-2024 pair of examples/sample_firmware: silent when sound, each of its mistakes found and
// placed in its own file. And every name that kernels may use compiles.
#include "harness/hosting/differential.hpp"
#include "tests/harness/hosting/test_kernels.hpp"

namespace cqfuzz::hosting {
namespace {

struct Hunted {
    Verdict verdict;
    std::uint64_t fingerprints = 0;
    std::uint64_t dispatched_commands = 0;
    std::string places;
};

Hunted hunt_in(const Manifest& manifest, const HostedGeometry& geometry, std::uint32_t scenarios,
               std::uint64_t seed) {
    Hunted hunted;
    auto kernels = HostedKernels::make(manifest, geometry, build_place());
    EXPECT_TRUE(kernels.ok()) << kernels.message();
    if (!kernels.ok()) return hunted;
    Rng rng(seed);
    RunOptions options;
    options.hosted = kernels.value().get();
    for (std::uint32_t i = 0; i < scenarios && !hunted.verdict.bad(); ++i) {
        Scenario scenario = generate(Domain::command_stream, rng, 64);
        kernels.value()->adapt(scenario);
        hunted.verdict = shared_runner().run(scenario, options);
        hunted.fingerprints = hunted.fingerprints * 31 + shared_runner().fingerprint();
        hunted.dispatched_commands += shared_runner().stats().dispatched_commands;
    }
    for (const std::string& place : kernels.value()->places()) hunted.places += place + "; ";
    return hunted;
}

TEST(SampleFirmwareTest, IsSilentInEveryGeometryAndRunsAlikeAgain) {
    const Manifest manifest = sample_manifest();
    ASSERT_EQ(manifest.roles.size(), 2u);
    for (const HostedGeometry& geometry : manifest.geometries) {
        const Hunted first = hunt_in(manifest, geometry, 300, 3);
        EXPECT_FALSE(first.verdict.bad())
            << geometry.name << ": " << first.verdict.violation.summary << "; " << first.places;
        EXPECT_GT(first.dispatched_commands, 1000u);
        EXPECT_EQ(first.fingerprints, hunt_in(manifest, geometry, 300, 3).fingerprints);
    }
}

// A wait that stores into its own L1 each time round is a wait all the same.
TEST(SampleFirmwareTest, IsSilentWithAHeartbeatByHandInEachWait) {
    Manifest manifest = sample_manifest();
    for (HostedRole& role : manifest.roles) {
        role.defines.emplace_back("SAMPLE_HEARTBEAT", "l1 + 0x100000");
        role.edge_budget = 20'000;  // less than a long wait goes round
    }
    for (const HostedGeometry& geometry : manifest.geometries) {
        const Hunted hunted = hunt_in(manifest, geometry, 100, 3);
        EXPECT_FALSE(hunted.verdict.bad())
            << geometry.name << ": " << hunted.verdict.violation.summary << "; " << hunted.places;
        EXPECT_GT(hunted.dispatched_commands, 300u);
    }
}

TEST(SampleFirmwareTest, DoesWhatTheBuiltInPairDoes) {
    const Manifest manifest = sample_manifest();
    const auto kernels = made(manifest);
    ASSERT_NE(kernels, nullptr);
    Rng rng(17);
    for (int i = 0; i < 60; ++i) {
        Scenario scenario = generate(Domain::command_stream, rng, 64);
        kernels->adapt(scenario);
        const Difference difference = compare(shared_runner(), *kernels, scenario);
        EXPECT_FALSE(difference.built_in.bad()) << difference.built_in.violation.summary;
        EXPECT_FALSE(difference.hosted.bad()) << difference.hosted.violation.summary;
        ASSERT_TRUE(difference.lines.empty()) << difference.lines.front();
    }
}

TEST(SampleFirmwareTest, AnOrphanAfterTheMoveIsFoundWhereItIsSent) {
    const Manifest manifest = sample_manifest("SAMPLE_LATE_ORPHAN");
    const Hunted hunted = hunt_in(manifest, manifest.geometries.front(), 500, 1);
    ASSERT_EQ(hunted.verdict.kind, VerdictKind::violation);
    EXPECT_EQ(hunted.verdict.violation.place, "dispatch_cb");
    EXPECT_EQ(hunted.verdict.violation.command.rfind("WRITE_", 0), 0u)
        << hunted.verdict.violation.command;
    EXPECT_NE(hunted.places.find("dispatch_hd was at sample_dispatch.cpp:"), std::string::npos)
        << hunted.places;
}

// Two words behind the array are where the trace is read from: what is found is what comes of that.
TEST(SampleFirmwareTest, AnOverrunOfTheSubCommandsIsFoundByWhatItBreaks) {
    const Manifest manifest = sample_manifest("SAMPLE_SMALL_CACHE");
    const Hunted hunted = hunt_in(manifest, manifest.geometries.back(), 5000, 1);
    ASSERT_TRUE(hunted.verdict.bad());
    EXPECT_NE(hunted.places.find("prefetch_hd was at sample_"), std::string::npos) << hunted.places;
}

TEST(SampleFirmwareTest, EveryNameThatKernelsUseCompilesAndRuns) {
    Manifest manifest = test_manifest("every_name.cpp");
    HostedRole& role = manifest.roles.front();
    role.args = {"l1 + 0x100000", "pcie.noc_x"};
    role.flags.push_back("-Werror=macro-redefined");
    const auto kernels = made(manifest);
    ASSERT_NE(kernels, nullptr);
    const Verdict verdict = run_rich(*kernels);
    EXPECT_NE(verdict.violation.summary.find("reached the end"), std::string::npos)
        << verdict.violation.summary;
}

}  // namespace
}  // namespace cqfuzz::hosting
