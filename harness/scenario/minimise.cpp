// minimise: greedy removal and shrinking to a fixed point.
//
// Invariant: a candidate is tried only if its Cost is smaller, so that every accepted step brings
// the end nearer, whatever legalise made of it; refused candidates are remembered and never run
// again.
#include "harness/scenario/minimise.hpp"

#include <algorithm>
#include <array>
#include <compare>
#include <optional>
#include <set>

#include "harness/base/fnv.hpp"
#include "harness/scenario/describe.hpp"
#include "harness/scenario/edit.hpp"
#include "harness/scenario/verbs.hpp"

namespace cqfuzz {
namespace {

struct Leaf {
    std::uint64_t value = 0;
    std::uint64_t simplest = 0;
    const NumberDomain* domain = nullptr;  // numbers only
};

template <class Field, class T>
Leaf leaf_of(const Field& field, const T& owner) {
    const auto value = static_cast<std::uint64_t>(owner.*field.member);
    // Of order levels the weakest that shows the failure is simplest, whatever the default.
    constexpr bool kIsOrder = std::is_same_v<T, Scenario>;
    if constexpr (Field::kKind == FieldKind::reference || kIsOrder) {
        return {value, 0, nullptr};
    } else if constexpr (Field::kKind == FieldKind::number) {
        return {value, field.fallback, field.domain};
    } else {
        return {value, static_cast<std::uint64_t>(field.fallback), nullptr};
    }
}

// What there is to shrink, dearest first: entries; deviations; order level; values that are not the
// simplest; their sum.
struct Cost {
    std::uint64_t entries = 0;
    std::uint64_t deviations = 0;
    std::uint64_t order = 0;
    std::uint64_t unusual = 0;
    std::uint64_t sum = 0;
    friend auto operator<=>(const Cost&, const Cost&) = default;
};

Cost cost_of(const Scenario& s) {
    Cost cost;
    cost.entries = s.programs.size() + s.buffers.size() + s.traces.size() + s.ops.size();
    for (const Program& program : s.programs) {
        cost.entries +=
            program.kernels.size() + program.semaphores.size() + program.circular_buffers.size();
    }
    for (const Trace& trace : s.traces) {
        cost.entries += trace.steps.size();
    }
    cost.entries += s.bodies.size() + s.commands.size();
    const auto count_parts = [&cost](const std::vector<Command>& commands) {
        for (const Command& command : commands)
            if (const auto* large = std::get_if<CommandWriteLarge>(&command))
                cost.entries += large->parts.size();
    };
    count_parts(s.commands);
    for (const CommandBody& body : s.bodies) {
        cost.entries += body.commands.size();
        count_parts(body.commands);
    }
    cost.deviations = s.schedule.deviations.size();
    cost.order = static_cast<std::uint64_t>(s.order);
    for_each_leaf(s, [&cost](const auto& field, const auto& owner) {
        const Leaf leaf = leaf_of(field, owner);
        if (leaf.value != leaf.simplest) {
            ++cost.unusual;
            cost.sum += leaf.value + 1;
        }
    });
    return cost;
}

std::optional<Leaf> leaf_number(const Scenario& scenario, std::uint32_t n) {
    std::optional<Leaf> found;
    std::uint32_t number = 0;
    for_each_leaf(scenario, [&](const auto& field, const auto& owner) {
        if (number++ == n) {
            found = leaf_of(field, owner);
        }
    });
    return found;
}

void set_leaf(Scenario& scenario, std::uint32_t n, std::uint64_t value) {
    std::uint32_t number = 0;
    for_each_leaf(scenario, [&](const auto& field, auto& owner) {
        if (number++ == n) {
            using Member = std::decay_t<decltype(owner.*field.member)>;
            owner.*field.member = static_cast<Member>(value);
        }
    });
}

std::uint64_t hash_of(const Scenario& scenario) { return fnv1a(encode(scenario)); }

template <class T>
void drop_slice(std::vector<T>& entries, std::size_t first, std::size_t last) {
    entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(first),
                  entries.begin() + static_cast<std::ptrdiff_t>(last));
}

class Minimiser {
public:
    Minimiser(Scenario scenario, const std::function<bool(const Scenario&)>& still_fails,
              std::uint32_t runs_max)
        : current_(std::move(scenario)),
          cost_(cost_of(current_)),
          still_fails_(still_fails),
          runs_max_(runs_max) {}

    void run() {
        Cost before;
        do {
            before = cost_;
            calm_schedule();
            shrink_lists();
            reset_groups();
            shrink_leaves();
        } while (cost_ < before && !exhausted_);
    }

