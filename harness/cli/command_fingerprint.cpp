#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "harness/cli/case_file.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/report/printable.hpp"

namespace cqfuzz::cli {

namespace {

namespace fs = std::filesystem;

constexpr int kExitUnexpected = 1;

Result<std::vector<std::string>> files_of(const std::vector<std::string>& paths) {
    std::vector<std::string> files;
    for (const std::string& path : paths) {
        std::error_code error;
        if (!fs::is_directory(path, error)) {
            files.push_back(path);
            continue;
        }
        std::vector<std::string> inside;
        std::string at = path;  // for the message: what cannot be read is a folder that was come to
        fs::recursive_directory_iterator item(path, error);
        while (!error && item != fs::recursive_directory_iterator()) {
            at = item->path().string();
            std::error_code unknown;
            if (item->is_regular_file(unknown) && is_toml_path(at)) inside.push_back(at);
            item.increment(error);
        }
        if (error) return Error{fmt::format("{}: cannot be read: {}", at, error.message())};
        if (inside.empty()) return Error{path + ": no .toml file in this folder"};
        std::sort(inside.begin(), inside.end());
        files.insert(files.end(), inside.begin(), inside.end());
    }
    return files;
}

}  // namespace

// A line a file: fingerprint, verdict, path. Two builds print equal tables, or one of them is
// wrong.
int command_fingerprint(const FingerprintArguments& arguments) {
    const Result<std::vector<std::string>> files = files_of(arguments.paths);
    if (!files) return bad_input(files.message());
    Runner runner;
    int exit_code = kExitPass;
    for (const std::string& file : files.value()) {
        const Result<Case> content = load_case(file);
        if (!content) return bad_input(content.message());
        std::string fault;
        const Result<rt::FaultSet> faults = chosen_faults("", content.value().fault, fault);
        if (!faults) return bad_input(fmt::format("{}: {}", file, faults.message()));
        RunOptions options;
        options.faults = faults.value();
        options.on_progress = [](std::uint32_t) { return !interrupted(); };
        const Verdict verdict = runner.run(content.value().scenario, options);
        const std::uint64_t fingerprint = runner.fingerprint();
        if (interrupted()) return told_interrupted();
        fmt::print("{:016x}  {}  {}\n", fingerprint, name_of(verdict.kind), printable(file));
        runner.run(content.value().scenario, options);
        if (interrupted()) return told_interrupted();
        if (runner.fingerprint() != fingerprint) {
            fmt::print(stderr, "{}: two runs differ: {:016x} and {:016x}\n", printable(file),
                       fingerprint, runner.fingerprint());
            return kExitHarnessFault;
        }
        if (const std::string missed = against_expectation(content.value().expected, verdict.kind);
            !missed.empty()) {
            fmt::print(stderr, "{}: {}\n", printable(file), missed);
            exit_code = kExitUnexpected;
        }
    }
    return exit_code;
}

}  // namespace cqfuzz::cli
