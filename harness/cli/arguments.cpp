#include "harness/cli/arguments.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <limits>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "harness/base/violation.hpp"
#include "harness/report/printable.hpp"
#include "harness/run/run.hpp"
#include "harness/scenario/domain.hpp"
#include "harness/search/hunt_arm.hpp"

namespace cqfuzz::cli {

namespace {

constexpr const char* kExitCodes =
    "Exit codes: 0 pass, 10 violation, 11 hang, 12 livelock, 13 refused, 20 harness fault (we are "
    "wrong),\n"
    "2 bad usage or input, 130 interrupted; diff: 1 the runs differ; hunt: 1 some trial did not "
    "find the fault;\n"
    "fingerprint: 1 some case did not end as it says.";

constexpr std::uint64_t kHuntScenariosMax = 100'000;
constexpr std::uint32_t kHuntOpsMax = 256;
constexpr std::uint32_t kMinimizeRunsMax = 20'000;

// Digits and nothing else: CLI11 takes a sign, and counts on from the largest number at zero.
CLI::Validator whole_number(std::uint64_t least,
                            std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) {
    const std::string range = most == std::numeric_limits<std::uint64_t>::max()
                                  ? "of " + std::to_string(least) + " or more, below 2^64"
                                  : "from " + std::to_string(least) + " to " + std::to_string(most);
    const auto check = [least, most, range](const std::string& text) -> std::string {
        std::uint64_t value = 0;
        const char* const end = text.data() + text.size();
        const auto [at, error] = std::from_chars(text.data(), end, value);
        const bool good = error == std::errc{} && at == end && value >= least && value <= most;
        return good ? "" : "\"" + text + "\" is not a whole number " + range;
    };
    return CLI::Validator([check](std::string& text) { return check(text); }, "");
}

// Everything CLI11 writes into; the chosen command is moved out of it.
struct Parsed {
    RunArguments run;
    DiffArguments diff;
    StressArguments stress;
    HuntArguments hunt;
    MinimizeArguments minimize;
    ConvertArguments convert;
    FingerprintArguments fingerprint;
    FaultsArguments faults;
    ExplainArguments explain;
    HostArguments host;
    KeepArguments keep;
    TriageArguments triage;
    SeedArguments seed;
    CorpusArguments corpus;
    CoverageArguments coverage;
    std::string order;
    std::vector<std::string> relax;
};

std::vector<std::string> target_names() {
    std::vector<std::string> names;
    for (const DomainName& entry : kDomainNames) names.emplace_back(entry.name);
    return names;
}

constexpr const char* kFaultHelp =
    "Turn a fault of the runtime on (`cqfuzz faults` lists them; none: the sound runtime)";

void add_order(CLI::App* command, Parsed& parsed, const char* help) {
    command->add_option("--order", parsed.order, help)
        ->check(CLI::IsMember({"O0", "O1", "O2", "O3"}));
    command
        ->add_option("--relax", parsed.relax,
                     "Of what O3 gives up beyond O2, only these (docs/ordering.md)")
        ->delimiter(',')
        ->check(CLI::IsMember(
            std::vector<std::string>(kRelaxationNames.begin(), kRelaxationNames.end())));
}

std::optional<OrderLevel> order_of(const Parsed& parsed) {
    if (parsed.order.empty()) return std::nullopt;
    return static_cast<OrderLevel>(parsed.order[1] - '0');
}

std::uint8_t relaxed_of(const Parsed& parsed) {
    if (parsed.relax.empty()) return kRelaxAll;
    std::uint8_t bits = 0;
    for (std::size_t i = 0; i < kRelaxationNames.size(); ++i)
        for (const std::string& name : parsed.relax)
            if (name == kRelaxationNames[i]) bits = static_cast<std::uint8_t>(bits | 1u << i);
    return bits;
}

CLI::App* add_run(CLI::App& app, Parsed& parsed) {
    CLI::App* command =
        app.add_subcommand("run", "Run a case (TOML) or an encoded scenario and judge it");
    RunArguments& a = parsed.run;
    a.moves_max = RunOptions{}.moves_max;
    command->add_option("FILE", a.file, "A case, or what a fuzz target left")->required();
    command->add_option("--fault", a.fault, kFaultHelp);
    add_order(command, parsed, "Run at this order level instead of the scenario's");
    command->add_flag("--twice", a.twice, "Run it twice and show the first log entry that differs");
    command
        ->add_option("--schedule-seeds", a.schedule_seeds,
                     "Run it under so many schedules and count the verdicts")
        ->check(whole_number(1, 1'000'000));
    command->add_option("--without-oracle", a.without_oracles,
                        "Switch an oracle off (may be given again)");
    command
        ->add_option("--moves-max", a.moves_max, "Simulated moves after which the run is given up")
        ->capture_default_str()
        ->check(whole_number(1));
    command->add_flag("--verbose", a.verbose, "The whole report");
    command->add_flag("--json", a.json, "The report as JSON");
    command->add_option("--html", a.files.html, "Write a page with the rings over time");
    command->add_option("--perfetto", a.files.perfetto, "Write a trace for ui.perfetto.dev");
    command->add_option("--sarif", a.files.sarif, "Write the finding as SARIF 2.1.0");
    command->add_option("--junit", a.files.junit, "Write the verdict as JUnit XML");
    command->add_option("--commands", a.files.commands,
                        "Write the words of the issue queue, for a test on hardware");
    return command;
}

CLI::App* add_diff(CLI::App& app, Parsed& parsed) {
    CLI::App* command =
        app.add_subcommand("diff", "Run two files and show the first log entry that differs");
    command->add_option("A", parsed.diff.first, "A case or an encoded scenario")->required();
    command->add_option("B", parsed.diff.second, "Another one")->required();
    command->add_option("--fault", parsed.diff.fault, kFaultHelp);
    return command;
}

CLI::App* add_stress(CLI::App& app, Parsed& parsed) {
    CLI::App* command = app.add_subcommand("stress", "Run a load that real machines run");
    StressArguments& a = parsed.stress;
    a.layers = 80;
    a.iterations = 20;
    command->add_option("LOAD", a.load, "llama-decode: a decode trace, captured once and replayed")
        ->required()
        ->check(CLI::IsMember({"llama-decode"}));
    command->add_option("--layers", a.layers, "Layers in the trace")
        ->capture_default_str()
        ->check(whole_number(1, 1000));
    command->add_option("--iterations", a.iterations, "Replays")
        ->capture_default_str()
        ->check(whole_number(1, 1'000'000));
    command->add_option("--chips", a.chips, "Chips: one, or pairs over a tunnel")
        ->capture_default_str()
        ->check(CLI::IsMember({1, 2, 4, 6, 8}));
    command->add_option("--schedule", a.schedule, "How moves are picked")
        ->capture_default_str()
        ->check(CLI::IsMember({"in_order", "random_walk"}));
    command->add_option("--schedule-seed", a.schedule_seed, "Of a random walk")
        ->capture_default_str()
        ->check(whole_number(0, 0xffffffff));
    command->add_option("--fault", a.fault, kFaultHelp);
    command->add_flag("--verbose", a.verbose, "The whole report");
    command->add_flag("--json", a.json, "The report as JSON");
    return command;
}

CLI::App* add_hunt(CLI::App& app, Parsed& parsed) {
    CLI::App* command = app.add_subcommand(
        "hunt", "Count scenarios and moves until a fault is found, from nothing");
    HuntArguments& a = parsed.hunt;
    a.scenarios_max = kHuntScenariosMax;
    a.ops_max = kHuntOpsMax;
    command
        ->add_option(
            "FAULT", a.fault,
            "A name of `cqfuzz faults`; none: the sound runtime, where nothing may be found")
        ->required();
    command->add_option("--trials", a.trials, "Independent trials, one process each")
        ->capture_default_str()
        ->check(whole_number(1, 10'000));
    command
        ->add_option("--seed", a.seed, "Seed of the first trial; each next one has the next seed")
        ->capture_default_str()
        ->check(whole_number(0));
    command
        ->add_option("--scenarios-max", a.scenarios_max, "Give a trial up after so many scenarios")
        ->capture_default_str()
        ->check(whole_number(1));
    command->add_option("--ops-max", a.ops_max, "Host actions in a scenario")
        ->capture_default_str()
        ->check(whole_number(1, 256));
    command->add_option("--jobs", a.jobs, "Trials at a time (default: one per core)")
        ->check(whole_number(1, 256));
    command->add_option("--target", a.target, "Draw scenarios of one fuzz target only")
        ->check(CLI::IsMember(target_names()));
    add_order(command, parsed, "Run every scenario at this order level");
    command->add_option("--keep", a.keep, "Write what was found into this folder, made if need be");
    command->add_option("--known", a.known,
                        "File of signatures with notes: such findings are counted and passed over");
    command->add_option("--stats-json", a.stats_json,
                        "Write how far it is into this file, again and again");
    command->add_flag("--reach", a.reach,
                      "Print which commands, roles and block phases were reached");
    command->add_flag("--json", a.json, "The trials as JSON");
    std::vector<std::string> arms;
    for (const HuntArmName& arm : kHuntArms) arms.emplace_back(arm.name);
    command->add_option("--arms", a.arms, "hunt all: ways to draw scenarios, to be compared")
        ->delimiter(',')
        ->check(CLI::IsMember(arms))
        ->group("A campaign over faults: hunt all");
    command
        ->add_option("--faults", a.faults,
                     "These faults alone, in this order (none: the sound runtime)")
        ->delimiter(',')
        ->group("A campaign over faults: hunt all");
    command
        ->add_option("--results", a.results,
                     "Append each trial to this file of JSON lines; what it holds is not run again")
        ->group("A campaign over faults: hunt all");
    command->add_option("--budget-minutes", a.budget_minutes, "Begin no trial after so long")
        ->check(whole_number(1, 100'000))
        ->group("A campaign over faults: hunt all");
    command->add_flag("--table-only", a.table_only, "Run nothing: the table of what the file holds")
        ->group("A campaign over faults: hunt all");
    command
        ->add_flag("--must-find", a.must_find, "Exit code 1 when no trial found one of the faults")
        ->group("A campaign over faults: hunt all");
    return command;
}

CLI::App* add_minimize(CLI::App& app, Parsed& parsed) {
    CLI::App* command = app.add_subcommand(
        "minimize", "Make a failing scenario as small as it still fails in the same way");
    MinimizeArguments& a = parsed.minimize;
    a.runs_max = kMinimizeRunsMax;
    command->add_option("FILE", a.file, "A case or an encoded scenario")->required();
    command->add_option("-o,--output", a.out, "Where the small one goes; .toml: as a case")
        ->required();
    command->add_option("--fault", a.fault, kFaultHelp);
    command->add_option("--gtest", a.gtest, "Write a GoogleTest that holds the small scenario");
    command->add_option("--runs-max", a.runs_max, "Runs to spend")
        ->capture_default_str()
        ->check(whole_number(2, 10'000'000));
    return command;
}

CLI::App* add_explain(CLI::App& app, Parsed& parsed) {
    CLI::App* command = app.add_subcommand(
        "explain", "Run, minimise, tell the story and write the page, in one go");
    ExplainArguments& a = parsed.explain;
    a.runs_max = kMinimizeRunsMax;
    a.out = ".";
    command->add_option("FILE", a.file, "A case, or what a fuzz target left")->required();
    command->add_option("--fault", a.fault, kFaultHelp);
    command->add_option("-o,--output", a.out, "Folder for the small case and the page")
        ->capture_default_str();
    command->add_option("--runs-max", a.runs_max, "Runs to spend on minimising")
        ->capture_default_str()
        ->check(whole_number(2, 10'000'000));
    return command;
}

CLI::App* add_host(CLI::App& app, Parsed& parsed) {
    CLI::App* command = app.add_subcommand("host", "Your own firmware on the simulated silicon");
    command->require_subcommand(1);
    HostArguments& a = parsed.host;
    a.runs_max = kMinimizeRunsMax;
    CLI::App* build = command->add_subcommand("build", "Compile the kernels of a manifest");
    CLI::App* run = command->add_subcommand("run", "Run a case with the kernels");
    CLI::App* fuzz = command->add_subcommand("fuzz", "Draw scenarios until the kernels fail");
    CLI::App* diff = command->add_subcommand(
        "diff", "Run streams of commands on the built-in firmware and on the kernels, and compare");
    CLI::App* hunt = command->add_subcommand(
        "hunt", "Count scenarios until the kernels fail, in independent trials");
    for (CLI::App* one : {build, run, fuzz, hunt, diff}) {
        one->add_option("MANIFEST", a.manifest, "What the firmware is made of, .toml")->required();
        one->add_option("--define", a.defines, "NAME or NAME=VALUE for every source");
        one->add_option("--compiler", a.compiler, "A clang++")->capture_default_str();
        one->add_option("--sdk", a.sdk, "Folder of cqfuzz's sources (default: where it was built)");
        one->add_option("--cache", a.cache, "Folder for the objects");
    }
    run->add_option("FILE", a.file, "A case, or an encoded scenario")->required();
    for (CLI::App* one : {run, fuzz})
        one->add_option("--html", a.files.html, "Write a page with the rings over time");
    diff->add_option("FILE", a.file, "A case with a stream of commands (default: drawn ones)");
    for (CLI::App* one : {fuzz, hunt, diff}) {
        one->add_option("--scenarios", a.scenarios, "Give up after so many")
            ->capture_default_str()
            ->check(whole_number(1));
        one->add_option("--seed", a.seed, "Of the draws")
            ->capture_default_str()
            ->check(whole_number(0));
        if (one != hunt)
            one->add_option("-o,--output", a.out, "Write the finding as a case, .toml");
    }
    hunt->add_option("--trials", a.trials, "Independent trials; each next one has the next seed")
        ->capture_default_str()
        ->check(whole_number(1, 10'000));
    build->callback([&a] { a.what = HostAction::build; });
    run->callback([&a] { a.what = HostAction::run; });
    fuzz->callback([&a] { a.what = HostAction::fuzz; });
    diff->callback([&a] { a.what = HostAction::diff; });
    hunt->callback([&a] { a.what = HostAction::hunt; });
    return command;
}

CLI::App* add_keep(CLI::App& app, Parsed& parsed) {
    CLI::App* command = app.add_subcommand("keep", "Write a finding as a regression case");
    KeepArguments& a = parsed.keep;
    command->add_option("FILE", a.file, "A case, or what a fuzz target left")->required();
    command->add_option("--fault", a.fault, kFaultHelp);
    command->add_option("--title", a.title, "Its first line (default: what was found)");
    command->add_option("-o,--output", a.out, "The case, .toml")->required();
    return command;
}

CLI::App* add_triage(CLI::App& app, Parsed& parsed) {
    CLI::App* command = app.add_subcommand(
        "triage", "Group crash files by signature and minimise one of each group");
    TriageArguments& a = parsed.triage;
    a.runs_max = kMinimizeRunsMax;
    command->add_option("FOLDER", a.folder, "What fuzz targets left")->required();
    command->add_option("--fault", a.fault, kFaultHelp);
    command->add_option("-o,--output", a.out, "Folder for the small cases; what is there is kept")
        ->required();
    command->add_option("--runs-max", a.runs_max, "Runs to spend on each")
        ->capture_default_str()
        ->check(whole_number(2, 10'000'000));
    command->add_option("--known", a.known,
                        "File of signatures with notes: such groups are counted and passed over");
    command->add_option("--jobs", a.jobs, "Files at a time (default: one per core)")
        ->check(whole_number(1, 256));
    return command;
}

CLI::App* add_convert(CLI::App& app, Parsed& parsed) {
    CLI::App* command = app.add_subcommand("convert", "TOML to encoded scenario and back");
    command->add_option("FILE", parsed.convert.file, "A case or an encoded scenario")->required();
    command->add_option("-o,--output", parsed.convert.out,
                        "Output; .toml: a case, else encoded (default: TOML on standard output)");
    return command;
}

CLI::App* add_fingerprint(CLI::App& app, Parsed& parsed) {
    CLI::App* command = app.add_subcommand(
        "fingerprint", "Run cases twice each and print the fingerprints of their event logs");
    command
        ->add_option("PATH", parsed.fingerprint.paths,
                     "Cases, encoded scenarios, or folders of cases")
        ->required();
    return command;
}

CLI::App* add_faults(CLI::App& app, Parsed& parsed) {
    CLI::App* command = app.add_subcommand("faults", "List the faults that can be turned on");
    CLI::Option* json = command->add_flag("--json", parsed.faults.json, "As JSON");
    command->add_flag("--markdown", parsed.faults.markdown, "As a Markdown table")->excludes(json);
    return command;
}

CLI::App* add_seed(CLI::App& app, Parsed& parsed) {
    CLI::App* command = app.add_subcommand(
        "seed", "Draw a seed corpus: few small scenarios of a target that reach much");
    SeedArguments& a = parsed.seed;
    command->add_option("TARGET", a.target, "A fuzz target")
        ->required()
        ->check(CLI::IsMember(target_names()));
    command->add_option("-o,--output", a.out, "Folder for the cases")->required();
    command->add_option("--count", a.count, "Seeds at most")
        ->capture_default_str()
        ->check(whole_number(1, 1000));
    command->add_option("--draws", a.draws, "Scenarios to choose from")
        ->capture_default_str()
        ->check(whole_number(1, 1'000'000));
    command->add_option("--seed", a.seed, "Of the draws")
        ->capture_default_str()
        ->check(whole_number(0));
    return command;
}

CLI::App* add_coverage(CLI::App& app, Parsed& parsed) {
    CLI::App* command = app.add_subcommand(
        "coverage", "Table of the commands, block phases and ends that are reached, and its holes");
    CoverageArguments& a = parsed.coverage;
    command
        ->add_option("WHAT", a.what,
                     "A fuzz target, of which scenarios are drawn; a corpus; a case or an input")
        ->required();
    command->add_option("--scenarios", a.scenarios, "Scenarios to draw of a target")
        ->capture_default_str()
        ->check(whole_number(1));
    command->add_option("--seed", a.seed, "Of the draws")
        ->capture_default_str()
        ->check(whole_number(0));
    command->add_option("--html", a.html, "Write the table as a page, with counts");
    return command;
}

CLI::App* add_corpus(CLI::App& app, Parsed& parsed) {
    CLI::App* command = app.add_subcommand("corpus", "Look after a folder of inputs");
    command->require_subcommand(1);
    CorpusArguments& a = parsed.corpus;
    CLI::App* check = command->add_subcommand(
        "check", "Which files still mean what they did: kept, migrated, degraded, lost");
    check->add_option("--reach", a.reach, "Features reached before; tells what is reached no more");
    check->add_option("--write-reach", a.write_reach, "Write the features reached now");
    CLI::App* distil =
        command->add_subcommand("distil", "Copy the smallest files that together reach everything");
    distil->add_option("-o,--output", a.out, "Folder for the copies")->required();
    CLI::App* upgrade =
        command->add_subcommand("upgrade", "Rewrite encoded files in today's form, in place");
    for (CLI::App* one : {check, distil, upgrade})
        one->add_option("FOLDER", a.folder, "Cases and encoded scenarios")->required();
    distil->callback([&a] { a.what = CorpusAction::distil; });
    upgrade->callback([&a] { a.what = CorpusAction::upgrade; });
    return command;
}

}  // namespace

Arguments parse_arguments(int argc, const char* const* argv) {
    Parsed parsed;
    CLI::App app("cqfuzz finds bugs in accelerator dispatch runtimes, on simulated silicon.",
                 "cqfuzz");
    app.set_version_flag("--version", "cqfuzz " CQFUZZ_VERSION);
    app.footer(kExitCodes);
    app.require_subcommand(1);
    const CLI::App* run = add_run(app, parsed);
    const CLI::App* diff = add_diff(app, parsed);
    const CLI::App* stress = add_stress(app, parsed);
    const CLI::App* hunt = add_hunt(app, parsed);
    const CLI::App* minimize = add_minimize(app, parsed);
    const CLI::App* convert = add_convert(app, parsed);
    const CLI::App* fingerprint = add_fingerprint(app, parsed);
    const CLI::App* explain = add_explain(app, parsed);
    const CLI::App* host = add_host(app, parsed);
    const CLI::App* keep = add_keep(app, parsed);
    const CLI::App* triage = add_triage(app, parsed);
    const CLI::App* seed = add_seed(app, parsed);
    const CLI::App* corpus = add_corpus(app, parsed);
    const CLI::App* coverage = add_coverage(app, parsed);
    add_faults(app, parsed);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return Leave{app.exit(error)};  // help or version
        // CLI11 says of an unknown command only that one is missing.
        const std::string first = argc > 1 ? argv[1] : "";
        const auto is_it = [&first](const CLI::App* command) {
            return command->get_name() == first;
        };
        const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
        const bool unknown = !first.empty() && first[0] != '-' &&
                             std::none_of(commands.begin(), commands.end(), is_it);
        const std::string message =
            unknown ? "there is no command \"" + first + "\"" : error.what();
        std::fprintf(stderr, "cqfuzz: %s (`cqfuzz --help` tells more)\n",
                     printable(message).c_str());
        return Leave{kExitBadUsage};
    }
    parsed.run.order = parsed.hunt.order = order_of(parsed);
    parsed.run.relaxed = parsed.hunt.relaxed = relaxed_of(parsed);
    if (run->parsed()) return parsed.run;
    if (diff->parsed()) return parsed.diff;
    if (stress->parsed()) return parsed.stress;
    if (hunt->parsed()) return parsed.hunt;
    if (minimize->parsed()) return parsed.minimize;
    if (convert->parsed()) return parsed.convert;
    if (fingerprint->parsed()) return parsed.fingerprint;
    if (explain->parsed()) return parsed.explain;
    if (host->parsed()) return parsed.host;
    if (keep->parsed()) return parsed.keep;
    if (triage->parsed()) return parsed.triage;
    if (seed->parsed()) return parsed.seed;
    if (corpus->parsed()) return parsed.corpus;
    if (coverage->parsed()) return parsed.coverage;
    return parsed.faults;
}

}  // namespace cqfuzz::cli