    Scenario take() { return std::move(current_); }
    MinimiseStats stats() const { return {runs_, !exhausted_}; }

private:
    bool attempt(Scenario candidate) {
        legalise(candidate);
        const Cost cost = cost_of(candidate);
        if (cost >= cost_) {
            return false;
        }
        const std::uint64_t hash = hash_of(candidate);
        if (refused_.count(hash) != 0) {
            return false;
        }
        if (runs_ == runs_max_) {
            exhausted_ = true;
            return false;
        }
        ++runs_;
        if (!still_fails_(candidate)) {
            refused_.insert(hash);
            return false;
        }
        current_ = std::move(candidate);
        cost_ = cost;
        return true;
    }

    template <class Change>
    bool attempt_with(Change&& change) {
        if (exhausted_) {
            return false;
        }
        Scenario candidate = current_;
        change(candidate);
        return attempt(std::move(candidate));
    }

    // ddmin: halves, quarters … single entries, from the back, since later entries lean on earlier
    // ones. `size` and `drop` are asked of the scenario at hand.
    template <class Size, class Drop>
    void shrink_list(Size&& size, Drop&& drop) {
        for (std::size_t chunk = size(current_); chunk != 0; chunk /= 2) {
            std::size_t last = size(current_);
            while (last != 0 && !exhausted_) {
                const std::size_t first = last - std::min(last, chunk);
                attempt_with([&](Scenario& s) { drop(s, first, last); });
                last = std::min<std::size_t>(first, size(current_));
            }
        }
    }

    template <class T>
    void shrink_vector(std::vector<T> Scenario::*list) {
        shrink_list([list](const Scenario& s) { return (s.*list).size(); },
                    [list](Scenario& s, std::size_t first, std::size_t last) {
                        drop_slice(s.*list, first, last);
                    });
    }

    // The list of one entry of a table. A program that loses its last kernel goes, and the numbers
    // behind it move.
    template <class T, class E>
    void shrink_vector_of(std::vector<E> Scenario::*table, std::size_t i, std::vector<T> E::*list) {
        const std::size_t entries = (current_.*table).size();
        shrink_list(
            [=](const Scenario& s) {
                return (s.*table).size() < entries ? 0 : ((s.*table)[i].*list).size();
            },
            [=](Scenario& s, std::size_t first, std::size_t last) {
                drop_slice((s.*table)[i].*list, first, last);
            });
    }

    void shrink_table(Table table) {
        attempt_with([&](Scenario& s) { keep_entries(s, table, used_entries(s, table)); });
        shrink_list([&](const Scenario& s) { return table_size(s, table); },
                    [&](Scenario& s, std::size_t first, std::size_t last) {
                        std::vector<bool> keep(table_size(s, table), true);
                        std::fill(keep.begin() + static_cast<std::ptrdiff_t>(first),
                                  keep.begin() + static_cast<std::ptrdiff_t>(last), false);
                        keep_entries(s, table, keep);
                    });
    }

    void calm_schedule() {
        attempt_with([](Scenario& s) { s.schedule = Schedule{}; });
        attempt_with([](Scenario& s) { s.schedule.deviations.clear(); });
    }

    void shrink_lists() {
        shrink_vector(&Scenario::ops);
        shrink_stream();
        shrink_table(Table::traces);
        for (std::size_t i = 0; i < current_.traces.size(); ++i) {
            shrink_vector_of(&Scenario::traces, i, &Trace::steps);
        }
        shrink_table(Table::programs);
        shrink_table(Table::buffers);
        for (std::size_t i = 0; i < current_.programs.size(); ++i) {
            // Kernels last: the others need them.
            shrink_vector_of(&Scenario::programs, i, &Program::semaphores);
            shrink_vector_of(&Scenario::programs, i, &Program::circular_buffers);
            shrink_vector_of(&Scenario::programs, i, &Program::kernels);
        }
        shrink_list([](const Scenario& s) { return s.schedule.deviations.size(); },
                    [](Scenario& s, std::size_t first, std::size_t last) {
                        drop_slice(s.schedule.deviations, first, last);
                    });
    }

