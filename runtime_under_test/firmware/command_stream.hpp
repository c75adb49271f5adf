// CommandStream: where a prefetcher's command bytes come from. A command's 16-byte head never
// straddles; its payload may run over the end of what is there: over the end of prefetch_d's ring,
// or over the end of a trace chunk, which is then refilled from DRAM (facts §4.6, §5.3).
//
// Invariants:
//  1. [pointer, end) is readable without a wrap; `consumed` counts the bytes taken since
//  begin_command.
//  2. A refill comes only after every write that took bytes from the old chunk has departed (inv.
//  60).
#pragma once

#include <cstdint>

#include "runtime_under_test/faults/faults.hpp"
#include "runtime_under_test/protocol/layout.hpp"

namespace cqfuzz::fw {

class CommandStream {
public:
    CommandStream(const rt::DeviceConfig& config, rt::FaultSet& faults)
        : config_(&config), faults_(&faults) {}

    // Plain bytes; `ring_base` is where to go on when `end` is reached (a paged ring), or `end`
    // itself.
    void read_from(std::uint32_t pointer, std::uint32_t end, std::uint32_t ring_base) {
        pointer_ = pointer;
        end_ = end;
        ring_base_ = ring_base;
        in_trace_ = false;
    }
    // A trace: `pages` interleaved DRAM pages, read in chunks of one page a bank into [chunk_base,
    // …).
    void read_trace(std::uint32_t dram_base, std::uint32_t log_page_size, std::uint32_t pages,
                    std::uint32_t chunk_base);

    std::uint32_t pointer() const { return pointer_; }
    bool in_trace() const { return in_trace_; }

    // The command's head is readable at pointer() afterwards.
    void begin_command() {
        consumed_ = 0;
        if (pointer_ == end_) next_run();
    }
    // The next readable bytes of the command, at pointer(): at most `wanted`, at least one.
    std::uint32_t run(std::uint32_t wanted);
    void take(std::uint32_t bytes) {
        pointer_ += bytes;
        consumed_ += bytes;
    }
    // To the end of the command.
    void finish_command(std::uint32_t stride);

private:
    void next_run();
    void refill();

    const rt::DeviceConfig* config_;
    rt::FaultSet* faults_;
    std::uint32_t pointer_ = 0;
    std::uint32_t end_ = 0;
    std::uint32_t ring_base_ = 0;
    std::uint32_t consumed_ = 0;
    bool in_trace_ = false;
    // exec_buf state (facts §5.3).
    std::uint32_t page_id_ = 0;
    std::uint32_t dram_base_ = 0;
    std::uint32_t log_page_size_ = 0;
    std::uint32_t pages_left_ = 0;
};

}  // namespace cqfuzz::fw
