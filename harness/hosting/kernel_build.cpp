#include "harness/hosting/kernel_build.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <system_error>

#include "harness/base/fnv.hpp"

namespace cqfuzz::hosting {

namespace {

namespace fs = std::filesystem;

struct Ran {
    int code = -1;
    std::string out;  // standard output and error
};

// Words as they are, without a shell.
Ran run(const std::vector<std::string>& words) {
    Ran ran;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return ran;
    std::vector<char*> argv;
    for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 1);
        dup2(ends[1], 2);
        execvp(argv[0], argv.data());
        _exit(127);
    }
    close(ends[1]);
    char block[4096];
    ssize_t count = 0;
    while ((count = read(ends[0], block, sizeof block)) > 0 || (count < 0 && errno == EINTR))
        if (count > 0) ran.out.append(block, static_cast<std::size_t>(count));
    close(ends[0]);
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    ran.code = child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return ran;
}

// Language and defines, alike for looking and for compiling.
Result<std::vector<std::string>> front_flags(const Manifest& manifest, const HostedRole& role,
                                             const HostedGeometry& geometry, std::uint32_t queue,
                                             const BuildPlace& place) {
    const Names names = names_for(manifest, role, geometry, queue);
    std::vector<std::string> flags{"-std=c++20",
                                   "-O1",
                                   "-g",
                                   "-fPIC",
                                   "-w",
                                   "-fms-extensions",
                                   "-fno-exceptions",
                                   "-fno-rtti",
                                   "-fno-threadsafe-statics",
                                   "-fvisibility=hidden",
                                   fmt::format("-DNOC_INDEX={}", role.noc)};
    std::string args;
    for (const std::string& text : role.args) {
        const Result<std::uint32_t> value = evaluate(text, names);
        if (!value) return Error{fmt::format("role {}: argument {}", role.name, value.message())};
        args += fmt::format("{}{}u", args.empty() ? "" : ",", value.value());
    }
    if (!args.empty()) flags.push_back("-DKERNEL_COMPILE_TIME_ARGS=" + args);
    for (const auto& [name, text] : role.defines) {
        if (text.empty()) {
            flags.push_back("-D" + name);
            continue;
        }
        const Result<std::uint32_t> value = evaluate(text, names);
        if (!value)
            return Error{fmt::format("role {}: define {}: {}", role.name, name, value.message())};
        flags.push_back(fmt::format("-D{}={}u", name, value.value()));
    }
    // What the headers need to know of the geometry.
    const std::pair<const char*, std::uint32_t> known[] = {
        {"NUM_DRAM_BANKS", names.at("dram.banks")},
        {"NUM_L1_BANKS", names.at("worker.cols") * names.at("worker.rows")},
        {"CQFUZZ_DRAM_NOC_XY", names.at("dram.noc_xy")},
        {"CQFUZZ_WORKER_X", names.at("worker.origin_x")},
        {"CQFUZZ_WORKER_Y", names.at("worker.origin_y")},
        {"CQFUZZ_WORKER_COLS", names.at("worker.cols")},
        {"CQFUZZ_L1", names.at("l1")},
        {"CQFUZZ_SEMAPHORE_BASE", names.at("l1") + names.at("own.semaphore_base")},
        {"CQFUZZ_PREFETCH_Q_RD_PTR", names.at("own.prefetch_q_rd_ptr")},
        {"CQFUZZ_PREFETCH_Q_PCIE_RD_PTR", names.at("own.prefetch_q_pcie_rd_ptr")},
        {"CQFUZZ_COMPLETION_WR_PTR", names.at("own.completion_wr_ptr")},
        {"CQFUZZ_COMPLETION_RD_PTR", names.at("own.completion_rd_ptr")},
        {"CQFUZZ_LAST_EVENT0", names.at("own.last_event0")},
        {"CQFUZZ_LAST_EVENT1", names.at("own.last_event1")},
        {"CQFUZZ_MESSAGE", names.at("own.message")},
        {"CQFUZZ_PREFETCH_Q_BASE", names.at("own.prefetch_q_base")},
        {"CQFUZZ_RING_BASE", names.at("own.ring_base")}};
    for (const auto& [name, value] : known) flags.push_back(fmt::format("-D{}={}u", name, value));
    for (const std::string& include : role.includes) flags.push_back("-I" + include);
    flags.push_back("-I" + place.sdk + "/harness/device_api/kernel");
    flags.push_back("-I" + place.sdk);
    flags.insert(flags.end(), role.flags.begin(), role.flags.end());
    return flags;
}

