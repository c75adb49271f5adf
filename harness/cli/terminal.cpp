#include "harness/cli/terminal.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>

namespace cqfuzz::cli {

namespace {

constexpr std::uint64_t kBarCells = 30;
constexpr auto kRedrawPause = std::chrono::milliseconds(100);

// The one thing a signal handler may touch.
volatile std::sig_atomic_t interrupt_seen = 0;

}  // namespace

bool wants_colour() { return isatty(STDOUT_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr; }

void catch_interrupts() {
    std::signal(SIGINT, [](int) {
        interrupt_seen = 1;
        std::signal(SIGINT, SIG_DFL);
    });
}

bool interrupted() { return interrupt_seen != 0; }

ProgressLine::ProgressLine() : on_terminal_(isatty(STDERR_FILENO) == 1) {}

void ProgressLine::show(const std::string& what, std::uint64_t done, std::uint64_t total, const std::string& rest) {
    if (!on_terminal_) return;
    const Clock::time_point now = Clock::now();
    if (now < next_ && done != total) return;
    next_ = now + kRedrawPause;
    const std::uint64_t cells = total == 0 ? 0 : kBarCells * std::min(done, total) / total;
    std::string bar;
    for (std::uint64_t i = 0; i < kBarCells; ++i) bar += i < cells ? "█" : "░";
    const std::string line = fmt::format("\r\x1b[2K{}  {}  {} / {}  {:.0f} s  {}", what, bar, done, total, seconds(), rest);
    std::fputs(line.c_str(), stderr);
    std::fflush(stderr);
    drawn_ = true;
}

void ProgressLine::clear() {
    if (drawn_) std::fputs("\r\x1b[2K", stderr);
    drawn_ = false;
}

double ProgressLine::seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

}  // namespace cqfuzz::cli
