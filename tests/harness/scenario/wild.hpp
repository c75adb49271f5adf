// Scenarios that nobody has made legal, and bytes that nobody has encoded: what the verbs must
// bear.
#pragma once

#include <cstddef>
#include <vector>

#include "harness/base/rng.hpp"
#include "harness/scenario/scenario.hpp"

namespace cqfuzz::wild {

// Every field anything: mostly near what is legal, sometimes far outside.
Scenario scenario(Rng& rng);

// Noise; or the encoding of a generated scenario with bytes changed, cut out, doubled, or the end
// cut off.
std::vector<std::byte> bytes(Rng& rng);

}  // namespace cqfuzz::wild
