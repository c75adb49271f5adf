#include "runtime_under_test/host/transfer.hpp"

#include <algorithm>
#include <cstring>

#include "runtime_under_test/host/runtime_assert.hpp"

namespace cqfuzz::rt {
namespace {

constexpr std::uint32_t kStartPageMax = 0xffff;  // WRITE_PAGED names it in 16 bits (inv. 105)

// Interleaved addressing (facts §7): page p is in bank p mod banks, row p div banks.
struct PagePlace {
    std::uint32_t bank = 0;
    std::uint32_t address = 0;  // of the page's row
};

PagePlace place_of(const BufferInfo& info, std::uint32_t page, std::uint32_t banks) {
    const std::uint32_t row_bytes =
        align_up(info.page_size_bytes, DispatchGeometry::kDramAlignment);
    return PagePlace{page % banks, info.address + page / banks * row_bytes};
}

void submit(Device::State& device) {
    device.issue.submit(device.sequence);
    device.sequence.clear();
}

void add_wait_for_programs(Device::State& device) {
    Wait wait;
    wait.wait = 1;
    wait.addr = device.config.dispatch.dispatch_message;
    wait.count = device.workers.expected();
    device.sequence.add_wait(wait);
}

// Pages that do not fit a command go in parts, each a WRITE_PAGED of one short page.
void write_page_parts(Device::State& device, const BufferInfo& info, std::uint32_t page,
                      std::span<const std::byte> bytes) {
    const DispatchGeometry& geometry = device.config.geometry;
    const std::uint32_t part_max =
        (geometry.max_prefetch_command_bytes - 2 * kCommandBytes) / kBareMinBytes * kBareMinBytes;
    const PagePlace place = place_of(info, page, geometry.dram_banks);
    for (std::uint32_t done = 0; done < info.page_size_bytes;) {
        const std::uint32_t part = std::min(part_max, info.page_size_bytes - done);
        WritePaged command;
        command.start_page = static_cast<std::uint16_t>(place.bank);
        command.base_addr = place.address + done;
        command.page_size = part;
        command.pages = 1;
        std::memcpy(device.sequence.add_write_paged(command), bytes.data() + done, part);
        submit(device);
        done += part;
    }
}

// The payload bytes that one read command may relay: its completion pages leave one of the ring
// free, so that a read completes whatever else the ring holds.
std::uint32_t read_bytes_max(const DispatchGeometry& geometry) {
    const std::uint32_t ring_bytes =
        geometry.completion_region_bytes - DispatchGeometry::kCompletionPageBytes;
    return (ring_bytes - kCommandBytes) / DispatchGeometry::kDramAlignment *
           DispatchGeometry::kDramAlignment;
}

// One read command and its completion.
void read_run(Device::State& device, const PagePlace& place, std::uint32_t page_size,
              std::uint32_t pages, std::span<std::byte> to) {
    WriteLinearHHost head;
    head.length = kCommandBytes + pages * page_size;
    RelayPaged relay;
    relay.start_page = static_cast<std::uint8_t>(place.bank);
    relay.base_addr = place.address;
    relay.page_size = page_size;
    relay.pages = pages;
    device.sequence.add_relayed(head, relay);
    submit(device);
    device.completions.wait_read(to);
}

}  // namespace

void add_stall_pair(Device::State& device, CommandSequence& out, bool wait,
                    std::uint32_t wait_count) {
    Wait command;
    command.barrier = !device.faults.on(Fault::stall_without_barrier) ? 1 : 0;
    command.notify_prefetch = 1;
    command.wait = wait ? 1 : 0;
    command.addr = device.config.dispatch.dispatch_message;
    command.count = wait ? wait_count : 0;
    out.add_wait(command);
    if (!device.faults.on(Fault::notify_without_stall)) out.add_stall();
}

void write_pages(Device::State& device, const BufferInfo& info, std::span<const std::byte> bytes,
                 AfterPrograms order) {
    const DispatchGeometry& geometry = device.config.geometry;
    const std::uint32_t page_size = info.page_size_bytes;
    RUNTIME_ASSERT(bytes.size() == std::size_t{info.page_count} * page_size);
    device.sequence.clear();
    if (order == AfterPrograms::yes) add_wait_for_programs(device);

    const std::uint32_t pages_max =
        (geometry.max_prefetch_command_bytes - 2 * kCommandBytes) / page_size;
    for (std::uint32_t page = 0; page < info.page_count;) {
        if (pages_max == 0) {
            write_page_parts(device, info, page,
                             bytes.subspan(std::size_t{page} * page_size, page_size));
            page++;
            continue;
        }
        // Beyond 16 bits the base moves by whole rows of banks.
        const PagePlace place = page > kStartPageMax ? place_of(info, page, geometry.dram_banks)
                                                     : PagePlace{page, info.address};
        WritePaged command;
        command.start_page = static_cast<std::uint16_t>(place.bank);
        command.base_addr = place.address;
        command.page_size = page_size;
        command.pages = std::min(pages_max, info.page_count - page);
        const std::size_t data_bytes = std::size_t{command.pages} * page_size;
        std::memcpy(device.sequence.add_write_paged(command),
                    bytes.data() + std::size_t{page} * page_size, data_bytes);
        submit(device);
        page += command.pages;
    }
}

void read_pages(Device::State& device, const BufferInfo& info, std::span<std::byte> bytes) {
    const DispatchGeometry& geometry = device.config.geometry;
    const std::uint32_t page_size = info.page_size_bytes;
    RUNTIME_ASSERT(bytes.size() == std::size_t{info.page_count} * page_size);
    device.sequence.clear();
    add_stall_pair(device, device.sequence, true, device.workers.expected());

    const std::uint32_t bytes_max = read_bytes_max(geometry);
    const std::uint32_t pages_max = bytes_max / page_size;
    for (std::uint32_t page = 0; page < info.page_count;) {
        PagePlace place = place_of(info, page, geometry.dram_banks);
        const std::size_t from = std::size_t{page} * page_size;
        if (pages_max != 0) {
            const std::uint32_t pages = std::min(pages_max, info.page_count - page);
            read_run(device, place, page_size, pages,
                     bytes.subspan(from, std::size_t{pages} * page_size));
            page += pages;
            continue;
        }
        for (std::uint32_t done = 0; done < page_size;) {
            const std::uint32_t part = std::min(bytes_max, page_size - done);
            read_run(device, place, part, 1, bytes.subspan(from + done, part));
            place.address += part;
            done += part;
        }
        page++;
    }
}

void finish(Device::State& device) {
    device.sequence.clear();
    Wait wait;
    wait.barrier = !device.faults.on(Fault::event_without_barrier) ? 1 : 0;
    wait.wait = 1;
    wait.addr = device.config.dispatch.dispatch_message;
    wait.count = device.workers.expected();
    device.sequence.add_wait(wait);
    device.sequence.add_event(++device.events);
    submit(device);
    device.completions.wait_event(device.events);
}

}  // namespace cqfuzz::rt
