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

void ConfigArrivals::reset(std::uint32_t cores) {
    if (cores_.size() < cores) cores_.resize(cores);
    for (std::uint32_t core = 0; core < cores; ++core)
        for (Window& window : cores_[core].windows) window.clear();
}

bool ConfigArrivals::covers(std::uint32_t core, std::uint32_t begin, std::uint32_t end) const {
    const auto& multicasts = cores_[core].closed().multicasts;
    if (!multicasts.complete()) return false;
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
    return cores_[core].closed().alone.meet(begin, end) || cores_[core].open().meets(begin, end);
}

std::uint64_t ConfigArrivals::name_alone(std::uint32_t core, std::uint32_t begin,
                                         std::uint32_t end) const {
    const Window& closed = cores_[core].closed();
    if (!closed.alone.complete() || closed.multicasts.meet(begin, end) ||
        cores_[core].open().meets(begin, end))
        return kNoName;
    std::uint64_t name = kNoName;
    for (std::uint32_t i = 0; i < closed.alone.count; ++i) {
        const Range& range = closed.alone.kept[i];
        if (range.begin == begin && range.end == end)
            name = range.name;  // the last one counts
        else if (range.meets(begin, end))
            return kNoName;
    }
    return name;
}

}  // namespace cqfuzz
