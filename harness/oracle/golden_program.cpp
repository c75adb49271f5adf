#include "harness/oracle/golden_program.hpp"

#include <algorithm>
#include <cstring>

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

Mismatch launch_differs(const char* what, std::uint32_t address, std::string expected,
                        std::string actual) {
    Mismatch mismatch;
    mismatch.place = "launch message";
    mismatch.what = what;
    mismatch.address = address;
    mismatch.expected = std::move(expected);
    mismatch.actual = std::move(actual);
    return mismatch;
}

// One comparison of one core; the members are what every part needs.
struct Comparison {
    const ProgramPlan& plan;
    const CoreContents& contents;
    const ConfigArrivals& arrivals;
    UsedRange& used;
    UsedRange shared{};
    bool shared_covered = true;  // multicasts since the last go wrote all of it
    rt::LaunchMessage launch{};

    using Found = std::optional<Mismatch>;
    enum class Audience : std::uint8_t { this_core, many };

    bool here(const NocRectangle& cores, bool on_ethernet) const {
        return is_on(cores, on_ethernet, contents.logical);
    }

    Found bytes(Audience audience, const char* place, const char* kind, unsigned number,
                std::uint32_t offset, const void* expected_bytes, std::size_t length) {
        if (length == 0) return std::nullopt;
        const std::uint64_t begin = std::uint64_t{launch.kernel_config_base} + offset;
        const MailboxView& box = *contents.mailbox;
        if (begin < box.config_base ||
            begin + length > std::uint64_t{box.config_base} + box.config_size_bytes) {
            Mismatch misplaced = launch_differs(
                "", contents.launch_address, "inside the kernel-config ring",
                "at " + std::to_string(begin) + ", " + std::to_string(length) + " bytes");
            misplaced.place = place;
            misplaced.what = kind + std::to_string(number);
            return misplaced;
        }
        const auto address = static_cast<std::uint32_t>(begin);
        const auto end = address + static_cast<std::uint32_t>(length);
        used.add(address, end);
        if (audience == Audience::many) {
            shared.add(address, end);
            shared_covered = shared_covered && arrivals.covers(contents.core, address, end);
        }
        const auto* expected = static_cast<const std::byte*>(expected_bytes);
        if (std::memcmp(contents.l1 + address, expected, length) == 0) return std::nullopt;
        return difference(place, kind + std::to_string(number), expected, contents.l1 + address,
                          length, address);
    }

    Found check_launch() const {
        const unsigned enables = plan.share(contents.core).enables;
        if (launch.enables != enables)
            return launch_differs("enables", contents.launch_address, std::to_string(enables),
                                  std::to_string(launch.enables));
        if (enables != 0 && launch.host_assigned_id != plan.image().id)
            return launch_differs("the program's id", contents.launch_address,
                                  std::to_string(plan.image().id),
                                  std::to_string(launch.host_assigned_id));
        return std::nullopt;
    }

    // Did exactly the expected arguments arrive at the place that the launch message names?
    bool arguments_arrived(std::size_t kernel) {
        const KernelImage& of = plan.image().kernels[kernel];
        const std::uint32_t begin = launch.kernel_config_base + launch.rta_offset[of.processor];
        const std::uint32_t end = begin + of.args_words * 4;
        if (arrivals.name_alone(contents.core, begin, end) !=
            plan.arguments_name(kernel, contents.logical))
            return false;
        used.add(begin, end);
        return true;
    }

    Found check_arguments() {
        for (std::size_t i = 0; i < plan.image().kernels.size(); ++i) {
            const KernelImage& kernel = plan.image().kernels[i];
            if (kernel.args_words == 0 || !here(kernel.cores, kernel.on_ethernet)) continue;
            if (arguments_arrived(i)) continue;
            if (Found found =
                    bytes(Audience::this_core, "runtime args", "the unique arguments of processor ",
                          kernel.processor, launch.rta_offset[kernel.processor],
                          plan.arguments(i, contents.logical), kernel.args_words * std::size_t{4}))
                return found;
        }
        return std::nullopt;
    }

