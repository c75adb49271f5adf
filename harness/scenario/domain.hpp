// Domain: what a fuzz target draws: which op kinds, sizes and limits its scenarios favour. All
// scenarios are of one kind; a domain only says what is likely, and `schedule` what stays fixed.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace cqfuzz {

enum class Domain : std::uint8_t {
    trace_replay,
    semaphore_multicast,
    cb_geometry,       // rings, pages, queues, circular buffers at and around their limits
    multi_chip,        // pairs of chips, tunnels
    program_sequence,  // programs and buffers one after the other, often on two queues, with events
    command_stream,    // commands without a host runtime, well formed
    malformed_stream,  // … with some of them broken
    schedule,          // a fixed scenario (rich_scenario.hpp); interleavings alone are drawn
};

struct DomainName {
    Domain domain;
    std::string_view name;  // as the fuzz target's
};

inline constexpr std::array kDomainNames{
    DomainName{Domain::trace_replay, "trace_replay"},
    DomainName{Domain::semaphore_multicast, "semaphore_multicast"},
    DomainName{Domain::cb_geometry, "cb_geometry"},
    DomainName{Domain::multi_chip, "multi_chip"},
    DomainName{Domain::program_sequence, "program_sequence"},
    DomainName{Domain::schedule, "schedule"},
    DomainName{Domain::command_stream, "command_stream"},
    DomainName{Domain::malformed_stream, "malformed_stream"},
};

constexpr bool draws_commands(Domain domain) {
    return domain == Domain::command_stream || domain == Domain::malformed_stream;
}

constexpr std::optional<Domain> domain_named(std::string_view name) {
    for (const DomainName& entry : kDomainNames)
        if (entry.name == name) return entry.domain;
    return std::nullopt;
}

}  // namespace cqfuzz
