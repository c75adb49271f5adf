// Rules of commands (ids: limits.hpp): what makes a stream well formed. The same walk settles a
// stream and tells what is wrong with one.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "harness/scenario/scenario.hpp"

namespace cqfuzz::rules {

// Which bytes of the prefetcher's ring-buffer cache a relay may take (C7), command by command.
struct CacheState {
    bool write_known = true;  // where the next load goes
    bool offset_known = true;
    std::uint32_t write = 0;
    std::uint32_t offset = 0;
    // Loaded, and not given to scratch since.
    std::uint32_t begin = 0;
    std::uint32_t end = 0;

    // In a body, which may run in any state; and behind an EXEC_BUF.
    static CacheState unknown() { return {false, false, 0, 0, 0, 0}; }
    void load(const CommandCacheLoad& command);
    void take_scratch() { begin = end = 0; }
};

inline constexpr std::uint32_t kCacheBytes = 64 * 1024;  // of the cache that streams use

// Bytes that a command's write is about; 0 when it writes nothing.
std::uint32_t payload_bytes(const CommandWriteLarge& command);

// The i-th part of a relay by sub-commands: whole units of 32, as equal as they can be, the larger
// ones first. REQUIRES: 1 <= parts <= length / 32.
std::uint32_t part_bytes(std::uint32_t length, std::uint32_t parts, std::uint32_t i);

// Makes C1 to C8 true. REQUIRES: domains, topology and geometry are settled.
void settle_commands(Scenario& scenario);

struct BrokenCommand {
    std::string_view list;  // "command", "body"
    std::uint32_t index = 0;
    std::uint32_t body = 0;        // of a command in one
    bool stands = true;            // there is a form that is legal here: `nearest`
    Command nearest;
    std::string_view rule;
};
// The first one that C2 to C9 do not let stand as it is.
std::optional<BrokenCommand> broken_command(const Scenario& scenario);

}  // namespace cqfuzz::rules
