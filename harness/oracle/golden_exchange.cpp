// What ethernet cores of different chips send each other, judged as it lands: the two ends are
// predicted from what the host asked of each chip.
#include <algorithm>
#include <cstring>

#include "harness/oracle/golden_memory.hpp"
#include "harness/oracle/provenance.hpp"

namespace cqfuzz {

std::span<const std::byte> GoldenMemory::exchanged_by(TileIndex tile) const {
    if (core_index_[tile] < 0) return {};
    const auto number = static_cast<std::size_t>(core_index_[tile]);
    const Core& core = cores_[number];
    if (!core.on_ethernet || !core.running) return {};
    const Runs& of = ethernet_runs_;
    const Run& run = of.list[static_cast<std::size_t>(core.begun - 1 - of.dropped)];
    const LogicalCore& logical = logical_cores_[number];
    for (const KernelImage& kernel : plans_[run.plan].image().kernels)
        if (kernel.on_ethernet && kernel.cores.contains({logical.x, logical.y}))
            return std::span(kernel.binary).first(kernel.exchange_bytes);
    return {};
}

GoldenMemory::Found GoldenMemory::observe_exchange(const LogEntry& entry,
                                                   const GoldenMemory& sender) {
    const MailboxView& box = machine_->ethernet_mailbox;
    const std::uint32_t address = entry.target_address & kL1OffsetMask;
    if (entry.noc_kind == NocKind::atomic && address == box.exchange_count) return std::nullopt;
    const std::span<const std::byte> binary = sender.exchanged_by(entry.tile);
    const std::uint32_t offset = address - box.exchange_base;
    const bool fits = address >= box.exchange_base && offset <= binary.size() &&
                      entry.length <= binary.size() - offset;
    Mismatch mismatch;
    if (fits && entry.noc_kind == NocKind::write) {
        if (std::memcmp(binary.data() + offset, entry.data, entry.length) == 0) return std::nullopt;
        mismatch = difference("exchange", "what came over the link", binary.data() + offset,
                              entry.data, entry.length, address);
    } else {
        mismatch.place = "exchange";
        mismatch.expected = std::to_string(binary.size()) + " bytes from " +
                            std::to_string(box.exchange_base) + " on, and a count";
        mismatch.actual = std::to_string(entry.length) + " bytes at " + std::to_string(address);
    }
    Violation violation;
    violation.property = "golden-memory/wrong-exchange";
    violation.place = mismatch.place;
    violation.expected = mismatch.expected;
    violation.actual = mismatch.actual;
    violation.step = entry.step;
    violation.actor = name_of(machine_->tiles[entry.tile].role);
    violation.summary = machine_->describe(entry.tile) + " sent " +
                        machine_->describe(entry.target) +
                        " over their link what its program does "
                        "not explain";
    violation.story = {violation.summary, "expected " + mismatch.expected,
                       "actual   " + mismatch.actual};
    return violation;
}

}  // namespace cqfuzz
