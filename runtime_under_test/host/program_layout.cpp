#include "runtime_under_test/host/program_layout.hpp"

#include <algorithm>
#include <string>

#include "runtime_under_test/host/core_groups.hpp"
#include "runtime_under_test/host/misuse.hpp"
#include "runtime_under_test/protocol/commands.hpp"

namespace cqfuzz::rt {
namespace {

constexpr std::uint32_t kLine = DispatchGeometry::kL1Alignment;
constexpr std::uint64_t kOffset16Max =
    0xffff;  // args, semaphores and CBs are named by 16-bit offsets

std::uint32_t bytes_of(std::size_t words) { return static_cast<std::uint32_t>(words * 4); }

// A processor's largest part over the kernels of one kind.
template <class SizeOf>
std::array<std::uint32_t, kProcessors> largest(const Program& program, CoreKind kind,
                                               SizeOf size_of) {
    std::array<std::uint32_t, kProcessors> sizes{};
    for (const Kernel& kernel : program.kernels) {
        if (kernel.core_kind != kind) continue;
        std::uint32_t& size = sizes[kernel.processor];
        size = std::max(size, size_of(kernel));
    }
    return sizes;
}

ConfigLayout config_layout(const Program& program, CoreKind kind) {
    ConfigLayout layout;
    std::uint32_t next = 0;
    const auto place = [&next](std::array<std::uint32_t, kProcessors>& offsets,
                               const std::array<std::uint32_t, kProcessors>& sizes,
                               std::uint32_t alignment) {
        next = align_up(next, alignment);
        for (std::uint32_t p = 0; p < kProcessors; p++) {
            offsets[p] = next;
            next += align_up(sizes[p], alignment);
        }
    };
    place(layout.rta_offset,
          largest(program, kind, [](const Kernel& k) { return bytes_of(k.args_words); }), kLine);
    place(layout.crta_offset,
          largest(program, kind, [](const Kernel& k) { return bytes_of(k.common_args.size()); }),
          kLine);
    layout.sem_offset = next;
    for (const SemaphoreInit& semaphore : program.semaphores)
        if (semaphore.core_kind == kind)
            next = layout.sem_offset + kMaxSemaphores * kSemaphoreBytes;
    layout.cb_offset = next;
    if (kind == CoreKind::worker)
        for (const CircularBufferConfig& buffer : program.circular_buffers)
            layout.cb_bytes =
                std::max(layout.cb_bytes, (buffer.index + 1u) * kCircularBufferConfigBytes);
    next += layout.cb_bytes;
    place(layout.text_offset,
          largest(program, kind,
                  [](const Kernel& k) { return static_cast<std::uint32_t>(k.binary.size()); }),
          kBinaryAlignmentBytes);
    layout.total_bytes = next;
    return layout;
}

void check_fits(const Program& program, CoreKind kind, const ConfigLayout& layout,
                const DeviceConfig& config) {
    const bool worker = kind == CoreKind::worker;
    const std::uint32_t room = worker ? config.worker.config_bytes : config.ethernet.config_bytes;
    const std::string who = "program " + std::to_string(program.id);
    const std::string ring = worker ? "worker" : "ethernet";
    if (layout.total_bytes > room)
        throw Misuse(
            who + " needs " + std::to_string(layout.total_bytes) + " bytes of the " + ring +
            " config ring, which has " + std::to_string(room) +
            "; use smaller binaries or fewer arguments, or open the device with a larger ring");
    if (layout.cb_offset + std::uint64_t{layout.cb_bytes} > kOffset16Max)
        throw Misuse(who + " has " +
                     std::to_string(layout.cb_offset + std::uint64_t{layout.cb_bytes}) +
                     " bytes of arguments, semaphores and circular buffers on " + ring +
                     " cores; launch messages name them by 16-bit offsets, so at most " +
                     std::to_string(kOffset16Max) + " are accepted; use fewer arguments");
}

LaunchMessage common_message(const Program& program, const ConfigLayout& layout) {
    LaunchMessage message;
    message.sem_offset = static_cast<std::uint16_t>(layout.sem_offset);
    message.local_cb_offset = static_cast<std::uint16_t>(layout.cb_offset);
    message.mode = kModeDev;
    message.host_assigned_id = program.id;
    return message;
}

void add_launch_groups(const Program& program, CoreKind kind, const ConfigLayout& layout,
                       const DeviceConfig& config, std::vector<LaunchGroup>& groups) {
    std::vector<CoreRange> ranges;
    std::vector<const Kernel*> kernels;
    for (const Kernel& kernel : program.kernels) {
        if (kernel.core_kind != kind) continue;
        ranges.push_back(kernel.cores);
        kernels.push_back(&kernel);
    }
    if (kernels.empty()) return;
    const bool worker = kind == CoreKind::worker;
    if (worker)
        for (const CircularBufferConfig& buffer : program.circular_buffers)
            ranges.push_back(buffer.cores);
    const auto cols = worker ? config.chip.worker_cols
                             : static_cast<std::uint32_t>(config.chip.ethernet_cores.size());
    for (CoreGroup& cores : group_cores(cols, worker ? config.chip.worker_rows : 1, ranges)) {
        if (cores.members.front() >= kernels.size())
            continue;  // circular buffers alone: nothing is launched there
        LaunchGroup group{kind, std::move(cores.rectangles), common_message(program, layout)};
        for (const std::uint32_t member : cores.members) {
            if (member >= kernels.size()) {
                group.message.local_cb_mask |=
                    1u << program.circular_buffers[member - kernels.size()].index;
                continue;
            }
            const Kernel& kernel = *kernels[member];
            const std::uint32_t p = kernel.processor;
            group.message.rta_offset[p] = static_cast<std::uint16_t>(layout.rta_offset[p]);
            group.message.crta_offset[p] = static_cast<std::uint16_t>(layout.crta_offset[p]);
            group.message.kernel_text_offset[p] = layout.text_offset[p];
            group.message.kernel_text_bytes[p] = static_cast<std::uint32_t>(kernel.binary.size());
            group.message.enables = static_cast<std::uint8_t>(group.message.enables | 1u << p);
        }
        groups.push_back(std::move(group));
    }
}

}  // namespace

ProgramLayout lay_out(const Program& program, const DeviceConfig& config) {
    ProgramLayout layout;
    for (const CoreKind kind : kAllCoreKinds) {
        const ConfigLayout& part = layout.config[index_of(kind)] = config_layout(program, kind);
        check_fits(program, kind, part, config);
        layout.needs[index_of(kind)].config_bytes = part.total_bytes;
        add_launch_groups(program, kind, part, config, layout.launch_groups);
    }
    for (const LaunchGroup& group : layout.launch_groups)
        layout.needs[index_of(group.kind)].runs = true;
    for (const Kernel& kernel : program.kernels) {
        layout.first_page.push_back(layout.binary_pages);
        const auto bytes = static_cast<std::uint32_t>(kernel.binary.size());
        layout.binary_pages += align_up(bytes, kProgramPageBytes) / kProgramPageBytes;
    }
    return layout;
}

}  // namespace cqfuzz::rt
