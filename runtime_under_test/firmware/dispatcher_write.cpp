// WRITE_LINEAR and WRITE_PAGED (facts §2.6).
#include <algorithm>

#include "harness/device_api/dataflow_api.h"
#include "runtime_under_test/firmware/dispatcher.hpp"

namespace cqfuzz::fw {

// The next bytes of a command's payload: at most a page with its orphans (write_counts), or up to
// the fence (snapshot).
std::uint32_t Dispatcher::next_data(std::uint32_t wanted, rt::Fault late_orphan) {
    if (reader_.accounting() == rt::BlockAccounting::write_counts)
        return reader_.next_piece(data_, wanted, late_orphan, BlockReader::Release::after_acquire);
    return std::min(reader_.next_chunk(data_, wanted), NOC_MAX_BURST_SIZE);
}

// One packet from data_; counted to the current block.
void Dispatcher::send(std::uint64_t target, std::uint32_t length, std::uint32_t num_mcast_dests,
                      Link link) {
    if (num_mcast_dests != 0 && faults_.on(rt::Fault::num_dests_off_by_one)) ++num_mcast_dests;
    if (num_mcast_dests == 0) {
        noc_async_write_one_packet(data_, target, length, kDataNoc);
    } else {
        noc_async_write_multicast_one_packet(data_, target, length, num_mcast_dests, kDataNoc,
                                             NOC_DISPATCH_MULTICAST_WRITE_VC, link == Link::open);
    }
    reader_.count_packet();
}

void Dispatcher::write_linear() {
    std::byte bytes[rt::kCommandBytes];
    load_command(bytes);
    rt::WriteLinear command;
    rt::decode(bytes, command);
    FIRMWARE_ASSERT(command.write_offset_index < rt::kMaxWriteOffsets);
    std::uint32_t address = command.addr + write_offset_[command.write_offset_index];
    data_ += rt::kCommandBytes;
    while (command.length != 0) {
        const std::uint32_t n = next_data(command.length, rt::Fault::late_orphan_linear);
        send(get_noc_addr_helper(command.noc_xy_addr, address), n, command.num_mcast_dests);
        data_ += n;
        address += n;
        command.length -= n;
    }
}

// L1 banks are the worker cores, row by row.
std::uint32_t Dispatcher::bank_xy(std::uint32_t bank, bool is_dram) const {
    if (is_dram) return config_.chip.dram_banks[bank].noc_xy();
    const std::uint32_t cols = config_.chip.worker_cols;
    return NOC_XY_ENCODING(config_.chip.worker_origin.x + bank % cols,
                           config_.chip.worker_origin.y + bank / cols);
}

void Dispatcher::write_paged() {
    std::byte bytes[rt::kCommandBytes];
    load_command(bytes);
    rt::WritePaged command;
    rt::decode(bytes, command);
    FIRMWARE_ASSERT(command.page_size != 0);
    const bool is_dram = command.is_dram != 0;
    const std::uint32_t banks =
        is_dram ? config_.geometry.dram_banks
                : std::uint32_t{config_.chip.worker_cols} * config_.chip.worker_rows;
    const std::uint32_t row_bytes =
        rt::align_up(command.page_size, is_dram ? rt::DispatchGeometry::kDramAlignment
                                                : rt::DispatchGeometry::kL1Alignment);
    data_ += rt::kCommandBytes;
    for (std::uint32_t page = command.start_page; page < command.start_page + command.pages;
         ++page) {
        const std::uint32_t xy = bank_xy(page % banks, is_dram);
        const std::uint32_t address = command.base_addr + page / banks * row_bytes;
        for (std::uint32_t done = 0; done < command.page_size;) {
            const std::uint32_t n =
                next_data(command.page_size - done, rt::Fault::late_orphan_paged);
            send(get_noc_addr_helper(xy, address + done), n, 0);
            data_ += n;
            done += n;
        }
    }
}

}  // namespace cqfuzz::fw
