#include "harness/cli/hosted.hpp"

#include <fmt/core.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "harness/cli/file_bytes.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/report/printable.hpp"
#include "harness/search/hunt.hpp"

namespace cqfuzz::cli {

namespace {

namespace fs = std::filesystem;
using hosting::HostedKernels;
using hosting::Manifest;

Result<Manifest> read_manifest(const HostArguments& arguments) {
    const Result<std::string> text = read_file(arguments.manifest);
    if (!text) return Error{text.message()};
    Result<Manifest> read = hosting::manifest_from_toml(text.value(), arguments.manifest);
    if (!read) return read;
    for (const std::string& define : arguments.defines)
        for (hosting::HostedRole& role : read.value().roles) role.flags.push_back("-D" + define);
    return read;
}

hosting::BuildPlace place_of(const HostArguments& arguments) {
    hosting::BuildPlace place;
    place.compiler = arguments.compiler;
    place.sdk = arguments.sdk.empty() ? CQFUZZ_SDK_DIR : arguments.sdk;
    place.cache = arguments.cache;
    if (place.cache.empty()) {
        const char* home = std::getenv("XDG_CACHE_HOME");
        place.cache = home != nullptr && *home != '\0'
                          ? std::string(home) + "/cqfuzz"
                          : (fs::temp_directory_path() / "cqfuzz-objects").string();
    }
    return place;
}

}  // namespace

Result<Hosted> build_all(const HostArguments& arguments) {
    Result<Manifest> manifest = read_manifest(arguments);
    if (!manifest) return Error{manifest.message()};
    Hosted hosted;
    hosted.manifest = manifest.take();
    for (const hosting::HostedGeometry& geometry : hosted.manifest.geometries) {
        Result<std::unique_ptr<HostedKernels>> made =
            HostedKernels::make(hosted.manifest, geometry, place_of(arguments));
        if (!made) return Error{fmt::format("geometry \"{}\": {}", geometry.name, made.message())};
        hosted.kernels.push_back(made.take());
    }
    return hosted;
}

std::string manifest_words(const HostArguments& arguments) {
    std::string words = shell_path(arguments.manifest);
    for (const std::string& define : arguments.defines) words += " --define " + shell_word(define);
    return words;
}

RunOptions options_for(HostedKernels& kernels) {
    RunOptions options;
    options.hosted = &kernels;
    options.on_progress = [](std::uint32_t) { return !interrupted(); };
    return options;
}

HostedKernels& kernels_of(Hosted& hosted, const Scenario& scenario) {
    for (const std::unique_ptr<HostedKernels>& kernels : hosted.kernels) {
        Scenario adapted = scenario;
        kernels->adapt(adapted);
        if (equal(adapted, scenario)) return *kernels;
    }
    return *hosted.kernels.front();
}

Domain domain_of(const Manifest& manifest, std::uint64_t n) {
    constexpr std::array kHost{Domain::trace_replay, Domain::semaphore_multicast};
    switch (manifest.stimuli) {
        case hosting::Stimuli::commands: return Domain::command_stream;
        case hosting::Stimuli::host: return kHost[n % kHost.size()];
        case hosting::Stimuli::both: break;
    }
    return kHuntMix[n % kHuntMix.size()];
}

}  // namespace cqfuzz::cli
