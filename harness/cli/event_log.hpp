// EventLog: a whole run's log, kept to be compared with another run's. For `diff` and `--twice` only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/run/run.hpp"

namespace cqfuzz::cli {

// About 300 MB; a longer run is compared up to here.
inline constexpr std::size_t kKeptEntriesMax = 4'000'000;

struct KeptEntry {
    LogEntry entry;           // `data` is null
    std::uint64_t bytes = 0;  // a hash of what `data` was
};

struct EventLog {
    std::vector<KeptEntry> entries;
    MachineView view;
    Verdict verdict;
    std::uint64_t fingerprint = 0;
};

EventLog run_and_keep(Runner& runner, const Scenario& scenario, RunOptions options);

// The first difference with a few entries before it, as text; nullopt when the runs are the same.
std::optional<std::string> first_difference(const EventLog& a, const EventLog& b, const std::string& a_name,
                                            const std::string& b_name);

}  // namespace cqfuzz::cli
