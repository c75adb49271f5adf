// Oracles by name, as flags and case files give them.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "harness/base/result.hpp"

namespace cqfuzz {

// RunOptions::oracles with all but the named ones. An unknown name is a message that lists the
// known ones.
Result<std::uint32_t> oracles_without(std::span<const std::string> names);

}  // namespace cqfuzz
