// Dialect: a stream of commands kept to what a firmware knows.
#pragma once

#include "harness/scenario/scenario.hpp"
#include "runtime_under_test/protocol/generation.hpp"

namespace cqfuzz::hosting {

// Drops commands that `generation` does not have, and gives others a form that it has: bytes come in
// line, offsets are 0. Parts of WRITE_PACKED_LARGE become multicasts, which is all that firmware of
// 2024 does with them (facts §2.6). A stream stays a stream; scenarios of host actions stay as they
// are. The result may want legalising.
void keep_to(const rt::Generation& generation, Scenario& scenario);

}  // namespace cqfuzz::hosting
