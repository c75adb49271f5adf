// Fingerprint: a running 64-bit hash of the event log. Two runs of one scenario have the same one,
// in every build.
#pragma once

#include <cstdint>

#include "harness/base/log_entry.hpp"

namespace cqfuzz {

class Fingerprint {
public:
    void add(const LogEntry& entry) {
        word((static_cast<std::uint64_t>(entry.kind) << 56) |
             (static_cast<std::uint64_t>(entry.noc_kind) << 48) |
             (static_cast<std::uint64_t>(entry.noc) << 40) |
             (static_cast<std::uint64_t>(entry.flags) << 32) |
             (static_cast<std::uint64_t>(entry.tile) << 16) | entry.target);
        word((entry.step << 32) ^ (static_cast<std::uint64_t>(entry.transaction) << 8) ^
             entry.value);
        word((static_cast<std::uint64_t>(entry.source_address) << 32) | entry.target_address);
        word((static_cast<std::uint64_t>(entry.length) << 32) |
             (static_cast<std::uint64_t>(entry.receivers.first.x) << 24) |
             (static_cast<std::uint64_t>(entry.receivers.first.y) << 16) |
             (static_cast<std::uint64_t>(entry.receivers.last.x) << 8) | entry.receivers.last.y);
    }
    // Bytes that moved: the first and the last eight of them.
    void add_bytes(const std::byte* data, std::uint32_t length);

    std::uint64_t value() const { return state_; }

private:
    void word(std::uint64_t w) {
        state_ = (state_ ^ w) * 0x9fb21c651e98df25u;
        state_ ^= state_ >> 29;
    }

    std::uint64_t state_ = 0x6371667a7a2f3031u;
};

}  // namespace cqfuzz
