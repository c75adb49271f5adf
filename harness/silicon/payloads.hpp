// Payloads: the bytes of transactions in flight. One departure makes one immutable payload; all its
// receivers share it.
//
// Buffers are pooled in powers of two and never given back: a run allocates only what no earlier
// run needed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace cqfuzz {

using PayloadId = std::uint32_t;
inline constexpr PayloadId kNoPayload = 0xffffffff;

class Payloads {
public:
    // A buffer of at least `length` bytes with one reference.
    PayloadId acquire(std::uint32_t length);
    void share(PayloadId id) { ++buffers_[id].references; }
    void release(PayloadId id);
    std::byte* bytes(PayloadId id) { return buffers_[id].bytes.get(); }
    // Everything is free again.
    void reset();

private:
    static constexpr std::uint32_t kSmallestLog = 6;
    struct Buffer {
        std::unique_ptr<std::byte[]> bytes;
        std::uint32_t references = 0;
        std::uint32_t size_class = 0;
    };
    std::vector<Buffer> buffers_;
    std::array<std::vector<PayloadId>, 32> free_;
    std::uint32_t live_ = 0;
};

}  // namespace cqfuzz
