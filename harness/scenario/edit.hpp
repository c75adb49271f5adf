// Edits that keep references true: what legalise, mutate, crossover and minimise have in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "harness/scenario/field.hpp"
#include "harness/scenario/scenario.hpp"

namespace cqfuzz {

// Keeps the entries for which `keep` says so; it sees each once, in order, and may change it.
template <class T, class Keep>
void keep_if(std::vector<T>& entries, Keep&& keep) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (keep(entries[i])) {
            if (kept != i) {
                entries[kept] = std::move(entries[i]);
            }
            ++kept;
        }
    }
    entries.resize(kept);
}

std::uint32_t table_size(const Scenario& scenario, Table table);

// Removes the entries of `table` whose flag is false; references to the others are renumbered, ops
// and trace steps that named a removed one go with it. REQUIRES: keep.size() ==
// table_size(scenario, table).
void keep_entries(Scenario& scenario, Table table, const std::vector<bool>& keep);
void remove_entry(Scenario& scenario, Table table, std::uint32_t index);

// Ops and trace steps that name an entry which does not exist go (rule R1).
void drop_dangling(Scenario& scenario);

// Which entries of `table` some op or trace step names.
std::vector<bool> used_entries(const Scenario& scenario, Table table);

// Adds the tables of `source` behind those of `target` as far as the limits allow, and returns
// `source`'s ops renumbered to them; ops of entries that found no room are left out.
std::vector<Op> append_tables(Scenario& target, const Scenario& source);
// The same of bodies and commands.
std::vector<Command> append_bodies(Scenario& target, const Scenario& source);

}  // namespace cqfuzz
