// The binary form, byte by byte. A struct is a sequence of fields until its end:
//
//     key = id << 1 | has_length     varint
//     value                          varint: bool, enum, number, reference
//     length, bytes                  varint, then a nested struct or one entry of a list (lists
//     repeat their key)
//
// An op is its tag (varint) and then its fields. Varints are little endian, 7 bits a byte. A field
// that has its default is left out. The whole scenario is a struct without a length: no bytes are
// the default scenario.
//
// Reading is total: a cut varint ends there, a length past the end is cut to it, an unknown id or
// tag is skipped by its length, an entry past a list's maximum is skipped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cqfuzz {

class WireReader {
public:
    explicit WireReader(std::span<const std::byte> bytes)
        : at_(bytes.data()), end_(at_ + bytes.size()) {}
    WireReader(const std::byte* begin, const std::byte* end) : at_(begin), end_(end) {}

    bool empty() const { return at_ == end_; }

    // More than 64 bits, or the end, stop it.
    std::uint64_t varint() {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64 && at_ != end_; shift += 7) {
            const auto byte = static_cast<std::uint64_t>(*at_++);
            value |= (byte & 0x7f) << shift;
            if (byte < 0x80) {
                break;
            }
        }
        return value;
    }

    // The next bytes, as many as a length says, or as there are.
    WireReader body() {
        const std::uint64_t length = varint();
        const auto left = static_cast<std::uint64_t>(end_ - at_);
        const std::byte* begin = at_;
        at_ += static_cast<std::ptrdiff_t>(length < left ? length : left);
        return {begin, at_};
    }

private:
    const std::byte* at_;
    const std::byte* end_;
};

class WireWriter {
public:
    explicit WireWriter(std::vector<std::byte>& out) : out_(out) {}

    void varint(std::uint64_t value) {
        while (value >= 0x80) {
            out_.push_back(static_cast<std::byte>(value | 0x80));
            value >>= 7;
        }
        out_.push_back(static_cast<std::byte>(value));
    }
    void scalar(std::uint32_t id, std::uint64_t value) {
        varint(std::uint64_t{id} << 1);
        varint(value);
    }
    // `fill` writes the body. Lengths are mostly below 128, so one byte is kept for it and grown if
    // need be.
    template <class Fill>
    void body(std::uint32_t id, Fill&& fill) {
        varint(std::uint64_t{id} << 1 | 1);
        out_.push_back(std::byte{0});
        const std::size_t start = out_.size();
        fill();
        std::size_t length = out_.size() - start;
        if (length < 0x80) {
            out_[start - 1] = static_cast<std::byte>(length);
            return;
        }
        std::byte head[10];
        std::size_t count = 0;
        for (; length >= 0x80; length >>= 7) {
            head[count++] = static_cast<std::byte>(length | 0x80);
        }
        head[count++] = static_cast<std::byte>(length);
        out_[start - 1] = head[0];
        out_.insert(out_.begin() + static_cast<std::ptrdiff_t>(start), head + 1, head + count);
    }
    std::size_t size() const { return out_.size(); }
    void cut(std::size_t size) { out_.resize(size); }

private:
    std::vector<std::byte>& out_;
};

}  // namespace cqfuzz