// Every load, store and branch calls a hook of ours (harness/hosting/object/port.cpp); the compiler
// takes them for a thread sanitizer's. What the language leaves open is a call of another hook or a
// trap, never a way into whatever code lies behind, and each frame touches the guard page that it
// would skip.
const std::vector<std::string>& hook_flags() {
    static const std::vector<std::string> flags{
        "-fsanitize=thread", "-mllvm", "-tsan-distinguish-volatile=1", "-mllvm",
        "-tsan-instrument-func-entry-exit=0",
        // Without pruning: the budget against endless loops needs every block.
        "-fsanitize-coverage=trace-pc-guard", "-mllvm", "-sanitizer-coverage-prune-blocks=0",
        "-fsanitize=array-bounds,integer-divide-by-zero,return,unreachable",
        "-fsanitize-recover=array-bounds,integer-divide-by-zero", "-fno-finite-loops",
        "-fno-delete-null-pointer-checks", "-mllvm", "-trap-unreachable",
        "-fstack-clash-protection",
        // Code of two lines that becomes one has no line.
        "-mllvm", "-simplifycfg-sink-common=false", "-mllvm", "-simplifycfg-hoist-common=false",
        "-mllvm", "-enable-tail-merge=0"};
    return flags;
}

// The port has no lines: a kernel's places are its own.
const std::vector<std::string>& port_flags() {
    static const std::vector<std::string> flags{"-O2", "-g0", "-fno-builtin"};
    return flags;
}

std::vector<std::string> joined(std::vector<std::string> words,
                                const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

}  // namespace

Result<std::string> build_role(const Manifest& manifest, const HostedRole& role,
                               const HostedGeometry& geometry, std::uint32_t queue,
                               const BuildPlace& place) {
    const Result<std::vector<std::string>> front =
        front_flags(manifest, role, geometry, queue, place);
    if (!front) return Error{front.message()};
    const std::string port = place.sdk + "/harness/hosting/object/port.cpp";
    std::vector<std::string> sources = role.sources;
    sources.push_back(port);

    // What the compiler would see is the key: a header that changes changes it.
    std::uint64_t key = fnv1a(place.compiler);
    for (const std::string& word : joined(front.value(), joined(hook_flags(), port_flags())))
        key = fnv1a(word, key);
    for (const std::string& source : sources) {
        const Ran seen = run(joined({place.compiler, "-E"}, joined(front.value(), {source})));
        if (seen.code == 127)
            return Error{place.compiler +
                         " cannot be started: apt-get install clang, or --compiler"};
        // What it has seen so far is no message: it says the same again without that.
        if (seen.code != 0)
            return Error{
                run(joined({place.compiler, "-fsyntax-only"}, joined(front.value(), {source})))
                    .out};
        key = fnv1a(seen.out, key);
    }
    std::error_code error;
    fs::create_directories(place.cache, error);
    if (error) return Error{place.cache + ": " + error.message()};
    const std::string object = fmt::format("{}/{}-{:016x}.so", place.cache, role.name, key);
    if (fs::exists(object, error)) return object;

    const std::string work = fmt::format("{}.{}", object, getpid());
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < sources.size(); ++i) {
        parts.push_back(fmt::format("{}.{}.o", work, i));
        const bool ours = sources[i] == port;
        // A role's own flags have the last word.
        const std::vector<std::string> words =
            ours ? joined(joined({place.compiler}, front.value()), port_flags())
                 : joined(joined({place.compiler}, hook_flags()), front.value());
        const Ran compiled = run(joined(words, {"-c", sources[i], "-o", parts.back()}));
        if (compiled.code != 0) return Error{compiled.out};
    }
    const Ran linked = run(
        joined(joined({place.compiler, "-shared", "-nostdlib", "-Wl,-z,defs", "-Wl,-z,now"}, parts),
               {"-o", work}));
    for (const std::string& part : parts) fs::remove(part, error);
    if (linked.code != 0) return Error{linked.out};
    fs::rename(work, object, error);  // whole, or not there
    if (error) return Error{object + ": " + error.message()};
    return object;
}

}  // namespace cqfuzz::hosting
