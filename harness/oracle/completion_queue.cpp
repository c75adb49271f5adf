#include "harness/oracle/completion_queue.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "runtime_under_test/protocol/commands.hpp"

namespace cqfuzz {
namespace {

constexpr std::uint32_t kToggle = 0x80000000u;
constexpr std::uint32_t kAddressShift = 4;  // pointer words hold address >> 4

std::uint32_t word_of(const std::byte* data) {
    std::uint32_t word = 0;
    std::memcpy(&word, data, sizeof word);
    return word;
}

bool is_dispatcher(Role role) { return role == Role::dispatch_d || role == Role::dispatch_hd; }

}  // namespace

void CompletionQueueOrder::reset(const MachineView& machine, const MemoryView& memory,
                                 const Provenance& provenance) {
    machine_ = &machine;
    memory_ = &memory;
    provenance_ = &provenance;
    queue_count_ = machine.completion_regions.size();
    if (queues_.size() < queue_count_) queues_.resize(queue_count_);
    queue_index_.assign(machine.tiles.size(), -1);
    unacknowledged_.assign(machine.tiles.size(), 0);
    terminated_.assign(machine.tiles.size(), false);
    for (std::size_t q = 0; q < queue_count_; ++q) {
        Queue& queue = queues_[q];
        queue.view = machine.completion_regions[q];
        queue.pushed = queue.popped = 0;
        queue.pointers_undeparted = 0;
        queue.data.clear();
        queue_index_[queue.view.writer] = static_cast<std::int8_t>(q);
    }
}

std::optional<Violation> CompletionQueueOrder::observe(const LogEntry& entry) {
    switch (entry.kind) {
        case LogKind::noc_issue: return on_issue(entry);
        case LogKind::noc_depart: return on_depart(entry);
        case LogKind::l1_store: return on_store(entry);
        case LogKind::host_write_arrive: return on_host_write(entry);
        case LogKind::command_begin: return on_command(entry);
        default: return std::nullopt;
    }
}

Violation CompletionQueueOrder::broken(const LogEntry& entry, TileIndex actor, const char* property,
                                       const char* invariant, std::string sentence) const {
    Violation violation;
    violation.property = std::string("completion-queue/") + property;
    violation.place = "completion queue";
    violation.invariant = invariant;
    violation.step = entry.step;
    violation.actor = name_of(machine_->tiles[actor].role);
    if (actor == machine_->pcie) {
        const Queue& queue = queues_[static_cast<std::size_t>(queue_index_[entry.target])];
        violation.bytes = {queue.view.pcie, queue.view.base,
                           queue.view.page_count * queue.view.page_size_bytes,
                           "the completion region was"};
        violation.op_index = provenance_->host_op();
    } else {
        const Doing& doing = provenance_->doing(actor);
        violation.command = command_name(doing);
        violation.op_index = doing.op;
        sentence += ", during " + phrase(doing);
    }
    violation.summary = machine_->describe(actor) + " " + sentence;
    violation.story.push_back(violation.summary);
    return violation;
}

std::optional<std::uint64_t> CompletionQueueOrder::count_of(const Queue& queue, std::uint32_t word,
                                                            std::uint64_t count) {
    const std::uint32_t pages = queue.view.page_count;
    const std::uint32_t offset = ((word & ~kToggle) << kAddressShift) - queue.view.base;
    const std::uint64_t page = offset / queue.view.page_size_bytes;
    std::uint64_t next = count + (page + pages - count % pages) % pages;
    const bool toggle = (word & kToggle) != 0;
    // The same address again stands for no page, or for all of them.
    if (next == count && ((next / pages & 1) != 0) != toggle) next += pages;
    if (((next / pages & 1) != 0) != toggle) return std::nullopt;
    return next;
}

bool CompletionQueueOrder::awaited_by_event(const LogEntry& entry) const {
    if (!is_dispatcher(machine_->tiles[entry.tile].role)) return false;
    if (entry.noc_kind != NocKind::write && entry.noc_kind != NocKind::inline_write) return false;
    if ((entry.flags & (kLogMulticast | kLogPosted)) != 0 || entry.target == kNoTile) return false;
    return machine_->tiles[entry.target].kind != TileKind::pcie &&
           !provenance_->is_dispatch_core(entry.target);
}

std::optional<Violation> CompletionQueueOrder::on_issue(const LogEntry& entry) {
    if (awaited_by_event(entry)) {
        ++unacknowledged_[entry.tile];
        return std::nullopt;
    }
    Queue* queue = queue_of(entry.tile);
    if (queue == nullptr || entry.target != queue->view.pcie || entry.noc_kind != NocKind::write)
        return std::nullopt;
    if (entry.target_address == queue->view.host_write_pointer) {
        ++queue->pointers_undeparted;
        return std::nullopt;
    }
    const std::uint32_t pages = queue->view.page_count;
    const std::uint32_t page =
        (entry.target_address - queue->view.base) / queue->view.page_size_bytes;
    if (entry.target_address < queue->view.base || page >= pages) return std::nullopt;
    const std::uint64_t count = queue->pushed + (page + pages - queue->pushed % pages) % pages;
    queue->data.push_back({entry.transaction, count});
    if (count < queue->popped + pages) return std::nullopt;
    Violation violation = broken(entry, entry.tile, "overwritten-before-pop", "inv. 81",
                                 "writes page " + std::to_string(page) +
                                     " of the completion queue, which the host "
                                     "has not popped");
    violation.expected = "a page that the host's read pointer has passed";
    violation.actual = std::to_string(queue->pushed) + " pages pushed, " +
                       std::to_string(queue->popped) + " popped, of " + std::to_string(pages);
    violation.story.push_back(violation.actual);
    return violation;
}

std::optional<Violation> CompletionQueueOrder::on_depart(const LogEntry& entry) {
    Queue* queue = queue_of(entry.tile);
    if (queue == nullptr || entry.target != queue->view.pcie ||
        entry.target_address != queue->view.host_write_pointer || entry.data == nullptr)
        return std::nullopt;
    if (queue->pointers_undeparted != 0) --queue->pointers_undeparted;
    const std::uint32_t word = word_of(entry.data);
    if (const auto count = count_of(*queue, word, queue->pushed)) {
        queue->pushed = *count;
        return std::nullopt;
    }
    return broken(entry, entry.tile, "toggle", "inv. 84",
                  "sends a completion write pointer whose toggle is not that of its lap");
}

std::optional<Violation> CompletionQueueOrder::arrived(const LogEntry& entry) {
    Queue* queue = queue_of(entry.tile);
    if (queue == nullptr || entry.target != queue->view.pcie) return std::nullopt;
    if (entry.target_address != queue->view.host_write_pointer) {
        const auto flight =
            std::find_if(queue->data.begin(), queue->data.end(),
                         [&entry](const Flight& f) { return f.transaction == entry.transaction; });
        if (flight != queue->data.end()) queue->data.erase(flight);
        return std::nullopt;
    }
    if (entry.data == nullptr) return std::nullopt;
    // `pushed` may be ahead of this word; it is the last one that stands for its page or less.
    const std::uint32_t pages = queue->view.page_count;
    const std::uint32_t offset =
        ((word_of(entry.data) & ~kToggle) << kAddressShift) - queue->view.base;
    const std::uint64_t page = offset / queue->view.page_size_bytes;
    const std::uint64_t visible = queue->pushed - (queue->pushed + pages - page) % pages;
    for (const Flight& flight : queue->data) {
        if (flight.page >= visible) continue;
        Violation violation =
            broken(entry, entry.tile, "pointer-before-data", "inv. 82",
                   "let its write pointer arrive at the host before the bytes of page " +
                       std::to_string(flight.page % pages));
        violation.expected = "the bytes of a page arrive before the pointer behind it";
        return violation;
    }
    return std::nullopt;
}

std::optional<Violation> CompletionQueueOrder::on_store(const LogEntry& entry) {
    const Queue* queue = queue_of(entry.tile);
    if (queue == nullptr || queue->pointers_undeparted == 0) return std::nullopt;
    const std::uint32_t address = entry.target_address & kL1OffsetMask;
    const std::uint32_t word = queue->view.writer_write_pointer;
    if (address >= word + 4 || address + entry.length <= word) return std::nullopt;
    return broken(entry, entry.tile, "pointer-changed-in-flight", "inv. 83",
                  "changes its completion write pointer while a write of it has not departed");
}

std::optional<Violation> CompletionQueueOrder::on_host_write(const LogEntry& entry) {
    if (entry.data == nullptr || entry.target == kNoTile) return std::nullopt;
    Queue* queue = queue_of(entry.target);
    if (queue == nullptr || entry.length != 4 ||
        (entry.target_address & kL1OffsetMask) != queue->view.writer_read_pointer)
        return std::nullopt;
    const auto count = count_of(*queue, word_of(entry.data), queue->popped);
    if (!count)
        return broken(entry, machine_->pcie, "toggle", "inv. 84",
                      "wrote a completion read pointer whose toggle is not that of its lap");
    queue->popped = *count;
    if (queue->popped <= queue->pushed) return std::nullopt;
    return broken(entry, machine_->pcie, "popped-before-push", "inv. 84",
                  "popped " + std::to_string(queue->popped) + " completion pages, of " +
                      std::to_string(queue->pushed) + " that were pushed");
}

// Regions of completion and dispatchers with a message word are listed in one order.
std::optional<Violation> CompletionQueueOrder::on_terminate(const LogEntry& entry) {
    terminated_[entry.tile] = true;
    const std::int8_t number = queue_index_[entry.tile];
    if (number < 0 || machine_->tiles[entry.tile].role != Role::dispatch_h) return std::nullopt;
    const TileIndex feeder = machine_->completion_counters[static_cast<std::size_t>(number)];
    if (terminated_[feeder]) return std::nullopt;
    return broken(
        entry, entry.tile, "terminated-out-of-order", "inv. 98",
        "begins TERMINATE, and " + machine_->describe(feeder) + ", which feeds it, has not");
}

std::optional<Violation> CompletionQueueOrder::on_command(const LogEntry& entry) {
    if (entry.value == static_cast<std::uint32_t>(rt::DispatchId::terminate) &&
        machine_->tiles[entry.tile].kind == TileKind::dispatch &&
        !provenance_->is_prefetcher(entry.tile))
        return on_terminate(entry);
    if (!is_dispatcher(machine_->tiles[entry.tile].role) || unacknowledged_[entry.tile] == 0 ||
        entry.value != static_cast<std::uint32_t>(rt::DispatchId::write_linear_h_host))
        return std::nullopt;
    rt::WriteLinearHHost command;
    rt::decode(memory_->bytes(entry.tile) + (entry.source_address & kL1OffsetMask), command);
    if (command.is_event == 0) return std::nullopt;
    Violation violation =
        broken(entry, entry.tile, "event-before-acknowledgements", "inv. 86",
               "begins an event while " + std::to_string(unacknowledged_[entry.tile]) +
                   " of its writes have not been acknowledged");
    violation.expected = "an event comes after the acknowledgements of all writes before it";
    violation.bytes = {entry.tile, 0, 0, ""};
    return violation;
}

void CompletionQueueOrder::acknowledged(const LogEntry& entry) {
    if (awaited_by_event(entry) && unacknowledged_[entry.tile] != 0) --unacknowledged_[entry.tile];
}

}  // namespace cqfuzz