    void shrink_stream() {
        if (current_.commands.empty()) {
            return;
        }
        shrink_vector(&Scenario::commands);
        shrink_table(Table::bodies);
        for (std::size_t i = 0; i < current_.bodies.size(); ++i) {
            shrink_vector_of(&Scenario::bodies, i, &CommandBody::commands);
        }
        for (std::size_t i = 0; i < current_.commands.size(); ++i) {
            const auto parts_of = [i](auto& s) {
                using Large =
                    std::conditional_t<std::is_const_v<std::remove_reference_t<decltype(s)>>,
                                       const CommandWriteLarge, CommandWriteLarge>;
                Large* large = i < s.commands.size()
                                   ? std::get_if<CommandWriteLarge>(&s.commands[i])
                                   : nullptr;
                return large == nullptr ? nullptr : &large->parts;
            };
            shrink_list(
                [&](const Scenario& s) {
                    const auto* parts = parts_of(s);
                    return parts == nullptr ? 0 : parts->size();
                },
                [&](Scenario& s, std::size_t first, std::size_t last) {
                    if (auto* parts = parts_of(s)) drop_slice(*parts, first, last);
                });
        }
    }

    // Many values at once, since they mostly do not matter.
    void reset_groups() {
        attempt_with([](Scenario& s) {
            for (Program& program : s.programs) {
                for (Kernel& kernel : program.kernels) {
                    const Kernel plain;
                    kernel.binary_bytes = plain.binary_bytes;
                    kernel.args_words = plain.args_words;
                    kernel.common_args_words = plain.common_args_words;
                    kernel.content_seed = plain.content_seed;
                }
            }
        });
        attempt_with([](Scenario& s) { s.geometry = Geometry{}; });
        attempt_with([](Scenario& s) { s.topology = Topology{}; });
        attempt_with([](Scenario& s) { s.counters = CounterStarts{}; });
        attempt_with([](Scenario& s) { s.behaviour = Behaviour{}; });
    }

    void shrink_leaves() {
        std::vector<std::uint32_t> unusual;
        std::uint32_t number = 0;
        for_each_leaf(current_, [&](const auto& field, const auto& owner) {
            const Leaf leaf = leaf_of(field, owner);
            if (leaf.value != leaf.simplest) {
                unusual.push_back(number);
            }
            ++number;
        });
        for (const std::uint32_t n : unusual) {
            // A step may have moved the numbers; what is missed now is met in the next round.
            const std::optional<Leaf> leaf = leaf_number(current_, n);
            if (leaf && !exhausted_) {
                shrink_leaf(n, *leaf);
            }
        }
    }

    void shrink_leaf(std::uint32_t n, const Leaf& leaf) {
        if (leaf.value == leaf.simplest) {
            return;
        }
        if (attempt_with([&](Scenario& s) { set_leaf(s, n, leaf.simplest); })) {
            return;
        }
        if (leaf.domain == nullptr) {
            // An order level between; for other enums and references a smaller number is not
            // simpler.
            attempt_with([&](Scenario& s) { set_leaf(s, n, leaf.value - 1); });
            return;
        }
        if (leaf.domain == &domains::kAny || leaf.domain == &domains::kCounterStart) {
            return;  // contents, seeds, start values: no number is smaller than another
        }
        shrink_number(n, *leaf.domain);
    }

    // The least value that still fails, by halving the distance to one that does not; then single
    // steps.
    void shrink_number(std::uint32_t n, const NumberDomain& domain) {
        std::uint64_t refused = domain.min;
        if (attempt_with([&](Scenario& s) { set_leaf(s, n, domain.min); })) {
            return;
        }
        for (;;) {
            const std::optional<Leaf> leaf = leaf_number(current_, n);
            if (!leaf || leaf->domain != &domain || leaf->value <= refused + domain.multiple ||
                exhausted_) {
                return;
            }
            const std::uint64_t middle = refused + (leaf->value - refused) / 2;
            const std::uint64_t value = std::max<std::uint64_t>(
                domain.nearest(static_cast<std::uint32_t>(middle)), refused + 1);
            if (!attempt_with([&](Scenario& s) { set_leaf(s, n, value); })) {
                refused = value;
            }
        }
    }

    Scenario current_;
    Cost cost_;
    const std::function<bool(const Scenario&)>& still_fails_;
    std::uint32_t runs_max_ = 0;
    std::uint32_t runs_ = 0;
    bool exhausted_ = false;
    std::set<std::uint64_t> refused_;
};

}  // namespace

Scenario minimise(Scenario scenario, const std::function<bool(const Scenario&)>& still_fails,
                  std::uint32_t runs_max, MinimiseStats* stats) {
    Minimiser minimiser(std::move(scenario), still_fails, runs_max);
    minimiser.run();
    if (stats != nullptr) {
        *stats = minimiser.stats();
    }
    return minimiser.take();
}

}  // namespace cqfuzz
