// Arguments: the command line as values, one struct per command. CLI11 stays inside arguments.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "harness/cli/report_files.hpp"
#include "harness/scenario/scenario.hpp"

namespace cqfuzz::cli {

struct RunArguments {
    std::string file;
    std::string fault;  // "" = the case's own; "none" = the sound runtime
    std::optional<OrderLevel> order;
    std::uint8_t relaxed = kRelaxAll;  // at O3
    bool twice = false;
    std::uint32_t schedule_seeds = 0;  // 0 = the scenario's own schedule
    std::vector<std::string> without_oracles;
    std::uint64_t moves_max = 0;
    bool verbose = false;
    bool json = false;
    ReportFiles files;
};

struct DiffArguments {
    std::string first, second;
    std::string fault;
};

struct StressArguments {
    std::string load;
    std::uint32_t layers = 0;
    std::uint32_t iterations = 0;
    std::uint32_t chips = 1;
    std::string schedule = "in_order";  // or random_walk
    std::uint32_t schedule_seed = 1;
    std::string fault;
    bool verbose = false;
    bool json = false;
};

struct HuntArguments {
    std::string fault;
    std::uint32_t trials = 1;
    std::uint64_t seed = 1;  // of the first trial; the k-th has seed + k
    std::uint64_t scenarios_max = 0;
    std::uint32_t ops_max = 0;
    std::uint32_t jobs = 0;           // 0 = one per core
    std::string target;               // "" = all in turn
    std::optional<OrderLevel> order;  // instead of the drawn one
    std::uint8_t relaxed = kRelaxAll;
    std::string keep;        // folder for the scenarios that were found
    std::string known;       // file of signatures that are only counted
    std::string stats_json;  // file that tells how far it is, again and again
    bool reach = false;      // print what the scenarios reached
    bool json = false;
    // Of a campaign (`hunt all`).
    std::vector<std::string> arms;
    std::vector<std::string> faults;   // empty: every fault, and the sound runtime
    std::string results;               // file of JSON lines
    std::uint32_t budget_minutes = 0;  // 0: until all is done
    bool table_only = false;           // run nothing; the table of what the file holds
    bool must_find = false;            // a fault that no trial found is a failure
};

struct MinimizeArguments {
    std::string file, out;
    std::string fault;
    std::uint32_t runs_max = 0;
    std::string gtest;  // file for a test
};

struct ExplainArguments {
    std::string file, out;
    std::string fault;
    std::uint32_t runs_max = 0;
};

struct KeepArguments {
    std::string file, out;
    std::string fault;
    std::string title;
};

struct TriageArguments {
    std::string folder, out;
    std::string fault;
    std::uint32_t runs_max = 0;
    std::uint32_t jobs = 0;
    std::string known;  // file of signatures that are only counted
};

struct CoverageArguments {
    std::string what;  // a target, a folder of inputs, or an input
    std::uint64_t scenarios = 2000;
    std::uint64_t seed = 1;
    std::string html;
};

struct ConvertArguments {
    std::string file, out;  // out "" or "-": TOML to standard output
};

struct FingerprintArguments {
    std::vector<std::string> paths;
};

struct FaultsArguments {
    bool markdown = false;
    bool json = false;
};

struct SeedArguments {
    std::string target, out;
    std::uint32_t count = 6;
    std::uint32_t draws = 2000;
    std::uint64_t seed = 1;
};

enum class CorpusAction : std::uint8_t { check, distil, upgrade };

struct CorpusArguments {
    CorpusAction what = CorpusAction::check;
    std::string folder;
    std::string out;          // distil
    std::string reach;        // check: features to compare with
    std::string write_reach;  // check
};

enum class HostAction : std::uint8_t { build, run, fuzz, hunt, diff };

struct HostArguments {
    HostAction what = HostAction::build;
    std::string manifest;
    std::string compiler = "clang++";
    std::string sdk;    // "" = where this program was built
    std::string cache;  // "" = the user's
    std::vector<std::string> defines;
    std::string file;  // run; diff: "" = drawn streams
    std::string out;   // fuzz, diff: where the finding goes
    std::uint64_t scenarios = 10'000;
    std::uint32_t trials = 5;  // hunt
    std::uint64_t seed = 1;
    std::uint32_t runs_max = 0;
    ReportFiles files;
};

// Nothing to do any more: help or version was printed (0), or a mistake was told (2).
struct Leave {
    int exit_code = 0;
};

using Arguments = std::variant<Leave, RunArguments, DiffArguments, StressArguments, HuntArguments,
                               MinimizeArguments, ConvertArguments, FingerprintArguments,
                               FaultsArguments, SeedArguments, CorpusArguments, ExplainArguments,
                               HostArguments, KeepArguments, TriageArguments, CoverageArguments>;

Arguments parse_arguments(int argc, const char* const* argv);

}  // namespace cqfuzz::cli
