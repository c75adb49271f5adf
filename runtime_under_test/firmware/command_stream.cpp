#include "runtime_under_test/firmware/command_stream.hpp"

#include <algorithm>

#include "harness/device_api/dataflow_api.h"
#include "runtime_under_test/firmware/cb_writer.hpp"

namespace cqfuzz::fw {

void CommandStream::read_trace(std::uint32_t dram_base, std::uint32_t log_page_size,
                               std::uint32_t pages, std::uint32_t chunk_base) {
    in_trace_ = true;
    ring_base_ = chunk_base;
    page_id_ = 0;
    dram_base_ = dram_base;
    log_page_size_ = log_page_size;
    pages_left_ = pages;
    refill();
}

std::uint32_t CommandStream::run(std::uint32_t wanted) {
    if (pointer_ == end_) next_run();
    return std::min(wanted, end_ - pointer_);
}

void CommandStream::finish_command(std::uint32_t stride) {
    FIRMWARE_ASSERT(consumed_ <= stride);
    while (consumed_ < stride) take(run(stride - consumed_));
}

void CommandStream::next_run() {
    if (in_trace_) return refill();
    FIRMWARE_ASSERT(ring_base_ != end_);
    pointer_ = ring_base_;
}

void CommandStream::refill() {
    FIRMWARE_ASSERT(pages_left_ != 0);
    device::waypoint("exec_buf: flush before refill");
    if (!faults_->on(rt::Fault::no_flush_before_chunk_refill)) noc_async_writes_flushed(kDataNoc);
    const std::uint32_t banks = config_->geometry.dram_banks;
    const std::uint32_t pages = std::min(pages_left_, banks);
    const std::uint32_t page_bytes = 1u << log_page_size_;
    for (std::uint32_t i = 0; i < pages; ++i, ++page_id_)
        noc_async_read(get_noc_addr_helper(config_->chip.dram_banks[page_id_ % banks].noc_xy(),
                                           dram_base_ + page_id_ / banks * page_bytes),
                       ring_base_ + i * page_bytes, page_bytes, kDataNoc);
    if (!faults_->on(rt::Fault::trace_pages_not_counted)) pages_left_ -= pages;
    device::waypoint("exec_buf: waits for a trace chunk");
    noc_async_read_barrier(kDataNoc);
    pointer_ = ring_base_;
    end_ = ring_base_ + pages * page_bytes;
}

}  // namespace cqfuzz::fw
