// Prefetcher d and hd: executes prefetch commands and feeds the dispatcher (facts §2.3, §16): one
// function per command.
//
// hd takes its commands from the host through a FetchQueue; d takes batches out of its paged ring,
// which prefetch_h fills, and gives the pages back batch by batch.
#pragma once

#include <cstdint>

#include "harness/device_api/local_memory.hpp"
#include "runtime_under_test/faults/faults.hpp"
#include "runtime_under_test/firmware/cb_writer.hpp"
#include "runtime_under_test/firmware/command_stream.hpp"
#include "runtime_under_test/firmware/fetch_queue.hpp"
#include "runtime_under_test/protocol/commands.hpp"
#include "runtime_under_test/protocol/core_launch.hpp"

namespace cqfuzz::fw {

// Words of the local copy of RELAY_PAGED_PACKED's sub-commands: 35 x 3 and a sentinel of 3, rounded
// up to the copy's six words a step, and five more, since a copy may begin anywhere (inv. 47).
// RELAY_RINGBUFFER's 52 x 2 fit.
inline constexpr std::uint32_t kSubCommandCacheWords = 113;
// What it was before: room for the sub-commands alone, rounded up once (facts §12.2).
inline constexpr std::uint32_t kShortSubCommandCacheWords = 108;

class Prefetcher {
public:
    Prefetcher(const rt::CoreLaunch& launch, rt::FaultSet& faults);
    void run();

private:
    void run_hd();
    void run_d();
    // Executes the command at the stream's pointer and moves behind it.
    void execute_next();
    void execute(rt::PrefetchId id);
    void load_command(std::byte (&bytes)[rt::kCommandBytes]) const;
    std::uint32_t take_batch();

    // prefetcher.cpp
    void relay_inline();
    // Which ring a command goes to.
    CbWriter& ring_of(std::uint8_t dispatcher_type);
    void relay_inline_noflush();
    void exec_buf();
    void stall();
    void debug();
    void terminate();

    // prefetcher_relay.cpp
    void relay_linear();
    void relay_paged();
    void relay_paged_packed();
    void load_sub_commands(std::uint32_t words_total);
    std::uint32_t read_linear(std::uint32_t half);
    std::uint32_t read_paged(std::uint32_t half);
    std::uint32_t read_packed(std::uint32_t half);
    void read_interleaved(std::uint32_t page, std::uint32_t base, std::uint32_t row_bytes,
                          std::uint32_t offset, std::uint32_t to, std::uint32_t length) const;
    void read_interleaved_l1(std::uint32_t page, std::uint32_t base, std::uint32_t row_bytes,
                             std::uint32_t offset, std::uint32_t to, std::uint32_t length) const;
    template <class ReadHalf>
    void pump(ReadHalf read_half);
    std::uint32_t push(std::uint32_t source, std::uint32_t bytes, std::uint32_t round);

    // prefetcher_ringbuffer.cpp
    void paged_to_ringbuffer();
    void set_ringbuffer_offset();
    void relay_ringbuffer();
    void push_range(std::uint32_t source, std::uint32_t length, std::uint32_t round);
    std::uint32_t ringbuffer_end() const {
        return self_.scratch_base + config_.geometry.ringbuffer_bytes;
    }

    const rt::DeviceConfig& config_;
    rt::CoreRole role_;
    rt::FaultSet& faults_;
    const rt::DispatchCoreLayout& self_;
    rt::RingGeometry batch_ring_;  // d
    FetchQueue fetch_queue_;       // hd
    CommandStream stream_;
    CbWriter downstream_;
    CbWriter dispatch_s_;  // if there is one
    device::LocalArray<std::uint32_t, kSubCommandCacheWords> sub_commands_;

    // d: the upstream side of the ring.
    std::uint32_t batch_ = 0;        // where the next batch begins
    std::uint32_t pages_taken_ = 0;  // free-running, as the ready word
    std::uint32_t sync_count_ = 0;
    bool terminated_ = false;
    bool trace_ended_ = false;

    // The ring-buffer cache: where the next load goes, and what sub-commands count from.
    std::uint32_t ringbuffer_write_ = 0;
    std::uint32_t ringbuffer_offset_ = 0;

    // The relay under way: what is left to read.
    struct LinearRelay {
        std::uint32_t xy = 0;
        std::uint32_t address = 0;
        std::uint32_t bytes_left = 0;
    };
    LinearRelay linear_;
    struct PagedRelay {
        std::uint32_t page = 0;
        std::uint32_t offset = 0;      // into the page
        std::uint32_t bytes_left = 0;  // to relay; what length_adjust cuts is not among them
        std::uint32_t base = 0;
        std::uint32_t page_bytes = 0;
        bool is_dram = true;  // else the workers' L1
    };
    PagedRelay paged_;
    std::uint32_t next_sub_command_ = 0;  // of RELAY_PAGED_PACKED
};

}  // namespace cqfuzz::fw
