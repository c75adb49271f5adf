// Kernels as somebody else wrote them, compiled and run: a late-2024 dispatcher is silent when
// sound and found with its mistake on.
#include <unistd.h>

#include "tests/harness/hosting/test_kernels.hpp"

namespace cqfuzz::hosting {
namespace {

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

TEST(HostedKernelsTest, TheLateDispatcherIsSilentInEveryGeometryAndRunsAlikeAgain) {
    const Manifest manifest = late_manifest();
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

TEST(HostedKernelsTest, TheLateDispatchersLateOrphanIsFoundAndPlaced) {
    const Manifest manifest = late_manifest("SAMPLE_LATE_ORPHAN");
    auto kernels = HostedKernels::make(manifest, manifest.geometries.front(), build_place());
    ASSERT_TRUE(kernels.ok()) << kernels.message();
    const Verdict verdict = hunt_in(*kernels.value(), 500);
    ASSERT_EQ(verdict.kind, VerdictKind::violation);
    EXPECT_EQ(verdict.violation.place, "dispatch_cb");
    EXPECT_EQ(verdict.violation.property.rfind("page-ownership/", 0), 0u);
    ASSERT_FALSE(kernels.value()->places().empty());
    EXPECT_NE(kernels.value()->places().front().find("late_dispatch.cpp:"), std::string::npos)
        << kernels.value()->places().front();
}

// Kernels that assert what they should see, and at last that they came to their end.
void expect_the_end(const char* file) {
    Manifest manifest = test_manifest(file);
    manifest.roles.front().args = {"l1 + 0x100000"};
    const auto kernels = made(manifest);
    ASSERT_NE(kernels, nullptr);
    const Verdict verdict = run_rich(*kernels);
    EXPECT_NE(verdict.violation.summary.find("reached the end"), std::string::npos)
        << verdict.violation.summary;
}

TEST(HostedKernelsTest, RegistersAndAddressGeneratorsDoWhatTheirNamesSay) {
    expect_the_end("register_kernel.cpp");
}

TEST(HostedKernelsTest, AtomicBuiltinsAndPackedWordsAreAccessesOfL1) {
    expect_the_end("atomic_kernel.cpp");
}

// A kernel for each queue's core, with its own addresses and statics; events go between them.
TEST(HostedKernelsTest, TwoCommandQueuesAreTwoKernels) {
    for (const std::string define : {"", "SAMPLE_LATE_ORPHAN"}) {
        Manifest manifest = late_manifest(define);
        manifest.geometries.front().part.geometry.command_queues = 2;
        const auto kernels = made(manifest);
        ASSERT_NE(kernels, nullptr);
        RunOptions options;
        options.hosted = kernels.get();
        Rng rng(11);
        Verdict verdict;
        std::uint32_t both = 0;
        for (std::uint32_t i = 0; i < 300 && !verdict.bad(); ++i) {
            Scenario scenario = generate(Domain::trace_replay, rng, 32);
            for (Op& op : scenario.ops)
                std::visit(
                    [&](auto& o) {
                        if constexpr (requires { o.queue; }) o.queue = rng.below(2);
                    },
                    op);
            kernels->adapt(scenario);
            verdict = shared_runner().run(scenario, options);
            const std::vector<std::string> places = kernels->places();
            if (places.size() != 2) continue;
            ++both;
            EXPECT_EQ(places[1].rfind("cq1 dispatch_hd was at late_dispatch.cpp:", 0), 0u)
                << places[1];
        }
        EXPECT_EQ(verdict.bad(), !define.empty()) << verdict.violation.summary;
        EXPECT_GT(both, 0u);
    }
}

TEST(HostedKernelsTest, OverReadsAreAllowedAsFarAsTheManifestSays) {
    const auto summary = [](std::uint32_t words_read, std::uint32_t words_allowed) {
        Manifest manifest = test_manifest("over_read_kernel.cpp");
        HostedRole& role = manifest.roles.front();
        role.args = {"l1 + dispatch.ready", "l1 + dispatch.ring_base", "dispatch.page_size",
                     std::to_string(words_read)};
        role.over_read_words = words_allowed;
        manifest.geometries.erase(manifest.geometries.begin());  // the ring that is not soon full
        const auto kernels = made(manifest);
        return kernels == nullptr ? "" : run_rich(*kernels).violation.summary;
    };
    for (const std::string& found : {summary(1, 0), summary(6, 5)})
        EXPECT_NE(found.find("before it was handed over"), std::string::npos) << found;
    const std::string allowed = summary(5, 5);
    EXPECT_NE(allowed.find("reached the end"), std::string::npos) << allowed;
}

// Both come from one file of the cache; B is loaded when A's statics are used.
TEST(HostedKernelsTest, InstancesOfOneObjectHaveStaticsOfTheirOwn) {
    const Manifest manifest = test_manifest("counter_kernel.cpp");
    std::vector<std::uint64_t> fingerprints;
    const auto run = [&](HostedKernels& kernels) {
        const Verdict verdict = run_rich(kernels);
        EXPECT_NE(verdict.violation.summary.find("it has begun once"), std::string::npos)
            << verdict.violation.summary;
        fingerprints.push_back(shared_runner().fingerprint());
    };
    const auto a = made(manifest);
    ASSERT_NE(a, nullptr);
    run(*a);
    const auto b = made(manifest);
    ASSERT_NE(b, nullptr);
    run(*b);
    run(*a);
    run(*b);
    EXPECT_EQ(fingerprints, std::vector<std::uint64_t>(4, fingerprints.front()));
    const std::string own = "." + std::to_string(getpid());
    for (const auto& file : std::filesystem::directory_iterator(build_place().cache))
        EXPECT_EQ(file.path().string().find(own), std::string::npos) << "left behind: " << file;
}

TEST(KernelBuildTest, TheCompilersWordsAreTold) {
    Manifest manifest = test_manifest("bad_kernels.cpp");
    manifest.roles.front().flags.push_back("-Dturns=2");
    auto kernels = HostedKernels::make(manifest, manifest.geometries.front(), build_place());
    ASSERT_FALSE(kernels.ok());
    EXPECT_NE(kernels.message().find("bad_kernels.cpp"), std::string::npos) << kernels.message();
}

}  // namespace
}  // namespace cqfuzz::hosting
