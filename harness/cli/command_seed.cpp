#include <fmt/core.h>

#include <filesystem>
#include <system_error>

#include "harness/cli/case_file.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/scenario/verbs.hpp"
#include "harness/search/corpus.hpp"

namespace cqfuzz::cli {

namespace {

namespace fs = std::filesystem;

std::string title_of(const CorpusEntry& entry, std::size_t features_before,
                     std::size_t features_after) {
    return fmt::format(
        "Drawn: {} host actions on {} × {} workers{}; reaches {} features the smaller "
        "seeds do not.",
        op_weight(entry.scenario), entry.scenario.topology.worker_cols,
        entry.scenario.topology.worker_rows, entry.scenario.topology.split ? ", split" : "",
        features_after - features_before);
}

}  // namespace

int command_seed(const SeedArguments& arguments) {
    std::error_code error;
    fs::create_directories(arguments.out, error);
    if (error) return bad_input(fmt::format("{}: {}", arguments.out, error.message()));
    Runner runner;
    ProgressLine progress;
    const auto on_progress = [&](std::uint32_t done) {
        progress.show("drawn", done, arguments.draws);
        return !interrupted();
    };
    const std::vector<CorpusEntry> seeds =
        draw_seeds(runner, domain_named(arguments.target).value(), arguments.seed, arguments.draws,
                   arguments.count, on_progress);
    progress.clear();
    if (interrupted()) return told_interrupted();
    std::vector<bool> seen(kReachFeatures);
    std::size_t reached = 0;
    for (std::size_t i = 0; i < seeds.size(); ++i) {
        const std::size_t before = reached;
        for (const std::uint16_t feature : seeds[i].features) {
            reached += seen[feature] ? 0 : 1;
            seen[feature] = true;
        }
        Case content;
        content.title = title_of(seeds[i], before, reached);
        content.scenario = seeds[i].scenario;
        const std::string path =
            (fs::path(arguments.out) / fmt::format("drawn_{:02}.toml", i + 1)).string();
        if (const std::string mistake = write_case(path, content); !mistake.empty())
            return bad_input(mistake);
        fmt::print("{}  {} bytes encoded, {} features\n", path, seeds[i].size_bytes,
                   seeds[i].features.size());
    }
    fmt::print("{} seeds of {} drawn reach {} features\n", seeds.size(), arguments.draws, reached);
    return kExitPass;
}

}  // namespace cqfuzz::cli
