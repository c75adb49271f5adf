#include "harness/oracle/host_queue_ownership.hpp"

#include <algorithm>
#include <cstring>

namespace cqfuzz {
namespace {

constexpr std::uint32_t kBlockBytes = 16;

}  // namespace

void HostQueueOwnership::reset(const MachineView& machine, const Provenance& provenance) {
    machine_ = &machine;
    provenance_ = &provenance;
    queue_count_ = machine.issue_regions.size();
    if (queues_.size() < queue_count_) queues_.resize(queue_count_);
    for (std::size_t q = 0; q < queue_count_; ++q) {
        Queue& queue = queues_[q];
        queue.view = machine.issue_regions[q];
        queue.flying.clear();
        queue.owned.clear();
        queue.entries.assign(queue.view.queue_entries, {});
    }
}

std::optional<Violation> HostQueueOwnership::observe(const LogEntry& entry) {
    for (std::size_t q = 0; q < queue_count_; ++q) {
        Queue& queue = queues_[q];
        switch (entry.kind) {
            case LogKind::host_write_issue:
                if (in_region(queue, entry)) return on_host_issue(queue, entry);
                break;
            case LogKind::host_write_arrive:
                if (in_region(queue, entry)) return on_bytes(queue, entry);
                if (entry.target == queue.view.fetcher)
                    if (Found found = on_entries(queue, entry)) return found;
                break;
            case LogKind::l1_store:
                if (entry.tile == queue.view.fetcher) on_store(queue, entry);
                break;
            default: return std::nullopt;
        }
    }
    return std::nullopt;
}

HostQueueOwnership::Found HostQueueOwnership::on_host_issue(Queue& queue,
                                                            const LogEntry& entry) const {
    queue.flying.push_back({entry.target_address, entry.target_address + entry.length,
                            provenance_->host_op(), entry.step, entry.transaction});
    if ((entry.target_address | entry.length) % kBlockBytes == 0) return std::nullopt;
    return finding(entry, "issue region", "unaligned", "inv. 106", machine_->pcie,
                   queue.flying.back(),
                   "the host wrote to the issue region what is no block copy of whole 16 bytes");
}

HostQueueOwnership::Found HostQueueOwnership::on_bytes(Queue& queue, const LogEntry& entry) const {
    Slot slot{entry.target_address, entry.target_address + entry.length, provenance_->host_op(),
              entry.step, entry.transaction};
    for (auto flying = queue.flying.begin(); flying != queue.flying.end(); ++flying) {
        if (flying->transaction != entry.transaction) continue;
        slot.op = flying->op;
        queue.flying.erase(flying);
        break;
    }
    for (const Slot& owned : queue.owned) {
        if (owned.end <= slot.begin || slot.end <= owned.begin) continue;
        Violation violation = finding(
            entry, "issue region", "overwritten-while-owned", "inv. 39", machine_->pcie, owned,
            "the host wrote over bytes of the issue region whose fetch by " +
                machine_->describe(queue.view.fetcher) + " had not landed");
        violation.op_index = slot.op;
        return violation;
    }
    queue.owned.push_back(slot);
    return std::nullopt;
}

HostQueueOwnership::Found HostQueueOwnership::on_entries(Queue& queue,
                                                         const LogEntry& entry) const {
    const std::uint32_t unit = queue.view.queue_entry_bytes;
    for (std::uint32_t at = 0; at + unit <= entry.length; at += unit) {
        const std::uint32_t address = (entry.target_address & kL1OffsetMask) + at;
        if (!in_queue(queue, address)) continue;
        Slot& slot = queue.entries[(address - queue.view.queue_base) / unit];
        if (slot.begin != slot.end)
            return finding(entry, "prefetch_q", "overwritten-while-owned", "inv. 40",
                           machine_->pcie, slot,
                           "the host wrote an entry of prefetch_q that " +
                               machine_->describe(queue.view.fetcher) + " had not taken");
        std::uint32_t value = 1;
        if (entry.data != nullptr) {
            value = 0;
            std::memcpy(&value, entry.data + at, std::min<std::size_t>(unit, sizeof value));
        }
        if (value != 0) slot = {address, address + unit, provenance_->host_op(), entry.step, 0};
    }
    return std::nullopt;
}

void HostQueueOwnership::on_store(Queue& queue, const LogEntry& entry) {
    const std::uint32_t address = entry.target_address & kL1OffsetMask;
    if (!in_queue(queue, address)) return;
    Slot& slot = queue.entries[(address - queue.view.queue_base) / queue.view.queue_entry_bytes];
    slot = {};
}

std::optional<Violation> HostQueueOwnership::sampled(const LogEntry& entry) const {
    for (std::size_t q = 0; q < queue_count_; ++q) {
        const Queue& queue = queues_[q];
        if (queue.view.fetcher != entry.tile || queue.view.pcie != entry.target) continue;
        for (const Slot& slot : queue.flying) {
            if (slot.end <= entry.source_address ||
                entry.source_address + entry.length <= slot.begin)
                continue;
            return finding(entry, "issue region", "read-before-ready", "inv. 40", machine_->pcie,
                           slot,
                           machine_->describe(entry.tile) +
                               " read bytes of the issue region before the host's write of them "
                               "had arrived");
        }
    }
    return std::nullopt;
}

void HostQueueOwnership::landed(const LogEntry& entry) {
    const std::uint32_t begin = entry.source_address;
    const std::uint32_t end = begin + entry.length;
    for (std::size_t q = 0; q < queue_count_; ++q) {
        Queue& queue = queues_[q];
        if (queue.view.fetcher != entry.tile || queue.view.pcie != entry.target) continue;
        for (std::size_t i = 0; i < queue.owned.size();) {
            Slot& slot = queue.owned[i];
            if (slot.begin < begin && end < slot.end) {  // a packet overtook those around it
                Slot behind = slot;
                behind.begin = end;
                slot.end = begin;
                queue.owned.push_back(behind);
                ++i;
                continue;
            }
            if (slot.begin < begin && begin < slot.end && slot.end <= end)
                slot.end = begin;
            else if (begin <= slot.begin && slot.begin < end)
                slot.begin = std::min(end, slot.end);
            if (slot.begin == slot.end)
                queue.owned.erase(queue.owned.begin() + static_cast<std::ptrdiff_t>(i));
            else
                ++i;
        }
    }
}

Violation HostQueueOwnership::finding(const LogEntry& entry, const char* place,
                                      const char* property, const char* invariant, TileIndex actor,
                                      const Slot& slot, std::string summary) const {
    Doing blamed;
    blamed.op = provenance_->host_op();
    Violation violation =
        staging_violation(place, slot.begin, slot.end, entry.step, *machine_,
                          {property, invariant, actor, blamed, std::move(summary),
                           "what the host hands over stays as it is until the device has it"});
    violation.actual = "bytes " + std::to_string(slot.begin) + " to " + std::to_string(slot.end);
    violation.story.push_back(
        violation.actual + ", written at step " + std::to_string(slot.step) +
        (slot.op == kNoOp ? std::string() : " for op " + std::to_string(slot.op)));
    return violation;
}

}  // namespace cqfuzz
