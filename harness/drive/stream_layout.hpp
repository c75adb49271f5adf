// Where a command stream may read and write: areas that the driver sets aside on every core and in
// every DRAM bank, at the same addresses in each memory of a kind.
//
//      worker, ethernet L1:  … kernel-config ring | destinations, 128 KiB | sources
//      DRAM bank:            … | sources, from 64 KiB | destinations, from 2 MiB | bodies, from 4 MiB
//
// Sources are filled before the cores start, as an earlier run would have left them, and never
// written. Their bytes follow from the place alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "harness/scenario/scenario.hpp"
#include "runtime_under_test/protocol/layout.hpp"

namespace cqfuzz {

struct SourceSpot {
    rt::Coord coord;
    std::uint32_t address = 0;
};

class StreamLayout {
public:
    explicit StreamLayout(const rt::DeviceConfig& config) : config_(config) {}

    static constexpr std::uint32_t kDramSources = 64u << 10;
    static constexpr std::uint32_t kDramDestinations = 2u << 20;
    static constexpr std::uint32_t kDramBodies = 4u << 20;

    std::uint32_t destinations(MemoryKind memory) const;
    std::uint32_t sources(bool on_workers) const;
    rt::Coord worker(std::uint32_t x, std::uint32_t y) const;
    // Unicast: the first corner of `to`.
    rt::Coord receiver(const Destination& to) const;

    // How many memories pages are interleaved over, and the p-th's.
    std::uint32_t banks(bool on_workers) const;
    rt::Coord bank(std::uint32_t page, bool on_workers) const;
    // From one page of a bank to the next.
    static std::uint32_t row_bytes(std::uint32_t page_size, bool on_workers);
    // Page `page` of pages that begin at `base` in every bank.
    SourceSpot spot(std::uint32_t base, std::uint32_t page, std::uint32_t page_size,
                    bool on_workers) const;

private:
    const rt::DeviceConfig& config_;
};

// What lies in a source: depends on the place alone. Address and length: multiples of 8.
void fill_source(const SourceSpot& spot, std::span<std::byte> bytes);

}  // namespace cqfuzz
