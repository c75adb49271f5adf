#include "harness/oracle/golden_program.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "runtime_under_test/protocol/dev_msgs.hpp"

namespace cqfuzz {
namespace {

constexpr std::size_t kShownBytes = 16;

std::string hex(const std::byte* bytes, std::size_t length) {
    static constexpr char digits[] = "0123456789abcdef";
    std::string text;
    for (std::size_t i = 0; i < length; ++i) {
        if (i != 0) text += ' ';
        const unsigned value = std::to_integer<unsigned>(bytes[i]);
        text += digits[value >> 4];
        text += digits[value & 15];
    }
    return text;
}

Mismatch words_differ(const char* place, std::string what, std::uint32_t address, std::string expected,
                      std::string actual) {
    Mismatch mismatch;
    mismatch.place = place;
    mismatch.what = std::move(what);
    mismatch.address = address;
    mismatch.expected = std::move(expected);
    mismatch.actual = std::move(actual);
    return mismatch;
}

// One comparison of one core; the members are what every part needs.
struct Comparison {
    const ProgramPlan& plan;
    const LogicalCore& core;
    const MailboxView& mailbox;
    const CoreContents& contents;
    UsedRange& used;
    rt::LaunchMessage launch{};

    using Found = std::optional<Mismatch>;

    const ProgramImage& program() const { return plan.image(); }

    bool holds(const NocRectangle& cores, bool on_ethernet) const {
        return on_ethernet == core.on_ethernet && cores.contains({core.x, core.y});
    }

    Found misplaced(const char* place, const char* kind, unsigned number, std::uint64_t begin, std::size_t length) const {
        return words_differ(place, std::string(kind) + std::to_string(number), contents.launch_address,
                            "inside the kernel-config ring",
                            "at " + std::to_string(begin) + ", " + std::to_string(length) + " bytes");
    }

    Found bytes(const char* place, const char* kind, unsigned number, std::uint32_t offset, const std::byte* expected,
                std::size_t length) const {
        if (length == 0) return std::nullopt;
        const std::uint64_t begin = std::uint64_t{launch.kernel_config_base} + offset;
        const std::uint64_t config_end = std::uint64_t{mailbox.config_base} + mailbox.config_size_bytes;
        if (begin < mailbox.config_base || begin + length > config_end) return misplaced(place, kind, number, begin, length);
        const auto address = static_cast<std::uint32_t>(begin);
        used.add(address, address + static_cast<std::uint32_t>(length));
        if (std::memcmp(contents.l1 + address, expected, length) == 0) return std::nullopt;
        return difference(place, std::string(kind) + std::to_string(number), expected, contents.l1 + address, length, address);
    }

    // Chunk by chunk: a chunk whose version has been found equal before is equal.
    bool binary_is_equal(const std::byte* expected, std::uint32_t address, std::uint32_t length, std::size_t kernel) const {
        const std::uint64_t what = mixed(std::uint64_t{plan.number()} << 32 | kernel, address);
        const std::uint32_t end = address + length;
        for (std::uint32_t at = address; at != end;) {
            const std::uint32_t chunk = (at - mailbox.config_base) / kVersionChunkBytes;
            const std::uint32_t next = std::min(end, mailbox.config_base + (chunk + 1) * kVersionChunkBytes);
            const std::uint64_t comparison = mixed(what + chunk, contents.versions->version(contents.core, chunk));
            if (!contents.versions->was_equal(comparison)) {
                if (std::memcmp(contents.l1 + at, expected + (at - address), next - at) != 0) return false;
                contents.versions->note_equal(comparison);
            }
            at = next;
        }
        return true;
    }

    Found check_binary(const KernelImage& kernel, std::size_t index) const {
        const std::uint64_t begin = std::uint64_t{launch.kernel_config_base} + launch.kernel_text_offset[kernel.processor];
        const std::uint64_t config_end = std::uint64_t{mailbox.config_base} + mailbox.config_size_bytes;
        const std::size_t length = kernel.binary.size();
        if (length == 0) return std::nullopt;
        if (begin >= mailbox.config_base && begin + length <= config_end) {
            const auto address = static_cast<std::uint32_t>(begin);
            used.add(address, address + static_cast<std::uint32_t>(length));
            if (binary_is_equal(kernel.binary.data(), address, static_cast<std::uint32_t>(length), index))
                return std::nullopt;
        }
        return bytes("kernel binary", "the binary of processor ", kernel.processor,
                     launch.kernel_text_offset[kernel.processor], kernel.binary.data(), length);
    }

    Found check_kernel(const KernelImage& kernel, std::size_t index) const {
        const std::size_t p = kernel.processor;
        if (Found found = bytes("runtime args", "the unique arguments of processor ", kernel.processor, launch.rta_offset[p],
                                reinterpret_cast<const std::byte*>(plan.arguments(index, core.x, core.y)),
                                kernel.args_words * std::size_t{4}))
            return found;
        if (Found found = bytes("runtime args", "the common arguments of processor ", kernel.processor,
                                launch.crta_offset[p], reinterpret_cast<const std::byte*>(kernel.common_args.data()),
                                kernel.common_args.size() * 4))
            return found;
        if (launch.kernel_text_bytes[p] < kernel.binary.size())
            return words_differ("launch message", "the binary's length for processor " + std::to_string(p),
                                contents.launch_address, std::to_string(kernel.binary.size()),
                                std::to_string(launch.kernel_text_bytes[p]));
        return check_binary(kernel, index);
    }

