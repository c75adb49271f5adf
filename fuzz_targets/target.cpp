#include "fuzz_targets/target.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>

#include "fuzz_targets/domain_features.hpp"
#include "harness/report/text_report.hpp"
#include "harness/run/broken_commands.hpp"
#include "harness/run/run.hpp"
#include "runtime_under_test/faults/faults.hpp"

namespace cqfuzz::target {

namespace {

struct Session {
    RunOptions options;
    std::string fault;
    Runner runner;

    // With CQFUZZ_REACH=FILE a campaign that ends by itself leaves what it has reached.
    ~Session() {
        const char* path = std::getenv("CQFUZZ_REACH");
        if (path == nullptr || *path == '\0') return;
        std::FILE* file = std::fopen(path, "w");
        if (file == nullptr) {
            std::fprintf(stderr, "CQFUZZ_REACH: cannot write %s\n", path);
            return;
        }
        std::fputs(runner.reach().table().c_str(), file);
        std::fclose(file);
    }
};

// One per process: the simulated chip is mapped once and reset for each input.
Session& session() {
    static Session instance;
    return instance;
}

// Engines tell findings apart by where they die.
[[noreturn, gnu::noinline]] void die_of_violation() { std::abort(); }
[[noreturn, gnu::noinline]] void die_of_hang() { std::abort(); }
[[noreturn, gnu::noinline]] void die_of_livelock() { std::abort(); }
[[noreturn, gnu::noinline]] void die_of_refusal() { std::abort(); }
[[noreturn, gnu::noinline]] void die_of_harness_fault() { std::abort(); }

[[noreturn]] void die(VerdictKind kind) {
    switch (kind) {
        case VerdictKind::violation: die_of_violation();
        case VerdictKind::hang: die_of_hang();
        case VerdictKind::livelock: die_of_livelock();
        case VerdictKind::refused: die_of_refusal();
        case VerdictKind::pass:
        case VerdictKind::harness_fault: break;
    }
    die_of_harness_fault();
}

}  // namespace

void initialize(std::string_view fault) {
    if (const char* asked = std::getenv("CQFUZZ_FAULT"); fault.empty() && asked != nullptr)
        fault = asked;
    if (fault.empty()) return;
    const std::optional<rt::FaultSet> faults = rt::faults_named(fault);
    if (!faults) {
        std::fprintf(stderr, "unknown fault \"%s\"; `cqfuzz faults` lists them\n",
                     std::string(fault).c_str());
        std::exit(kExitBadUsage);
    }
    session().options.faults = *faults;
    session().fault = fault;
}

std::uint64_t last_fingerprint() { return session().runner.fingerprint(); }

void run_bytes(const std::uint8_t* data, std::size_t size) {
    Session& s = session();
    const Scenario scenario = decode(std::as_bytes(std::span(data, size)));
    const Verdict verdict = s.runner.run(scenario, s.options);
    note_domain_features(s.runner.reach().features());
    if (!verdict.bad() || explained_by_broken_commands(scenario, verdict)) return;
    Finding finding;
    finding.verdict = &verdict;
    finding.scenario = &scenario;
    finding.view = &s.runner.view();
    finding.fault = s.fault;
    finding.order_run = std::min(scenario.order, s.options.order_max);
    finding.replay =
        "cqfuzz run <the file named below>" + (s.fault.empty() ? "" : " --fault " + s.fault);
    const std::string report = text_report(finding, {.verbose = true});
    std::fwrite(report.data(), 1, report.size(), stderr);
    std::fflush(stderr);
    die(verdict.kind);
}

}  // namespace cqfuzz::target
