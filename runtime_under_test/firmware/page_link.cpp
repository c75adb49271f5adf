#include "runtime_under_test/firmware/page_link.hpp"

#include <algorithm>

#include "harness/device_api/dataflow_api.h"

namespace cqfuzz::fw {

void RemoteWord::add(std::uint32_t value) const {
    noc_semaphore_inc(get_noc_addr_helper(noc_xy, address), value, noc);
}

// --- producer ------------------------------------------------------------------------------------

std::uint32_t PageSink::poll_room() {
    seen_ = device::poll_l1(credits_address_);
    return room();
}

void PageSink::write(std::uint32_t source, std::uint32_t length) {
    const std::uint32_t end = base_ + pages_ * page_;
    while (length != 0) {
        if (pointer_ == end) pointer_ = base_;
        const std::uint32_t n = std::min({length, end - pointer_, NOC_MAX_BURST_SIZE});
        noc_async_write_one_packet(source, get_noc_addr_helper(ready_.noc_xy, pointer_), n,
                                   ready_.noc);
        source += n;
        pointer_ += n;
        length -= n;
    }
}

void PageSink::hand_over(std::uint32_t pages) {
    pointer_ = base_ + (pointer_ - base_ + page_ - 1) / page_ * page_;
    if (pointer_ == base_ + pages_ * page_) pointer_ = base_;
    taken_ += pages;
    ready_.add(pages);
}

void PageSink::flush() const { noc_async_writes_flushed(ready_.noc); }

// --- consumer ------------------------------------------------------------------------------------

std::uint32_t PageSource::poll_pages() { return device::poll_l1(ready_address_) - count_; }

void PageSource::send_to(PageSink& sink, std::uint32_t offset, std::uint32_t length) const {
    const std::uint32_t size = pages_ * page_;
    std::uint32_t at = (pointer_ - base_ + offset) % size;
    while (length != 0) {
        const std::uint32_t n = std::min(length, size - at);
        sink.write(base_ + at, n);
        length -= n;
        at = 0;
    }
}

void PageSource::advance(std::uint32_t pages) {
    count_ += pages;
    pointer_ = base_ + (pointer_ - base_ + pages * page_) % (pages_ * page_);
}

}  // namespace cqfuzz::fw
