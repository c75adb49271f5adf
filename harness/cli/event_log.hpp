// EventLog: a whole run's log, kept so that another run can be held against it. For `diff` and
// `--twice` only.
//
// Only one of the two runs is kept; the other is compared while it runs.
#pragma once

#include <deque>
#include <optional>
#include <string>

#include "harness/run/run.hpp"

namespace cqfuzz::cli {

// About 200 MB; of a longer run the rest is compared by its fingerprint alone.
inline constexpr std::size_t kKeptEntriesMax = 3'000'000;

struct KeptEntry {
    LogEntry entry;           // `data` is null
    std::uint64_t bytes = 0;  // a hash of what `data` was
};

// What a run came to, besides its log.
struct RunSummary {
    MachineView view;
    Verdict verdict;
    RunStats stats;
    std::uint64_t fingerprint = 0;
};

struct EventLog {
    std::deque<KeptEntry>
        entries;  // that never moves what it holds: half of what a vector takes while it grows
    RunSummary run;
};

// Holds a second run against a kept one, entry after entry.
class LogComparison {
public:
    explicit LogComparison(const EventLog& first) : first_(first) {}

    void add(const KeptEntry& entry);
    // The first difference with a few entries before it, as text; nullopt when the runs are the
    // same.
    std::optional<std::string> difference(const RunSummary& second, const std::string& first_name,
                                          const std::string& second_name) const;

private:
    const EventLog& first_;
    std::size_t equal_ = 0;  // entries from the first on
    std::optional<KeptEntry>
        differing_;  // of the second run; also when the first one is over by then
};

EventLog run_and_keep(Runner& runner, const Scenario& scenario, RunOptions options);
RunSummary run_and_compare(Runner& runner, const Scenario& scenario, RunOptions options,
                           LogComparison& comparison);

}  // namespace cqfuzz::cli
