// A runtime that is not of our family (examples/other_queue): its rings and its waits are judged by
// the manifest alone.
#include "harness/hosting/own_runtime.hpp"

#include "harness/search/hunt.hpp"
#include "tests/harness/hosting/test_kernels.hpp"

namespace cqfuzz::hosting {
namespace {

Result<Manifest> other_queue(const std::string& what = "", const std::string& instead = "") {
    const std::string path = std::string(CQFUZZ_SOURCE_DIR) + "/examples/other_queue/manifest.toml";
    std::string text = text_of(path);
    if (!what.empty()) {
        EXPECT_NE(text.find(what), std::string::npos) << what;
        text.replace(text.find(what), what.size(), instead);
    }
    return manifest_from_toml(text, path);
}

struct Hunted {
    Verdict verdict;
    Scenario scenario;
    std::uint64_t fingerprints = 0;
};

// The first finding in so many drawn scenarios, or a pass.
Hunted hunt_in(HostedKernels& kernels, std::uint32_t scenarios) {
    Rng rng(3);
    RunOptions options;
    options.hosted = &kernels;
    Hunted hunted;
    for (std::uint32_t i = 0; i < scenarios && !hunted.verdict.bad(); ++i) {
        hunted.scenario = generate(kHuntMix[i % kHuntMix.size()], rng, 32);
        kernels.adapt(hunted.scenario);
        hunted.verdict = shared_runner().run(hunted.scenario, options);
        hunted.fingerprints = hunted.fingerprints * 31 + shared_runner().fingerprint();
    }
    return hunted;
}

TEST(OwnRuntimeTest, SoundItIsSilentAndRunsAlikeAgain) {
    const Result<Manifest> manifest = other_queue();
    ASSERT_TRUE(manifest.ok()) << manifest.message();
    for (const HostedGeometry& geometry : manifest.value().geometries) {
        auto kernels = HostedKernels::make(manifest.value(), geometry, build_place());
        ASSERT_TRUE(kernels.ok()) << kernels.message();
        const Hunted first = hunt_in(*kernels.value(), 500);
        EXPECT_FALSE(first.verdict.bad()) << geometry.name << first.verdict.violation.summary;
        EXPECT_GT(kernels.value()->edges().size(), 20u);
        EXPECT_EQ(hunt_in(*kernels.value(), 500).fingerprints, first.fingerprints);
    }
}

TEST(OwnRuntimeTest, AnEarlyReleaseIsFoundPlacedAndMadeSmall) {
    Result<Manifest> manifest = other_queue();
    ASSERT_TRUE(manifest.ok()) << manifest.message();
    for (HostedRole& role : manifest.value().roles)
        role.flags.push_back("-DOTHER_QUEUE_EARLY_RELEASE");
    const auto kernels = made(manifest.value());
    ASSERT_NE(kernels, nullptr);
    const Hunted hunted = hunt_in(*kernels, 200);
    EXPECT_EQ(hunted.verdict.violation.property, "page-ownership/released-too-early");
    EXPECT_EQ(hunted.verdict.violation.place, "packets");
    EXPECT_EQ(hunted.verdict.violation.actor, "consumer");
    const std::vector<std::string> places = kernels->places();
    ASSERT_EQ(places.size(), 2u);
    EXPECT_EQ(places[1].rfind("consumer was at consumer.cpp:", 0), 0u) << places[1];
    EXPECT_NE(places[1].find("in give_back"), std::string::npos) << places[1];

    // The minimiser keeps to what the kernels are built for.
    RunOptions options;
    options.hosted = kernels.get();
    const MinimisedFinding small =
        minimise_finding(shared_runner(), hunted.scenario, hunted.verdict, options, 200);
    EXPECT_LE(small.scenario.ops.size(), 2u);
    Scenario adapted = small.scenario;
    kernels->adapt(adapted);
    EXPECT_TRUE(equal(adapted, small.scenario));
}

TEST(OwnRuntimeTest, AProducerThatCountsTooManyPagesIsFound) {
    const Result<Manifest> manifest = other_queue("\"packets.pages\"", "\"packets.pages * 2\"");
    ASSERT_TRUE(manifest.ok()) << manifest.message();
    const auto kernels = made(manifest.value());
    ASSERT_NE(kernels, nullptr);
    const Hunted hunted = hunt_in(*kernels, 500);
    EXPECT_EQ(hunted.verdict.violation.property, "page-ownership/conservation");
    EXPECT_EQ(hunted.verdict.violation.actor, "producer");
}

TEST(OwnRuntimeTest, AHangTellsWhoWaitsForWhom) {
    // The consumer gives its packets back to a word that nobody looks at.
    const Result<Manifest> manifest =
        other_queue("\"packets.credits\"", "\"packets.credits + 64\"");
    ASSERT_TRUE(manifest.ok()) << manifest.message();
    const auto kernels = made(manifest.value());
    ASSERT_NE(kernels, nullptr);
    const Hunted hunted = hunt_in(*kernels, 500);
    ASSERT_EQ(hunted.verdict.kind, VerdictKind::hang);
    const Violation& violation = hunted.verdict.violation;
    EXPECT_NE(violation.place.find("credits of packets"), std::string::npos) << violation.place;
    bool told = false;
    for (const std::string& line : violation.story)
        told = told || (line.rfind("producer waits for credits of packets", 0) == 0 &&
                        line.find("which consumer returns") != std::string::npos);
    EXPECT_TRUE(told) << ::testing::PrintToString(violation.story);
}

constexpr const char* kRaisedRing = R"(
runtime = "own"
[[role]]
name = "giver"
core = 1
sources = ["raised_ring_kernel.cpp"]
args = ["l1 + pages.credits", "taker.noc_xy", "pages.ready", "pages.base", "pages.pages", "l1 + 0x8000"]
[role.defines]
PRODUCER = ""
[[role]]
name = "taker"
core = 3
sources = ["raised_ring_kernel.cpp"]
args = ["l1 + pages.ready", "giver.noc_xy", "pages.credits", "l1 + pages.base", "pages.pages", "0x8000"]
[[ring]]
name = "pages"
producer = "giver"
consumer = "taker"
base = 0x4000
page_size = 32
pages = 3
ready = 0x1000
credits = 0x2000
[[geometry]]
name = "g"
)";

TEST(OwnRuntimeTest, RingsWhoseWordsAreRaisedBeginWithAllCredits) {
    for (const bool early : {false, true}) {
        Result<Manifest> manifest = manifest_from_toml(
            kRaisedRing, std::string(CQFUZZ_SOURCE_DIR) + "/tests/harness/hosting/kernels/m.toml");
        ASSERT_TRUE(manifest.ok()) << manifest.message();
        if (early) manifest.value().roles.back().flags.push_back("-DEARLY_RELEASE");
        const auto kernels = made(manifest.value());
        ASSERT_NE(kernels, nullptr);
        const Verdict verdict = hunt_in(*kernels, 300).verdict;
        EXPECT_EQ(verdict.bad(), early) << verdict.violation.summary;
        EXPECT_EQ(verdict.violation.property,
                  early ? "page-ownership/released-too-early" : std::string());
    }
}

TEST(OwnRuntimeTest, MistakesOfTheManifestAreTold) {
    const auto said = [](const std::string& what, const std::string& instead) {
        const Result<Manifest> manifest = other_queue(what, instead);
        if (!manifest) return manifest.message();
        const auto kernels = HostedKernels::make(
            manifest.value(), manifest.value().geometries.front(), build_place());
        return kernels ? std::string() : kernels.message();
    };
    const auto expect = [&](const std::string& what, const std::string& instead,
                            const std::string& message) {
        const std::string text = said(what, instead);
        EXPECT_NE(text.find(message), std::string::npos) << instead << ": " << text;
    };
    expect("page_size = 64", "page_size = 48", "ring packets: page_size: 48 is no power of two");
    expect("base = 0x20000", "base = 0x1ffff0", "no aligned place of L1");
    expect("pages = \"ring_pages\"", "pages = \"ring_page\"", "ring_pages");
    expect("producer = \"producer\"", "producer = \"prod\"", "there is no role \"prod\"");
    expect("core = 2", "core = 4", "core is a number from 0 to 3");
    expect("core = 2", "core = 0", "two roles on one core");
    expect("runtime = \"own\"", "runtime = \"dispatch\"", "no role \"producer\" can be hosted");
    expect("words = \"totals\"", "words = \"sums\"", "raised");
    expect("topology = { worker_cols = 1 }\n", "", "same topology and geometry");
}

}  // namespace
}  // namespace cqfuzz::hosting
