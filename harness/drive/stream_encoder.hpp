// StreamEncoder: commands as values → the bytes of the late-2024 generation (facts §2). For another
// one the driver translates ids (protocol/generation.hpp); the encoder leaves out what that does not
// know.
//
// Invariants:
//  1. Each command becomes whole units: what one fetch slot has to hold.
//  2. What firmware keeps between commands (write offsets, the go table, the completion count) is
//  followed here, so that every encoded command means what its value says.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/drive/stream_layout.hpp"
#include "harness/scenario/command_rules.hpp"
#include "harness/scenario/scenario.hpp"
#include "runtime_under_test/host/command_sequence.hpp"
#include "runtime_under_test/protocol/commands.hpp"

namespace cqfuzz {

class StreamEncoder {
public:
    StreamEncoder(const Scenario& scenario, const rt::DeviceConfig& config)
        : scenario_(scenario), config_(config), layout_(config) {}

    // Adds the command's units to `out`.
    void encode(const Command& command, rt::CommandSequence& out);
    // At the end of a stream: waits for everything.
    void encode_end(rt::CommandSequence& out);
    // What EXEC_BUF runs: the bytes that lie in DRAM, and the state that they leave behind.
    std::vector<std::byte> encode_body(std::uint32_t body);
    // Where body `body` lies in every bank, and its whole pages. REQUIRES: all bodies in front of
    // it have been placed.
    std::uint32_t place_body(std::uint32_t body, std::uint32_t bytes);

    void operator()(const CommandWriteLinear& c);
    void operator()(const CommandWritePaged& c);
    void operator()(const CommandWritePacked& c);
    void operator()(const CommandWriteLarge& c);
    void operator()(const CommandWriteHost& c);
    void operator()(const CommandWait& c);
    void operator()(const CommandDelay& c);
    void operator()(const CommandDispatchDebug& c);
    void operator()(const CommandPrefetchDebug& c);
    void operator()(const CommandSetWriteOffset& c);
    void operator()(const CommandGoTable& c);
    void operator()(const CommandGo& c);
    void operator()(const CommandBare& c);
    void operator()(const CommandCacheLoad& c);
    void operator()(const CommandCacheOffset& c);
    void operator()(const CommandExecBuf& c);
    void operator()(const CommandSubmit&) {}
    void operator()(const CommandReadCompletions&) {}
    void operator()(const CommandCorrupt& c) { corruptions_.push_back(c); }

private:
    // What firmware keeps.
    struct Kept {
        std::array<std::uint32_t, rt::kMaxWriteOffsets> offsets{};
        bool table_by_rows = false;
        std::uint32_t completions = 0;  // that all goes told so far will have made
    };
    struct Placed {
        std::uint32_t address = 0;
        std::uint32_t pages = 0;
        Kept left_behind;
    };

    // `head` (a dispatcher command with all but its payload) and the payload, by the way `from`
    // says.
    void add_fed(const std::vector<std::byte>& head, const Source& from, std::uint32_t length,
                 std::uint32_t seed);
    void add_inline(const std::vector<std::byte>& dispatcher_bytes);
    void add_relay(const Source& from, std::uint32_t length);
    template <class Encoded>
    void add_bare_inline(const Encoded& command);
    std::byte* open(std::uint32_t bytes);
    void close_unit();
    void corrupt_unit(const CommandCorrupt& c);
    rt::PackedMulticastSub multicast(const CoreRange& cores) const;
    bool knows(rt::DispatchId id) const {
        return config_.generation == nullptr || config_.generation->has(id);
    }
    std::uint32_t without_offset(std::uint32_t address, std::uint32_t index) const {
        return address - kept_.offsets[index];
    }

    const Scenario& scenario_;
    const rt::DeviceConfig& config_;
    StreamLayout layout_;
    Kept kept_;
    std::vector<Placed> bodies_;
    std::uint32_t bodies_end_ = StreamLayout::kDramBodies;
    std::vector<CommandCorrupt> corruptions_;  // of the next unit
    std::vector<std::byte> unit_;
    rt::CommandSequence* out_ = nullptr;
};

}  // namespace cqfuzz