    Found check_launch() const {
        unsigned enables = 0;
        for (const KernelImage& kernel : program().kernels)
            if (holds(kernel.cores, kernel.on_ethernet)) enables |= 1u << kernel.processor;
        if (launch.enables != enables)
            return words_differ("launch message", "enables", contents.launch_address, std::to_string(enables),
                                std::to_string(launch.enables));
        if (enables != 0 && launch.host_assigned_id != program().id)
            return words_differ("launch message", "the program's id", contents.launch_address, std::to_string(program().id),
                                std::to_string(launch.host_assigned_id));
        return std::nullopt;
    }

    Found check_circular_buffer(const CircularBufferImage& cb) const {
        if ((launch.local_cb_mask >> cb.index & 1u) == 0)
            return words_differ("launch message", "the circular-buffer mask", contents.launch_address,
                                "bit " + std::to_string(cb.index) + " set", std::to_string(launch.local_cb_mask));
        const std::array<std::uint32_t, 4> words{cb.address >> 4, cb.size_bytes >> 4, cb.page_count,
                                                 cb.page_size_bytes >> 4};
        return bytes("circular-buffer config", "circular buffer ", cb.index,
                     launch.local_cb_offset + cb.index * rt::kCircularBufferConfigBytes,
                     reinterpret_cast<const std::byte*>(words.data()), sizeof words);
    }

    Found run() {
        rt::decode(contents.l1 + contents.launch_address, launch);
        if (Found found = check_launch()) return found;
        if (launch.enables == 0) return std::nullopt;
        for (std::size_t i = 0; i < program().kernels.size(); ++i) {
            const KernelImage& kernel = program().kernels[i];
            if (!holds(kernel.cores, kernel.on_ethernet)) continue;
            if (Found found = check_kernel(kernel, i)) return found;
        }
        for (const SemaphoreImage& semaphore : program().semaphores) {
            if (!holds(semaphore.cores, semaphore.on_ethernet)) continue;
            if (Found found = bytes("semaphore", "semaphore ", semaphore.id,
                                    launch.sem_offset + semaphore.id * rt::kSemaphoreBytes,
                                    reinterpret_cast<const std::byte*>(&semaphore.initial), 4))
                return found;
        }
        for (const CircularBufferImage& cb : program().circular_buffers)
            if (holds(cb.cores, false))
                if (Found found = check_circular_buffer(cb)) return found;
        return std::nullopt;
    }
};

}  // namespace

void ProgramPlan::make(const ProgramImage& image, std::uint32_t number) {
    image_ = &image;
    number_ = number;
    on_workers_ = on_ethernet_ = false;
    first_argument_.clear();
    arguments_.clear();
    for (const KernelImage& kernel : image.kernels) {
        (kernel.on_ethernet ? on_ethernet_ : on_workers_) = true;
        first_argument_.push_back(static_cast<std::uint32_t>(arguments_.size()));
        if (kernel.args_words == 0) continue;
        for (std::uint32_t y = kernel.cores.first.y; y <= kernel.cores.last.y; ++y)
            for (std::uint32_t x = kernel.cores.first.x; x <= kernel.cores.last.x; ++x)
                for (std::uint32_t k = 0; k < kernel.args_words; ++k)
                    arguments_.push_back(runtime_arg_word(kernel.args_seed, x, y, k));
    }
}

const std::uint32_t* ProgramPlan::arguments(std::size_t kernel, std::uint32_t x, std::uint32_t y) const {
    const KernelImage& of = image_->kernels[kernel];
    const std::uint32_t columns = of.cores.last.x - of.cores.first.x + 1u;
    const std::uint32_t core = (y - of.cores.first.y) * columns + (x - of.cores.first.x);
    return arguments_.data() + first_argument_[kernel] + std::size_t{core} * of.args_words;
}

void UsedRange::add(std::uint32_t from, std::uint32_t to) {
    begin = begin == end ? from : std::min(begin, from);
    end = std::max(end, to);
}

Mismatch difference(const char* place, std::string what, const std::byte* expected, const std::byte* actual,
                    std::size_t length, std::uint32_t address) {
    const auto at = static_cast<std::size_t>(std::mismatch(expected, expected + length, actual).first - expected);
    Mismatch mismatch;
    mismatch.place = place;
    mismatch.what = std::move(what);
    mismatch.offset = static_cast<std::uint32_t>(at);
    mismatch.address = address + mismatch.offset;
    const std::size_t shown = std::min(kShownBytes, length - at);
    mismatch.expected = hex(expected + at, shown);
    mismatch.actual = hex(actual + at, shown);
    return mismatch;
}

std::optional<Mismatch> compare_core(const ProgramPlan& plan, const LogicalCore& core, const MailboxView& mailbox,
                                     const CoreContents& contents, UsedRange& used) {
    used = {};
    return Comparison{plan, core, mailbox, contents, used}.run();
}

}  // namespace cqfuzz
