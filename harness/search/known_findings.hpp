// Known findings: signatures that somebody has looked at and that are to be counted, not reported
// again, each with a note that says why.
//
// The file: a line is a signature, as reports and `hunt` print it; the lines that begin with "#"
// right above it are its note. Empty lines separate.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/result.hpp"

namespace cqfuzz {

struct KnownFinding {
    std::string signature;
    std::string note;
    std::uint64_t count = 0;  // how often it has been met
};

class KnownFindings {
public:
    // A signature without a note, and one that is there twice, are mistakes; the error names the
    // line.
    static Result<KnownFindings> parse(std::string_view text, std::string_view file_name);

    std::optional<std::size_t> find(std::string_view signature) const;
    void count(std::size_t index, std::uint64_t times = 1) { list_[index].count += times; }
    const std::vector<KnownFinding>& list() const { return list_; }
    std::uint64_t met() const;  // counts, added up
    bool empty() const { return list_.empty(); }

    // "12 findings are known" with a line for each that was met, and for each that was not.
    std::string summary() const;

private:
    std::vector<KnownFinding> list_;
};

}  // namespace cqfuzz
