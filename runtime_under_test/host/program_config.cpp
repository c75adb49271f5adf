// Semaphores and circular buffers: by WRITE_PACKED multicasts or inside WRITE_PACKED_LARGE, as
// config_style says (facts §6.1, §6.2). Ethernet semaphores always go by WRITE_PACKED unicast.
#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include "runtime_under_test/host/core_groups.hpp"
#include "runtime_under_test/host/packed_limits.hpp"
#include "runtime_under_test/host/program_commands.hpp"
#include "runtime_under_test/host/receivers.hpp"

namespace cqfuzz::rt {
namespace {

// Bytes for one rectangle of workers at one offset of their config.
struct Item {
    CoreRange cores;
    std::uint32_t offset = 0;
    std::vector<std::byte> bytes;
};

std::vector<std::byte> bytes_of(std::uint32_t word) {
    std::vector<std::byte> bytes(sizeof word);
    std::memcpy(bytes.data(), &word, sizeof word);
    return bytes;
}

std::uint32_t semaphore_offset(const ConfigLayout& config, std::uint32_t id, FaultSet& faults) {
    if (id != 0 && faults.on(Fault::semaphores_overlap)) id /= 2;
    return config.sem_offset + id * kSemaphoreBytes;
}

std::vector<Item> semaphore_items(const Program& program, const ConfigLayout& config,
                                  std::uint32_t id, FaultSet& faults) {
    std::vector<Item> items;
    for (const SemaphoreInit& semaphore : program.semaphores) {
        if (semaphore.id != id) continue;
        if (semaphore.core_kind != CoreKind::worker && !faults.on(Fault::semaphore_kind_ignored))
            continue;
        items.push_back(Item{semaphore.cores, semaphore_offset(config, id, faults),
                             bytes_of(semaphore.initial)});
    }
    return items;
}

void put_buffer(std::vector<std::byte>& table, const CircularBufferConfig& buffer) {
    const std::array<std::uint32_t, 4> words{buffer.address >> 4, buffer.size_bytes >> 4,
                                             buffer.pages, buffer.page_size_bytes >> 4};
    static_assert(sizeof words == kCircularBufferConfigBytes);
    std::memcpy(table.data() + std::size_t{buffer.index} * kCircularBufferConfigBytes, words.data(),
                sizeof words);
}

// The mistake of PR 39524: a table for each distinct range, with the buffers of that range alone;
// where ranges overlap the last one wins.
std::vector<Item> buffer_items_per_range(const Program& program, const ConfigLayout& config) {
    std::vector<Item> items;
    for (const CircularBufferConfig& buffer : program.circular_buffers) {
        auto item = std::find_if(items.begin(), items.end(),
                                 [&buffer](const Item& it) { return it.cores == buffer.cores; });
        if (item == items.end())
            item = items.insert(items.end(), Item{buffer.cores, config.cb_offset,
                                                  std::vector<std::byte>(config.cb_bytes)});
        put_buffer(item->bytes, buffer);
    }
    return items;
}

// Cores with the same buffers get the same table, all as long as the program's highest index asks.
std::vector<Item> buffer_items(const Program& program, const ConfigLayout& config,
                               const ChipDescription& chip, FaultSet& faults) {
    if (!program.circular_buffers.empty() && faults.on(Fault::cb_config_per_range))
        return buffer_items_per_range(program, config);
    std::vector<CoreRange> ranges;
    for (const CircularBufferConfig& buffer : program.circular_buffers)
        ranges.push_back(buffer.cores);
    std::vector<Item> items;
    for (const CoreGroup& group : group_cores(chip.worker_cols, chip.worker_rows, ranges)) {
        std::vector<std::byte> table(config.cb_bytes);
        for (const std::uint32_t member : group.members)
            put_buffer(table, program.circular_buffers[member]);
        for (const CoreRange& rectangle : group.rectangles)
            items.push_back(Item{rectangle, config.cb_offset, table});
    }
    return items;
}

// REQUIRES: the items have one offset and one size.
void add_packed(CommandSequence& out, std::span<const Item> items, const DeviceConfig& device,
                FaultSet& faults) {
    const PackedLimits limits(device.geometry, kMulticastSubBytes, faults);
    std::vector<PackedMulticastSub> receivers;
    while (!items.empty()) {
        const auto size = static_cast<std::uint32_t>(items.front().bytes.size());
        const std::uint32_t count =
            limits.receivers(static_cast<std::uint32_t>(items.size()), size);
        receivers.clear();
        for (const Item& item : items.first(count))
            receivers.push_back(multicast_receiver(device.chip, item.cores));
        const PackedTarget target{kWorkerOffset, items.front().offset, size};
        std::byte* payload = out.add_write_packed(target, receivers, PackedPayload::each);
        for (const Item& item : items.first(count)) {
            std::memcpy(payload, item.bytes.data(), size);
            payload += align_up(size, kPayloadAlignment);
        }
        items = items.subspan(count);
    }
}

// How many of the items one WRITE_PACKED_LARGE takes.
std::size_t large_batch(std::span<const Item> items, std::uint32_t command_max) {
    std::uint32_t payload = 0;
    std::size_t count = 0;
    while (count < items.size() && count < kMaxPackedSubCommands) {
        payload +=
            align_up(static_cast<std::uint32_t>(items[count].bytes.size()), kPayloadAlignment);
        if (inline_bytes(large_head_bytes(static_cast<std::uint32_t>(count) + 1) + payload) >
            command_max)
            break;
        count++;
    }
    return count;
}

void add_large(CommandSequence& out, std::vector<Item> items, const DeviceConfig& device) {
    // Writes to one rectangle follow each other, as a linked run (inv. 108).
    std::stable_sort(items.begin(), items.end(), [](const Item& a, const Item& b) {
        return std::array{a.cores.y0, a.cores.x0, a.cores.y1, a.cores.x1} <
               std::array{b.cores.y0, b.cores.x0, b.cores.y1, b.cores.x1};
    });
    std::vector<WritePackedLargeSub> subs;
    std::span<const Item> left(items);
    while (!left.empty()) {
        const std::size_t count = large_batch(left, device.geometry.max_prefetch_command_bytes);
        subs.clear();
        for (std::size_t i = 0; i < count; i++) {
            const PackedMulticastSub receiver = multicast_receiver(device.chip, left[i].cores);
            const bool last = i + 1 == count || !(left[i + 1].cores == left[i].cores);
            subs.push_back(WritePackedLargeSub{receiver.noc_xy_addr, left[i].offset,
                                               static_cast<std::uint16_t>(left[i].bytes.size()),
                                               static_cast<std::uint8_t>(receiver.num_mcast_dests),
                                               last ? kPackedLargeUnlink : std::uint8_t{0}});
        }
        const WritePackedLarge head{static_cast<std::uint16_t>(count), kPayloadAlignment,
                                    kWorkerOffset};
        std::byte* payload = out.add_write_packed_large(head, subs);
        for (const Item& item : left.first(count)) {
            std::memcpy(payload, item.bytes.data(), item.bytes.size());
            payload += align_up(static_cast<std::uint32_t>(item.bytes.size()), kPayloadAlignment);
        }
        left = left.subspan(count);
    }
}

void add_ethernet_semaphores(CommandSequence& out, const Program& program,
                             const ConfigLayout& config, const DeviceConfig& device,
                             FaultSet& faults) {
    const PackedLimits limits(device.geometry, kUnicastSubBytes, faults);
    std::vector<std::uint32_t> cores;
    std::vector<std::uint32_t> values;
    for (std::uint32_t id = 0; id < kMaxSemaphores; id++) {
        cores.clear();
        values.clear();
        for (const SemaphoreInit& semaphore : program.semaphores) {
            if (semaphore.core_kind != CoreKind::ethernet || semaphore.id != id) continue;
            append_cores(device.chip, CoreKind::ethernet, semaphore.cores, cores);
            values.resize(cores.size(), semaphore.initial);
        }
        const PackedTarget target{kEthernetOffset, semaphore_offset(config, id, faults),
                                  sizeof(std::uint32_t)};
        for (std::size_t first = 0; first < cores.size();) {
            const std::uint32_t count =
                limits.receivers(static_cast<std::uint32_t>(cores.size() - first), target.size);
            std::byte* payload = out.add_write_packed(
                target, std::span(cores).subspan(first, count), PackedPayload::each);
            for (std::size_t k = first; k < first + count; k++) {
                std::memcpy(payload, &values[k], sizeof values[k]);
                payload += kPayloadAlignment;
            }
            first += count;
        }
    }
}

}  // namespace

void add_semaphores_and_buffers(CommandSequence& out, const Program& program,
                                const ProgramLayout& layout, const DeviceConfig& device,
                                FaultSet& faults) {
    const ConfigLayout& worker = layout.config[index_of(CoreKind::worker)];
    const bool large = device.geometry.config_style == ConfigStyle::packed_large;
    std::vector<Item> all;
    for (std::uint32_t id = 0; id < kMaxSemaphores; id++) {
        std::vector<Item> items = semaphore_items(program, worker, id, faults);
        if (large)
            all.insert(all.end(), items.begin(), items.end());
        else
            add_packed(out, items, device, faults);
    }
    std::vector<Item> buffers = buffer_items(program, worker, device.chip, faults);
    if (large) {
        all.insert(all.end(), buffers.begin(), buffers.end());
        add_large(out, std::move(all), device);
    } else {
        add_packed(out, buffers, device, faults);
    }
    add_ethernet_semaphores(out, program, layout.config[index_of(CoreKind::ethernet)], device,
                            faults);
}

}  // namespace cqfuzz::rt
