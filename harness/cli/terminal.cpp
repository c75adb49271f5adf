#include "harness/cli/terminal.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "harness/base/violation.hpp"

namespace cqfuzz::cli {

namespace {

constexpr std::uint64_t kBarCells = 30;
constexpr auto kRedrawPause = std::chrono::milliseconds(100);

constexpr int kInterrupts[] = {SIGINT, SIGTERM, SIGHUP};

// The one thing a signal handler may touch.
volatile std::sig_atomic_t interrupt_seen = 0;

void handle(void (*handler)(int)) {
    for (const int number : kInterrupts) {
        struct sigaction now {};
        sigaction(number, nullptr, &now);
        if (now.sa_handler == SIG_IGN) continue;
        struct sigaction next {};
        next.sa_handler = handler;
        sigemptyset(&next.sa_mask);
        next.sa_flags = SA_RESTART;
        sigaction(number, &next, nullptr);
    }
}

}  // namespace

bool wants_colour() { return isatty(STDOUT_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr; }

void catch_interrupts() {
    handle([](int number) {
        interrupt_seen = number;
        handle(SIG_DFL);
    });
}

void catch_interrupts_in_child(int parent) {
    handle([](int number) { interrupt_seen = number; });
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // It may have ended before it was asked for.
    if (getppid() != parent) _exit(kExitInterrupted);
}

bool interrupted() { return interrupt_seen != 0; }

int interrupting_signal() { return interrupt_seen; }

int told_interrupted() {
    std::fputs("cqfuzz: interrupted\n", stderr);
    return kExitInterrupted;
}

void hold_standard_descriptors() {
    for (int descriptor = 0; descriptor <= STDERR_FILENO; ++descriptor) {
        if (fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) continue;
        // The wrong way round, so that using it is still an error. The lowest free number is this
        // one.
        const int held = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        if (held < 0) return;
    }
}

int with_output_written(int exit_code) {
    errno = 0;
    const bool written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
    if (written) return exit_code;
    // After an earlier failure the reason may be gone.
    std::fprintf(stderr, "cqfuzz: standard output cannot be written%s%s\n", errno == 0 ? "" : ": ",
                 errno == 0 ? "" : std::strerror(errno));
    return kExitBadUsage;
}

ProgressLine::ProgressLine() : on_terminal_(isatty(STDERR_FILENO) == 1) {}

void ProgressLine::show(const std::string& what, std::uint64_t done, std::uint64_t total,
                        const std::string& rest) {
    if (!on_terminal_) return;
    const Clock::time_point now = Clock::now();
    if (now < next_ && done != total) return;
    next_ = now + kRedrawPause;
    const std::uint64_t cells = total == 0 ? 0 : kBarCells * std::min(done, total) / total;
    std::string bar;
    for (std::uint64_t i = 0; i < kBarCells; ++i) bar += i < cells ? "█" : "░";
    const std::string line = fmt::format("\r\x1b[2K{}  {}  {} / {}  {:.0f} s  {}", what, bar, done,
                                         total, seconds(), rest);
    std::fputs(line.c_str(), stderr);
    std::fflush(stderr);
    drawn_ = true;
}

void ProgressLine::clear() {
    if (drawn_) std::fputs("\r\x1b[2K", stderr);
    drawn_ = false;
}

double ProgressLine::seconds() const {
    return std::chrono::duration<double>(Clock::now() - start_).count();
}

}  // namespace cqfuzz::cli
