#include "harness/oracle/ring_ledger.hpp"

#include <algorithm>
#include <bit>

#include "harness/base/check.hpp"

namespace cqfuzz {

void RingLedger::reset(const RingView& view) {
    CHECK(std::has_single_bit(view.page_size_bytes), "ring with pages of %u bytes",
          view.page_size_bytes);
    view_ = &view;
    base_ = view.base;
    size_bytes_ = view.page_count * view.page_size_bytes;
    page_shift_ = static_cast<std::uint32_t>(std::countr_zero(view.page_size_bytes));
    handed_issued_ = handed_arrived_ = released_issued_ = released_arrived_ = 0;
    oldest_ = 0;
    records_.assign(view.page_count, PageRecord{});
}

PageRange RingLedger::pages_partly_inside(std::uint32_t address, std::uint32_t length) const {
    const std::uint64_t begin = std::max<std::uint64_t>(address, base_);
    const std::uint64_t end =
        std::min(std::uint64_t{address} + length, std::uint64_t{base_} + size_bytes_);
    if (begin >= end) return {};
    const auto first = static_cast<std::uint32_t>(begin - base_) >> page_shift_;
    const auto last = static_cast<std::uint32_t>(end - 1 - base_) >> page_shift_;
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
    const std::uint64_t behind =
        released_issued_ - (sequence - pages());  // >= 1: that lap's has been released
    const std::uint64_t ahead = sequence - handed_arrived_ + 1;
    return behind <= ahead;
}

}  // namespace cqfuzz
