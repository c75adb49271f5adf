#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "harness/cli/case_file.hpp"
#include "harness/cli/commands.hpp"

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
        for (const auto& item : fs::recursive_directory_iterator(path, error)) {
            if (item.is_regular_file(error) && is_toml_path(item.path().string())) inside.push_back(item.path().string());
        }
        if (error) return Error{fmt::format("{}: {}", path, error.message())};
        if (inside.empty()) return Error{path + ": no .toml file in this folder"};
        std::sort(inside.begin(), inside.end());
        files.insert(files.end(), inside.begin(), inside.end());
    }
    return files;
}

}  // namespace

// A line a file: fingerprint, verdict, path. Two builds print equal tables, or one of them is wrong.
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
        const Verdict verdict = runner.run(content.value().scenario, options);
        const std::uint64_t fingerprint = runner.fingerprint();
        fmt::print("{:016x}  {}  {}\n", fingerprint, name_of(verdict.kind), file);
        runner.run(content.value().scenario, options);
        if (runner.fingerprint() != fingerprint) {
            fmt::print(stderr, "{}: two runs differ: {:016x} and {:016x}\n", file, fingerprint, runner.fingerprint());
            return kExitHarnessFault;
        }
        if (name_of(verdict.kind) != content.value().expected) {
            fmt::print(stderr, "{}: the verdict is {}, the case expects {}\n", file, name_of(verdict.kind),
                       content.value().expected);
            exit_code = kExitUnexpected;
        }
    }
    return exit_code;
}

}  // namespace cqfuzz::cli
