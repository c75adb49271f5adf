// Corpora: what each file still means, which files carry the coverage, and seeds drawn anew.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/run/run.hpp"
#include "harness/scenario/scenario.hpp"
#include "harness/scenario/verbs.hpp"

namespace cqfuzz {

// What became of a file since it was written.
enum class Keeping : std::uint8_t {
    kept,      // its bytes are what `encode` writes today
    migrated,  // another form of the same scenario: nothing of it was dropped or changed
    degraded,  // a field, an op or an entry is unknown now, or a value is no longer legal
    lost,      // nothing is left to run
};

std::string_view name_of(Keeping keeping);

struct CorpusEntry {
    std::string path;
    Scenario scenario;
    std::size_t size_bytes = 0;  // encoded
    Keeping keeping = Keeping::kept;
    std::vector<std::uint16_t> features;  // harness/run/reach.hpp; sorted
};

// Of encoded bytes; `scenario` becomes what they mean today.
Keeping keeping_of(std::span<const std::byte> bytes, Scenario& scenario);

// Numbers of entries that together reach every feature any entry reaches: smallest first, an entry
// only when it adds something. Ends of ties: the path.
std::vector<std::size_t> distil(const std::vector<CorpusEntry>& entries);

// Draws scenarios of the domain, runs them on the sound runtime and returns at most `seeds_max`
// that together reach most, smallest first. A function of its arguments.
std::vector<CorpusEntry> draw_seeds(Runner& runner, Domain domain, std::uint64_t seed,
                                    std::uint32_t draws, std::uint32_t seeds_max,
                                    const std::function<bool(std::uint32_t)>& on_progress);

}  // namespace cqfuzz
