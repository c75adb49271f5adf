#include "harness/silicon/payloads.hpp"

#include <bit>

#include "harness/base/check.hpp"

namespace cqfuzz {

PayloadId Payloads::acquire(std::uint32_t length) {
    CHECK(length <= 1u << 30, "a payload of %u bytes", length);
    const auto width = static_cast<std::uint32_t>(std::bit_width(length == 0 ? 0 : length - 1));
    const std::uint32_t size_class = width < kSmallestLog ? kSmallestLog : width;
    std::vector<PayloadId>& free = free_[size_class];
    PayloadId id;
    if (!free.empty()) {
        id = free.back();
        free.pop_back();
    } else {
        id = static_cast<PayloadId>(buffers_.size());
        buffers_.push_back(
            Buffer{std::unique_ptr<std::byte[]>(new std::byte[1u << size_class]), 0, size_class});
        // Room for every buffer of the class, so that giving back never allocates.
        free.reserve(buffers_.size());
    }
    buffers_[id].references = 1;
    ++live_;
    return id;
}

void Payloads::release(PayloadId id) {
    Buffer& buffer = buffers_[id];
    CHECK(buffer.references != 0, "a payload is released twice");
    if (--buffer.references != 0) return;
    free_[buffer.size_class].push_back(id);
    --live_;
}

// The order of the free lists has no effect on a run: only the contents of payloads are seen.
void Payloads::reset() {
    if (live_ == 0) return;
    live_ = 0;
    for (PayloadId id = 0; id < buffers_.size(); ++id) {
        Buffer& buffer = buffers_[id];
        if (buffer.references != 0) {
            buffer.references = 0;
            free_[buffer.size_class].push_back(id);
        }
    }
}

}  // namespace cqfuzz
