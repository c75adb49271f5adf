// The project's files as text, for the tidy tests: read once, in the order of their paths.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace cqfuzz::tidy {

struct SourceFile {
    std::string path;  // from the root, with '/'
    std::vector<std::string> lines;
};

// Everything but build/ and .git.
const std::vector<SourceFile>& tree();
bool exists(const std::string& path);
bool folder_has(const std::string& folder, std::string_view ending);

bool starts_with(std::string_view text, std::string_view beginning);
bool ends_with(std::string_view text, std::string_view ending);
bool has_ending(std::string_view path, std::initializer_list<std::string_view> endings);
bool is_code(std::string_view path);
std::string folder_of(const std::string& path);
// Code for a simulated core: it is compiled by `cqfuzz host`, with include folders of its own, and
// is in no CMakeLists.txt.
bool is_kernel_code(const std::string& path);
std::string name_of(const std::string& path);

// "path:line"; `line` counts from 0.
std::string where(const SourceFile& file, std::size_t line);
// `word` stands in `line`; where it begins or ends with a letter, digit or underscore it must not
// go on there.
bool has_word(const std::string& line, const std::string& word);

}  // namespace cqfuzz::tidy
