// Files as bytes: read whole, written whole or not at all. A mistake is one line with the path and
// the system's reason.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "harness/base/result.hpp"

namespace cqfuzz::cli {

inline constexpr std::size_t kFileBytesMax = 16u << 20;

// Of a regular file (a device or a pipe may have no end); never more than kFileBytesMax and one.
Result<std::string> read_file(const std::string& path);

// Written beside the target under a name that nobody has, and renamed. Symbolic links are followed;
// an existing file keeps its owner and mode. What is there and is no regular file (a device, a
// pipe) is written to, never replaced. An empty string, or what went wrong.
std::string write_file(const std::string& path, std::string_view bytes);

}  // namespace cqfuzz::cli
