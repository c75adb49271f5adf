// Recording: a run as packed records that a picture can be drawn from: whose each ring page is,
// step by step, and what every core and channel did. Fed with every log entry; judges nothing.
//
// Records are little endian and of fixed size, so that a page's script reads them as typed arrays.
// Past kRecordsMax of a kind the oldest are dropped and `dropped` counts them: the end of a run is
// what a report is about.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "harness/base/log_entry.hpp"
#include "harness/base/machine_view.hpp"
#include "harness/oracle/provenance.hpp"
#include "harness/oracle/ring_ledger.hpp"

namespace cqfuzz {

inline constexpr std::size_t kRecordsMax = 100'000;
inline constexpr std::uint16_t kNoOpShort = 0xffff;

enum class DrawnState : std::uint8_t {
    producers,
    filling,
    hand_over_in_flight,
    consumers,
    release_in_flight
};

// A page of a ring changes hands. 12 bytes.
struct PageRecordPacked {
    std::uint32_t step = 0;
    std::uint8_t ring = 0;  // MachineView::rings
    DrawnState state = DrawnState::producers;
    std::uint16_t page = 0;
    std::uint8_t command = 0;  // PrefetchId or DispatchId of whoever did it, by `role`
    Role role = Role::none;
    std::uint16_t op = kNoOpShort;
};
static_assert(sizeof(PageRecordPacked) == 12);

enum class SpanKind : std::uint8_t { command, kernel, write, inline_write, atomic, read };

// What took from `begin` to `end`: a command or a kernel on its core, a transaction from issue to
// its last stage. 16 bytes.
struct SpanPacked {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;  // 0: not done when the run ended
    std::uint16_t tile = 0;
    std::uint16_t target = 0;  // transactions; kNoTile for a multicast
    SpanKind kind = SpanKind::command;
    std::uint8_t detail = 0;  // a command's id, or the NoC
    std::uint16_t op = kNoOpShort;
};
static_assert(sizeof(SpanPacked) == 16);

class Recording {
public:
    explicit Recording(const MachineView& view);
    void observe(const LogEntry& entry);

    const MachineView& view() const { return view_; }
    const std::deque<PageRecordPacked>& pages() const { return pages_; }
    const std::deque<SpanPacked>& spans() const { return spans_; }
    std::uint64_t dropped() const { return pages_dropped_ + spans_dropped_; }
    std::uint32_t last_step() const { return last_step_; }

private:
    void ring_events(const LogEntry& entry);
    void core_events(const LogEntry& entry);
    void transaction_events(const LogEntry& entry);
    void page_changes(std::size_t ring, std::uint64_t sequence, std::uint32_t count,
                      DrawnState state, const LogEntry& entry);
    // The number of the span in issue order; spans that were dropped have none any more.
    std::uint64_t open_span(const SpanPacked& span);
    void close_span(std::uint64_t number, std::uint64_t step);

    MachineView view_;
    Provenance provenance_;
    std::vector<RingLedger> rings_;
    std::deque<PageRecordPacked> pages_;
    std::deque<SpanPacked> spans_;
    std::uint64_t pages_dropped_ = 0;
    std::uint64_t spans_dropped_ = 0;
    std::vector<std::uint64_t> open_command_, open_kernel_;  // by tile; span number + 1
    std::vector<std::uint64_t> span_of_transaction_;         // by transaction; span number + 1
    std::uint32_t last_step_ = 0;
};

}  // namespace cqfuzz
