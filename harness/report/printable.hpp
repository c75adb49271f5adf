// Bytes from outside (titles, paths, flags) as text that may go to a terminal, into JSON or into a
// shell.
#pragma once

#include <string>
#include <string_view>

namespace cqfuzz {

// Control characters and bytes that are not UTF-8 become "\x1b"; nothing that a terminal obeys is
// left, and no line ends.
std::string printable(std::string_view text);

// Bytes that are not UTF-8 become U+FFFD.
std::string valid_utf8(std::string_view text);

// The same line for line, since a line's end is no mistake.
std::string printable_lines(std::string_view text);

// Printable lines, as text or a quoted attribute of XML and HTML.
std::string xml_escaped(std::string_view text);

// One word for a POSIX shell; quoted only where it has to be. Control characters need bash's $'…'.
std::string shell_word(std::string_view text);

// A path as a word that no command takes for a flag.
std::string shell_path(std::string_view path);

}  // namespace cqfuzz
