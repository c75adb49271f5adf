#include "harness/report/printable.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cstdint>

namespace cqfuzz {

namespace {

constexpr std::uint32_t kNoCharacter = 0xffffffff;

// One character at the front of a text; `code` is kNoCharacter for a byte that begins none.
struct Character {
    std::size_t length = 1;
    std::uint32_t code = kNoCharacter;

    bool valid() const { return code != kNoCharacter; }
    // C0, DEL, C1, and the marks that turn the direction of what follows.
    bool control() const {
        return code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x2028 && code <= 0x202e) ||
               (code >= 0x2066 && code <= 0x2069);
    }
};

Character first_character(std::string_view text) {
    const auto byte = [text](std::size_t i) {
        return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i]));
    };
    const std::uint32_t lead = byte(0);
    if (lead < 0x80) return {1, lead};
    const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return {};
    std::uint32_t code = lead & (0xffu >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0u) != 0x80u) return {};
        code = (code << 6) | (byte(i) & 0x3fu);
    }
    const std::uint32_t least = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000;
    const bool surrogate = code >= 0xd800 && code < 0xe000;
    if (code < least || surrogate || code > 0x10ffff) return {};
    return {length, code};
}

std::string escaped(std::string_view bytes) {
    std::string out;
    for (const char c : bytes) out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    return out;
}

}  // namespace

std::string printable(std::string_view text) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const Character c = first_character(text.substr(at));
        const std::string_view bytes = text.substr(at, c.length);
        if (c.valid() && !c.control()) {
            out += bytes;
        } else {
            out += escaped(bytes);
        }
        at += c.length;
    }
    return out;
}

std::string valid_utf8(std::string_view text) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const Character c = first_character(text.substr(at));
        if (c.valid()) {
            out += text.substr(at, c.length);
        } else {
            out += "\xef\xbf\xbd";
        }
        at += c.length;
    }
    return out;
}

std::string printable_lines(std::string_view text) {
    std::string out;
    while (true) {
        const std::size_t end = text.find('\n');
        out += printable(text.substr(0, end));
        if (end == std::string_view::npos) return out;
        out += '\n';
        text.remove_prefix(end + 1);
    }
}

std::string xml_escaped(std::string_view text) {
    std::string out;
    for (const char c : printable_lines(text)) {
        switch (c) {
            case '&': out += "&amp;"; break;
            case '<': out += "&lt;"; break;
            case '>': out += "&gt;"; break;
            case '"': out += "&quot;"; break;
            default: out += c;
        }
    }
    return out;
}

std::string shell_word(std::string_view text) {
    constexpr std::string_view kPlain = "_./:=@%+,-";
    const bool plain =
        !text.empty() && std::all_of(text.begin(), text.end(), [kPlain](unsigned char c) {
            return c < 0x80 && (std::isalnum(c) != 0 ||
                                kPlain.find(static_cast<char>(c)) != std::string_view::npos);
        });
    if (plain) return std::string(text);
    const bool odd = printable(text) != text;
    std::string out = odd ? "$'" : "'";
    for (std::size_t at = 0; at < text.size();) {
        const Character c = first_character(text.substr(at));
        const std::string_view bytes = text.substr(at, c.length);
        if (odd && (!c.valid() || c.control())) {
            // Octal: three digits at most, so that a digit after it stays one.
            for (const char b : bytes)
                out += fmt::format("\\{:03o}", static_cast<unsigned char>(b));
        } else if (bytes == "'") {
            out += odd ? "\\'" : "'\\''";
        } else if (odd && bytes == "\\") {
            out += "\\\\";
        } else {
            out += bytes;
        }
        at += c.length;
    }
    return out + "'";
}

std::string shell_path(std::string_view path) {
    return shell_word(path.substr(0, 1) == "-" ? "./" + std::string(path) : std::string(path));
}

}  // namespace cqfuzz
