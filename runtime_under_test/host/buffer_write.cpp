// Buffer writes: WRITE_PAGED to interleaved pages, WRITE_LINEAR to each core's shard, as much as a
// command holds (facts §7).
#include <algorithm>
#include <cstring>

#include "runtime_under_test/host/runtime_assert.hpp"
#include "runtime_under_test/host/transfer.hpp"

namespace cqfuzz::rt {
namespace {

constexpr std::uint32_t kStartPageMax = 0xffff;  // WRITE_PAGED names it in 16 bits (inv. 105)

std::uint32_t data_bytes_max(const DispatchGeometry& geometry) {
    return geometry.max_prefetch_command_bytes - 2 * kCommandBytes;
}

std::uint32_t banks_of(const BufferInfo& info, const DeviceConfig& config) {
    return info.placement == BufferPlacement::dram
               ? config.geometry.dram_banks
               : std::uint32_t{config.chip.worker_cols} * config.chip.worker_rows;
}

WritePaged paged_command(const BufferInfo& info) {
    WritePaged command;
    command.is_dram = info.placement == BufferPlacement::dram ? 1 : 0;
    command.page_size = info.page_size_bytes;
    command.pages = 1;
    return command;
}

// Pages that do not fit a command go in parts, each a WRITE_PAGED of one short page.
void write_page_parts(CommandQueue& queue, const BufferInfo& info, std::uint32_t page,
                      std::span<const std::byte> bytes) {
    const std::uint32_t part_max =
        data_bytes_max(queue.config.geometry) / kBareMinBytes * kBareMinBytes;
    const PagePlace place = place_of(info, page, banks_of(info, queue.config));
    for (std::uint32_t done = 0; done < info.page_size_bytes;) {
        const std::uint32_t part = std::min(part_max, info.page_size_bytes - done);
        WritePaged command = paged_command(info);
        command.start_page = static_cast<std::uint16_t>(place.bank);
        command.base_addr = place.address + done;
        command.page_size = part;
        std::memcpy(queue.sequence.add_write_paged(command), bytes.data() + done, part);
        queue.submit();
        done += part;
    }
}

void write_interleaved(CommandQueue& queue, const BufferInfo& info,
                       std::span<const std::byte> bytes) {
    const std::uint32_t banks = banks_of(info, queue.config);
    const std::uint32_t page_size = info.page_size_bytes;
    const std::uint32_t pages_max = data_bytes_max(queue.config.geometry) / page_size;
    for (std::uint32_t page = 0; page < info.page_count;) {
        if (pages_max == 0) {
            write_page_parts(queue, info, page,
                             bytes.subspan(std::size_t{page} * page_size, page_size));
            page++;
            continue;
        }
        // Beyond 16 bits the base moves by whole rows of banks.
        const PagePlace place =
            page > kStartPageMax ? place_of(info, page, banks) : PagePlace{page, info.address};
        WritePaged command = paged_command(info);
        command.start_page = static_cast<std::uint16_t>(place.bank);
        command.base_addr = place.address;
        command.pages = std::min(pages_max, info.page_count - page);
        const std::size_t data_bytes = std::size_t{command.pages} * page_size;
        std::memcpy(queue.sequence.add_write_paged(command),
                    bytes.data() + std::size_t{page} * page_size, data_bytes);
        queue.submit();
        page += command.pages;
    }
}

// The bytes [from, from + out.size()) of the piece, gathered from its pages.
void gather(const ShardPiece& piece, std::uint32_t page_size, std::span<const std::byte> bytes,
            std::uint32_t from, std::span<std::byte> out) {
    for (std::size_t done = 0; done < out.size();) {
        const std::size_t at = from + done;
        const std::size_t in_page = at % page_size;
        const std::size_t n = std::min(page_size - in_page, out.size() - done);
        std::memcpy(out.data() + done,
                    bytes.data() + std::size_t{piece.pages[at / page_size]} * page_size + in_page,
                    n);
        done += n;
    }
}

void write_shards(CommandQueue& queue, const BufferInfo& info, std::span<const std::byte> bytes) {
    const std::uint32_t part_max =
        data_bytes_max(queue.config.geometry) / kBareMinBytes * kBareMinBytes;
    for (const ShardPiece& piece : shard_pieces(info, queue.config.chip)) {
        const auto total = static_cast<std::uint32_t>(piece.pages.size()) * info.page_size_bytes;
        for (std::uint32_t done = 0; done < total;) {
            WriteLinear command;  // offset index 0: an absolute address (inv. 80)
            command.noc_xy_addr = piece.noc_xy;
            command.addr = piece.address + done;
            command.length = std::min(part_max, total - done);
            std::byte* payload = queue.sequence.add_write_linear(command);
            gather(piece, info.page_size_bytes, bytes, done, {payload, command.length});
            queue.submit();
            done += command.length;
        }
    }
}

}  // namespace

void write_buffer(Device::State& device, CommandQueue& queue, const BufferInfo& info,
                  std::span<const std::byte> bytes, AfterPrograms order) {
    RUNTIME_ASSERT(bytes.size() == std::size_t{info.page_count} * info.page_size_bytes);
    queue.sequence.clear();
    if (order == AfterPrograms::yes) add_wait_for_programs(device, queue);
    if (is_sharded(info.placement))
        write_shards(queue, info, bytes);
    else
        write_interleaved(queue, info, bytes);
}

}  // namespace cqfuzz::rt
