// The command stream of a run as the prefetcher fetched it from the host: raw words, for a test on
// hardware, each command with its name. Fed with every log entry.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/base/log_entry.hpp"
#include "harness/base/machine_view.hpp"

namespace cqfuzz {

class CommandListing {
public:
    explicit CommandListing(const MachineView& view) : pcie_(view.pcie) {}
    void observe(const LogEntry& entry);

    // Fetches in order; a comment line begins with #, other lines are words in hexadecimal, eight a
    // line. Commands that a trace holds are in DRAM, not here.
    std::string text() const;

private:
    struct Fetch {
        std::uint64_t step = 0;
        std::uint32_t offset = 0;  // in the hugepage
        std::vector<std::byte> bytes;
    };
    TileIndex pcie_;
    std::vector<Fetch> fetches_;
};

}  // namespace cqfuzz
