#include "harness/hosting/expression.hpp"

#include <cctype>
#include <charconv>

namespace cqfuzz::hosting {

namespace {

constexpr int kDepthMax = 64;

// Recursive descent; the first mistake is kept.
class Evaluation {
public:
    Evaluation(std::string_view text, const Names& names) : text_(text), names_(names) {}

    Result<std::uint32_t> run() {
        const std::uint32_t value = shifts(0);
        skip_space();
        if (mistake_.empty() && at_ != text_.size()) fail("what is behind it has no meaning");
        if (!mistake_.empty())
            return Error{"\"" + std::string(text_) + "\", at character " + std::to_string(at_ + 1) +
                         ": " + mistake_};
        return value;
    }

private:
    void fail(const std::string& why) {
        if (mistake_.empty()) mistake_ = why;
    }
    void skip_space() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0)
            ++at_;
    }
    bool take(std::string_view word) {
        skip_space();
        if (text_.substr(at_, word.size()) != word) return false;
        at_ += word.size();
        return true;
    }

    std::uint32_t shifts(int depth) {
        std::uint32_t value = sums(depth);
        while (mistake_.empty()) {
            if (take("<<")) {
                const std::uint32_t by = sums(depth);
                value = by < 32 ? value << by : 0;
            } else if (take(">>")) {
                const std::uint32_t by = sums(depth);
                value = by < 32 ? value >> by : 0;
            } else {
                break;
            }
        }
        return value;
    }
    std::uint32_t sums(int depth) {
        std::uint32_t value = products(depth);
        while (mistake_.empty()) {
            if (take("+")) {
                value += products(depth);
            } else if (take("-")) {
                value -= products(depth);
            } else {
                break;
            }
        }
        return value;
    }
    std::uint32_t products(int depth) {
        std::uint32_t value = atom(depth);
        while (mistake_.empty()) {
            const bool times = take("*");
            const bool over = !times && take("/");
            if (!times && !over && !take("%")) break;
            const std::uint32_t other = atom(depth);
            if (!times && other == 0) {
                fail("division by zero");
                break;
            }
            value = times ? value * other : over ? value / other : value % other;
        }
        return value;
    }
    std::uint32_t atom(int depth) {
        if (depth > kDepthMax) {
            fail("too many parentheses");
            return 0;
        }
        if (take("(")) {
            const std::uint32_t value = shifts(depth + 1);
            if (mistake_.empty() && !take(")")) fail("a ) is missing");
            return value;
        }
        skip_space();
        if (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0)
            return number();
        return name();
    }
    std::uint32_t number() {
        const bool hex = text_.substr(at_, 2) == "0x" || text_.substr(at_, 2) == "0X";
        if (hex) at_ += 2;
        std::uint32_t value = 0;
        const char* begin = text_.data() + at_;
        const auto read = std::from_chars(begin, text_.data() + text_.size(), value, hex ? 16 : 10);
        if (read.ec != std::errc()) fail("a number of at most 32 bits is expected");
        at_ += static_cast<std::size_t>(read.ptr - begin);
        return value;
    }
    std::uint32_t name() {
        std::size_t end = at_;
        const auto part_of_name = [](char c) {
            return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
        };
        while (end < text_.size() && part_of_name(text_[end])) ++end;
        const std::string word(text_.substr(at_, end - at_));
        if (word.empty()) {
            fail("a number, a name or a ( is expected");
            return 0;
        }
        const auto found = names_.find(word);
        if (found == names_.end()) {
            fail("there is no \"" + word + "\"" + alike(word));
            return 0;
        }
        at_ = end;
        return found->second;
    }
    // Names that begin with the same part.
    std::string alike(const std::string& word) const {
        const std::string stem = word.substr(0, word.find('.'));
        std::string list;
        for (const auto& [known, value] : names_)
            if (known.compare(0, stem.size(), stem) == 0)
                list += (list.empty() ? "; there are " : ", ") + known;
        return list;
    }

    std::string_view text_;
    const Names& names_;
    std::size_t at_ = 0;
    std::string mistake_;
};

}  // namespace

Result<std::uint32_t> evaluate(std::string_view text, const Names& names) {
    return Evaluation(text, names).run();
}

}  // namespace cqfuzz::hosting
