// The terminal: colour only where a person sees it, a progress line, ctrl-C as a question instead
// of an end, and standard output that is known to have been written.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "harness/report/finding.hpp"

namespace cqfuzz::cli {

// Standard output is a terminal, and NO_COLOR is not set.
bool wants_colour();

// From here on SIGINT, SIGTERM and SIGHUP no longer end the process; `interrupted` tells. A second
// one ends it at once. What the caller of the process ignores (nohup) stays ignored.
void catch_interrupts();
// The same in a child process, where a second one ends nothing: ctrl-C reaches the whole group, and
// the parent passes on what it gets. The child is killed when its parent ends.
void catch_interrupts_in_child(int parent);
bool interrupted();
// SIGINT, SIGTERM or SIGHUP, whichever came first; 0.
int interrupting_signal();
// One line on standard error; returns the exit code.
int told_interrupted();

// Descriptors 0 to 2 that are closed are held, so that no file that is opened later becomes
// standard output.
void hold_standard_descriptors();
// What was printed is out: `exit_code`. It is not: one line on standard error, and the code of bad
// input.
int with_output_written(int exit_code);

// One line on standard error that is drawn again and again; nothing when standard error is no
// terminal.
class ProgressLine {
public:
    ProgressLine();
    ~ProgressLine() { clear(); }
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    // "replays  ████░░░░  12 / 80  …"; drawn a few times a second, however often it is called.
    void show(const std::string& what, std::uint64_t done, std::uint64_t total,
              const std::string& rest = "");
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
