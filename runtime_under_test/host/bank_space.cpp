#include "runtime_under_test/host/bank_space.hpp"

#include <algorithm>

#include "runtime_under_test/host/runtime_assert.hpp"
#include "runtime_under_test/protocol/geometry.hpp"

namespace cqfuzz::rt {

BankSpace::BankSpace(std::uint32_t base, std::uint32_t end) : base_(base), end_(end) {
    RUNTIME_ASSERT(base % DispatchGeometry::kDramAlignment == 0 && base <= end);
}

std::optional<std::uint32_t> BankSpace::take(std::uint64_t bytes) {
    const std::uint64_t alignment = DispatchGeometry::kDramAlignment;
    const std::uint64_t rounded = (bytes + alignment - 1) / alignment * alignment;
    std::uint32_t address = base_;
    auto next = used_.begin();
    while (next != used_.end() && rounded > next->address - address) {
        address = next->address + next->bytes;
        ++next;
    }
    if (next == used_.end() && rounded > end_ - address) return std::nullopt;
    used_.insert(next, Range{address, static_cast<std::uint32_t>(rounded)});
    return address;
}

std::uint32_t BankSpace::largest_free_bytes() const {
    std::uint32_t largest = 0;
    std::uint32_t address = base_;
    for (const Range& range : used_) {
        largest = std::max(largest, range.address - address);
        address = range.address + range.bytes;
    }
    return std::max(largest, end_ - address) / DispatchGeometry::kDramAlignment *
           DispatchGeometry::kDramAlignment;
}

void BankSpace::give_back(std::uint32_t address) {
    const auto found = std::find_if(used_.begin(), used_.end(),
                                    [address](const Range& r) { return r.address == address; });
    RUNTIME_ASSERT(found != used_.end());
    used_.erase(found);
}

}  // namespace cqfuzz::rt
