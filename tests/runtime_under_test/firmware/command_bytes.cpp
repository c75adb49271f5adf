#include "tests/runtime_under_test/firmware/command_bytes.hpp"

#include <cstring>

namespace cqfuzz::fw {
namespace {

using rt::kCommandBytes;

template <class Command>
Bytes encoded(const Command& command) {
    Bytes out(kCommandBytes);
    rt::encode(out.data(), command);
    return out;
}

rt::Debug debug_of(const Bytes& payload, std::uint32_t stride) {
    rt::Debug command;
    command.key = 0x5a5a;
    command.size = static_cast<std::uint32_t>(payload.size());
    command.stride = stride;
    for (std::size_t at = 0; at < payload.size(); at += 4) {
        std::uint32_t word = 0;
        std::memcpy(&word, payload.data() + at, sizeof word);
        command.checksum += word;
    }
    return command;
}

void append_words(Bytes& to, const std::vector<std::uint32_t>& words) {
    const std::size_t at = to.size();
    to.resize(at + words.size() * 4);
    if (!words.empty()) std::memcpy(to.data() + at, words.data(), words.size() * 4);
}

}  // namespace

Bytes noise(Rng& rng, std::size_t length) {
    Bytes out(length);
    for (std::byte& b : out) b = static_cast<std::byte>(rng.next());
    return out;
}

Bytes slice(const Bytes& bytes, std::size_t from, std::size_t length) {
    const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(from);
    return Bytes(begin, begin + static_cast<std::ptrdiff_t>(length));
}

void append(Bytes& to, const Bytes& bytes) { to.insert(to.end(), bytes.begin(), bytes.end()); }

void pad_to(Bytes& bytes, std::uint32_t alignment) {
    bytes.resize((bytes.size() + alignment - 1) / alignment * alignment, std::byte{0xee});
}

Bytes write_linear(std::uint32_t xy, std::uint32_t address, const Bytes& data,
                   std::uint8_t num_mcast_dests, std::uint8_t write_offset_index) {
    rt::WriteLinear command;
    command.num_mcast_dests = num_mcast_dests;
    command.write_offset_index = write_offset_index;
    command.noc_xy_addr = xy;
    command.addr = address;
    command.length = static_cast<std::uint32_t>(data.size());
    Bytes out(kCommandBytes);
    rt::encode(out.data(), rt::DispatchId::write_linear, command);
    append(out, data);
    return out;
}

Bytes write_linear_h(std::uint32_t xy, std::uint32_t address, const Bytes& data,
                     std::uint8_t num_mcast_dests) {
    Bytes out = write_linear(xy, address, data, num_mcast_dests);
    out[0] = static_cast<std::byte>(rt::DispatchId::write_linear_h);
    return out;
}

Bytes write_paged(std::uint16_t start_page, std::uint32_t base, std::uint32_t page_size,
                  const Bytes& data, std::uint8_t is_dram) {
    rt::WritePaged command;
    command.is_dram = is_dram;
    command.start_page = start_page;
    command.base_addr = base;
    command.page_size = page_size;
    command.pages = static_cast<std::uint32_t>(data.size()) / page_size;
    Bytes out = encoded(command);
    append(out, data);
    return out;
}

Bytes write_packed(std::uint8_t flags, std::uint32_t address,
                   const std::vector<PackedTarget>& targets, std::uint16_t write_offset_index) {
    rt::WritePacked command;
    command.flags = flags;
    command.count = static_cast<std::uint16_t>(targets.size());
    command.write_offset_index = write_offset_index;
    command.size = static_cast<std::uint16_t>(targets.front().data.size());
    command.addr = address;
    Bytes out = encoded(command);
    std::vector<std::uint32_t> words;
    for (const PackedTarget& target : targets) {
        words.push_back(target.xy);
        if ((flags & rt::kPackedMulticast) != 0) words.push_back(target.num_mcast_dests);
    }
    append_words(out, words);
    pad_to(out, 16);
    for (const PackedTarget& target : targets) {
        append(out, target.data);
        pad_to(out, 16);
        if ((flags & rt::kPackedNoStride) != 0) break;
    }
    return out;
}

Bytes write_packed_large(std::uint16_t alignment, const std::vector<LargeTarget>& targets,
                         std::uint16_t write_offset_index) {
    rt::WritePackedLarge command;
    command.count = static_cast<std::uint16_t>(targets.size());
    command.alignment = alignment;
    command.write_offset_index = write_offset_index;
    Bytes out = encoded(command);
    for (const LargeTarget& target : targets) {
        rt::WritePackedLargeSub sub;
        sub.noc_xy_addr = target.xy;
        sub.addr = target.address;
        sub.length = static_cast<std::uint16_t>(target.data.size());
        sub.num_mcast_dests = target.num_mcast_dests;
        sub.flags = target.flags;
        std::byte bytes[12];
        rt::encode(bytes, sub);
        out.insert(out.end(), bytes, bytes + sizeof bytes);
    }
    pad_to(out, 16);
    for (const LargeTarget& target : targets) {
        append(out, target.data);
        const std::size_t length = target.data.size();
        out.resize(out.size() + (length + alignment - 1) / alignment * alignment - length,
                   std::byte{0xee});
    }
    return out;
}

Bytes write_to_host(std::uint32_t payload_bytes, std::uint8_t is_event) {
    rt::WriteLinearHHost command;
    command.is_event = is_event;
    command.length = kCommandBytes + payload_bytes;
    return encoded(command);
}

Bytes bytes_of(const rt::Wait& command) { return encoded(command); }
Bytes bytes_of(const rt::SendGoSignal& command) { return encoded(command); }

Bytes set_write_offset(std::uint32_t first, std::uint32_t second, std::uint32_t third) {
    rt::SetWriteOffset command;
    command.offset[0] = first;
    command.offset[1] = second;
    command.offset[2] = third;
    return encoded(command);
}

Bytes set_go_noc_data(const std::vector<std::uint32_t>& words) {
    rt::SetGoSignalNocData command;
    command.num_words = static_cast<std::uint32_t>(words.size());
    Bytes out = encoded(command);
    append_words(out, words);
    return out;
}

Bytes delay(std::uint32_t iterations) { return encoded(rt::Delay{iterations}); }

Bytes notify(std::uint8_t wait, std::uint16_t index_bitmask) {
    Bytes out(kCommandBytes);
    rt::encode(out.data(), rt::NotifySubordinateGoSignal{wait, index_bitmask});
    return out;
}

Bytes set_num_worker_sems(std::uint32_t count) { return encoded(rt::SetNumWorkerSems{count}); }

Bytes debug(const Bytes& payload, std::uint32_t stride) {
    Bytes out(kCommandBytes);
    rt::encode(out.data(), rt::DispatchId::debug, debug_of(payload, stride));
    append(out, payload);
    return out;
}

Bytes bare(rt::DispatchId id) { return encoded(id); }

Stream& Stream::add_inline(rt::PrefetchId kind, const Bytes& payload) {
    rt::RelayInline command;
    command.length = static_cast<std::uint32_t>(payload.size());
    command.stride = rt::align_up(kCommandBytes + command.length, rt::kBareMinBytes);
    const std::size_t at = bytes_.size();
    bytes_.resize(at + kCommandBytes);
    rt::encode(bytes_.data() + at, kind, command);
    append(bytes_, payload);
    pad_to(bytes_, rt::kBareMinBytes);
    return *this;
}

Stream& Stream::to_dispatch_s(const Bytes& payload) {
    const std::size_t at = bytes_.size();
    add_inline(rt::PrefetchId::relay_inline, payload);
    rt::RelayInline command;
    rt::decode(bytes_.data() + at, command);
    command.dispatcher_type = rt::kToDispatchS;
    rt::encode(bytes_.data() + at, rt::PrefetchId::relay_inline, command);
    return *this;
}

Stream& Stream::add_bare(rt::PrefetchId id) {
    const std::size_t at = bytes_.size();
    bytes_.resize(at + kCommandBytes);
    rt::encode(bytes_.data() + at, id);
    pad_to(bytes_, rt::kBareMinBytes);
    return *this;
}

Stream& Stream::add(const Bytes& command) {
    append(bytes_, command);
    pad_to(bytes_, rt::kBareMinBytes);
    return *this;
}

Stream& Stream::relay_linear(const rt::RelayLinear& command) { return add(encoded(command)); }

Stream& Stream::relay_paged(const rt::RelayPaged& command) { return add(encoded(command)); }

Stream& Stream::paged_to_ringbuffer(const rt::PagedToRingbuffer& command) {
    return add(encoded(command));
}

Stream& Stream::set_ringbuffer_offset(const rt::SetRingbufferOffset& command) {
    return add(encoded(command));
}

Stream& Stream::relay_ringbuffer(const std::vector<rt::RelayRingbufferSub>& subs) {
    rt::RelayRingbuffer command;
    command.count = static_cast<std::uint16_t>(subs.size());
    command.stride = rt::align_up(kCommandBytes + command.count * 8u, rt::kBareMinBytes);
    Bytes out = encoded(command);
    for (const rt::RelayRingbufferSub& sub : subs) {
        std::byte bytes[8];
        rt::encode(bytes, sub);
        out.insert(out.end(), bytes, bytes + sizeof bytes);
    }
    return add(out);
}

Stream& Stream::debug(const Bytes& payload, std::uint32_t stride) {
    Bytes out(kCommandBytes);
    rt::encode(out.data(), rt::PrefetchId::debug, debug_of(payload, stride));
    append(out, payload);
    return add(out);
}

Stream& Stream::relay_paged_packed(const std::vector<rt::RelayPagedPackedSub>& subs) {
    rt::RelayPagedPacked command;
    command.count = static_cast<std::uint16_t>(subs.size());
    for (const rt::RelayPagedPackedSub& sub : subs) command.total_length += sub.length;
    command.stride = rt::align_up(kCommandBytes + command.count * 12u, rt::kBareMinBytes);
    append(bytes_, encoded(command));
    for (const rt::RelayPagedPackedSub& sub : subs) {
        std::byte bytes[12];
        rt::encode(bytes, sub);
        bytes_.insert(bytes_.end(), bytes, bytes + sizeof bytes);
    }
    pad_to(bytes_, rt::kBareMinBytes);
    return *this;
}

Stream& Stream::exec_buf(const rt::ExecBuf& command) { return add(encoded(command)); }

Stream& Stream::barrier() {
    rt::Wait wait;
    wait.barrier = 1;
    wait.notify_prefetch = 1;
    return relay_inline(bytes_of(wait)).stall();
}

}  // namespace cqfuzz::fw
