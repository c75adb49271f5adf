// What a kernel does wrong by itself is a verdict with its file and line, whether a hook sees it or
// the processor; the tool goes on, as often as it happens, and faults of others are not caught.
#include <malloc.h>

#include <csignal>
#include <cstdlib>

#include "harness/oracle/oracles.hpp"
#include "tests/harness/hosting/test_kernels.hpp"

namespace cqfuzz::hosting {
namespace {

struct BadKernel {
    const char* file;
    const char* define;
    const char* says;
    bool at_its_line = true;
};
class KernelFaultTest : public testing::TestWithParam<BadKernel> {};

// The line of the kernel's source below `#if defined(define)`.
std::string line_of(const BadKernel& bad) {
    std::istringstream source(
        text_of(std::string(CQFUZZ_SOURCE_DIR) + "/tests/harness/hosting/kernels/" + bad.file));
    std::size_t number = 0;
    for (std::string line; std::getline(source, line);) {
        ++number;
        if (line.find("defined(" + std::string(bad.define) + ")") == std::string::npos) continue;
        return bad.file + (":" + std::to_string(number + 1));
    }
    return "";
}

TEST_P(KernelFaultTest, EndsWithAVerdictThatNamesTheLine) {
    const auto kernels = made(test_manifest(GetParam().file, GetParam().define));
    ASSERT_NE(kernels, nullptr);
    // Again and again: signals stay unblocked, statics are restored.
    for (int i = 0; i < 3; ++i) {
        const Verdict verdict = run_rich(*kernels);
        ASSERT_EQ(verdict.kind, VerdictKind::violation) << verdict.violation.summary;
        const std::string& summary = verdict.violation.summary;
        EXPECT_NE(summary.find(GetParam().says), std::string::npos) << summary;
        if (GetParam().at_its_line) {
            EXPECT_NE((summary + " ").find(", at " + line_of(GetParam()) + " "), std::string::npos)
                << summary;
        }
    }
}

constexpr const char* kBad = "bad_kernels.cpp";
constexpr const char* kCrashing = "crashing_kernels.cpp";

INSTANTIATE_TEST_SUITE_P(
    Kernels, KernelFaultTest,
    testing::Values(
        BadKernel{kBad, "WILD_POINTER", "a pointer outside the core's L1"},
        BadKernel{kBad, "OTHER_CORE", "a pointer outside the core's L1"},
        BadKernel{kBad, "ENDLESS_LOOP", "a loop without a poll or a call of the device"},
        BadKernel{kBad, "OWN_ASSERTION", "get_compile_time_arg_val(0) == 3"},
        BadKernel{kBad, "ZERO_LENGTH", "length", false},
        BadKernel{kBad, "NO_SUCH_TILE", "unknown-target", false},
        BadKernel{kCrashing, "FAR_POINTER", "a pointer outside the core's L1, its statics"},
        BadKernel{kCrashing, "NO_CANONICAL_POINTER", "a pointer outside the core's L1, its"},
        BadKernel{kCrashing, "NULL_POINTER", "a pointer outside the core's L1"},
        BadKernel{kCrashing, "CONSTANT_NULL", "a pointer outside the core's L1"},
        BadKernel{kCrashing, "ENDLESS_RECURSION",
                  "its stack is full, an endless recursion?, at crashing_kernels.cpp:14 in deeper",
                  false},
        BadKernel{kCrashing, "CALLING_RECURSION", "recursion?, at crashing_kernels.cpp:18", false},
        BadKernel{kCrashing, "WIDE_RECURSION", "crashing_kernels.cpp:", false},
        BadKernel{kCrashing, "DIVISION_BY_ZERO", "a division by zero"},
        BadKernel{kCrashing, "CONSTANT_DIVISION", "a division by zero"},
        BadKernel{kCrashing, "TRAP", "a trap"},
        BadKernel{kCrashing, "UNREACHABLE", "code that cannot be reached"},
        BadKernel{kCrashing, "NO_RETURN_VALUE", "a function that ends without its value", false},
        BadKernel{kCrashing, "BARE_LOOP", "a loop without a poll or a call of the device"},
        BadKernel{kCrashing, "NO_FUNCTION", "a call of a function that is none"},
        BadKernel{kCrashing, "ARRAY_END", "an index past the end of an array"},
        BadKernel{kCrashing, "STATICS_END", "past the end of its statics", false},
        BadKernel{kCrashing, "STACK_END", "past the end of its statics or its stack", false},
        BadKernel{kCrashing, "CONSTANT_STORE", "a store to a constant", false},
        BadKernel{kCrashing, "UNALIGNED_STORE", "a store that is not aligned"},
        BadKernel{kCrashing, "UNALIGNED_LOAD", "a load that is not aligned"}),
    [](const testing::TestParamInfo<BadKernel>& tested) {
        return std::string(tested.param.define);
    });

// Nobody ends it, but while it looks, somebody might: its turns are moves, and the run ends when so
// many of them have changed nothing.
TEST(KernelFaultsTest, AWaitThatStoresAndIsNeverOverIsALivelock) {
    const auto kernels = made(test_manifest("bad_kernels.cpp", "ENDLESS_WAIT"));
    ASSERT_NE(kernels, nullptr);
    const Verdict verdict = run_rich(*kernels);
    EXPECT_EQ(verdict.kind, VerdictKind::livelock) << verdict.violation.summary;
    ASSERT_FALSE(kernels->places().empty());
    EXPECT_NE(kernels->places().front().find("bad_kernels.cpp:19"), std::string::npos)
        << kernels->places().front();
}

// The first role that started errs; the other one has started since.
TEST(KernelFaultsTest, OfTwoRolesTheOneThatErredIsNamed) {
    Manifest manifest = test_manifest("two_roles_kernel.cpp", "ERRS");
    HostedRole other = manifest.roles.front();
    other.name = "prefetch_hd";
    other.role = rt::CoreRole::prefetch_hd;
    other.flags.clear();
    manifest.roles.front().args.push_back("prefetch.noc_xy");
    other.args.push_back("dispatch.noc_xy");
    manifest.roles.push_back(other);
    for (const bool swapped : {false, true}) {
        if (swapped) std::swap(manifest.roles[0].flags, manifest.roles[1].flags);
        const auto kernels = made(manifest);
        ASSERT_NE(kernels, nullptr);
        // The word that they meet at is nobody's: its first poll finds what nobody wrote.
        constexpr auto kNeverWritten = static_cast<unsigned>(OracleId::never_written);
        const Verdict verdict = run_rich(*kernels, kAllOracles & ~(1u << kNeverWritten));
        EXPECT_EQ(kernels->places().size(), 2u) << "both have started";
        EXPECT_NE(verdict.violation.summary.find(
                      "a pointer outside the core's L1, at two_roles_kernel.cpp:11 in err"),
                  std::string::npos)
            << verdict.violation.summary;
    }
}

TEST(KernelFaultsTest, TheReportSaysWhyLinesAreMissing) {
    constexpr const char* kWhy = "neither addr2line (package binutils) nor llvm-symbolizer";
    const auto kernels = made(test_manifest(kCrashing, "TRAP"));
    const auto others = made(test_manifest(kCrashing, "TRAP"));
    ASSERT_TRUE(kernels != nullptr && others != nullptr);
    const std::string path = std::getenv("PATH");
    setenv("PATH", "/nowhere", 1);
    const Verdict verdict = run_rich(*kernels);
    const std::vector<std::string> places = kernels->places();
    setenv("PATH", path.c_str(), 1);
    EXPECT_NE(verdict.violation.summary.find(" of dispatch_hd-"), std::string::npos)
        << verdict.violation.summary;
    EXPECT_EQ(places.size(), 2u);
    EXPECT_NE(places.back().find(kWhy), std::string::npos) << places.back();

    run_rich(*others);
    EXPECT_EQ(others->places().size(), 1u);
}

TEST(KernelFaultsTest, ThousandsLeaveNothingBehind) {
    const auto kernels = made(test_manifest(kCrashing, "TRAP"));
    ASSERT_NE(kernels, nullptr);
    std::size_t before = 0;
    for (int i = 0; i < 3000; ++i) {
        if (i == 500) before = mallinfo2().uordblks;
        ASSERT_EQ(run_rich(*kernels).kind, VerdictKind::violation);
    }
    EXPECT_LE(mallinfo2().uordblks, before + 4096);
}

// Outside a run, and in it when it was not the kernel.
TEST(KernelFaultsTest, OthersSignalsGoToOthers) {
    const auto kernels = made(test_manifest(kCrashing, "TRAP"));
    ASSERT_NE(kernels, nullptr);
    static volatile std::sig_atomic_t caught;
    caught = 0;
    const auto before = std::signal(SIGFPE, [](int) { caught = caught + 1; });
    std::raise(SIGFPE);
    RunOptions options;
    options.hosted = kernels.get();
    options.on_entry = [](const LogEntry& entry) {
        if (entry.kind == LogKind::core_start && caught == 1) std::raise(SIGFPE);
    };
    Scenario scenario = rich_scenario();
    kernels->adapt(scenario);
    EXPECT_EQ(shared_runner().run(scenario, options).kind, VerdictKind::violation);
    EXPECT_EQ(caught, 2);
    std::raise(SIGFPE);
    EXPECT_EQ(caught, 3);
    std::signal(SIGFPE, before);
}

TEST(KernelFaultsTest, ACrashOfTheToolStaysOne) {
    const auto kernels = made(test_manifest(kCrashing, "TRAP"));
    ASSERT_NE(kernels, nullptr);
    RunOptions options;
    options.hosted = kernels.get();
    options.on_entry = [](const LogEntry&) { __builtin_trap(); };
    Scenario scenario = rich_scenario();
    kernels->adapt(scenario);
    EXPECT_DEATH(shared_runner().run(scenario, options), "");
}

}  // namespace
}  // namespace cqfuzz::hosting
