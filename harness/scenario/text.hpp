// Words for people about domains and tables, shared by messages, the schema and the text form.
#pragma once

#include <string>
#include <string_view>

#include "harness/scenario/field.hpp"

namespace cqfuzz {

// "1024 to 131072 bytes, a multiple of 64", "one of 4, 8 (blocks)".
std::string allowed_text(const NumberDomain& domain);

std::string_view name_of(Table table);  // "program", as its table is named in TOML

}  // namespace cqfuzz
