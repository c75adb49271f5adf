#include "runtime_under_test/host/issue_queue.hpp"

#include <array>
#include <cstring>

#include "runtime_under_test/host/runtime_assert.hpp"

namespace cqfuzz::rt {
namespace {

constexpr std::uint32_t kEntryBytes = 2;
constexpr std::uint32_t kEntryLogUnit = 4;  // an entry counts units of 16 bytes (facts §3.2)
constexpr std::uint32_t kEntryStallFlag = 0x8000;

}  // namespace

IssueQueue::IssueQueue(Cluster& cluster, const DeviceConfig& config, FaultSet& faults)
    : cluster_(cluster),
      config_(config),
      faults_(faults),
      write_ptr_(config.host.issue_base),
      entry_(config.prefetch.prefetch_q_base),
      read_ptr_seen_(config.prefetch_q_pointer()) {}

void IssueQueue::submit(const CommandSequence& sequence, FetchStall stall) {
    const std::span<const std::byte> bytes = sequence.bytes();
    if (capturing_) {
        RUNTIME_ASSERT(stall == FetchStall::no);
        captured_.insert(captured_.end(), bytes.begin(), bytes.end());
        return;
    }
    const std::uint32_t slot_max = config_.geometry.max_prefetch_command_bytes;
    RUNTIME_ASSERT(stall == FetchStall::no || bytes.size() <= slot_max);
    std::uint32_t start = 0;
    std::uint32_t end = 0;
    for (const std::uint32_t unit_end : sequence.unit_ends()) {
        RUNTIME_ASSERT(unit_end - end <= slot_max);
        if (unit_end - start > slot_max) {
            submit_slot(bytes.subspan(start, end - start), FetchStall::no);
            start = end;
        }
        end = unit_end;
    }
    if (end != start) submit_slot(bytes.subspan(start, end - start), stall);
}

void IssueQueue::begin_capture() {
    RUNTIME_ASSERT(!capturing_);
    captured_.clear();
    capturing_ = true;
}

std::vector<std::byte>& IssueQueue::end_capture() {
    RUNTIME_ASSERT(capturing_);
    capturing_ = false;
    return captured_;
}

void IssueQueue::submit_slot(std::span<const std::byte> bytes, FetchStall stall) {
    const auto size = static_cast<std::uint32_t>(bytes.size());
    RUNTIME_ASSERT(size % kBareMinBytes == 0 && size != 0);
    const std::uint32_t next = after(entry_);
    const bool waits_late = faults_.on(Fault::issue_bytes_before_free_entry);
    if (!waits_late && !faults_.on(Fault::entry_not_waited_for)) wait_for_entry(next);

    const std::uint32_t limit = config_.host.issue_base + config_.geometry.issue_region_bytes;
    if (write_ptr_ + size > limit ||
        (write_ptr_ + size == limit && faults_.on(Fault::issue_wrap_at_exact_end)))
        write_ptr_ = config_.host.issue_base;
    if (config_.generation != nullptr) {
        translated_.assign(bytes.begin(), bytes.end());
        translate(translated_, *config_.generation);
        bytes = translated_;
    }
    cluster_.hugepage_write(config_.host.channel_base + write_ptr_, bytes);
    if (!faults_.on(Fault::entry_before_its_bytes)) cluster_.fence();
    if (waits_late) wait_for_entry(next);

    const std::uint32_t flag = stall == FetchStall::yes ? kEntryStallFlag : 0;
    write_entry(static_cast<std::uint16_t>((size >> kEntryLogUnit) | flag));

    write_ptr_ += size;
    entry_ = next;
}

void IssueQueue::write_entry(std::uint16_t value) {
    if (faults_.on(Fault::entry_written_as_word)) return write_entry_as_word(value);
    std::array<std::byte, kEntryBytes> entry;
    std::memcpy(entry.data(), &value, sizeof value);
    cluster_.l1_write(config_.chip.prefetch, entry_, entry);
}

// The mistake of issue 7136: the neighbour in the same word is written back as it was read, which
// can bring an entry to life again that the device zeroed meanwhile.
void IssueQueue::write_entry_as_word(std::uint16_t value) {
    constexpr std::uint32_t kWordBytes = 2 * kEntryBytes;
    std::array<std::byte, kWordBytes> word;
    const std::uint32_t address = entry_ / kWordBytes * kWordBytes;
    cluster_.l1_read(config_.chip.prefetch, address, word);
    std::memcpy(word.data() + (entry_ - address), &value, sizeof value);
    cluster_.l1_write(config_.chip.prefetch, address, word);
}

// The slots in flight are at most one for each entry but one, plus the slot whose entry the device
// zeroed when it issued the read, plus the one being written: the depth rule of facts §1.4 covers
// them, so a free entry means free issue bytes.
void IssueQueue::wait_for_entry(std::uint32_t next) {
    const std::uint32_t base = config_.prefetch.prefetch_q_base;
    const std::uint32_t end = base + config_.geometry.prefetch_q_entries * kEntryBytes;
    const std::uint32_t pointer_base = config_.chip.prefetch_pointer_base;
    const auto folded = [base, end, pointer_base](std::uint32_t read_ptr) {
        const std::uint32_t address = read_ptr - pointer_base;
        return address == end ? base : address;
    };
    if (folded(read_ptr_seen_) != next) return;
    std::array<std::byte, 4> word;
    cluster_.l1_read(config_.chip.prefetch, config_.prefetch.prefetch_q_rd_ptr, word);
    std::memcpy(&read_ptr_seen_, word.data(), sizeof read_ptr_seen_);
    if (folded(read_ptr_seen_) != next) return;
    cluster_.waypoint("waits for room in prefetch_q");
    while (folded(read_ptr_seen_) == next)
        read_ptr_seen_ = cluster_.wait_l1_word(config_.chip.prefetch,
                                               config_.prefetch.prefetch_q_rd_ptr, read_ptr_seen_);
}

std::uint32_t IssueQueue::after(std::uint32_t entry) const {
    const std::uint32_t base = config_.prefetch.prefetch_q_base;
    const std::uint32_t next = entry + kEntryBytes;
    const std::uint32_t entries = !faults_.on(Fault::queue_wraps_at_default_size)
                                      ? config_.geometry.prefetch_q_entries
                                      : DispatchGeometry{}.prefetch_q_entries;
    return next == base + entries * kEntryBytes ? base : next;
}

}  // namespace cqfuzz::rt
