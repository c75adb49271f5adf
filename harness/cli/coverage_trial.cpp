#include "harness/cli/coverage_trial.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include "harness/cli/file_bytes.hpp"

namespace cqfuzz::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 2> kTargets{"semaphore_multicast_fuzz", "trace_replay_fuzz"};

std::string target_path(std::string_view target) {
    return (fs::path(own_folder()) / target).string();
}

// The word behind `key`, up to a space or the line's end; "" when there is none.
std::string word_after(std::string_view text, std::string_view key) {
    const std::size_t at = text.find(key);
    if (at == std::string_view::npos) return "";
    std::string_view rest = text.substr(at + key.size());
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    return std::string(rest.substr(0, rest.find_first_of(" \n")));
}

// The target as a child whose output goes to `log`; its exit status.
int run_target(const std::vector<std::string>& words, const std::string& fault,
               const std::string& log) {
    std::vector<char*> argv;
    for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    const pid_t child = fork();
    if (child < 0) return -1;
    if (child == 0) {
        const int out = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        if (out < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0) _exit(127);
        setenv("CQFUZZ_FAULT", fault == "none" ? "" : fault.c_str(), 1);
        execv(argv[0], argv.data());
        _exit(127);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

}  // namespace

std::string own_folder() {
    std::error_code error;
    const fs::path self = fs::read_symlink("/proc/self/exe", error);
    return error ? std::string() : self.parent_path().string();
}

std::string coverage_refusal() {
    for (const std::string_view target : kTargets) {
        const std::string path = target_path(target);
        if (access(path.c_str(), X_OK) != 0)
            return fmt::format("arm coverage: {} is not there; build preset fuzz", path);
        const int status = run_target({path, "-help=1"}, "none", "/dev/null");
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
            return fmt::format("arm coverage: {} has no libFuzzer; use preset fuzz", path);
    }
    return "";
}

void run_coverage_trial(HuntResult& result) {
    std::string folder = (fs::temp_directory_path() / "cqfuzz-hunt-XXXXXX").string();
    if (mkdtemp(folder.data()) == nullptr) return;
    const std::string corpus = folder + "/corpus";
    std::error_code error;
    fs::create_directory(corpus, error);
    const std::string log = folder + "/log";
    const int status = run_target(
        {target_path(kTargets[result.seed % 2]), corpus, "-entropic=0", "-max_len=16384",
         "-len_control=0", "-print_final_stats=1", fmt::format("-seed={}", result.seed),
         fmt::format("-runs={}", result.cap), fmt::format("-artifact_prefix={}/", folder)},
        result.fault, log);
    const Result<std::string> text = read_file(log);
    fs::remove_all(folder, error);
    if (!text) return;
    const std::string units = word_after(text.value(), "stat::number_of_executed_units:");
    result.scenarios = std::strtoull(units.c_str(), nullptr, 10);
    result.found = !(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    if (result.found) result.signature = word_after(text.value(), "signature");
    result.property = result.signature.substr(0, result.signature.find('/'));
}

}  // namespace cqfuzz::cli
