// Runtime arguments: the unique ones by WRITE_PACKED unicast, the common ones by one shared payload
// (facts §6.1).
#include <algorithm>
#include <cstring>
#include <span>

#include "runtime_under_test/host/packed_limits.hpp"
#include "runtime_under_test/host/program_commands.hpp"
#include "runtime_under_test/host/receivers.hpp"

namespace cqfuzz::rt {
namespace {

void add_unique(CommandSequence& out, const Kernel& kernel, std::uint32_t offset,
                const DeviceConfig& device, FaultSet& faults) {
    const PackedLimits limits(device.geometry, kUnicastSubBytes, faults);
    std::vector<std::uint32_t> cores;
    append_cores(device.chip, kernel.core_kind, kernel.cores, cores);
    const std::uint32_t total = kernel.args_words * 4;
    for (std::uint32_t done = 0; done < total;) {
        const PackedTarget target{offset_index(kernel.core_kind), offset + done,
                                  limits.own_payload(total - done)};
        const std::uint32_t stride = align_up(target.size, kPayloadAlignment);
        for (std::uint32_t core = 0; core < cores.size();) {
            const std::uint32_t count =
                limits.receivers(static_cast<std::uint32_t>(cores.size()) - core, target.size);
            std::byte* payload = out.add_write_packed(target, std::span(cores).subspan(core, count),
                                                      PackedPayload::each);
            for (std::uint32_t k = 0; k < count; k++) {
                const std::size_t first_word = std::size_t{core + k} * kernel.args_words + done / 4;
                std::memcpy(payload + std::size_t{k} * stride, kernel.args.data() + first_word,
                            target.size);
            }
            core += count;
        }
        done += target.size;
    }
}

// `receivers` is a list of coordinates or of rectangles.
template <class Receiver>
void add_shared(CommandSequence& out, const Kernel& kernel, std::uint32_t offset,
                std::span<const Receiver> receivers, const PackedLimits& limits) {
    const auto total = static_cast<std::uint32_t>(kernel.common_args.size() * 4);
    for (std::size_t first = 0; first < receivers.size();) {
        const std::uint32_t count =
            limits.sharers(static_cast<std::uint32_t>(receivers.size() - first));
        for (std::uint32_t done = 0; done < total;) {
            const PackedTarget target{offset_index(kernel.core_kind), offset + done,
                                      limits.shared_payload(total - done, count)};
            std::byte* payload = out.add_write_packed(target, receivers.subspan(first, count),
                                                      PackedPayload::shared);
            std::memcpy(payload, kernel.common_args.data() + done / 4, target.size);
            done += target.size;
        }
        first += count;
    }
}

void add_common(CommandSequence& out, const Kernel& kernel, std::uint32_t offset,
                const DeviceConfig& device, FaultSet& faults) {
    if (kernel.core_kind == CoreKind::worker) {
        const PackedMulticastSub rectangle = multicast_receiver(device.chip, kernel.cores);
        add_shared<PackedMulticastSub>(out, kernel, offset, std::span(&rectangle, 1),
                                       PackedLimits(device.geometry, kMulticastSubBytes, faults));
        return;
    }
    std::vector<std::uint32_t> cores;
    append_cores(device.chip, kernel.core_kind, kernel.cores, cores);
    add_shared<std::uint32_t>(out, kernel, offset, cores,
                              PackedLimits(device.geometry, kUnicastSubBytes, faults));
}

}  // namespace

void add_arguments(CommandSequence& out, const Program& program, const ProgramLayout& layout,
                   const DeviceConfig& device, FaultSet& faults) {
    for (const Kernel& kernel : program.kernels) {
        const ConfigLayout& config = layout.config[index_of(kernel.core_kind)];
        add_unique(out, kernel, config.rta_offset[kernel.processor], device, faults);
    }
    for (const Kernel& kernel : program.kernels) {
        const ConfigLayout& config = layout.config[index_of(kernel.core_kind)];
        add_common(out, kernel, config.crta_offset[kernel.processor], device, faults);
    }
}

}  // namespace cqfuzz::rt
