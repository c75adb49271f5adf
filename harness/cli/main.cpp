// The `cqfuzz` command.
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <string>
#include <variant>

#include "harness/base/check.hpp"
#include "harness/base/violation.hpp"
#include "harness/cli/case_file.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/report/printable.hpp"

namespace cqfuzz::cli {

namespace {

// What the harness was doing, for the message of a broken CHECK.
std::string& current_input() {
    static std::string path;
    return path;
}

[[noreturn]] void on_check_failed(const char* file, int line, const char* condition,
                                  const char* message) {
    std::fflush(stdout);
    std::fprintf(stderr, "harness_fault: %s (%s, %s:%d)%s%s\n", message, condition, file, line,
                 current_input().empty() ? "" : "\n  scenario ", current_input().c_str());
    std::fflush(stderr);
    // Not exit(): this may run on a fiber's stack.
    _exit(kExitHarnessFault);
}

struct Dispatch {
    int operator()(const Leave& leave) const { return leave.exit_code; }
    int operator()(const RunArguments& a) const { return of(a.file), command_run(a); }
    int operator()(const DiffArguments& a) const {
        return of(a.first + " or " + a.second), command_diff(a);
    }
    int operator()(const StressArguments& a) const { return command_stress(a); }
    int operator()(const HuntArguments& a) const { return command_hunt(a); }
    int operator()(const MinimizeArguments& a) const { return of(a.file), command_minimize(a); }
    int operator()(const ConvertArguments& a) const { return command_convert(a); }
    int operator()(const FingerprintArguments& a) const { return command_fingerprint(a); }
    int operator()(const FaultsArguments& a) const { return command_faults(a); }
    int operator()(const ExplainArguments& a) const { return of(a.file), command_explain(a); }
    int operator()(const HostArguments& a) const { return command_host(a); }
    int operator()(const KeepArguments& a) const { return of(a.file), command_keep(a); }
    int operator()(const TriageArguments& a) const { return command_triage(a); }
    int operator()(const SeedArguments& a) const { return command_seed(a); }
    int operator()(const CorpusArguments& a) const { return command_corpus(a); }
    int operator()(const CoverageArguments& a) const { return of(a.what), command_coverage(a); }

    static void of(const std::string& path) { current_input() = printable(path); }
};

}  // namespace

int main_command(int argc, char** argv) {
    hold_standard_descriptors();
    catch_interrupts();
    install_check_handler(&on_check_failed);
    int exit_code = kExitHarnessFault;
    try {
        exit_code = std::visit(Dispatch{}, parse_arguments(argc, argv));
    } catch (const std::exception& error) {
        // Printing throws when standard output is full; that is told below. Nothing else is meant
        // to come here.
        if (std::ferror(stdout) == 0)
            std::fprintf(stderr, "harness_fault: %s\n", printable(error.what()).c_str());
    }
    return with_output_written(exit_code);
}

}  // namespace cqfuzz::cli

int main(int argc, char** argv) { return cqfuzz::cli::main_command(argc, argv); }
