#include "runtime_under_test/host/program_check.hpp"

#include <string>
#include <utility>

#include "runtime_under_test/host/misuse.hpp"
#include "runtime_under_test/protocol/dev_msgs.hpp"

namespace cqfuzz::rt {
namespace {

constexpr std::size_t kKernelsMax = 64;
constexpr std::size_t kBinaryAlignment = 16;
constexpr std::uint32_t kCircularBufferUnit = 16;

bool overlap(const CoreRange& a, const CoreRange& b) {
    return a.x0 <= b.x1 && b.x0 <= a.x1 && a.y0 <= b.y1 && b.y0 <= a.y1;
}

const char* name_of(CoreKind kind) { return kind == CoreKind::worker ? "worker" : "ethernet"; }

std::string text(std::uint64_t value) { return std::to_string(value); }

std::string text(const CoreRange& range) {
    return "(" + text(range.x0) + "," + text(range.y0) + ")-(" + text(range.x1) + "," +
           text(range.y1) + ")";
}

// What a message is about: "program 3, kernel 1".
class Subject {
public:
    Subject(const Program& program, const char* entry)
        : text_("program " + text(program.id) + ", " + entry + " ") {}

    [[noreturn]] void refuse(std::size_t index, const std::string& why) const {
        throw Misuse(text_ + text(index) + ": " + why);
    }

private:
    std::string text_;
};

void check_range(const Subject& subject, std::size_t index, CoreKind kind, const CoreRange& range,
                 const DeviceConfig& config) {
    if (kind != CoreKind::worker && kind != CoreKind::ethernet)
        subject.refuse(index, "core kind " + text(static_cast<std::uint8_t>(kind)) +
                                  " does not exist; use worker or ethernet");
    const bool worker = kind == CoreKind::worker;
    const std::size_t cols = worker ? config.chip.worker_cols : config.chip.ethernet_cores.size();
    const std::size_t rows = worker ? config.chip.worker_rows : 1;
    if (range.x0 <= range.x1 && range.y0 <= range.y1 && range.x1 < cols && range.y1 < rows) return;
    if (cols == 0)
        subject.refuse(index, "cores " + text(range) +
                                  " are ethernet cores, of which the chip has none; use workers");
    subject.refuse(index, "cores " + text(range) + " are outside the " + name_of(kind) +
                              " grid of " + text(cols) + " x " + text(rows) +
                              "; use corners inside it, first corner not after the last");
}

void check_kernels(const Program& program, const DeviceConfig& config) {
    const Subject subject(program, "kernel");
    for (std::size_t i = 0; i < program.kernels.size(); i++) {
        const Kernel& kernel = program.kernels[i];
        check_range(subject, i, kernel.core_kind, kernel.cores, config);
        const std::uint32_t processors = kernel.core_kind == CoreKind::worker ? kProcessors : 1;
        if (kernel.processor >= processors)
            subject.refuse(i, "processor " + text(kernel.processor) + " does not exist; a " +
                                  name_of(kernel.core_kind) + " core has " + text(processors) +
                                  ", numbered from 0");
        if (kernel.binary.empty() || kernel.binary.size() % kBinaryAlignment != 0)
            subject.refuse(i, "its binary has " + text(kernel.binary.size()) +
                                  " bytes; give a multiple of 16, at least 16");
        const std::uint64_t words = std::uint64_t{kernel.args_words} * kernel.cores.count();
        if (kernel.args.size() != words)
            subject.refuse(i, "it has " + text(kernel.args.size()) + " argument words; " +
                                  text(kernel.args_words) + " for each of " +
                                  text(kernel.cores.count()) + " cores are " + text(words) +
                                  "; give exactly so many");
        const bool worker = kernel.core_kind == CoreKind::worker;
        const std::uint64_t room =
            worker ? config.worker.config_bytes : config.ethernet.config_bytes;
        const std::uint64_t needed =
            kernel.binary.size() +
            (std::uint64_t{kernel.args_words} + kernel.common_args.size()) * 4;
        if (needed > room)
            subject.refuse(i, "its binary and arguments are " + text(needed) +
                                  " bytes; the config ring of a " + name_of(kernel.core_kind) +
                                  " core has " + text(room) + "; use fewer or shorter ones");
        for (std::size_t j = 0; j < i; j++) {
            const Kernel& other = program.kernels[j];
            if (other.core_kind == kernel.core_kind && other.processor == kernel.processor &&
                overlap(other.cores, kernel.cores))
                subject.refuse(i, "processor " + text(kernel.processor) + " of cores " +
                                      text(kernel.cores) + " already runs kernel " + text(j) +
                                      "; a processor runs one kernel of a program");
        }
    }
}

bool has_kernel(const Program& program, CoreKind kind) {
    for (const Kernel& kernel : program.kernels)
        if (kernel.core_kind == kind) return true;
    return false;
}

void check_semaphores(const Program& program, const DeviceConfig& config) {
    const Subject subject(program, "semaphore");
    for (std::size_t i = 0; i < program.semaphores.size(); i++) {
        const SemaphoreInit& semaphore = program.semaphores[i];
        check_range(subject, i, semaphore.core_kind, semaphore.cores, config);
        if (semaphore.id >= kMaxSemaphores)
            subject.refuse(i, "id " + text(semaphore.id) + " does not exist; a core has " +
                                  text(kMaxSemaphores) + ", numbered from 0");
        if (!has_kernel(program, semaphore.core_kind))
            subject.refuse(i, std::string("the program has no ") + name_of(semaphore.core_kind) +
                                  " kernel that could use it; add one or leave the semaphore out");
        for (std::size_t j = 0; j < i; j++) {
            const SemaphoreInit& other = program.semaphores[j];
            if (other.core_kind == semaphore.core_kind && other.id == semaphore.id &&
                overlap(other.cores, semaphore.cores))
                subject.refuse(i, "id " + text(semaphore.id) + " on cores " +
                                      text(semaphore.cores) + " is already given by semaphore " +
                                      text(j) + "; use another id");
        }
    }
}

// Cores get address, size and page size in units of 16 bytes (facts §6.1).
void check_circular_buffer_sizes(const Subject& subject, std::size_t index,
                                 const CircularBufferConfig& buffer) {
    for (const auto& [name, value] :
         {std::pair{"address", buffer.address}, std::pair{"page size", buffer.page_size_bytes}})
        if (value % kCircularBufferUnit != 0)
            subject.refuse(index, std::string("its ") + name + " is " + text(value) +
                                      "; give a multiple of " + text(kCircularBufferUnit));
    if (buffer.pages == 0 || buffer.page_size_bytes == 0)
        subject.refuse(index, "it has " + text(buffer.pages) + " pages of " +
                                  text(buffer.page_size_bytes) +
                                  " bytes; give at least one page of at least 16 bytes");
    const std::uint64_t whole = std::uint64_t{buffer.pages} * buffer.page_size_bytes;
    if (buffer.size_bytes != whole)
        subject.refuse(index, "its size is " + text(buffer.size_bytes) + "; " + text(buffer.pages) +
                                  " pages of " + text(buffer.page_size_bytes) + " bytes are " +
                                  text(whole) + "; give exactly that");
}

void check_circular_buffers(const Program& program, const DeviceConfig& config) {
    const Subject subject(program, "circular buffer");
    for (std::size_t i = 0; i < program.circular_buffers.size(); i++) {
        const CircularBufferConfig& buffer = program.circular_buffers[i];
        check_range(subject, i, CoreKind::worker, buffer.cores, config);
        if (buffer.index >= kMaxCircularBuffers)
            subject.refuse(i, "index " + text(buffer.index) + " does not exist; a core has " +
                                  text(kMaxCircularBuffers) + ", numbered from 0");
        check_circular_buffer_sizes(subject, i, buffer);
        if (!has_kernel(program, CoreKind::worker))
            subject.refuse(i,
                           "the program has no worker kernel that could use it; add one or leave "
                           "the buffer out");
        for (std::size_t j = 0; j < i; j++) {
            const CircularBufferConfig& other = program.circular_buffers[j];
            if (other.index == buffer.index && overlap(other.cores, buffer.cores))
                subject.refuse(i, "index " + text(buffer.index) + " on cores " +
                                      text(buffer.cores) + " is already given by circular buffer " +
                                      text(j) + "; use another index");
        }
    }
}

}  // namespace

void check_program(const Program& program, const DeviceConfig& config) {
    if (program.kernels.empty())
        throw Misuse("program " + text(program.id) + " has no kernel; a program runs at least one");
    if (program.kernels.size() > kKernelsMax)
        throw Misuse("program " + text(program.id) + " has " + text(program.kernels.size()) +
                     " kernels; at most " + text(kKernelsMax) + " are accepted; split the program");
    check_kernels(program, config);
    check_semaphores(program, config);
    check_circular_buffers(program, config);
}

}  // namespace cqfuzz::rt
