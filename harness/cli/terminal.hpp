// The terminal: colour only where a person sees it, a progress line, and ctrl-C as a question instead of an end.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace cqfuzz::cli {

inline constexpr int kExitInterrupted = 130;

// Standard output is a terminal, and NO_COLOR is not set.
bool wants_colour();

// From the first call on ctrl-C no longer ends the process; `interrupted` tells. A second ctrl-C ends it at once.
void catch_interrupts();
bool interrupted();

// One line on standard error that is drawn again and again; nothing when standard error is no terminal.
class ProgressLine {
public:
    ProgressLine();
    ~ProgressLine() { clear(); }
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    // "replays  ████░░░░  12 / 80  …"; drawn a few times a second, however often it is called.
    void show(const std::string& what, std::uint64_t done, std::uint64_t total, const std::string& rest = "");
    void clear();
    double seconds() const;

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point start_ = Clock::now();
    Clock::time_point next_ = start_;
    bool drawn_ = false;
    bool on_terminal_ = false;
};

}  // namespace cqfuzz::cli
