#include "harness/cli/event_log.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "harness/base/fingerprint.hpp"
#include "harness/report/log_text.hpp"

namespace cqfuzz::cli {

namespace {

constexpr std::size_t kContextEntries = 4;

// Whether `data` holds bytes that the run's fingerprint takes too.
bool carries_bytes(const LogEntry& entry) {
    return entry.kind == LogKind::noc_depart ||
           (entry.kind == LogKind::noc_arrive && entry.noc_kind == NocKind::read);
}

KeptEntry kept_from(const LogEntry& entry) {
    KeptEntry kept{entry, 0};
    kept.entry.data = nullptr;
    if (carries_bytes(entry)) {
        Fingerprint bytes;
        bytes.add_bytes(entry.data, entry.length);
        kept.bytes = bytes.value();
    }
    return kept;
}

RunSummary summary_of(const Runner& runner, Verdict verdict) {
    return {runner.view(), std::move(verdict), runner.stats(), runner.fingerprint()};
}

}  // namespace

void LogComparison::add(const KeptEntry& entry) {
    if (differing_ || equal_ == kKeptEntriesMax) return;
    if (equal_ < first_.entries.size()) {
        const KeptEntry& mine = first_.entries[equal_];
        if (same_event(mine.entry, entry.entry) && mine.bytes == entry.bytes) {
            ++equal_;
            return;
        }
    }
    differing_ = entry;
}

std::optional<std::string> LogComparison::difference(const RunSummary& second,
                                                     const std::string& first_name,
                                                     const std::string& second_name) const {
    if (!differing_ && equal_ == first_.entries.size()) {
        if (first_.run.fingerprint == second.fingerprint) return std::nullopt;
        return fmt::format("the first {} log entries are equal, what follows is not\n", equal_);
    }
    constexpr const char* kOver = "(the run is over)";
    const auto mine = [this](std::size_t index) {
        return describe(first_.entries[index].entry, &first_.run.view);
    };
    std::string text = fmt::format("log entry {} is the first that differs\n", equal_);
    for (std::size_t i = equal_ - std::min(equal_, kContextEntries); i < equal_; ++i)
        text += fmt::format("    {}\n", mine(i));
    const bool first_goes_on = equal_ < first_.entries.size();
    text += fmt::format("  < {}   ({})\n", first_goes_on ? mine(equal_) : kOver, first_name);
    text +=
        fmt::format("  > {}   ({})\n",
                    differing_ ? describe(differing_->entry, &second.view) : kOver, second_name);
    const bool same_words =
        first_goes_on && differing_ && same_event(first_.entries[equal_].entry, differing_->entry);
    if (same_words) text += "  the bytes that moved differ\n";
    return text;
}

EventLog run_and_keep(Runner& runner, const Scenario& scenario, RunOptions options) {
    EventLog log;
    options.on_entry = [&log](const LogEntry& entry) {
        if (log.entries.size() < kKeptEntriesMax) log.entries.push_back(kept_from(entry));
    };
    log.run = summary_of(runner, runner.run(scenario, options));
    return log;
}

RunSummary run_and_compare(Runner& runner, const Scenario& scenario, RunOptions options,
                           LogComparison& comparison) {
    options.on_entry = [&comparison](const LogEntry& entry) { comparison.add(kept_from(entry)); };
    return summary_of(runner, runner.run(scenario, options));
}

}  // namespace cqfuzz::cli