    Found check_kernel(const KernelImage& kernel) {
        const std::size_t p = kernel.processor;
        if (Found found =
                bytes(Audience::many, "runtime args", "the common arguments of processor ",
                      kernel.processor, launch.crta_offset[p], kernel.common_args.data(),
                      kernel.common_args.size() * 4))
            return found;
        if (launch.kernel_text_bytes[p] < kernel.binary.size())
            return launch_differs("the length of a binary", contents.launch_address,
                                  std::to_string(kernel.binary.size()),
                                  std::to_string(launch.kernel_text_bytes[p]));
        return bytes(Audience::many, "kernel binary", "the binary of processor ", kernel.processor,
                     launch.kernel_text_offset[p], kernel.binary.data(), kernel.binary.size());
    }

    Found check_circular_buffer(const CircularBufferImage& cb) {
        if ((launch.local_cb_mask >> cb.index & 1u) == 0)
            return launch_differs("the circular-buffer mask", contents.launch_address,
                                  "bit " + std::to_string(cb.index) + " set",
                                  std::to_string(launch.local_cb_mask));
        const std::array<std::uint32_t, 4> words{cb.address >> 4, cb.size_bytes >> 4, cb.page_count,
                                                 cb.page_size_bytes >> 4};
        return bytes(Audience::many, "circular-buffer config", "circular buffer ", cb.index,
                     launch.local_cb_offset + cb.index * rt::kCircularBufferConfigBytes,
                     words.data(), sizeof words);
    }

    Found check_shared() {
        for (const KernelImage& kernel : plan.image().kernels)
            if (here(kernel.cores, kernel.on_ethernet))
                if (Found found = check_kernel(kernel)) return found;
        for (const SemaphoreImage& semaphore : plan.image().semaphores)
            if (here(semaphore.cores, semaphore.on_ethernet))
                if (Found found = bytes(Audience::many, "semaphore", "semaphore ", semaphore.id,
                                        launch.sem_offset + semaphore.id * rt::kSemaphoreBytes,
                                        &semaphore.initial, 4))
                    return found;
        for (const CircularBufferImage& cb : plan.image().circular_buffers)
            if (here(cb.cores, false))
                if (Found found = check_circular_buffer(cb)) return found;
        return std::nullopt;
    }
};

}  // namespace

void UsedRange::add(std::uint32_t from, std::uint32_t to) {
    begin = begin == end ? from : std::min(begin, from);
    end = std::max(end, to);
}

Violation violation_of(const char* property, const Mismatch& mismatch, std::uint64_t step) {
    Violation violation;
    violation.property = std::string("golden-memory/") + property;
    violation.place = mismatch.place;
    violation.expected = mismatch.expected;
    violation.actual = mismatch.actual;
    violation.step = step;
    return violation;
}

Mismatch difference(const char* place, std::string what, const std::byte* expected,
                    const std::byte* actual, std::size_t length, std::uint32_t address) {
    const auto at = static_cast<std::size_t>(
        std::mismatch(expected, expected + length, actual).first - expected);
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

std::optional<Mismatch> CoreComparer::compare(const ProgramPlan& plan, const CoreContents& contents,
                                              const ConfigArrivals& arrivals, UsedRange& used) {
    used = {};
    Comparison comparison{plan, contents, arrivals, used};
    const std::byte* launch = contents.l1 + contents.launch_address;
    rt::decode(launch, comparison.launch);
    if (std::optional<Mismatch> found = comparison.check_launch()) return found;
    const ProgramPlan::Share& share = plan.share(contents.core);
    if (share.enables == 0) return std::nullopt;
    if (std::optional<Mismatch> found = comparison.check_arguments()) return found;

    const std::uint64_t name =
        mixed(arrivals.history(contents.core), share.parts ^ std::uint64_t{plan.image().id} << 40);
    Remembered& remembered = remembered_[name % remembered_.size()];
    const UsedRange& shared = remembered.shared;
    if (remembered.name == name &&
        std::memcmp(remembered.launch.data(), launch, remembered.launch.size()) == 0 &&
        !arrivals.differs_in(contents.core, shared.begin, shared.end)) {
        used = remembered.used;
        return std::nullopt;
    }
    if (std::optional<Mismatch> found = comparison.check_shared()) return found;
    const UsedRange& compared = comparison.shared;
    if (!comparison.shared_covered ||
        arrivals.differs_in(contents.core, compared.begin, compared.end))
        return std::nullopt;
    remembered.name = name;
    std::memcpy(remembered.launch.data(), launch, remembered.launch.size());
    remembered.used = used;
    remembered.shared = compared;
    return std::nullopt;
}

}  // namespace cqfuzz
