#include "harness/cli/event_log.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "harness/base/fingerprint.hpp"
#include "harness/report/log_text.hpp"

namespace cqfuzz::cli {

namespace {

constexpr std::size_t kContextEntries = 4;

// Whether `data` holds bytes that the run's fingerprint takes too.
bool carries_bytes(const LogEntry& entry) {
    return entry.kind == LogKind::noc_depart || (entry.kind == LogKind::noc_arrive && entry.noc_kind == NocKind::read);
}

std::string line_of(const EventLog& log, std::size_t index) {
    if (index >= log.entries.size()) return "(the run is over)";
    return describe(log.entries[index].entry, &log.view);
}

}  // namespace

EventLog run_and_keep(Runner& runner, const Scenario& scenario, RunOptions options) {
    EventLog log;
    options.on_entry = [&log](const LogEntry& entry) {
        if (log.entries.size() >= kKeptEntriesMax) return;
        KeptEntry kept{entry, 0};
        kept.entry.data = nullptr;
        if (carries_bytes(entry)) {
            Fingerprint bytes;
            bytes.add_bytes(entry.data, entry.length);
            kept.bytes = bytes.value();
        }
        log.entries.push_back(kept);
    };
    log.verdict = runner.run(scenario, options);
    log.view = runner.view();
    log.fingerprint = runner.fingerprint();
    return log;
}

std::optional<std::string> first_difference(const EventLog& a, const EventLog& b, const std::string& a_name,
                                            const std::string& b_name) {
    const std::size_t common = std::min(a.entries.size(), b.entries.size());
    std::size_t at = 0;
    while (at < common && same_event(a.entries[at].entry, b.entries[at].entry) && a.entries[at].bytes == b.entries[at].bytes) {
        ++at;
    }
    if (at == a.entries.size() && at == b.entries.size()) {
        if (a.fingerprint == b.fingerprint) return std::nullopt;
        return fmt::format("the first {} log entries are equal, what follows is not\n", at);
    }
    std::string text = fmt::format("log entry {} is the first that differs\n", at);
    for (std::size_t i = at - std::min(at, kContextEntries); i < at; ++i) text += fmt::format("    {}\n", line_of(a, i));
    text += fmt::format("  < {}   ({})\n", line_of(a, at), a_name);
    text += fmt::format("  > {}   ({})\n", line_of(b, at), b_name);
    const bool same_words = at < common && same_event(a.entries[at].entry, b.entries[at].entry);
    if (same_words) text += "  the bytes that moved differ\n";
    return text;
}

}  // namespace cqfuzz::cli
