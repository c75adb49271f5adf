// host: somebody's own firmware on our silicon: build it, run a case on it, hunt in it.
#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "harness/cli/case_file.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/hosted.hpp"
#include "harness/cli/hosted_search.hpp"
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
    finding.replay =
        fmt::format("cqfuzz host run {} {}", manifest_words(arguments),
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
    const std::string expected = content.expected;
    const int code = tell(arguments, runner, kernels, content, verdict, kernels.places());
    if (const std::string missed = against_expectation(expected, verdict.kind); !missed.empty())
        fmt::print(stderr, "cqfuzz: {}\n", missed);
    return code;
}

int tell_found(const HostArguments& arguments, Runner& runner, const HostedTrial& trial) {
    HostedKernels& kernels = *trial.kernels;
    const RunOptions options = options_for(kernels);
    fmt::print("found after {} scenarios (seed {}):\n", trial.scenarios, arguments.seed);
    const MinimisedFinding small =
        minimise_finding(runner, trial.scenario, trial.verdict, options, arguments.runs_max);
    Case content;
    content.title = small.verdict.violation.summary;
    content.expected = name_of(small.verdict.kind);
    content.scenario = small.scenario;
    const Verdict again = runner.run(content.scenario, options);
    const std::vector<std::string> places = kernels.places();
    if (!arguments.out.empty()) {
        const std::string mistake = write_case(arguments.out, content);
        if (!mistake.empty()) return bad_input(mistake);
    }
    return tell(arguments, runner, kernels, content, again.bad() ? again : small.verdict, places);
}

int host_fuzz(const HostArguments& arguments, Hosted& hosted) {
    Runner runner;
    ProgressLine progress;
    const HostedTrial trial = search_hosted(
        hosted, runner, arguments.seed, arguments.scenarios, [&](const HostedTrial& so_far) {
            progress.show("hosted", so_far.scenarios, arguments.scenarios,
                          fmt::format("{} edges of the kernels", so_far.edges));
            return !interrupted();
        });
    const double seconds = progress.seconds();
    progress.clear();
    if (trial.found) return tell_found(arguments, runner, trial);
    fmt::print("{} scenarios, {}{} edges of the kernels, no finding; {:.0f} scenarios{} a second\n",
               trial.scenarios,
               trial.commands == 0 ? "" : fmt::format("{} dispatched commands, ", trial.commands),
               trial.edges, static_cast<double>(trial.scenarios) / seconds,
               trial.commands == 0 ? ""
                                   : fmt::format(" and {:.0f} commands",
                                                 static_cast<double>(trial.commands) / seconds));
    return interrupted() ? told_interrupted() : kExitPass;
}

// Trials of independent seeds: how long until something is found. Exit code 1 when some trial found
// nothing, as `hunt`'s.
int host_hunt(const HostArguments& arguments, Hosted& hosted) {
    Runner runner;
    std::vector<std::uint64_t> found;
    for (std::uint32_t t = 0; t < arguments.trials && !interrupted(); ++t) {
        ProgressLine progress;
        const HostedTrial trial =
            search_hosted(hosted, runner, arguments.seed + t, arguments.scenarios,
                          [&](const HostedTrial& so_far) {
                              progress.show(fmt::format("trial {}", t + 1), so_far.scenarios,
                                            arguments.scenarios);
                              return !interrupted();
                          });
        progress.clear();
        if (interrupted() && !trial.found) break;
        fmt::print("seed {:<6} {:<12} {:>10} scenarios  {}\n", arguments.seed + t,
                   trial.found ? name_of(trial.verdict.kind) : "not found", trial.scenarios,
                   trial.found ? trial.verdict.violation.signature() : "");
        if (trial.found) found.push_back(trial.scenarios);
    }
    if (interrupted()) return told_interrupted();
    std::sort(found.begin(), found.end());
    fmt::print("found in {} of {} trials{}\n", found.size(), arguments.trials,
               found.empty() ? ""
                             : fmt::format("; scenarios: median {}, most {}",
                                           found[(found.size() - 1) / 2], found.back()));
    return found.size() == arguments.trials ? kExitPass : 1;
}

}  // namespace

int command_host(const HostArguments& arguments) {
    Result<Hosted> built = build_all(arguments);
    if (!built) {  // the compiler's words are many lines
        fmt::print(stderr, "cqfuzz: {}\n", printable_lines(built.message()));
        return kExitBadUsage;
    }
    Hosted hosted = built.take();
    switch (arguments.what) {
        case HostAction::build:
            fmt::print("{} roles for {} geometries are built\n", hosted.manifest.roles.size(),
                       hosted.manifest.geometries.size());
            return kExitPass;
        case HostAction::run: return host_run(arguments, hosted);
        case HostAction::diff: return host_diff(arguments, hosted);
        case HostAction::hunt: return host_hunt(arguments, hosted);
        case HostAction::fuzz: break;
    }
    return host_fuzz(arguments, hosted);
}

}  // namespace cqfuzz::cli
