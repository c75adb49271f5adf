// WRITE_PACKED and WRITE_PACKED_LARGE (facts §2.6, §12.3).
#include <algorithm>

#include "harness/device_api/dataflow_api.h"
#include "runtime_under_test/firmware/dispatcher.hpp"

namespace cqfuzz::fw {
namespace {

constexpr std::uint32_t kLargeSubWords =
    3;  // {noc_xy, address, length | num_mcast_dests << 16 | flags << 24}

}  // namespace

// One payload of at most a page from data_, in two packets where it straddles the end of a block:
// the orphan goes out and is counted while the old block is current. Returns the length of the last
// packet.
std::uint32_t Dispatcher::send_packed_payload(std::uint32_t xy, std::uint32_t address,
                                              std::uint32_t size, std::uint32_t num_dests) {
    std::uint32_t n = 0;
    while (size != 0) {
        n = reader_.next_piece(data_, size, rt::Fault::late_orphan_packed,
                               BlockReader::Release::at_command_end);
        send(get_noc_addr_helper(xy, address), n, num_dests);
        data_ += n;
        address += n;
        size -= n;
    }
    if (data_ == reader_.fence() && faults_.on(rt::Fault::zero_length_write))
        send(get_noc_addr_helper(xy, address), 0, num_dests);
    return n;
}

void Dispatcher::write_packed() {
    std::byte bytes[rt::kCommandBytes];
    load_command(bytes);
    rt::WritePacked command;
    rt::decode(bytes, command);
    const bool multicast = (command.flags & rt::kPackedMulticast) != 0;
    const bool no_stride = (command.flags & rt::kPackedNoStride) != 0;
    const std::uint32_t sub_words = multicast ? 2 : 1;
    const std::uint32_t sub_bytes = command.count * sub_words * 4;
    FIRMWARE_ASSERT(command.write_offset_index < rt::kMaxWriteOffsets);
    FIRMWARE_ASSERT(command.size != 0 && command.size <= reader_.page_bytes());
    FIRMWARE_ASSERT(rt::kCommandBytes + sub_bytes <= room_in_first_page());
    FIRMWARE_ASSERT(command.count <= config_.geometry.packed_write_max_unicast / sub_words);
    copy_sub_commands(command.count * sub_words);

    const std::uint32_t address = command.addr + write_offset_[command.write_offset_index];
    const std::uint32_t stride = rt::align_up(command.size, rt::DispatchGeometry::kL1Alignment);
    data_ += rt::align_up(rt::kCommandBytes + sub_bytes, rt::DispatchGeometry::kL1Alignment);
    std::uint32_t size = command.size;
    for (std::uint32_t i = 0; i < command.count; ++i) {
        const std::uint32_t receiver =
            i != 0 && faults_.on(rt::Fault::stale_write_coordinates) ? 0 : i;
        const std::uint32_t xy = sub_commands_.load(receiver * sub_words);
        const std::uint32_t num_dests = multicast ? sub_commands_.load(i * sub_words + 1) : 0;
        const std::uint32_t payload = data_;
        const std::uint32_t last_packet = send_packed_payload(xy, address, size, num_dests);
        reader_.skip(data_, command.size - size);
        if (last_packet != size && faults_.on(rt::Fault::no_restore_after_orphan))
            size = last_packet;
        // The pad to 16 never crosses a page's end, since payloads begin 16-aligned.
        data_ += stride - command.size;
        if (no_stride && i + 1 < command.count)
            data_ = payload;  // one payload, within the first page (inv. 28)
    }
}

rt::WritePackedLargeSub Dispatcher::large_sub_command(std::uint32_t index) const {
    std::byte bytes[kLargeSubWords * 4];
    for (std::uint32_t w = 0; w < kLargeSubWords; ++w) {
        const std::uint32_t word = sub_commands_.load(index * kLargeSubWords + w);
        for (std::uint32_t b = 0; b < 4; ++b)
            bytes[w * 4 + b] = static_cast<std::byte>(word >> (8 * b));
    }
    rt::WritePackedLargeSub sub;
    rt::decode(bytes, sub);
    return sub;
}

// Multicasts are linked until the last packet of one with UNLINK. Meanwhile pages may be waited for
// and given back: that needs the other NoC only (inv. 92).
void Dispatcher::send_large_payload(const rt::WritePackedLargeSub& sub, std::uint32_t address) {
    const bool multicast = sub.num_mcast_dests != 0;
    const bool unlinks = (sub.flags & rt::kPackedLargeUnlink) != 0;
    for (std::uint32_t length = sub.length; length != 0;) {
        // Blocks are looked at after each payload, not after each acquire (facts §4.2).
        const std::uint32_t n =
            reader_.accounting() == rt::BlockAccounting::write_counts
                ? reader_.next_piece(data_, length, rt::Fault::late_orphan_large,
                                     BlockReader::Release::at_command_end)
                : std::min(reader_.next_chunk(data_, length), NOC_MAX_BURST_SIZE);
        const bool ends_chain = unlinks && n == length;
        send(get_noc_addr_helper(sub.noc_xy_addr, address), n, sub.num_mcast_dests,
             multicast && !ends_chain ? Link::open : Link::closed);
        data_ += n;
        address += n;
        length -= n;
    }
}

void Dispatcher::write_packed_large() {
    std::byte bytes[rt::kCommandBytes];
    load_command(bytes);
    rt::WritePackedLarge command;
    rt::decode(bytes, command);
    const std::uint32_t head_bytes = rt::kCommandBytes + command.count * kLargeSubWords * 4;
    FIRMWARE_ASSERT(command.write_offset_index < rt::kMaxWriteOffsets);
    FIRMWARE_ASSERT(command.count <= rt::kMaxPackedSubCommands);
    FIRMWARE_ASSERT(command.alignment != 0 &&
                    command.alignment % rt::DispatchGeometry::kL1Alignment == 0);
    FIRMWARE_ASSERT(head_bytes <= room_in_first_page());
    copy_sub_commands(command.count * kLargeSubWords);

    const std::uint32_t offset = write_offset_[command.write_offset_index];
    data_ += rt::align_up(head_bytes, rt::DispatchGeometry::kL1Alignment);
    bool chain_open = false;
    std::uint32_t chain_xy = 0;
    for (std::uint32_t i = 0; i < command.count; ++i) {
        const rt::WritePackedLargeSub sub = large_sub_command(i);
        FIRMWARE_ASSERT(sub.length != 0);
        FIRMWARE_ASSERT(!chain_open ||
                        (sub.num_mcast_dests != 0 && sub.noc_xy_addr == chain_xy));  // inv. 108
        send_large_payload(sub, sub.addr + offset);
        chain_open = sub.num_mcast_dests != 0 && (sub.flags & rt::kPackedLargeUnlink) == 0;
        chain_xy = sub.noc_xy_addr;
        const std::uint32_t pad = rt::align_up(sub.length, command.alignment) - sub.length;
        if (pad <= reader_.fence() - data_ || !faults_.on(rt::Fault::padding_not_carried))
            reader_.skip(data_, pad);
        reader_.release_completed();
    }
    FIRMWARE_ASSERT(!chain_open);
}

}  // namespace cqfuzz::fw
