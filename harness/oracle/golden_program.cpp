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
    const ProgramImage& program;
    const LogicalCore& core;
    const MailboxView& mailbox;
    const std::byte* l1;
    std::uint32_t launch_address;
    UsedRange& used;
    rt::LaunchMessage launch{};

    using Found = std::optional<Mismatch>;

    bool holds(const NocRectangle& cores, bool on_ethernet) const {
        return on_ethernet == core.on_ethernet && cores.contains({core.x, core.y});
    }

    Found bytes(const char* place, const char* kind, unsigned number, std::uint32_t offset, const std::byte* expected,
                std::size_t length) const {
        if (length == 0) return std::nullopt;
        const std::uint64_t begin = std::uint64_t{launch.kernel_config_base} + offset;
        const std::uint64_t config_end = std::uint64_t{mailbox.config_base} + mailbox.config_size_bytes;
        if (begin < mailbox.config_base || begin + length > config_end)
            return words_differ(place, std::string(kind) + std::to_string(number), launch_address,
                                "inside the kernel-config ring",
                                "at " + std::to_string(begin) + ", " + std::to_string(length) + " bytes");
        const auto address = static_cast<std::uint32_t>(begin);
        used.add(address, address + static_cast<std::uint32_t>(length));
        if (std::memcmp(l1 + address, expected, length) == 0) return std::nullopt;
        return difference(place, std::string(kind) + std::to_string(number), expected, l1 + address, length, address);
    }

    Found check_kernel(const KernelImage& kernel) const {
        const std::size_t p = kernel.processor;
        std::array<std::uint32_t, 512> args;
        for (std::uint32_t done = 0; done < kernel.args_words;) {
            const std::uint32_t count = std::min<std::uint32_t>(kernel.args_words - done, args.size());
            for (std::uint32_t k = 0; k < count; ++k)
                args[k] = runtime_arg_word(kernel.args_seed, core.x, core.y, done + k);
            if (Found found = bytes("runtime args", "the unique arguments of processor ", kernel.processor,
                                    launch.rta_offset[p] + done * 4, reinterpret_cast<const std::byte*>(args.data()),
                                    count * 4u))
                return found;
            done += count;
        }
        if (Found found = bytes("runtime args", "the common arguments of processor ", kernel.processor,
                                launch.crta_offset[p], reinterpret_cast<const std::byte*>(kernel.common_args.data()),
                                kernel.common_args.size() * 4))
            return found;
        if (launch.kernel_text_bytes[p] < kernel.binary.size())
            return words_differ("launch message", "the binary's length for processor " + std::to_string(p), launch_address,
                                std::to_string(kernel.binary.size()), std::to_string(launch.kernel_text_bytes[p]));
        return bytes("kernel binary", "the binary of processor ", kernel.processor, launch.kernel_text_offset[p],
                     kernel.binary.data(), kernel.binary.size());
    }

    Found check_launch() const {
        unsigned enables = 0;
        for (const KernelImage& kernel : program.kernels)
            if (holds(kernel.cores, kernel.on_ethernet)) enables |= 1u << kernel.processor;
        if (launch.enables != enables)
            return words_differ("launch message", "enables", launch_address, std::to_string(enables),
                                std::to_string(launch.enables));
        if (enables != 0 && launch.host_assigned_id != program.id)
            return words_differ("launch message", "the program's id", launch_address, std::to_string(program.id),
                                std::to_string(launch.host_assigned_id));
        return std::nullopt;
    }

    Found check_circular_buffer(const CircularBufferImage& cb) const {
        if ((launch.local_cb_mask >> cb.index & 1u) == 0)
            return words_differ("launch message", "the circular-buffer mask", launch_address,
                                "bit " + std::to_string(cb.index) + " set", std::to_string(launch.local_cb_mask));
        const std::array<std::uint32_t, 4> words{cb.address >> 4, cb.size_bytes >> 4, cb.page_count,
                                                 cb.page_size_bytes >> 4};
        return bytes("circular-buffer config", "circular buffer ", cb.index,
                     launch.local_cb_offset + cb.index * rt::kCircularBufferConfigBytes,
                     reinterpret_cast<const std::byte*>(words.data()), sizeof words);
    }

    Found run() {
        rt::decode(l1 + launch_address, launch);
        if (Found found = check_launch()) return found;
        if (launch.enables == 0) return std::nullopt;
        for (const KernelImage& kernel : program.kernels)
            if (holds(kernel.cores, kernel.on_ethernet))
                if (Found found = check_kernel(kernel)) return found;
        for (const SemaphoreImage& semaphore : program.semaphores) {
            if (!holds(semaphore.cores, semaphore.on_ethernet)) continue;
            if (Found found = bytes("semaphore", "semaphore ", semaphore.id,
                                    launch.sem_offset + semaphore.id * rt::kSemaphoreBytes,
                                    reinterpret_cast<const std::byte*>(&semaphore.initial), 4))
                return found;
        }
        for (const CircularBufferImage& cb : program.circular_buffers)
            if (holds(cb.cores, false))
                if (Found found = check_circular_buffer(cb)) return found;
        return std::nullopt;
    }
};

}  // namespace

bool has_kernels_of(const ProgramImage& program, bool on_ethernet) {
    return std::any_of(program.kernels.begin(), program.kernels.end(),
                       [on_ethernet](const KernelImage& kernel) { return kernel.on_ethernet == on_ethernet; });
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

std::optional<Mismatch> compare_core(const ProgramImage& program, const LogicalCore& core, const MailboxView& mailbox,
                                     const std::byte* l1, std::uint32_t launch_address, UsedRange& used) {
    used = {};
    return Comparison{program, core, mailbox, l1, launch_address, used}.run();
}

}  // namespace cqfuzz
