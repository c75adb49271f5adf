// host: somebody's own firmware on our silicon: build it, run a case on it, hunt in it.
#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "harness/cli/case_file.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/hosted.hpp"
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

using hosting::HostedKernels;

constexpr std::size_t kPoolMax = 256;

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
    if (content.scenario.commands.empty() && hosted.manifest.stimuli == hosting::Stimuli::commands)
        return bad_input(arguments.file +
                         ": a case of host actions; these kernels take streams of commands (what "
                         "target command_stream draws)");
    HostedKernels& kernels = kernels_of(hosted, content.scenario);
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

Scenario next_scenario(const Pool& pool, Domain domain, Rng& rng) {
    if (pool.empty() || rng.below(2) == 0) return generate(domain, rng, kHostedOpsMax);
    Scenario scenario = pool.pick(rng);
    mutate(scenario, domain, rng, kHostedOpsMax);
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
        Scenario scenario = next_scenario(pool, domain_of(hosted.manifest, done), rng);
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
        case HostAction::diff: return host_diff(arguments, hosted);
        case HostAction::fuzz: break;
    }
    return host_fuzz(arguments, hosted);
}

}  // namespace cqfuzz::cli
