#include "harness/search/next_scenario.hpp"

#include <algorithm>

namespace cqfuzz {

namespace {

constexpr std::size_t kPoolMax = 256;
constexpr std::uint32_t kMutationsMax = 4;
constexpr std::uint32_t kKeptOneIn = 32;

Scenario next_scenario(const Pool& pool, Domain domain, Rng& rng, std::uint32_t ops_max,
                       const DrawChoices& choices) {
    const std::uint32_t way = rng.below(8);
    if (pool.empty() || way < 4) return generate(domain, rng, ops_max, choices);
    if (way == 4) {
        const Scenario& a = pool.pick(rng);
        const Scenario& b = pool.pick(rng);
        return crossover(a, b, rng, ops_max);
    }
    Scenario scenario = pool.pick(rng);
    const std::uint32_t count = 1 + rng.below(kMutationsMax);
    for (std::uint32_t i = 0; i < count; ++i) mutate(scenario, domain, rng, ops_max, choices);
    return scenario;
}

// Havoc: a few changes to bytes whose meaning it does not know.
std::vector<std::byte> havoc(std::vector<std::byte> bytes, const std::vector<std::byte>& other,
                             Rng& rng) {
    const std::uint32_t changes = 1u << rng.below(4);
    for (std::uint32_t i = 0; i < changes; ++i) {
        const auto size = static_cast<std::uint32_t>(bytes.size());
        const std::uint32_t at = rng.below(size);
        const auto place = bytes.begin() + static_cast<std::ptrdiff_t>(at);
        const std::uint32_t way = size == 0 ? 2 : rng.below(5);
        if (way == 0) {
            bytes[at] = static_cast<std::byte>(rng.below(256));
        } else if (way == 1) {
            bytes[at] ^= static_cast<std::byte>(1u << rng.below(8));
        } else if (way == 2) {
            bytes.insert(place, static_cast<std::byte>(rng.below(256)));
        } else if (way == 3) {
            const std::uint32_t count = std::min(size - at, 1 + rng.below(16));
            bytes.erase(place, place + static_cast<std::ptrdiff_t>(count));
        } else if (!other.empty()) {
            const std::uint32_t from = rng.below(static_cast<std::uint32_t>(other.size()));
            bytes.erase(place, bytes.end());
            bytes.insert(bytes.end(), other.begin() + static_cast<std::ptrdiff_t>(from),
                         other.end());
        }
    }
    return bytes;
}

Scenario next_of_bytes(const Pool& pool, Rng& rng) {
    if (pool.empty()) {
        std::vector<std::byte> bytes(1 + rng.below(64));
        for (std::byte& b : bytes) b = static_cast<std::byte>(rng.below(256));
        return decode(bytes);
    }
    const Scenario& first = pool.pick(rng);
    const Scenario& second = pool.pick(rng);
    return decode(havoc(encode(first), encode(second), rng));
}

DrawChoices choices_of(HuntArm arm) {
    DrawChoices choices;
    choices.swarm = arm != HuntArm::no_swarm;
    if (arm == HuntArm::no_list_edits) choices.edits &= ~static_cast<std::uint32_t>(kEditLists);
    if (arm == HuntArm::no_value_edits) choices.edits &= ~static_cast<std::uint32_t>(kEditValues);
    if (arm == HuntArm::no_schedule_edits)
        choices.edits &= ~static_cast<std::uint32_t>(kEditSchedule);
    return choices;
}

void keep_strategy(Schedule& schedule, Strategy strategy, Rng& rng) {
    if (schedule.strategy == strategy) return;
    const std::uint32_t split = schedule.split_multicast_one_in;
    schedule = Schedule{};
    schedule.strategy = strategy;
    schedule.seed = static_cast<std::uint32_t>(rng.next());
    schedule.split_multicast_one_in = split;
}

}  // namespace

bool Pool::is_new(const std::vector<std::uint16_t>& features) {
    bool any = false;
    for (const std::uint16_t feature : features) {
        any = any || !seen_[feature];
        seen_[feature] = true;
    }
    return any;
}

void Pool::consider(const Scenario& scenario, const std::vector<std::uint16_t>& features,
                    Rng& rng) {
    if (by_features_ ? is_new(features) : rng.one_in(kKeptOneIn)) keep(scenario, rng);
}

void ScenarioPool::keep(const Scenario& scenario, Rng& rng) {
    if (entries_.size() < kPoolMax) {
        entries_.push_back(scenario);
    } else {
        entries_[rng.below(static_cast<std::uint32_t>(kPoolMax))] = scenario;
    }
}

Scenario next_of_arm(HuntArm arm, const Pool& pool, Domain domain, Rng& rng,
                     std::uint32_t ops_max) {
    if (arm == HuntArm::blind) return generate(domain, rng, ops_max);
    if (arm == HuntArm::bytes) return next_of_bytes(pool, rng);
    if (arm == HuntArm::baseline_random) return draw_baseline(rng);
    Scenario scenario = next_scenario(pool, domain, rng, ops_max, choices_of(arm));
    switch (arm) {
        case HuntArm::in_order: scenario.schedule = Schedule{}; break;
        case HuntArm::random_walk:
            keep_strategy(scenario.schedule, Strategy::random_walk, rng);
            break;
        case HuntArm::pct: keep_strategy(scenario.schedule, Strategy::pct, rng); break;
        case HuntArm::producer_at_once:
            keep_strategy(scenario.schedule, Strategy::producer_at_once, rng);
            break;
        default: break;
    }
    return scenario;
}

}  // namespace cqfuzz
