// Expressions of a manifest over named values: + - * / % << >> and parentheses, 32 bit, as in C.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "harness/base/result.hpp"

namespace cqfuzz::hosting {

using Names = std::map<std::string, std::uint32_t, std::less<>>;

// The error quotes the text and says what is wrong with it; an unknown name lists those alike.
Result<std::uint32_t> evaluate(std::string_view text, const Names& names);

}  // namespace cqfuzz::hosting
