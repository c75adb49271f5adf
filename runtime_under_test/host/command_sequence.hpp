// CommandSequence: encoded prefetch commands in stream order, as they go to the issue queue or into
// a trace.
//
// A sequence keeps its memory over `clear`. A *unit* is a run of commands that one fetch slot must
// hold whole: a command, or a NOFLUSH head with its relay.
//
// Invariants:
//  1. Every command starts at a multiple of kBareMinBytes, and takes the bytes that
//  command_sizes.hpp says (inv. 100).
//  2. A NOFLUSH head is followed by its relay and nothing else (inv. 43).
//  3. A pointer to payload bytes is valid until the next add_….
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime_under_test/host/command_sizes.hpp"
#include "runtime_under_test/protocol/commands.hpp"

namespace cqfuzz::rt {

// What a WRITE_PACKED says besides its receivers.
struct PackedTarget {
    std::uint16_t write_offset_index = 0;
    std::uint32_t addr = 0;
    std::uint32_t size = 0;  // bytes of one payload
};

// Which ring of the prefetcher a command takes.
enum class Receiver : std::uint8_t { dispatcher = kToDispatcher, dispatch_s = kToDispatchS };

class CommandSequence {
public:
    void clear();
    std::span<const std::byte> bytes() const { return bytes_; }
    std::uint32_t size_bytes() const { return static_cast<std::uint32_t>(bytes_.size()); }
    std::span<const std::uint32_t> unit_ends() const { return unit_ends_; }
    void append(const CommandSequence& other);
    // A unit that somebody else encoded, whole multiples of kBareMinBytes.
    void add_unit(std::span<const std::byte> bytes);
    // For patches of a built sequence (inv. 107).
    std::byte* at(std::uint32_t offset) { return bytes_.data() + offset; }

    void add_stall();
    void add_prefetch_terminate();
    void add_exec_buf(const ExecBuf& command);
    void add_exec_buf_end();

    void add_wait(const Wait& command, Receiver to = Receiver::dispatcher);
    void add_set_write_offset(const SetWriteOffset& command);
    void add_go(const SendGoSignal& command, Receiver to);
    void add_go_noc_data(std::span<const std::uint32_t> words, Receiver to);
    void add_notify(const NotifySubordinateGoSignal& command);
    void add_num_worker_sems(const SetNumWorkerSems& command);  // to dispatch_s
    void add_dispatch_terminate(Receiver to = Receiver::dispatcher);
    // WRITE_LINEAR_H_HOST with the event's id as its payload.
    void add_event(std::uint32_t id);

    // Each returns the payload area, zeroed: pages back to back; payload k at k x align(size, 16).
    std::byte* add_write_linear(const WriteLinear& command);
    std::byte* add_write_paged(const WritePaged& command);
    std::byte* add_write_packed(const PackedTarget& target,
                                std::span<const std::uint32_t> receivers, PackedPayload payload);
    std::byte* add_write_packed(const PackedTarget& target,
                                std::span<const PackedMulticastSub> receivers,
                                PackedPayload payload);
    std::byte* add_write_packed_large(const WritePackedLarge& command,
                                      std::span<const WritePackedLargeSub> subs);

    // Heads with data relayed from DRAM or L1.
    void add_relayed(const WriteLinear& head, const RelayPaged& relay);
    void add_relayed(const WriteLinearHHost& head, const RelayPaged& relay);
    void add_relayed(const WriteLinearHHost& head, const RelayLinear& relay);
    void add_relayed(const WritePackedLarge& head, std::span<const WritePackedLargeSub> subs,
                     std::span<const RelayPagedPackedSub> relays);

private:
    std::byte* open(std::uint32_t bytes);
    std::byte* open_inline(PrefetchId kind, std::uint32_t payload_bytes,
                           Receiver to = Receiver::dispatcher);
    void end_unit(std::uint32_t predicted_bytes);

    std::vector<std::byte> bytes_;
    std::vector<std::uint32_t> unit_ends_;
};

}  // namespace cqfuzz::rt
