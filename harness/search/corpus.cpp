#include "harness/search/corpus.hpp"

#include <algorithm>
#include <bitset>
#include <numeric>
#include <utility>

namespace cqfuzz {

namespace {

constexpr std::uint32_t kSeedOpsMax = 24;

using FeatureSet = std::bitset<kReachFeatures>;

std::size_t new_features(const CorpusEntry& entry, const FeatureSet& seen) {
    return static_cast<std::size_t>(
        std::count_if(entry.features.begin(), entry.features.end(),
                      [&](std::uint16_t feature) { return !seen.test(feature); }));
}

std::vector<std::uint16_t> sorted_features(const Reach& reach) {
    std::vector<std::uint16_t> features = reach.features();
    std::sort(features.begin(), features.end());
    return features;
}

// The entry that adds most; of equals the smallest, then the first.
std::size_t best_of(const std::vector<CorpusEntry>& entries, const FeatureSet& seen) {
    std::size_t best = 0;
    std::size_t best_gain = 0;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const std::size_t gain = new_features(entries[i], seen);
        const bool smaller = entries[i].size_bytes < entries[best].size_bytes;
        if (gain > best_gain || (gain == best_gain && gain > 0 && smaller)) {
            best = i;
            best_gain = gain;
        }
    }
    return best_gain > 0 ? best : entries.size();
}

}  // namespace

std::string_view name_of(Keeping keeping) {
    switch (keeping) {
        case Keeping::kept: return "kept";
        case Keeping::migrated: return "migrated";
        case Keeping::degraded: return "degraded";
        case Keeping::lost: return "lost";
    }
    return "?";
}

Keeping keeping_of(std::span<const std::byte> bytes, Scenario& scenario) {
    DecodeNotes notes;
    scenario = decode(bytes, &notes);
    if (op_weight(scenario) == 0) return Keeping::lost;
    if (notes.unknown_fields + notes.unknown_ops + notes.entries_too_many != 0 || notes.legalised)
        return Keeping::degraded;
    const std::vector<std::byte> today = encode(scenario);
    return std::equal(today.begin(), today.end(), bytes.begin(), bytes.end()) ? Keeping::kept
                                                                              : Keeping::migrated;
}

std::vector<std::size_t> distil(const std::vector<CorpusEntry>& entries) {
    std::vector<std::size_t> order(entries.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::pair(entries[a].size_bytes, entries[a].path) <
               std::pair(entries[b].size_bytes, entries[b].path);
    });
    FeatureSet seen;
    std::vector<std::size_t> chosen;
    for (const std::size_t i : order) {
        if (new_features(entries[i], seen) == 0) continue;
        for (const std::uint16_t feature : entries[i].features) seen.set(feature);
        chosen.push_back(i);
    }
    return chosen;
}

std::vector<CorpusEntry> draw_seeds(Runner& runner, Domain domain, std::uint64_t seed,
                                    std::uint32_t draws, std::uint32_t seeds_max,
                                    const std::function<bool(std::uint32_t)>& on_progress) {
    Rng rng(seed);
    std::vector<CorpusEntry> drawn;
    for (std::uint32_t i = 0; i < draws; ++i) {
        CorpusEntry entry;
        entry.scenario = generate(domain, rng, kSeedOpsMax);
        if (runner.run(entry.scenario, RunOptions{}).bad()) continue;
        entry.size_bytes = encode(entry.scenario).size();
        entry.features = sorted_features(runner.reach());
        drawn.push_back(std::move(entry));
        if (on_progress && !on_progress(i + 1)) break;
    }
    FeatureSet seen;
    std::vector<CorpusEntry> seeds;
    while (seeds.size() < seeds_max) {
        const std::size_t best = best_of(drawn, seen);
        if (best == drawn.size()) break;
        for (const std::uint16_t feature : drawn[best].features) seen.set(feature);
        seeds.push_back(drawn[best]);
    }
    std::sort(seeds.begin(), seeds.end(), [](const CorpusEntry& a, const CorpusEntry& b) {
        return a.size_bytes < b.size_bytes;
    });
    return seeds;
}

}  // namespace cqfuzz
