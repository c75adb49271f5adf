// Kernels as somebody else wrote them, compiled and run: the sample dispatcher is silent when sound
// and found with its mistake on; what a kernel does wrong by itself is a verdict with its file and
// line.
#include "harness/hosting/hosted_kernels.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "harness/scenario/rich.hpp"
#include "harness/scenario/verbs.hpp"

namespace cqfuzz::hosting {
namespace {

namespace fs = std::filesystem;

Runner& shared_runner() {
    static Runner instance;
    return instance;
}

BuildPlace build_place() {
    return {"clang++", CQFUZZ_SOURCE_DIR,
            (fs::temp_directory_path() / "cqfuzz-test-objects").string()};
}

std::string text_of(const std::string& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

Manifest sample_manifest(const std::string& define = "") {
    const std::string path =
        std::string(CQFUZZ_SOURCE_DIR) + "/examples/sample_firmware/manifest.toml";
    Result<Manifest> read = manifest_from_toml(text_of(path), path);
    EXPECT_TRUE(read.ok()) << read.message();
    Manifest manifest = read.take();
    if (!define.empty()) manifest.roles.front().flags.push_back("-D" + define);
    return manifest;
}

Manifest bad_manifest(const std::string& define) {
    Manifest manifest = sample_manifest(define);
    HostedRole& role = manifest.roles.front();
    role.sources = {std::string(CQFUZZ_SOURCE_DIR) +
                    "/tests/harness/hosting/kernels/bad_kernels.cpp"};
    role.args = {"l1"};
    role.edge_budget = 100'000;
    return manifest;
}

// The finding of the first of so many drawn scenarios that gives one, or a pass.
Verdict hunt_in(HostedKernels& kernels, std::uint32_t scenarios,
                std::uint64_t* fingerprints = nullptr) {
    Rng rng(5);
    RunOptions options;
    options.hosted = &kernels;
    for (std::uint32_t i = 0; i < scenarios; ++i) {
        Scenario scenario =
            generate(i % 2 == 0 ? Domain::trace_replay : Domain::semaphore_multicast, rng, 32);
        kernels.adapt(scenario);
        Verdict verdict = shared_runner().run(scenario, options);
        if (fingerprints != nullptr)
            *fingerprints = *fingerprints * 31 + shared_runner().fingerprint();
        if (verdict.bad()) return verdict;
    }
    return {};
}

TEST(HostedKernelsTest, TheSampleIsSilentInEveryGeometryAndRunsAlikeAgain) {
    const Manifest manifest = sample_manifest();
    for (const HostedGeometry& geometry : manifest.geometries) {
        auto kernels = HostedKernels::make(manifest, geometry, build_place());
        ASSERT_TRUE(kernels.ok()) << kernels.message();
        std::uint64_t first = 0, second = 0;
        const Verdict verdict = hunt_in(*kernels.value(), 150, &first);
        EXPECT_FALSE(verdict.bad()) << geometry.name << ": " << verdict.violation.summary;
        EXPECT_GT(kernels.value()->edges().size(), 20u);
        hunt_in(*kernels.value(), 150, &second);
        EXPECT_EQ(first, second);
    }
}

TEST(HostedKernelsTest, TheSamplesLateOrphanIsFoundAndPlaced) {
    const Manifest manifest = sample_manifest("SAMPLE_LATE_ORPHAN");
    auto kernels = HostedKernels::make(manifest, manifest.geometries.front(), build_place());
    ASSERT_TRUE(kernels.ok()) << kernels.message();
    const Verdict verdict = hunt_in(*kernels.value(), 500);
    ASSERT_EQ(verdict.kind, VerdictKind::violation);
    EXPECT_EQ(verdict.violation.place, "dispatch_cb");
    EXPECT_EQ(verdict.violation.property.rfind("page-ownership/", 0), 0u);
    ASSERT_FALSE(kernels.value()->places().empty());
    EXPECT_NE(kernels.value()->places().front().find("sample_dispatch.cpp:"), std::string::npos)
        << kernels.value()->places().front();
}

struct BadKernel {
    const char* define;
    const char* says;
};
class BadKernelTest : public testing::TestWithParam<BadKernel> {};

TEST_P(BadKernelTest, EndsWithAVerdictThatNamesTheLine) {
    const Manifest manifest = bad_manifest(GetParam().define);
    auto kernels = HostedKernels::make(manifest, manifest.geometries.front(), build_place());
    ASSERT_TRUE(kernels.ok()) << kernels.message();
    RunOptions options;
    options.hosted = kernels.value().get();
    Scenario scenario = rich_scenario();
    kernels.value()->adapt(scenario);
    // Twice: a static that was not restored would fail the kernel's first line.
    for (int i = 0; i < 2; ++i) {
        const Verdict verdict = shared_runner().run(scenario, options);
        ASSERT_EQ(verdict.kind, VerdictKind::violation) << verdict.violation.summary;
        EXPECT_NE(verdict.violation.summary.find(GetParam().says), std::string::npos)
            << verdict.violation.summary;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, BadKernelTest,
    testing::Values(
        BadKernel{"WILD_POINTER", "a pointer outside the core's L1, at bad_kernels.cpp:"},
        BadKernel{"OTHER_CORE", "a pointer outside the core's L1, at bad_kernels.cpp:"},
        BadKernel{"ENDLESS_LOOP",
                  "a loop without a poll or a call of the device, at bad_kernels.cpp:"},
        BadKernel{"OWN_ASSERTION", "get_compile_time_arg_val(0) == 3, at bad_kernels.cpp:"},
        BadKernel{"ZERO_LENGTH", "length"}, BadKernel{"NO_SUCH_TILE", "unknown-target"}),
    [](const testing::TestParamInfo<BadKernel>& tested) {
        return std::string(tested.param.define);
    });

TEST(HostedKernelsTest, RegistersAndAddressGeneratorsDoWhatTheirNamesSay) {
    Manifest manifest = bad_manifest("");
    manifest.roles.front().sources = {std::string(CQFUZZ_SOURCE_DIR) +
                                      "/tests/harness/hosting/kernels/register_kernel.cpp"};
    manifest.roles.front().args = {"l1 + 0x100000"};
    auto kernels = HostedKernels::make(manifest, manifest.geometries.front(), build_place());
    ASSERT_TRUE(kernels.ok()) << kernels.message();
    RunOptions options;
    options.hosted = kernels.value().get();
    Scenario scenario = rich_scenario();
    kernels.value()->adapt(scenario);
    const Verdict verdict = shared_runner().run(scenario, options);
    EXPECT_NE(verdict.violation.summary.find("reached the end"), std::string::npos)
        << verdict.violation.summary;
}

TEST(KernelBuildTest, TheCompilersWordsAreTold) {
    Manifest manifest = bad_manifest("");
    manifest.roles.front().flags.push_back("-Dturns=2");
    auto kernels = HostedKernels::make(manifest, manifest.geometries.front(), build_place());
    ASSERT_FALSE(kernels.ok());
    EXPECT_NE(kernels.message().find("bad_kernels.cpp"), std::string::npos) << kernels.message();
}

}  // namespace
}  // namespace cqfuzz::hosting
