// Golden buffers: what every buffer must hold, in DRAM or in workers' L1, predicted from the host's
// writes alone. Part of golden memory.
//
// Checks:
//  - what a read returns ("wrong-read-back");
//  - when the run is over, every buffer whose contents are known ("wrong-buffer").
//
// Writes on two command queues that nothing orders leave, byte by byte, what either wrote; so does
// a write that nothing orders before a read, or what was there.
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
#include "harness/oracle/queue_order.hpp"

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
    std::optional<Violation> finish(std::uint64_t step);
    // Whether the bytes are one buffer's in the L1 of `tile`.
    bool holds(TileIndex tile, std::uint32_t address, std::uint32_t length) const;

private:
    struct Write {
        QueueOrder::Action action;
        std::vector<std::byte> contents;
    };
    // What a reader may see: one of these, byte by byte. Empty: anything.
    using Candidates = std::vector<const Write*>;

    struct Buffer {
        BufferShape shape;
        std::vector<PageSpot> spots;  // by page
        bool created = false;
        std::vector<Write> writes;  // that a read may still see
    };

    void create(const HostCall& call);
    PageSpot spot_of(const HostCall& call, std::uint32_t page) const;
    TileIndex worker(std::uint32_t x, std::uint32_t y) const;
    void write(Buffer& buffer, const HostCall& call);
    // The writes that an action may see.
    static void find(const Buffer& buffer, const QueueOrder::Action& action, Candidates& out);
    // The first of `length` bytes, which are those of the buffer from `offset` on, that no
    // candidate has; `length` when there is none.
    static std::size_t first_wrong(const Candidates& candidates, const std::byte* bytes,
                                   std::size_t offset, std::size_t length);
    std::optional<Violation> check_read_back(const HostCall& call, std::uint64_t step);
    std::optional<Mismatch> compare(const Buffer& buffer, const Candidates& candidates) const;

    const MachineView* machine_ = nullptr;
    const MemoryView* memory_ = nullptr;
    std::vector<TileIndex> banks_;    // DRAM, by bank number
    std::vector<TileIndex> workers_;  // row by row
    std::uint32_t worker_cols_ = 0;
    QueueOrder order_;
    std::vector<Buffer> buffers_;
    Candidates candidates_;  // scratch
};

}  // namespace cqfuzz
