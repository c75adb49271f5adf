// Golden buffers: what every buffer must hold, in DRAM or in workers' L1, predicted from the host's
// writes alone. Part of golden memory.
//
// Checks:
//  - what a read returns ("wrong-read-back");
//  - when the run is over, every buffer whose contents are known ("wrong-buffer").
//
// Does not check: a buffer before its first write, and the room of short shards: nobody promised
// anything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "harness/base/host_call.hpp"
#include "harness/base/log_entry.hpp"
#include "harness/base/machine_view.hpp"
#include "harness/base/violation.hpp"
#include "harness/oracle/golden_program.hpp"

namespace cqfuzz {

// Where a page lies.
struct PageSpot {
    TileIndex tile = kNoTile;
    std::uint32_t address = 0;
};

class GoldenBuffers {
public:
    // The buffers of one chip.
    void reset(const MachineView& machine, const MemoryView& memory, std::uint32_t chip);
    // A call has succeeded.
    std::optional<Violation> observe(const HostCall& call, std::uint64_t step);
    std::optional<Violation> finish(std::uint64_t step) const;
    // Whether the bytes are one buffer's in the L1 of `tile`.
    bool holds(TileIndex tile, std::uint32_t address, std::uint32_t length) const;

private:
    struct Buffer {
        BufferShape shape;
        std::vector<PageSpot> spots;  // by page
        bool created = false;
        bool known = false;
        std::vector<std::byte> contents;
    };

    void create(const HostCall& call);
    PageSpot spot_of(const HostCall& call, std::uint32_t page) const;
    TileIndex worker(std::uint32_t x, std::uint32_t y) const;
    std::optional<Violation> check_read_back(const HostCall& call, std::uint64_t step) const;
    std::optional<Mismatch> compare(const Buffer& buffer) const;

    const MachineView* machine_ = nullptr;
    const MemoryView* memory_ = nullptr;
    std::vector<TileIndex> banks_;    // DRAM, by bank number
    std::vector<TileIndex> workers_;  // row by row
    std::uint32_t worker_cols_ = 0;
    std::vector<Buffer> buffers_;  // never shrinks, so that contents keep their memory
};

}  // namespace cqfuzz
