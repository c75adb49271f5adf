#include "harness/hosting/manifest.hpp"

#include <gtest/gtest.h>

namespace cqfuzz::hosting {
namespace {

const Names kNames{{"a", 7}, {"ring.base", 0x1000}, {"ring.pages", 16}};

TEST(ExpressionTest, ComputesAsCDoes) {
    EXPECT_EQ(evaluate("1 + 2 * 3", kNames).value(), 7u);
    EXPECT_EQ(evaluate("(1 + 2) * 3 - 10 / 4 % 2", kNames).value(), 9u);
    EXPECT_EQ(evaluate("ring.base + (ring.pages << 10)", kNames).value(), 0x1000u + (16u << 10));
    EXPECT_EQ(evaluate("0xffffffff + 1", kNames).value(), 0u);
    EXPECT_EQ(evaluate("1 << 40", kNames).value(), 0u);
}

TEST(ExpressionTest, MistakesAreToldWithTheirPlace) {
    const auto said = [](std::string_view text) { return evaluate(text, kNames).message(); };
    EXPECT_NE(said("1 +").find("character 4"), std::string::npos) << said("1 +");
    EXPECT_NE(said("(1").find("a ) is missing"), std::string::npos);
    EXPECT_NE(said("1 / 0").find("division by zero"), std::string::npos);
    EXPECT_NE(said("ring.page").find("ring.pages"), std::string::npos) << said("ring.page");
    EXPECT_NE(said("1 2").find("no meaning"), std::string::npos);
    EXPECT_NE(said("99999999999").find("32 bits"), std::string::npos);
    EXPECT_FALSE(evaluate(std::string(100'000, '('), kNames).ok());
}

constexpr const char* kWhole = R"(
[[role]]
name = "dispatch_hd"
sources = ["k.cpp"]
args = ["l1 + dispatch.ring_base", 5]
[role.defines]
PAGES = "dispatch.pages"
[[geometry]]
name = "g"
topology = { worker_cols = 2 }
geometry = { dispatch_log_page = 12 }
)";

TEST(ManifestTest, ReadsRolesAndGeometries) {
    const Result<Manifest> read = manifest_from_toml(kWhole, "folder/m.toml");
    ASSERT_TRUE(read.ok()) << read.message();
    const Manifest& manifest = read.value();
    ASSERT_EQ(manifest.roles.size(), 1u);
    EXPECT_EQ(manifest.roles[0].sources.front(), "folder/k.cpp");
    EXPECT_EQ(manifest.roles[0].args[1], "5");
    const Names names = names_for(manifest, manifest.roles[0], manifest.geometries[0]);
    EXPECT_EQ(names.at("dispatch.page_size"), 4096u);
    const std::uint32_t base = evaluate(manifest.roles[0].args[0], names).value();
    EXPECT_EQ(base % 4096, 0u) << "a ring lies on its pages";
    EXPECT_GE(base, 0x10000000u);
}

TEST(ManifestTest, MistakesNameFileAndLine) {
    const auto said = [](std::string text) { return manifest_from_toml(text, "m.toml").message(); };
    EXPECT_NE(said("x = ").find("m.toml:1"), std::string::npos) << said("x = ");
    EXPECT_NE(said("roles = 1").find("there is no key \"roles\""), std::string::npos);
    EXPECT_NE(said("[[role]]\nname = \"worker\"\nsources = [\"a\"]").find("dispatch_hd"),
              std::string::npos);
    EXPECT_NE(said("").find("no [[role]]"), std::string::npos);
    std::string wrong = kWhole;
    wrong.replace(wrong.find("dispatch_log_page = 12"), 22, "dispatch_log_page = 13");
    EXPECT_NE(said(wrong).find("dispatch_log_page"), std::string::npos) << said(wrong);
    wrong = kWhole;
    wrong.replace(wrong.find("worker_cols = 2"), 15, "chips = 2");
    EXPECT_NE(said(wrong).find("on one chip"), std::string::npos) << said(wrong);
    wrong = kWhole;
    wrong.replace(wrong.find("worker_cols = 2"), 15, "worker_colz = 2");
    EXPECT_NE(said(wrong).find("worker_colz"), std::string::npos) << said(wrong);
    EXPECT_NE(said("generation = \"2031\"").find("mid-2024"), std::string::npos);
    EXPECT_NE(said("generation = \"mid-2024\"\nstimuli = \"host\"").find("stimuli"),
              std::string::npos);
    EXPECT_NE(said("encoding.dispatch.WRITE_LINER = 1").find("WRITE_LINER"), std::string::npos);
    EXPECT_NE(said("encoding.prefetch.STALL = true").find("255"), std::string::npos);
}

TEST(ManifestTest, EncodingIsTheGenerationsAndWhatIsWrittenOverIt) {
    std::string text = "generation = \"mid-2024\"\n";
    text += "[encoding]\nprefetch = { TERMINATE = 10, STALL = false }\n";
    text += "dispatch = { SET_WRITE_OFFSET = 14, TERMINATE = 15 }\n";
    const Result<Manifest> read = manifest_from_toml(text + kWhole, "m.toml");
    ASSERT_TRUE(read.ok()) << read.message();
    rt::Generation encoding = read.value().encoding;
    EXPECT_EQ(read.value().stimuli, Stimuli::commands);
    EXPECT_EQ(encoding.id(rt::PrefetchId::terminate), 10);
    EXPECT_FALSE(encoding.has(rt::PrefetchId::stall));
    EXPECT_EQ(encoding.id(rt::DispatchId::set_write_offset), 14);
    EXPECT_EQ(encoding.id(rt::DispatchId::terminate), 15);
    EXPECT_FALSE(encoding.has(rt::DispatchId::sink));
}

}  // namespace
}  // namespace cqfuzz::hosting
