// host: somebody's own firmware on our silicon: build it, run a case on it, hunt in it.
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <set>
#include <system_error>

#include "harness/cli/case_file.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/file_bytes.hpp"
#include "harness/cli/order_needed.hpp"
#include "harness/cli/report_files.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/hosting/hosted_kernels.hpp"
#include "harness/report/printable.hpp"
#include "harness/report/text_report.hpp"
#include "harness/scenario/verbs.hpp"
#include "harness/search/hunt.hpp"

namespace cqfuzz::cli {

namespace {

namespace fs = std::filesystem;
using hosting::HostedKernels;
using hosting::Manifest;

constexpr std::uint32_t kOpsMax = 64;
constexpr std::size_t kPoolMax = 256;

// Kernels loaded once per geometry; runs take turns.
struct Hosted {
    Manifest manifest;
    std::vector<std::unique_ptr<HostedKernels>> kernels;  // by geometry
};

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

RunOptions options_for(HostedKernels& kernels) {
    RunOptions options;
    options.hosted = &kernels;
    options.on_progress = [](std::uint32_t) { return !interrupted(); };
    return options;
}

// The report, with where each kernel was; the case, when a file for it was named.
int tell(const HostArguments& arguments, Runner& runner, HostedKernels& kernels, Case content,
         const Verdict& verdict, const std::vector<std::string>& places) {
    const MachineView view = runner.view();
    const RunStats stats = runner.stats();
    Verdict told = verdict;
    if (told.bad())
        for (const std::string& place : places) told.violation.story.push_back(place);
    Finding finding;
    finding.verdict = &told;
    finding.scenario = &content.scenario;
    finding.view = &view;
    finding.stats = &stats;
    finding.fingerprint = runner.fingerprint();
    finding.title = content.title;
    finding.path = arguments.out.empty() ? arguments.file : arguments.out;
    finding.order_run = content.scenario.order;
    finding.replay = fmt::format(
        "cqfuzz host run {}{} {}", shell_path(arguments.manifest),
        [&] {
            std::string flags;
            for (const std::string& d : arguments.defines) flags += " --define " + shell_word(d);
            return flags;
        }(),
        finding.path.empty() ? "FILE (--output writes it)" : shell_path(finding.path));
    RunOptions options = options_for(kernels);
    if (told.bad()) finding.order_needed = order_needed(runner, content.scenario, options, verdict);
    fmt::print("{}", text_report(finding, {.verbose = true, .colour = wants_colour()}));
    const std::string mistake =
        write_report_files(arguments.files, finding, case_to_toml(content), runner, options);
    if (!mistake.empty()) return bad_input(mistake);
    return exit_code_of(verdict.kind);
}

int host_run(const HostArguments& arguments, Hosted& hosted) {
    Result<Case> read = load_case(arguments.file);
    if (!read) return bad_input(read.message());
    Case content = read.take();
    Runner runner;
    // The first geometry, unless the case has another one's.
    std::size_t chosen = 0;
    for (std::size_t g = 0; g < hosted.kernels.size(); ++g) {
        Scenario adapted = content.scenario;
        hosted.kernels[g]->adapt(adapted);
        if (equal(adapted, content.scenario)) chosen = g;
    }
    HostedKernels& kernels = *hosted.kernels[chosen];
    kernels.adapt(content.scenario);
    const Verdict verdict = runner.run(content.scenario, options_for(kernels));
    if (interrupted()) return told_interrupted();
    return tell(arguments, runner, kernels, content, verdict, kernels.places());
}

// Scenarios that reached something new, in the domain or in the kernels.
class Pool {
public:
    bool empty() const { return entries_.empty(); }
    const Scenario& pick(Rng& rng) const {
        return entries_[rng.below(static_cast<std::uint32_t>(entries_.size()))];
    }
    void consider(const Scenario& scenario, const std::vector<std::uint16_t>& features,
                  const std::vector<std::uint32_t>& edges, Rng& rng) {
        bool is_new = false;
        for (const std::uint16_t feature : features) is_new |= features_.insert(feature).second;
        for (const std::uint32_t edge : edges) is_new |= edges_.insert(edge).second;
        if (!is_new) return;
        if (entries_.size() < kPoolMax) {
            entries_.push_back(scenario);
        } else {
            entries_[rng.below(static_cast<std::uint32_t>(kPoolMax))] = scenario;
        }
    }
    std::size_t edges() const { return edges_.size(); }

private:
    std::vector<Scenario> entries_;
    std::set<std::uint16_t> features_;
    std::set<std::uint32_t> edges_;
};

Scenario next_scenario(const Pool& pool, std::uint64_t number, Rng& rng) {
    const Domain domain = kHuntMix[number % kHuntMix.size()];
    if (pool.empty() || rng.below(2) == 0) return generate(domain, rng, kOpsMax);
    Scenario scenario = pool.pick(rng);
    mutate(scenario, domain, rng, kOpsMax);
    return scenario;
}

int host_fuzz(const HostArguments& arguments, Hosted& hosted) {
    Runner runner;
    Pool pool;
    Rng rng(arguments.seed);
    ProgressLine progress;
    std::uint64_t done = 0;
    std::uint64_t commands = 0;
    for (; done < arguments.scenarios && !interrupted(); ++done) {
        HostedKernels& kernels = *hosted.kernels[done % hosted.kernels.size()];
        Scenario scenario = next_scenario(pool, done, rng);
        kernels.adapt(scenario);
        const RunOptions options = options_for(kernels);
        const Verdict verdict = runner.run(scenario, options);
        if (interrupted()) break;
        commands += runner.stats().dispatched_commands;
        if (verdict.bad()) {
            progress.clear();
            fmt::print("found after {} scenarios (seed {}):\n", done + 1, arguments.seed);
            const MinimisedFinding small =
                minimise_finding(runner, scenario, verdict, options, arguments.runs_max);
            Case content;
            content.title = small.verdict.violation.summary;
            content.expected = name_of(small.verdict.kind);
            content.scenario = small.scenario;
            kernels.adapt(content.scenario);
            const Verdict again = runner.run(content.scenario, options);
            const std::vector<std::string> places = kernels.places();
            if (!arguments.out.empty()) {
                const std::string mistake = write_case(arguments.out, content);
                if (!mistake.empty()) return bad_input(mistake);
            }
            return tell(arguments, runner, kernels, content, again.bad() ? again : small.verdict,
                        places);
        }
        pool.consider(scenario, runner.reach().features(), kernels.edges(), rng);
        progress.show("hosted", done + 1, arguments.scenarios,
                      fmt::format("{} edges of the kernels", pool.edges()));
    }
    const double seconds = progress.seconds();
    progress.clear();
    fmt::print(
        "{} scenarios, {} dispatched commands, {} edges of the kernels, no finding; {:.0f} "
        "scenarios and {:.0f} commands a second\n",
        done, commands, pool.edges(), static_cast<double>(done) / seconds,
        static_cast<double>(commands) / seconds);
    return interrupted() ? told_interrupted() : kExitPass;
}

}  // namespace

int command_host(const HostArguments& arguments) {
    Result<Hosted> built = build_all(arguments);
    if (!built) return bad_input(built.message());
    Hosted hosted = built.take();
    switch (arguments.what) {
        case HostAction::build:
            fmt::print("{} roles for {} geometries are built\n", hosted.manifest.roles.size(),
                       hosted.manifest.geometries.size());
            return kExitPass;
        case HostAction::run: return host_run(arguments, hosted);
        case HostAction::fuzz: break;
    }
    return host_fuzz(arguments, hosted);
}

}  // namespace cqfuzz::cli
