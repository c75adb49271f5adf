// Mutations of values: numbers anywhere, geometry, topology, schedule.
#include <algorithm>

#include "harness/scenario/describe.hpp"
#include "harness/scenario/limits.hpp"
#include "harness/scenario/mutations.hpp"

namespace cqfuzz {
namespace {

// Sizes at which something in this geometry ends: a page, a block, half the scratch, a chunk, a
// command, a NoC burst.
std::uint32_t draw_boundary_bytes(const Geometry& g, Rng& rng) {
    const std::uint32_t page = limits::dispatch_page_bytes(g);
    switch (rng.below(7)) {
        case 0: return page * (1 + rng.below(3));
        case 1: return page * g.dispatch_pages_per_block;
        case 2: return g.scratch / 2 * (1 + rng.below(4));
        case 3: return limits::chunk_bytes(g);
        case 4: return g.max_prefetch_command;
        case 5: return (1u << g.prefetch_d_log_page) * g.prefetch_d_pages_per_block;
        default: return 8192;
    }
}

std::uint32_t draw_boundary(const NumberDomain& domain, const Geometry& g, Rng& rng) {
    constexpr std::array<std::uint32_t, 3> kHeads{
        0, 16, 32};  // a command's head stands before its payload
    if (domain.unit == "bytes" || domain.unit == "words") {
        const std::uint32_t end = draw_boundary_bytes(g, rng);
        const std::uint32_t bytes = end - draw_from(rng, kHeads);
        return domain.unit == "words" ? bytes / 4 : bytes;
    }
    switch (rng.below(4)) {
        case 0: return g.dram_banks;
        case 1: return g.packed_write_max_unicast;
        case 2: return g.packed_write_max_unicast / 2;
        default: return 35;
    }
}

// The value of a field of the same domain somewhere in the scenario.
std::uint32_t draw_same_domain(const Scenario& scenario, const NumberDomain* domain,
                               std::uint32_t value, Rng& rng) {
    std::uint32_t seen = 0;
    for_each_leaf(scenario, [&](const auto& field, const auto& owner) {
        if constexpr (std::decay_t<decltype(field)>::kKind == FieldKind::number) {
            if (field.domain == domain) {
                ++seen;
                if (rng.below(seen) == 0) {
                    value = owner.*field.member;
                }
            }
        }
    });
    return value;
}

std::uint32_t draw_any(const NumberDomain& domain, Rng& rng) {
    // Small ones first: a width in bits, then a number of that width.
    const std::uint32_t span = (domain.max - domain.min) / domain.multiple;
    const std::uint32_t mask = 0xffffffffu >> rng.below(32);
    const auto offset = static_cast<std::uint32_t>(rng.next() >> 32) & mask;
    return domain.min + std::min(offset, span) * domain.multiple;
}

std::uint32_t step_up(const NumberDomain& domain, std::uint32_t value, std::uint32_t by) {
    return value > domain.max - std::min(by, domain.max) ? domain.max : value + by;
}
std::uint32_t step_down(std::uint32_t value, std::uint32_t by) {
    return value < by ? 0 : value - by;
}

std::uint32_t nudged(const Scenario& scenario, const NumberDomain* domain, std::uint32_t value,
                     Rng& rng) {
    switch (rng.below(8)) {
        case 0: return domain->preferred[rng.below(domain->preferred_count)];
        case 1: return step_up(*domain, value, domain->multiple);
        case 2: return step_down(value, domain->multiple);
        case 3: {
            const std::uint32_t at = draw_boundary(*domain, scenario.geometry, rng);
            const std::uint32_t side = rng.below(3);
            return side == 0   ? at
                   : side == 1 ? step_up(*domain, at, domain->multiple)
                               : step_down(at, domain->multiple);
        }
        case 4: return draw_same_domain(scenario, domain, value, rng);
        case 5: return value / 2;
        case 6: return step_up(*domain, value, value);
        default: return draw_any(*domain, rng);
    }
}

// Changes the n-th leaf of `part`, which may be inside `scenario`; returns how many leaves there
// are.
template <class T>
std::uint32_t change_leaf(T& part, const Scenario& scenario, std::uint32_t n, Rng& rng) {
    std::uint32_t number = 0;
    for_each_leaf(part, [&](const auto& field, auto& owner) {
        if (number++ != n) {
            return;
        }
        using Field = std::decay_t<decltype(field)>;
        auto& member = owner.*field.member;
        if constexpr (Field::kKind == FieldKind::boolean) {
            member = !member;
        } else if constexpr (Field::kKind == FieldKind::enumeration) {
            using Enum = typename Field::Enum;
            member = static_cast<Enum>(
                rng.below(static_cast<std::uint32_t>(EnumNames<Enum>::names.size())));
        } else if constexpr (Field::kKind == FieldKind::number) {
            const bool reset = rng.one_in(6);
            member = reset ? field.fallback
                           : field.domain->nearest(nudged(scenario, field.domain, member, rng));
        } else {
            member = rng.below(4);
        }
    });
    return number;
}

constexpr std::uint32_t kNoLeaf = 0xffffffff;
constexpr std::uint32_t kLimitsMovedMax = 4;

template <class T>
bool change_any_leaf(T& part, const Scenario& scenario, Rng& rng) {
    const std::uint32_t count = change_leaf(part, scenario, kNoLeaf, rng);
    if (count == 0) {
        return false;
    }
    change_leaf(part, scenario, rng.below(count), rng);
    return true;
}

template <class T>
bool change_any_entry(std::vector<T>& entries, const Scenario& scenario, Rng& rng) {
    return !entries.empty() &&
           change_any_leaf(entries[rng.below(static_cast<std::uint32_t>(entries.size()))], scenario,
                           rng);
}

bool change_deviations(Scenario& scenario, Rng& rng) {
    std::vector<Deviation>& deviations = scenario.schedule.deviations;
    scenario.schedule.strategy = Strategy::in_order;
    const std::uint32_t way = deviations.empty() ? 0 : rng.below(3);
    if (way == 0) {
        deviations.push_back(draw_deviation(scenario, rng));
    } else if (way == 1) {
        deviations.erase(deviations.begin() +
                         rng.below(static_cast<std::uint32_t>(deviations.size())));
    } else {
        change_any_entry(deviations, scenario, rng);
    }
    return true;
}

}  // namespace

bool mutate_leaf(Command& command, const Scenario& scenario, Rng& rng) {
    return change_any_leaf(command, scenario, rng);
}

bool mutate_reset(Scenario& scenario, Rng& rng) {
    switch (rng.below(5)) {
        case 0: scenario.topology = Topology{}; return true;
        case 1: scenario.geometry = Geometry{}; return true;
        case 2: scenario.counters = CounterStarts{}; return true;
        case 3: scenario.behaviour = Behaviour{}; return true;
        default: scenario.schedule = Schedule{}; return true;
    }
}

bool mutate_number(Scenario& scenario, Rng& rng) {
    switch (rng.below(10)) {
        case 0: return change_any_entry(scenario.ops, scenario, rng);
        case 1: return change_any_entry(scenario.buffers, scenario, rng);
        case 2: return change_any_entry(scenario.traces, scenario, rng);
        case 3:
            return rng.one_in(3) ? change_any_leaf(scenario.counters, scenario, rng)
                                 : change_any_leaf(scenario.behaviour, scenario, rng);
        default: break;
    }
    if (scenario.programs.empty()) {
        return false;
    }
    Program& program =
        scenario.programs[rng.below(static_cast<std::uint32_t>(scenario.programs.size()))];
    switch (rng.below(4)) {
        case 0: return change_any_entry(program.semaphores, scenario, rng);
        case 1: return change_any_entry(program.circular_buffers, scenario, rng);
        default: return change_any_entry(program.kernels, scenario, rng);
    }
}

bool mutate_geometry(const Features& features, Scenario& scenario, Rng& rng) {
    if (rng.one_in(8)) {
        draw_geometry(features, scenario.topology, scenario.geometry, rng);
        return true;
    }
    if (rng.one_in(12)) {
        draw_counters(scenario.counters, rng);
        return true;
    }
    return change_any_leaf(scenario.geometry, scenario, rng);
}

bool mutate_topology(Scenario& scenario, Rng& rng) {
    return change_any_leaf(scenario.topology, scenario, rng);
}

bool mutate_schedule(Scenario& scenario, Rng& rng) {
    switch (rng.below(8)) {
        case 0: draw_schedule(scenario, scenario.schedule, rng); return true;
        case 1: scenario.order = draw_order(rng); return true;
        case 2: draw_behaviour(scenario.behaviour, rng); return true;
        case 3: return change_deviations(scenario, rng);
        case 4: return change_any_leaf(scenario.schedule, scenario, rng);
        default: break;
    }
    if (scenario.schedule.strategy == Strategy::in_order) {
        return change_deviations(scenario, rng);
    }
    scenario.schedule.seed = static_cast<std::uint32_t>(rng.next() >> 32);
    return true;
}

void move_to_limits(Scenario& scenario, Rng& rng) {
    for (std::uint32_t left = 1 + rng.below(kLimitsMovedMax); left != 0; --left) {
        std::uint32_t number = rng.below(change_leaf(scenario.geometry, scenario, kNoLeaf, rng));
        for_each_leaf(scenario.geometry, [&](const auto& field, auto& owner) {
            if (number-- != 0) {
                return;
            }
            if constexpr (std::decay_t<decltype(field)>::kKind == FieldKind::number) {
                const NumberDomain& domain = *field.domain;
                const std::uint32_t beside = domain.multiple * rng.below(2);
                owner.*field.member =
                    domain.nearest(rng.one_in(2) ? step_up(domain, domain.min, beside)
                                                 : step_down(domain.max, beside));
            }
        });
    }
    if (rng.one_in(2)) {
        return;
    }
    const std::uint32_t before_wrap = 1u << rng.below(6);
    for_each_leaf(scenario.counters, [&](const auto& field, auto& owner) {
        if constexpr (std::decay_t<decltype(field)>::kKind == FieldKind::number) {
            owner.*field.member = 0u - rng.below(before_wrap);
        }
    });
}

}  // namespace cqfuzz
