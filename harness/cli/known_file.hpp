// Known findings and heartbeats of the commands that search.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "harness/search/known_findings.hpp"

namespace cqfuzz::cli {

// Of --known; none when `path` is "".
Result<KnownFindings> read_known(const std::string& path);

// What a child tells its parent: a count for each known finding, with blanks between.
std::string counts_text(const KnownFindings& known);
void add_counts(KnownFindings& known, const std::string& counts);

// --stats-json: one JSON object in a file, replaced every two seconds and at the end, so that
// whoever watches a long run need not read its output. Nothing when `path` is "".
class Heartbeat {
public:
    Heartbeat(std::string path, std::string command);

    struct Figures {
        std::uint64_t scenarios = 0;
        std::uint64_t trials_done = 0;
        std::uint64_t trials = 0;
        std::uint64_t findings = 0;
        std::uint64_t known_findings = 0;
    };
    void beat(const Figures& figures);
    // The last one, whenever the one before was. An empty string, or what went wrong.
    std::string end(const Figures& figures);

private:
    std::string write(const Figures& figures, bool running) const;

    using Clock = std::chrono::steady_clock;
    std::string path_;
    std::string command_;
    Clock::time_point begin_ = Clock::now();
    Clock::time_point next_ = begin_;
};

}  // namespace cqfuzz::cli
