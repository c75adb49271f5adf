#include "harness/drive/contents.hpp"

#include <cstring>

#include "harness/base/rng.hpp"

namespace cqfuzz {
namespace {

// Where user data of circular buffers begins on a worker: above mailboxes and kernel-config ring.
// Nothing is written there; the addresses only have to be plausible and distinct.
constexpr std::uint32_t kCircularBufferBase = 0x80000;
constexpr std::uint32_t kCircularBufferSpacing = 0x4000;

NocRectangle rectangle_of(const CoreRange& range) {
    return {{static_cast<std::uint8_t>(range.x0), static_cast<std::uint8_t>(range.y0)},
            {static_cast<std::uint8_t>(range.x1), static_cast<std::uint8_t>(range.y1)}};
}

rt::CoreRange runtime_range_of(const NocRectangle& r) {
    return {r.first.x, r.first.y, r.last.x, r.last.y};
}

rt::CoreKind core_kind_of(bool on_ethernet) {
    return on_ethernet ? rt::CoreKind::ethernet : rt::CoreKind::worker;
}

std::uint64_t seed_of(const Kernel& kernel, std::uint32_t program, std::size_t index) {
    return (std::uint64_t{kernel.content_seed} << 24) ^ (std::uint64_t{program} << 12) ^ index;
}

}  // namespace

void fill_bytes(std::uint64_t seed, std::size_t length, std::vector<std::byte>& bytes) {
    Rng rng(seed);
    bytes.resize(length);
    for (std::size_t at = 0; at < length; at += 8) {
        std::uint64_t word = rng.next();
        const std::size_t n = length - at < 8 ? length - at : 8;
        for (std::size_t i = 0; i < n; ++i) {
            bytes[at + i] = static_cast<std::byte>(word & 0xff);
            word >>= 8;
        }
    }
}

ProgramImage image_of(const Program& program, std::uint32_t id) {
    ProgramImage image;
    image.id = id;
    image.kernels.reserve(program.kernels.size());
    for (std::size_t i = 0; i < program.kernels.size(); ++i) {
        const Kernel& kernel = program.kernels[i];
        KernelImage k;
        k.processor = static_cast<std::uint8_t>(kernel.processor);
        k.on_ethernet = kernel.on_ethernet;
        k.cores = rectangle_of(kernel.cores);
        const std::uint64_t seed = seed_of(kernel, id, i);
        fill_bytes(seed, kernel.binary_bytes, k.binary);
        k.args_words = kernel.args_words;
        k.exchange_bytes = kernel.exchange_bytes;
        k.args_seed = seed + 1;
        Rng common(seed + 2);
        k.common_args.resize(kernel.common_args_words);
        for (std::uint32_t& word : k.common_args) word = static_cast<std::uint32_t>(common.next());
        image.kernels.push_back(std::move(k));
    }
    for (const SemaphoreInit& s : program.semaphores)
        image.semaphores.push_back(
            {s.on_ethernet, rectangle_of(s.cores), static_cast<std::uint8_t>(s.id), s.initial});
    for (const CircularBuffer& c : program.circular_buffers)
        image.circular_buffers.push_back({rectangle_of(c.cores), static_cast<std::uint8_t>(c.index),
                                          kCircularBufferBase + c.index * kCircularBufferSpacing,
                                          c.pages * c.page_size, c.pages, c.page_size});
    return image;
}

BufferShape shape_of(const Buffer& buffer) {
    return {buffer.pages, buffer.page_size, static_cast<PagePlacement>(buffer.placement),
            rectangle_of(buffer.cores), buffer.row_pages};
}

rt::BufferSpec runtime_buffer_of(const Buffer& buffer) {
    return {buffer.pages, buffer.page_size, static_cast<rt::BufferPlacement>(buffer.placement),
            runtime_range_of(rectangle_of(buffer.cores)), buffer.row_pages};
}

rt::Program runtime_program_of(const ProgramImage& image) {
    rt::Program program;
    program.id = image.id;
    for (const KernelImage& k : image.kernels) {
        rt::Kernel kernel;
        kernel.core_kind = core_kind_of(k.on_ethernet);
        kernel.cores = runtime_range_of(k.cores);
        kernel.processor = k.processor;
        kernel.binary = k.binary;
        kernel.args_words = k.args_words;
        kernel.args.reserve(std::size_t{k.args_words} * kernel.cores.count());
        for (std::uint32_t y = k.cores.first.y; y <= k.cores.last.y; ++y)
            for (std::uint32_t x = k.cores.first.x; x <= k.cores.last.x; ++x)
                for (std::uint32_t i = 0; i < k.args_words; ++i)
                    kernel.args.push_back(runtime_arg_word(k.args_seed, x, y, i));
        kernel.common_args = k.common_args;
        program.kernels.push_back(std::move(kernel));
    }
    for (const SemaphoreImage& s : image.semaphores)
        program.semaphores.push_back(
            {core_kind_of(s.on_ethernet), runtime_range_of(s.cores), s.id, s.initial});
    for (const CircularBufferImage& c : image.circular_buffers)
        program.circular_buffers.push_back({runtime_range_of(c.cores), c.index, c.address,
                                            c.size_bytes, c.page_count, c.page_size_bytes});
    return program;
}

}  // namespace cqfuzz
