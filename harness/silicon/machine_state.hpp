// What Machine keeps behind its public face.
#pragma once

#include "harness/silicon/chip.hpp"
#include "harness/silicon/machine.hpp"

namespace cqfuzz {

struct Machine::State {
    Chip chip;
};

}  // namespace cqfuzz
