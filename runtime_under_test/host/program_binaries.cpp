// Kernel binaries, relayed from their DRAM buffer: to workers by WRITE_PACKED_LARGE +
// RELAY_PAGED_PACKED, to each ethernet core by WRITE_LINEAR + RELAY_PAGED (facts §6.1).
#include <algorithm>
#include <span>

#include "runtime_under_test/host/program_commands.hpp"
#include "runtime_under_test/host/receivers.hpp"

namespace cqfuzz::rt {
namespace {

struct Piece {
    CoreRange cores;
    std::uint32_t target = 0;  // offset in the config
    std::uint32_t length = 0;  // bytes written; what is relayed is rounded up to the DRAM alignment
    RelayPagedPackedSub source;
};

// The longest piece that starts at `offset` of a binary: at most half the scratch (inv. 46) and a
// 16-bit length, and, since a relay starts at a page's first byte or stays within one page, whole
// pages or the rest of a page.
std::uint32_t piece_bytes(std::uint32_t offset, std::uint32_t left,
                          const DispatchGeometry& geometry) {
    constexpr std::uint32_t length_max = 0x10000 - kBinaryAlignmentBytes;
    const std::uint32_t most = std::min(geometry.scratch_bytes / 2, length_max);
    const std::uint32_t in_page = offset % kProgramPageBytes;
    if (in_page != 0) return std::min({left, kProgramPageBytes - in_page, most});
    if (left <= most) return left;
    return most >= kProgramPageBytes ? most / kProgramPageBytes * kProgramPageBytes : most;
}

RelayPagedPackedSub source_of(std::uint32_t base, std::uint32_t first_page, std::uint32_t offset,
                              std::uint32_t length, std::uint32_t banks) {
    const std::uint32_t page = first_page + offset / kProgramPageBytes;
    RelayPagedPackedSub source;
    source.start_page = static_cast<std::uint16_t>(page % banks);
    source.log_page_size = static_cast<std::uint16_t>(kProgramLogPage);
    source.base_addr = base + page / banks * kProgramPageBytes + offset % kProgramPageBytes;
    source.length = align_up(length, kBinaryAlignmentBytes);
    return source;
}

std::vector<Piece> worker_pieces(const Program& program, const ProgramLayout& layout,
                                 std::uint32_t base, const DeviceConfig& device) {
    std::vector<Piece> pieces;
    const ConfigLayout& config = layout.config[index_of(CoreKind::worker)];
    for (std::size_t k = 0; k < program.kernels.size(); k++) {
        const Kernel& kernel = program.kernels[k];
        if (kernel.core_kind != CoreKind::worker) continue;
        const auto total = static_cast<std::uint32_t>(kernel.binary.size());
        for (std::uint32_t offset = 0; offset < total;) {
            const std::uint32_t length = piece_bytes(offset, total - offset, device.geometry);
            pieces.push_back(Piece{
                kernel.cores, config.text_offset[kernel.processor] + offset, length,
                source_of(base, layout.first_page[k], offset, length, device.geometry.dram_banks)});
            offset += length;
        }
    }
    return pieces;
}

void add_worker_binaries(CommandSequence& out, std::span<const Piece> pieces,
                         const DeviceConfig& device) {
    std::vector<WritePackedLargeSub> subs;
    std::vector<RelayPagedPackedSub> relays;
    while (!pieces.empty()) {
        const std::size_t count = std::min<std::size_t>(pieces.size(), kMaxPackedSubCommands);
        subs.clear();
        relays.clear();
        for (std::size_t i = 0; i < count; i++) {
            const PackedMulticastSub receiver = multicast_receiver(device.chip, pieces[i].cores);
            const bool last = i + 1 == count || !(pieces[i + 1].cores == pieces[i].cores);
            subs.push_back(WritePackedLargeSub{receiver.noc_xy_addr, pieces[i].target,
                                               static_cast<std::uint16_t>(pieces[i].length),
                                               static_cast<std::uint8_t>(receiver.num_mcast_dests),
                                               last ? kPackedLargeUnlink : std::uint8_t{0}});
            relays.push_back(pieces[i].source);
        }
        const WritePackedLarge head{static_cast<std::uint16_t>(count), kBinaryAlignmentBytes,
                                    kWorkerOffset};
        out.add_relayed(head, subs, relays);
        pieces = pieces.subspan(count);
    }
}

void add_ethernet_binary(CommandSequence& out, const Kernel& kernel, std::uint32_t target,
                         std::uint32_t first_page, std::uint32_t base, const DeviceConfig& device) {
    const std::uint32_t banks = device.geometry.dram_banks;
    const std::uint32_t length =
        align_up(static_cast<std::uint32_t>(kernel.binary.size()), kBinaryAlignmentBytes);
    RelayPaged relay;
    relay.start_page = static_cast<std::uint8_t>(first_page % banks);
    relay.base_addr = base + first_page / banks * kProgramPageBytes;
    relay.page_size = kProgramPageBytes;
    relay.pages = align_up(length, kProgramPageBytes) / kProgramPageBytes;
    relay.length_adjust = static_cast<std::uint16_t>(relay.pages * kProgramPageBytes - length);
    std::vector<std::uint32_t> cores;
    append_cores(device.chip, CoreKind::ethernet, kernel.cores, cores);
    for (const std::uint32_t core : cores) {
        WriteLinear head;
        head.write_offset_index = kEthernetOffset;
        head.noc_xy_addr = core;
        head.addr = target;
        head.length = length;
        out.add_relayed(head, relay);
    }
}

}  // namespace

void add_binaries(CommandSequence& out, const Program& program, const ProgramLayout& layout,
                  std::uint32_t binaries_address, const DeviceConfig& device) {
    add_worker_binaries(out, worker_pieces(program, layout, binaries_address, device), device);
    const ConfigLayout& config = layout.config[index_of(CoreKind::ethernet)];
    for (std::size_t k = 0; k < program.kernels.size(); k++) {
        const Kernel& kernel = program.kernels[k];
        if (kernel.core_kind == CoreKind::ethernet)
            add_ethernet_binary(out, kernel, config.text_offset[kernel.processor],
                                layout.first_page[k], binaries_address, device);
    }
}

}  // namespace cqfuzz::rt
