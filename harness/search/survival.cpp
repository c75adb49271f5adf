#include "harness/search/survival.hpp"

#include <algorithm>
#include <cmath>

namespace cqfuzz {

namespace {

constexpr double kNormal95 = 1.959964;
constexpr double kHalf = 0.5;

struct Bounds {
    double low = 0;
    double high = 1;
};

// Of the survival at one time. `variance` is Greenwood's sum.
Bounds bounds_of(double survival, double variance) {
    if (survival >= 1) return {1, 1};
    if (survival <= 0) return {0, 0};
    const double log_survival = std::log(survival);
    const double error = kNormal95 * std::sqrt(variance) / std::abs(log_survival);
    const double centre = std::log(-log_survival);
    return {std::exp(-std::exp(centre + error)), std::exp(-std::exp(centre - error))};
}

}  // namespace

MedianEstimate median_of(std::vector<Observation> observations) {
    std::sort(observations.begin(), observations.end(),
              [](const Observation& a, const Observation& b) { return a.scenarios < b.scenarios; });
    MedianEstimate out;
    double survival = 1;
    double variance = 0;
    for (std::size_t i = 0; i < observations.size();) {
        const std::uint64_t time = observations[i].scenarios;
        const auto at_risk = static_cast<double>(observations.size() - i);
        double deaths = 0;
        for (; i < observations.size() && observations[i].scenarios == time; ++i)
            deaths += observations[i].found ? 1 : 0;
        if (deaths == 0) continue;
        survival *= 1 - deaths / at_risk;
        if (at_risk > deaths) variance += deaths / (at_risk * (at_risk - deaths));
        const Bounds bounds = bounds_of(survival, variance);
        if (!out.low && bounds.low <= kHalf) out.low = time;
        if (!out.median && survival <= kHalf) out.median = time;
        if (!out.high && bounds.high <= kHalf) out.high = time;
    }
    return out;
}

}  // namespace cqfuzz
