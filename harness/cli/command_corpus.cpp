#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>
#include <sstream>
#include <system_error>
#include <vector>

#include "harness/cli/case_file.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/file_bytes.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/report/printable.hpp"
#include "harness/search/corpus.hpp"

namespace cqfuzz::cli {

namespace {

namespace fs = std::filesystem;

constexpr int kExitLost = 1;

// A case keeps its meaning by its names, so it is kept or an error; bytes are looked into.
Result<CorpusEntry> entry_of(const std::string& path) {
    CorpusEntry entry;
    entry.path = path;
    if (is_toml_path(path)) {
        Result<Case> content = load_case(path);
        if (!content) return Error{content.message()};
        entry.scenario = content.value().scenario;
    } else {
        const Result<std::string> bytes = read_file(path);
        if (!bytes) return Error{bytes.message()};
        const std::string& data = bytes.value();
        entry.keeping =
            keeping_of(std::as_bytes(std::span(data.data(), data.size())), entry.scenario);
    }
    entry.size_bytes = encode(entry.scenario).size();
    return entry;
}

// Every entry, run on the sound runtime for what it reaches. Nothing when interrupted.
Result<std::vector<CorpusEntry>> read_corpus(const std::string& folder) {
    const Result<std::vector<std::string>> files = input_files(folder);
    if (!files) return Error{files.message()};
    std::vector<CorpusEntry> entries;
    Runner runner;
    ProgressLine progress;
    for (const std::string& file : files.value()) {
        progress.show("read", entries.size(), files.value().size());
        Result<CorpusEntry> entry = entry_of(file);
        if (!entry) return Error{entry.message()};
        if (interrupted()) return std::vector<CorpusEntry>{};
        runner.run(entry.value().scenario, RunOptions{});
        entry.value().features = runner.reach().features();
        std::sort(entry.value().features.begin(), entry.value().features.end());
        entries.push_back(entry.take());
    }
    return entries;
}

std::vector<bool> features_of(const std::vector<CorpusEntry>& entries) {
    std::vector<bool> all(kReachFeatures);
    for (const CorpusEntry& entry : entries)
        for (const std::uint16_t feature : entry.features) all[feature] = true;
    return all;
}

// A number a line, as --write-reach left it.
Result<std::vector<bool>> read_reach(const std::string& path) {
    const Result<std::string> text = read_file(path);
    if (!text) return Error{text.message()};
    std::vector<bool> features(kReachFeatures);
    std::istringstream lines(text.value());
    std::uint32_t number = 0;
    while (lines >> number) {
        if (number >= kReachFeatures) return Error{path + ": holds a feature that does not exist"};
        features[number] = true;
    }
    if (!lines.eof()) return Error{path + ": is no list of features (--write-reach writes one)"};
    return features;
}

std::string write_reach(const std::string& path, const std::vector<bool>& features) {
    std::string text;
    for (std::size_t i = 0; i < features.size(); ++i)
        if (features[i]) text += fmt::format("{}\n", i);
    return write_file(path, text);
}

// Kept, migrated, degraded and lost, and the coverage that is gone since --reach was written.
int check(const CorpusArguments& arguments, const std::vector<CorpusEntry>& entries) {
    std::array<std::size_t, 4> counts{};
    for (const CorpusEntry& entry : entries) {
        ++counts[static_cast<std::size_t>(entry.keeping)];
        if (entry.keeping >= Keeping::degraded)
            fmt::print("{}: {}\n", name_of(entry.keeping), printable(entry.path));
    }
    const std::vector<bool> now = features_of(entries);
    const auto reached = std::count(now.begin(), now.end(), true);
    fmt::print("{} files: {} kept, {} migrated, {} degraded, {} lost; {} features reached\n",
               entries.size(), counts[0], counts[1], counts[2], counts[3], reached);
    if (!arguments.write_reach.empty()) {
        const std::string mistake = write_reach(arguments.write_reach, now);
        if (!mistake.empty()) return bad_input(mistake);
    }
    std::size_t lost = 0;
    if (!arguments.reach.empty()) {
        const Result<std::vector<bool>> before = read_reach(arguments.reach);
        if (!before) return bad_input(before.message());
        for (std::size_t i = 0; i < now.size(); ++i) lost += before.value()[i] && !now[i] ? 1 : 0;
        fmt::print("{} features of {} are reached no more\n", lost, printable(arguments.reach));
    }
    return counts[3] + lost == 0 ? kExitPass : kExitLost;
}

int distil_into(const CorpusArguments& arguments, const std::vector<CorpusEntry>& entries) {
    std::error_code error;
    fs::create_directories(arguments.out, error);
    if (error) return bad_input(fmt::format("{}: {}", arguments.out, error.message()));
    const std::vector<std::size_t> chosen = distil(entries);
    for (const std::size_t i : chosen) {
        const fs::path to = fs::path(arguments.out) / fs::path(entries[i].path).filename();
        const Result<std::string> bytes = read_file(entries[i].path);
        if (!bytes) return bad_input(bytes.message());
        if (const std::string mistake = write_file(to.string(), bytes.value()); !mistake.empty())
            return bad_input(mistake);
    }
    const std::vector<bool> all = features_of(entries);
    fmt::print("{} of {} files reach all {} features; they are in {}\n", chosen.size(),
               entries.size(), std::count(all.begin(), all.end(), true), printable(arguments.out));
    return kExitPass;
}

// Encoded files in today's form, in place; cases are text and need none.
int upgrade(const std::vector<CorpusEntry>& entries) {
    std::size_t written = 0;
    for (const CorpusEntry& entry : entries) {
        if (is_toml_path(entry.path) || entry.keeping == Keeping::kept ||
            entry.keeping == Keeping::lost)
            continue;
        Case content;
        content.scenario = entry.scenario;
        if (const std::string mistake = write_case(entry.path, content); !mistake.empty())
            return bad_input(mistake);
        ++written;
    }
    fmt::print("{} of {} files were rewritten in today's form\n", written, entries.size());
    return kExitPass;
}

}  // namespace

int command_corpus(const CorpusArguments& arguments) {
    const Result<std::vector<CorpusEntry>> read = read_corpus(arguments.folder);
    if (!read) return bad_input(read.message());
    if (interrupted()) return told_interrupted();
    switch (arguments.what) {
        case CorpusAction::check: return check(arguments, read.value());
        case CorpusAction::distil: return distil_into(arguments, read.value());
        case CorpusAction::upgrade: break;
    }
    return upgrade(read.value());
}

}  // namespace cqfuzz::cli
