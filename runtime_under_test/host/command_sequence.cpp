#include "runtime_under_test/host/command_sequence.hpp"

#include <cstring>

#include "runtime_under_test/host/runtime_assert.hpp"

namespace cqfuzz::rt {
namespace {

std::byte* encode_large(std::byte* out, const WritePackedLarge& command,
                        std::span<const WritePackedLargeSub> subs) {
    RUNTIME_ASSERT(command.count == subs.size());
    RUNTIME_ASSERT(!subs.empty() && subs.size() <= kMaxPackedSubCommands);
    encode(out, command);
    std::byte* next = out + kCommandBytes;
    for (const WritePackedLargeSub& sub : subs) {
        RUNTIME_ASSERT(sub.length != 0);
        encode(next, sub);
        next += kLargeSubBytes;
    }
    return out + large_head_bytes(command.count);
}

WritePacked packed_command(const PackedTarget& target, std::size_t count, std::uint8_t flags) {
    RUNTIME_ASSERT(count != 0 && target.size != 0 && target.size <= 0xffff);
    WritePacked command;
    command.flags = flags;
    command.count = static_cast<std::uint16_t>(count);
    command.write_offset_index = target.write_offset_index;
    command.size = static_cast<std::uint16_t>(target.size);
    command.addr = target.addr;
    return command;
}

std::uint8_t flags_of(PackedPayload payload) {
    return payload == PackedPayload::shared ? kPackedNoStride : std::uint8_t{0};
}

}  // namespace

void CommandSequence::clear() {
    bytes_.clear();
    unit_ends_.clear();
}

void CommandSequence::append(const CommandSequence& other) {
    const std::uint32_t start = size_bytes();
    bytes_.insert(bytes_.end(), other.bytes_.begin(), other.bytes_.end());
    for (const std::uint32_t end : other.unit_ends_) unit_ends_.push_back(start + end);
}

void CommandSequence::add_unit(std::span<const std::byte> bytes) {
    RUNTIME_ASSERT(!bytes.empty() && bytes.size() % kBareMinBytes == 0);
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    unit_ends_.push_back(size_bytes());
}

std::byte* CommandSequence::open(std::uint32_t bytes) {
    RUNTIME_ASSERT(bytes != 0 && bytes % kBareMinBytes == 0);
    const std::size_t start = bytes_.size();
    bytes_.resize(start + bytes);
    return bytes_.data() + start;
}

std::byte* CommandSequence::open_inline(PrefetchId kind, std::uint32_t payload_bytes, Receiver to) {
    RelayInline command;
    command.dispatcher_type = static_cast<std::uint8_t>(to);
    command.length = payload_bytes;
    command.stride = inline_bytes(payload_bytes);
    std::byte* out = open(command.stride);
    encode(out, kind, command);
    return out + kCommandBytes;
}

void CommandSequence::end_unit(std::uint32_t predicted_bytes) {
    const std::uint32_t start = unit_ends_.empty() ? 0 : unit_ends_.back();
    RUNTIME_ASSERT(size_bytes() - start == predicted_bytes);
    unit_ends_.push_back(size_bytes());
}

void CommandSequence::add_stall() {
    encode(open(kBareBytes), PrefetchId::stall);
    end_unit(kBareBytes);
}

void CommandSequence::add_prefetch_terminate() {
    encode(open(kBareBytes), PrefetchId::terminate);
    end_unit(kBareBytes);
}

void CommandSequence::add_exec_buf(const ExecBuf& command) {
    encode(open(kBareBytes), command);
    end_unit(kBareBytes);
}

void CommandSequence::add_exec_buf_end() {
    encode(open_inline(PrefetchId::exec_buf_end, kCommandBytes), DispatchId::exec_buf_end);
    end_unit(inline_bytes(kCommandBytes));
}

void CommandSequence::add_wait(const Wait& command, Receiver to) {
    encode(open_inline(PrefetchId::relay_inline, kCommandBytes, to), command);
    end_unit(inline_bytes(kCommandBytes));
}

void CommandSequence::add_set_write_offset(const SetWriteOffset& command) {
    encode(open_inline(PrefetchId::relay_inline, kCommandBytes), command);
    end_unit(inline_bytes(kCommandBytes));
}

void CommandSequence::add_go(const SendGoSignal& command, Receiver to) {
    encode(open_inline(PrefetchId::relay_inline, kCommandBytes, to), command);
    end_unit(inline_bytes(kCommandBytes));
}

void CommandSequence::add_notify(const NotifySubordinateGoSignal& command) {
    encode(open_inline(PrefetchId::relay_inline, kCommandBytes), command);
    end_unit(inline_bytes(kCommandBytes));
}

void CommandSequence::add_num_worker_sems(const SetNumWorkerSems& command) {
    encode(open_inline(PrefetchId::relay_inline, kCommandBytes, Receiver::dispatch_s), command);
    end_unit(inline_bytes(kCommandBytes));
}

void CommandSequence::add_go_noc_data(std::span<const std::uint32_t> words, Receiver to) {
    RUNTIME_ASSERT(words.size() <= kMaxGoNocData);
    const auto word_bytes = static_cast<std::uint32_t>(words.size_bytes());
    RUNTIME_ASSERT(to == Receiver::dispatcher ||
                   kCommandBytes + word_bytes <= 1u << DispatchGeometry::kDispatchSLogPage);
    std::byte* out = open_inline(PrefetchId::relay_inline, kCommandBytes + word_bytes, to);
    SetGoSignalNocData command;
    command.num_words = static_cast<std::uint32_t>(words.size());
    encode(out, command);
    if (!words.empty()) std::memcpy(out + kCommandBytes, words.data(), word_bytes);
    end_unit(inline_bytes(kCommandBytes + word_bytes));
}

void CommandSequence::add_dispatch_terminate(Receiver to) {
    encode(open_inline(PrefetchId::relay_inline, kCommandBytes, to), DispatchId::terminate);
    end_unit(inline_bytes(kCommandBytes));
}

void CommandSequence::add_event(std::uint32_t id) {
    std::byte* out = open_inline(PrefetchId::relay_inline, kCommandBytes + kEventBytes);
    WriteLinearHHost command;
    command.is_event = 1;
    command.length = kCommandBytes + kEventBytes;
    encode(out, command);
    std::memcpy(out + kCommandBytes, &id, sizeof id);
    end_unit(event_command_bytes());
}

std::byte* CommandSequence::add_write_linear(const WriteLinear& command) {
    RUNTIME_ASSERT(command.length != 0);
    const std::uint32_t length = kCommandBytes + command.length;
    std::byte* out = open_inline(PrefetchId::relay_inline, length);
    encode(out, DispatchId::write_linear, command);
    end_unit(inline_bytes(length));
    return out + kCommandBytes;
}

std::byte* CommandSequence::add_write_paged(const WritePaged& command) {
    RUNTIME_ASSERT(command.pages != 0 && command.page_size != 0);
    const std::uint32_t data_bytes = command.pages * command.page_size;
    std::byte* out = open_inline(PrefetchId::relay_inline, kCommandBytes + data_bytes);
    encode(out, command);
    end_unit(write_paged_bytes(command.pages, command.page_size));
    return out + kCommandBytes;
}

std::byte* CommandSequence::add_write_packed(const PackedTarget& target,
                                             std::span<const std::uint32_t> receivers,
                                             PackedPayload payload) {
    const auto count = static_cast<std::uint32_t>(receivers.size());
    const std::uint32_t length = packed_bytes(count, kUnicastSubBytes, target.size, payload);
    std::byte* out = open_inline(PrefetchId::relay_inline, length);
    encode(out, packed_command(target, count, flags_of(payload)));
    std::memcpy(out + kCommandBytes, receivers.data(), receivers.size_bytes());
    end_unit(inline_bytes(length));
    return out + packed_head_bytes(count, kUnicastSubBytes);
}

std::byte* CommandSequence::add_write_packed(const PackedTarget& target,
                                             std::span<const PackedMulticastSub> receivers,
                                             PackedPayload payload) {
    const auto count = static_cast<std::uint32_t>(receivers.size());
    const std::uint32_t length = packed_bytes(count, kMulticastSubBytes, target.size, payload);
    std::byte* out = open_inline(PrefetchId::relay_inline, length);
    const int flags = flags_of(payload) | kPackedMulticast;
    encode(out, packed_command(target, count, static_cast<std::uint8_t>(flags)));
    std::byte* next = out + kCommandBytes;
    for (const PackedMulticastSub& receiver : receivers) {
        encode(next, receiver);
        next += kMulticastSubBytes;
    }
    end_unit(inline_bytes(length));
    return out + packed_head_bytes(count, kMulticastSubBytes);
}

std::byte* CommandSequence::add_write_packed_large(const WritePackedLarge& command,
                                                   std::span<const WritePackedLargeSub> subs) {
    std::uint32_t length = large_head_bytes(command.count);
    for (const WritePackedLargeSub& sub : subs) length += align_up(sub.length, command.alignment);
    std::byte* payload = encode_large(open_inline(PrefetchId::relay_inline, length), command, subs);
    end_unit(inline_bytes(length));
    return payload;
}

void CommandSequence::add_relayed(const WriteLinear& head, const RelayPaged& relay) {
    RUNTIME_ASSERT(head.length == relay.pages * relay.page_size - relay.length_adjust);
    RUNTIME_ASSERT(relay.length_adjust < relay.page_size && relay.length_adjust % 32 == 0);
    encode(open_inline(PrefetchId::relay_inline_noflush, kCommandBytes), DispatchId::write_linear,
           head);
    encode(open(kBareBytes), relay);
    end_unit(relayed_bytes(kCommandBytes, kBareBytes));
}

void CommandSequence::add_relayed(const WriteLinearHHost& head, const RelayPaged& relay) {
    RUNTIME_ASSERT(head.length ==
                   kCommandBytes + relay.pages * relay.page_size - relay.length_adjust);
    RUNTIME_ASSERT(relay.length_adjust < relay.page_size && relay.length_adjust % 32 == 0);
    encode(open_inline(PrefetchId::relay_inline_noflush, kCommandBytes), head);
    encode(open(kBareBytes), relay);
    end_unit(relayed_bytes(kCommandBytes, kBareBytes));
}

void CommandSequence::add_relayed(const WriteLinearHHost& head, const RelayLinear& relay) {
    RUNTIME_ASSERT(relay.length != 0 && head.length == kCommandBytes + relay.length);
    encode(open_inline(PrefetchId::relay_inline_noflush, kCommandBytes), head);
    encode(open(kBareBytes), relay);
    end_unit(relayed_bytes(kCommandBytes, kBareBytes));
}

void CommandSequence::add_relayed(const WritePackedLarge& head,
                                  std::span<const WritePackedLargeSub> subs,
                                  std::span<const RelayPagedPackedSub> relays) {
    RUNTIME_ASSERT(!relays.empty() && relays.size() <= kMaxPackedSubCommands);
    std::uint32_t written = 0;
    for (const WritePackedLargeSub& sub : subs) written += align_up(sub.length, head.alignment);
    RelayPagedPacked command;
    command.count = static_cast<std::uint16_t>(relays.size());
    for (const RelayPagedPackedSub& relay : relays) command.total_length += relay.length;
    RUNTIME_ASSERT(command.total_length == written);
    command.stride = relay_packed_bytes(command.count);
    encode_large(open_inline(PrefetchId::relay_inline_noflush, large_head_bytes(head.count)), head,
                 subs);
    std::byte* out = open(command.stride);
    encode(out, command);
    out += kCommandBytes;
    for (const RelayPagedPackedSub& relay : relays) {
        encode(out, relay);
        out += kRelaySubBytes;
    }
    end_unit(relayed_bytes(large_head_bytes(head.count), relay_packed_bytes(command.count)));
}

}  // namespace cqfuzz::rt
