// LocalArray: an array in a core's small local data memory (facts §3.4), with guard words behind
// it.
//
// A store past the end is defined: it lands in the guard words, the same in every build, and is
// reported at once. A load past the end reads the guard words and is not reported (the copy
// helpers' over-read is legal, inv. 48).
#pragma once

#include <array>
#include <cstdint>

#include "harness/device_api/core_port.hpp"

namespace cqfuzz::device {

inline constexpr std::uint32_t kGuardWords = 8;

template <class T, std::uint32_t kSize>
class LocalArray {
public:
    // `size` is how many elements firmware declared; a faulty role may declare fewer than kSize.
    explicit LocalArray(const char* name, std::uint32_t size = kSize) : name_(name), size_(size) {}

    std::uint32_t size() const { return size_; }

    const T& load(std::uint32_t index) const {
        return words_[index < kSize + kGuardWords ? index : kSize];
    }

    void store(std::uint32_t index, T value) {
        if (index >= size_) [[unlikely]] {
            local_overrun(name_, index, size_);
            if (index >= kSize + kGuardWords) return;
        }
        words_[index] = value;
    }

private:
    const char* name_;
    std::uint32_t size_;
    std::array<T, kSize + kGuardWords> words_{};
};

}  // namespace cqfuzz::device
