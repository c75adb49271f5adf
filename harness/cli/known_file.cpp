#include "harness/cli/known_file.hpp"

#include <fmt/core.h>

#include <sstream>
#include <utility>

#include "harness/cli/file_bytes.hpp"

namespace cqfuzz::cli {

Result<KnownFindings> read_known(const std::string& path) {
    if (path.empty()) return KnownFindings{};
    const Result<std::string> text = read_file(path);
    if (!text) return Error{text.message()};
    return KnownFindings::parse(text.value(), path);
}

std::string counts_text(const KnownFindings& known) {
    std::string text;
    for (const KnownFinding& finding : known.list()) text += fmt::format("{} ", finding.count);
    return text;
}

void add_counts(KnownFindings& known, const std::string& counts) {
    std::istringstream numbers(counts);
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < known.list().size() && numbers >> count; ++i) known.count(i, count);
}

Heartbeat::Heartbeat(std::string path, std::string command)
    : path_(std::move(path)), command_(std::move(command)) {}

std::string Heartbeat::write(const Figures& figures, bool running) const {
    if (path_.empty()) return "";
    const double seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
    return write_file(
        path_,
        fmt::format("{{\"cqfuzz\": 1, \"version\": \"{}\", \"command\": \"{}\", \"running\": {}, "
                    "\"seconds\": {:.1f}, \"scenarios\": {}, \"scenarios_per_second\": {:.1f}, "
                    "\"trials\": {}, \"trials_done\": {}, \"findings\": {}, "
                    "\"known_findings\": {}}}\n",
                    CQFUZZ_VERSION, command_, running, seconds, figures.scenarios,
                    seconds > 0 ? static_cast<double>(figures.scenarios) / seconds : 0.0,
                    figures.trials, figures.trials_done, figures.findings, figures.known_findings));
}

void Heartbeat::beat(const Figures& figures) {
    if (path_.empty() || Clock::now() < next_) return;
    next_ = Clock::now() + std::chrono::seconds(2);
    write(figures, true);
}

std::string Heartbeat::end(const Figures& figures) { return write(figures, false); }

}  // namespace cqfuzz::cli
