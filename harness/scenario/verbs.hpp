// The verbs of Scenario, one .cpp each, all written over the description in describe.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/base/rng.hpp"
#include "harness/scenario/domain.hpp"
#include "harness/scenario/scenario.hpp"

namespace cqfuzz {

// What of the bytes decode could not use: they are of another format version, or were never ours.
struct DecodeNotes {
    std::uint32_t unknown_fields = 0;    // ids that no struct has, or has no more
    std::uint32_t unknown_ops = 0;       // tags that no op has
    std::uint32_t entries_too_many = 0;  // past a list's maximum
    bool legalised = false;              // a value, a reference or an op had to change
};

// Total: any bytes give a legal scenario. No bytes give the default scenario (no ops).
Scenario decode(std::span<const std::byte> bytes, DecodeNotes* notes = nullptr);
// decode(encode(s)) == s for every legal s.
std::vector<std::byte> encode(const Scenario& scenario);

// TOML both ways; exact round trip. The error names line and key. No scenario is legalised here:
// `illegality_of` tells.
Result<Scenario> scenario_from_toml(std::string_view text, std::string_view file_name);
std::string scenario_to_toml(const Scenario& scenario);

// Domains, rules across fields, references; idempotent. An op or entry whose target is gone goes
// with it.
void legalise(Scenario& scenario);
// Empty when legal, else the first rule broken: field, value, what is allowed.
std::string illegality_of(const Scenario& scenario);

// What a search may leave out, to see what it is worth.
enum Edits : std::uint32_t {
    kEditLists = 1,     // ops, commands, steps, parts of programs: more, fewer, elsewhere, again
    kEditValues = 2,    // numbers, geometry, topology
    kEditSchedule = 4,  // strategy, seed, deviations, order level, behaviour
    kAllEdits = 7,
};
struct DrawChoices {
    bool swarm = true;  // else every kind of thing may be in every scenario
    std::uint32_t edits = kAllEdits;
};

// Draws a legal scenario. `ops_max` bounds the ops (enqueues count by `times`).
Scenario generate(Domain domain, Rng& rng, std::uint32_t ops_max, const DrawChoices& choices = {});
// One small change; the result is legal.
void mutate(Scenario& scenario, Domain domain, Rng& rng, std::uint32_t ops_max,
            const DrawChoices& choices = {});
// Ops, programs and geometry from both; the result is legal.
Scenario crossover(const Scenario& a, const Scenario& b, Rng& rng, std::uint32_t ops_max);

bool equal(const Scenario& a, const Scenario& b);
bool equal(const Op& a, const Op& b);
bool equal(const Command& a, const Command& b);
// One line a person reads: "replay trace 1 x 3 (not blocking)".
std::string print(const Op& op, std::uint32_t index);
std::string print(const Command& command, std::uint32_t index);
// Of the op or command with that number; empty when there is none.
std::string print_action(const Scenario& scenario, std::uint32_t index);
// Ops, or commands.
std::uint32_t action_count(const Scenario& scenario);
// Number of host actions, repeats counted.
std::uint32_t op_weight(const Scenario& scenario);

}  // namespace cqfuzz
