// host diff: the same streams of commands on the built-in firmware and on hosted kernels.
#include <fmt/core.h>

#include "harness/cli/case_file.hpp"
#include "harness/cli/hosted.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/hosting/differential.hpp"
#include "harness/report/printable.hpp"

namespace cqfuzz::cli {

namespace {

using hosting::Difference;

constexpr int kExitDiffers = 1;

// What happened, when it was not the same; "" when it was.
std::string told(const Difference& difference) {
    if (difference.built_in.bad())
        return fmt::format("on the built-in firmware: {}: {}", name_of(difference.built_in.kind),
                           difference.built_in.violation.summary);
    if (difference.hosted.bad())
        return fmt::format("on the hosted kernels: {}: {}", name_of(difference.hosted.kind),
                           difference.hosted.violation.summary);
    std::string text;
    for (const std::string& line : difference.lines) text += (text.empty() ? "" : "\n  ") + line;
    return text;
}

int tell_difference(const HostArguments& arguments, const Scenario& scenario,
                    const Difference& difference, const std::string& which) {
    fmt::print("{}: different\n  {}\n", which, told(difference));
    if (arguments.out.empty()) return kExitDiffers;
    Case content;
    content.title = "Built-in and hosted firmware do different things.";
    content.expected = name_of(VerdictKind::pass);
    content.scenario = scenario;
    const std::string mistake = write_case(arguments.out, content);
    if (!mistake.empty()) return bad_input(mistake);
    fmt::print("  cqfuzz host diff {} {}\n", manifest_words(arguments), shell_path(arguments.out));
    return kExitDiffers;
}

int diff_file(const HostArguments& arguments, Hosted& hosted) {
    Result<Case> read = load_case(arguments.file);
    if (!read) return bad_input(read.message());
    Scenario scenario = read.take().scenario;
    if (scenario.commands.empty())
        return bad_input(arguments.file +
                         ": a case of host actions; host diff takes streams of commands");
    hosting::HostedKernels& kernels = kernels_of(hosted, scenario);
    kernels.adapt(scenario);
    Runner runner;
    const Difference difference = hosting::compare(runner, kernels, scenario);
    if (!told(difference).empty())
        return tell_difference(arguments, scenario, difference, arguments.file);
    fmt::print("{}: alike\n", arguments.file);
    return kExitPass;
}

}  // namespace

int host_diff(const HostArguments& arguments, Hosted& hosted) {
    if (hosted.manifest.own_runtime)
        return bad_input(arguments.manifest +
                         ": a runtime of its own, which takes no commands that both could run");
    if (!arguments.file.empty()) return diff_file(arguments, hosted);
    Runner runner;
    Rng rng(arguments.seed);
    ProgressLine progress;
    std::uint64_t done = 0;
    for (; done < arguments.scenarios && !interrupted(); ++done) {
        hosting::HostedKernels& kernels = *hosted.kernels[done % hosted.kernels.size()];
        Scenario scenario = generate(Domain::command_stream, rng, kHostedOpsMax);
        kernels.adapt(scenario);
        const Difference difference = hosting::compare(runner, kernels, scenario);
        if (interrupted()) break;
        if (!told(difference).empty()) {
            progress.clear();
            return tell_difference(arguments, scenario, difference,
                                   fmt::format("stream {} of seed {}", done + 1, arguments.seed));
        }
        progress.show("compared", done + 1, arguments.scenarios, "");
    }
    progress.clear();
    fmt::print("{} streams, all alike\n", done);
    return interrupted() ? told_interrupted() : kExitPass;
}

}  // namespace cqfuzz::cli
