#include "harness/oracle/config_arrivals.hpp"

#include <algorithm>
#include <cstring>

namespace cqfuzz {

std::uint64_t name_of_bytes(const void* bytes, std::size_t length) {
    const auto* at = static_cast<const unsigned char*>(bytes);
    std::uint64_t name = mixed(length, 1);
    while (length != 0) {
        std::uint64_t word = 0;
        const std::size_t n = std::min(length, sizeof word);
        std::memcpy(&word, at, n);
        name = (name ^ word) * 0xd6e8feb86659fd93u;
        name ^= name >> 32;
        at += n;
        length -= n;
    }
    return name == kNoName ? 1 : name;
}

bool ConfigArrivals::covers(std::uint32_t core, std::uint32_t begin, std::uint32_t end) const {
    const auto& multicasts = cores_[core].multicasts;
    if (multicasts.count > multicasts.kept.size()) return false;
    for (bool grew = true; begin < end && grew;) {
        grew = false;
        for (std::uint32_t i = 0; i < multicasts.count; ++i) {
            const Range& range = multicasts.kept[i];
            if (range.begin > begin || range.end <= begin) continue;
            begin = range.end;
            grew = true;
        }
    }
    return begin >= end;
}

bool ConfigArrivals::differs_in(std::uint32_t core, std::uint32_t begin, std::uint32_t end) const {
    const auto& alone = cores_[core].alone;
    if (alone.count > alone.kept.size()) return true;
    return std::any_of(alone.kept.begin(), alone.kept.begin() + alone.count,
                       [=](const Range& range) { return range.meets(begin, end); });
}

std::uint64_t ConfigArrivals::name_alone(std::uint32_t core, std::uint32_t begin, std::uint32_t end) const {
    const auto& alone = cores_[core].alone;
    const auto& multicasts = cores_[core].multicasts;
    if (alone.count > alone.kept.size() || multicasts.count > multicasts.kept.size()) return kNoName;
    for (std::uint32_t i = 0; i < multicasts.count; ++i)
        if (multicasts.kept[i].meets(begin, end)) return kNoName;
    std::uint64_t name = kNoName;
    for (std::uint32_t i = 0; i < alone.count; ++i) {
        const Range& range = alone.kept[i];
        if (range.begin == begin && range.end == end) name = range.name;  // the last one counts
        else if (range.meets(begin, end)) return kNoName;
    }
    return name;
}

}  // namespace cqfuzz
