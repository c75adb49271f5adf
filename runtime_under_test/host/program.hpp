// Program: kernels on core ranges, their binaries and runtime arguments, semaphores and circular
// buffers, as the user builds it. Plain data; it is compiled for a device when first enqueued there
// (program_layout.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime_under_test/protocol/layout.hpp"

namespace cqfuzz::rt {

// Logical cores, both ends inside. Ethernet cores: x is the core's number, y is 0.
struct CoreRange {
    std::uint8_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    std::uint32_t count() const { return (x1 - x0 + 1u) * (y1 - y0 + 1u); }
    friend bool operator==(const CoreRange&, const CoreRange&) = default;
};

enum class CoreKind : std::uint8_t { worker, ethernet };

struct Kernel {
    CoreKind core_kind = CoreKind::worker;
    CoreRange cores;
    std::uint8_t processor = 0;  // 0 … 4; ethernet: 0
    std::vector<std::byte> binary;
    // Unique runtime arguments of the k-th core of `cores` (row by row): words [k x args_words, (k
    // + 1) x args_words).
    std::uint32_t args_words = 0;
    std::vector<std::uint32_t> args;
    std::vector<std::uint32_t> common_args;
};

struct SemaphoreInit {
    CoreKind core_kind = CoreKind::worker;
    CoreRange cores;
    std::uint8_t id = 0;  // 0 … 15
    std::uint32_t initial = 0;
};

struct CircularBufferConfig {
    CoreRange cores;
    std::uint8_t index = 0;  // 0 … 31
    std::uint32_t address = 0;
    std::uint32_t size_bytes = 0;
    std::uint32_t pages = 0;
    std::uint32_t page_size_bytes = 0;
};

struct Program {
    std::uint32_t id = 0;
    std::vector<Kernel> kernels;
    std::vector<SemaphoreInit> semaphores;
    std::vector<CircularBufferConfig> circular_buffers;
};

}  // namespace cqfuzz::rt
