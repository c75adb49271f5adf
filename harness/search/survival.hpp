// Survival: how many scenarios a fault survives, from trials that may have ended before it was
// found. A trial without a find is censored, not dropped (Kaplan–Meier).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace cqfuzz {

struct Observation {
    std::uint64_t scenarios = 0;  // until it was found, or until the trial ended
    bool found = false;           // false: censored
};

// Where the estimated survival falls to one half, and the ends of its 95 % interval (log–log
// transformed Greenwood errors). Nothing where the curve does not fall so far.
struct MedianEstimate {
    std::optional<std::uint64_t> median, low, high;
};

MedianEstimate median_of(std::vector<Observation> observations);

}  // namespace cqfuzz
