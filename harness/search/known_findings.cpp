#include "harness/search/known_findings.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace cqfuzz {

Result<KnownFindings> KnownFindings::parse(std::string_view text, std::string_view file_name) {
    KnownFindings known;
    std::string note;
    std::size_t number = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        ++number;
        while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
        if (line.empty()) {
            note.clear();
        } else if (line.front() == '#') {
            line.remove_prefix(line.size() > 1 && line[1] == ' ' ? 2 : 1);
            note += fmt::format("{}{}", note.empty() ? "" : " ", line);
        } else if (note.empty()) {
            return Error{fmt::format("{}:{}: a known signature needs a note above it: # why",
                                     file_name, number)};
        } else if (known.find(line)) {
            return Error{fmt::format("{}:{}: this signature is there twice", file_name, number)};
        } else {
            known.list_.push_back({std::string(line), note, 0});
            note.clear();
        }
    }
    return known;
}

std::optional<std::size_t> KnownFindings::find(std::string_view signature) const {
    for (std::size_t i = 0; i < list_.size(); ++i)
        if (list_[i].signature == signature) return i;
    return std::nullopt;
}

std::uint64_t KnownFindings::met() const {
    std::uint64_t met = 0;
    for (const KnownFinding& known : list_) met += known.count;
    return met;
}

std::string KnownFindings::summary() const {
    std::string lines;
    for (const KnownFinding& known : list_) {
        lines += known.count != 0
                     ? fmt::format("{:>8}  {}: {}\n", known.count, known.signature, known.note)
                     : fmt::format("   never  {}: {}; does it occur no longer?\n", known.signature,
                                   known.note);
    }
    return fmt::format("{} findings are known\n{}", met(), lines);
}

}  // namespace cqfuzz
