// Kernels of the tests: manifests that put them in the late-2024 dispatcher's place, and the
// machine they run on.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "harness/hosting/hosted_kernels.hpp"
#include "harness/scenario/rich.hpp"
#include "harness/scenario/verbs.hpp"

namespace cqfuzz::hosting {

// One machine lives at a time.
inline Runner& shared_runner() {
    static Runner instance;
    return instance;
}

inline BuildPlace build_place() {
    return {"clang++", CQFUZZ_SOURCE_DIR,
            (std::filesystem::temp_directory_path() / "cqfuzz-test-objects").string()};
}

inline std::string text_of(const std::string& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

// With `define` for every role.
inline Manifest example_manifest(const std::string& folder, const std::string& define = "") {
    const std::string path =
        std::string(CQFUZZ_SOURCE_DIR) + "/examples/" + folder + "/manifest.toml";
    Result<Manifest> read = manifest_from_toml(text_of(path), path);
    EXPECT_TRUE(read.ok()) << read.message();
    Manifest manifest = read.take();
    if (!define.empty())
        for (HostedRole& role : manifest.roles) role.flags.push_back("-D" + define);
    return manifest;
}
inline Manifest late_manifest(const std::string& define = "") {
    return example_manifest("late_2024_dispatcher", define);
}
inline Manifest sample_manifest(const std::string& define = "") {
    return example_manifest("sample_firmware", define);
}

// A dispatcher of tests/harness/hosting/kernels; its one argument is its own L1.
inline Manifest test_manifest(const std::string& file, const std::string& define = "") {
    Manifest manifest = late_manifest(define);
    HostedRole& role = manifest.roles.front();
    role.sources = {std::string(CQFUZZ_SOURCE_DIR) + "/tests/harness/hosting/kernels/" + file};
    role.args = {"l1"};
    role.edge_budget = 100'000;
    return manifest;
}

inline std::unique_ptr<HostedKernels> made(const Manifest& manifest) {
    auto kernels = HostedKernels::make(manifest, manifest.geometries.front(), build_place());
    EXPECT_TRUE(kernels.ok()) << kernels.message();
    return kernels.ok() ? kernels.take() : nullptr;
}

inline Verdict run_rich(HostedKernels& kernels, std::uint32_t oracles = kAllOracles) {
    RunOptions options;
    options.oracles = oracles;
    options.hosted = &kernels;
    Scenario scenario = rich_scenario();
    kernels.adapt(scenario);
    return shared_runner().run(scenario, options);
}

}  // namespace cqfuzz::hosting
