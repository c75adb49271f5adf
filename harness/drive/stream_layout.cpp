#include "harness/drive/stream_layout.hpp"

#include "harness/base/rng.hpp"
#include "runtime_under_test/protocol/commands.hpp"

namespace cqfuzz {
namespace {

constexpr std::uint32_t kAlignment = 32;
constexpr std::uint32_t kL1Destinations = 128u << 10;

}  // namespace

std::uint32_t StreamLayout::destinations(MemoryKind memory) const {
    if (memory == MemoryKind::dram) return kDramDestinations;
    const rt::WorkerCoreLayout& map =
        memory == MemoryKind::worker ? config_.worker : config_.ethernet;
    return rt::align_up(map.config_base + map.config_bytes, kAlignment);
}

std::uint32_t StreamLayout::sources(bool on_workers) const {
    return on_workers ? destinations(MemoryKind::worker) + kL1Destinations : kDramSources;
}

rt::Coord StreamLayout::worker(std::uint32_t x, std::uint32_t y) const {
    const rt::ChipDescription& chip = config_.chip;
    return {static_cast<std::uint8_t>(chip.worker_origin.x + x),
            static_cast<std::uint8_t>(chip.worker_origin.y + y), chip.chip};
}

rt::Coord StreamLayout::receiver(const Destination& to) const {
    switch (to.memory) {
        case MemoryKind::worker: break;
        case MemoryKind::ethernet: return config_.chip.ethernet_cores[to.cores.x0];
        case MemoryKind::dram: return config_.chip.dram_banks[to.cores.x0];
    }
    return worker(to.cores.x0, to.cores.y0);
}

std::uint32_t StreamLayout::banks(bool on_workers) const {
    return on_workers ? std::uint32_t{config_.chip.worker_cols} * config_.chip.worker_rows
                      : config_.geometry.dram_banks;
}

rt::Coord StreamLayout::bank(std::uint32_t page, bool on_workers) const {
    const std::uint32_t number = page % banks(on_workers);
    if (!on_workers) return config_.chip.dram_banks[number];
    return worker(number % config_.chip.worker_cols, number / config_.chip.worker_cols);
}

std::uint32_t StreamLayout::row_bytes(std::uint32_t page_size, bool on_workers) {
    return rt::align_up(page_size, on_workers ? 16 : 32);  // facts §7
}

SourceSpot StreamLayout::spot(std::uint32_t base, std::uint32_t page, std::uint32_t page_size,
                              bool on_workers) const {
    return {bank(page, on_workers),
            base + page / banks(on_workers) * row_bytes(page_size, on_workers)};
}

void fill_source(const SourceSpot& spot, std::span<std::byte> bytes) {
    for (std::size_t at = 0; at < bytes.size(); at += 8) {
        const std::uint64_t place = spot.address + at;
        Rng rng(std::uint64_t{spot.coord.noc_xy()} << 40 ^ place);
        std::uint64_t word = rng.next();
        for (std::size_t i = 0; i < 8 && at + i < bytes.size(); ++i, word >>= 8)
            bytes[at + i] = static_cast<std::byte>(word & 0xff);
    }
}

}  // namespace cqfuzz
