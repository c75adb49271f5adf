#include "harness/oracle/ring_ledger.hpp"

#include <algorithm>

namespace cqfuzz {

void RingLedger::reset(const RingView& view) {
    view_ = &view;
    handed_issued_ = handed_arrived_ = released_issued_ = released_arrived_ = 0;
    oldest_ = 0;
    records_.assign(view.page_count, PageRecord{});
}

PageRange RingLedger::pages_of(std::uint32_t address, std::uint32_t length) const {
    const std::uint64_t ring_end = view_->base + std::uint64_t{view_->page_count} * view_->page_size_bytes;
    const std::uint64_t begin = std::max<std::uint64_t>(address, view_->base);
    const std::uint64_t end = std::min<std::uint64_t>(std::uint64_t{address} + length, ring_end);
    if (begin >= end) return {};
    const std::uint32_t first = static_cast<std::uint32_t>(begin - view_->base) / view_->page_size_bytes;
    const std::uint32_t last = static_cast<std::uint32_t>(end - 1 - view_->base) / view_->page_size_bytes;
    return {first, last - first + 1};
}

void RingLedger::release_arrived(std::uint32_t count) {
    released_arrived_ += count;
    oldest_ = page_of(released_arrived_);
}

bool RingLedger::is_late_use(std::uint32_t page) const {
    const std::uint64_t sequence = sequence_of(page);
    if (sequence < released_issued_) return true;
    if (sequence < pages()) return false;  // nobody has had it yet
    const std::uint64_t behind = released_issued_ - (sequence - pages());  // >= 1: that lap's has been released
    const std::uint64_t ahead = sequence - handed_arrived_ + 1;
    return behind <= ahead;
}

}  // namespace cqfuzz
