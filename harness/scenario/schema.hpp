// The schema page of the docs, written from the description.
#pragma once

#include <string>

namespace cqfuzz {

// Markdown: a table for each struct and op: field, type, what is allowed, default, id.
std::string describe_schema();

}  // namespace cqfuzz
