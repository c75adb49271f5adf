#include "runtime_under_test/host/completion_queue.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "runtime_under_test/host/command_sizes.hpp"
#include "runtime_under_test/host/device_lost.hpp"

namespace cqfuzz::rt {
namespace {

constexpr std::uint32_t kPageBytes = DispatchGeometry::kCompletionPageBytes;
constexpr std::uint32_t kToggleBit = 0x80000000u;

}  // namespace

CompletionQueue::CompletionQueue(Cluster& cluster, const DeviceConfig& config, FaultSet& faults)
    : cluster_(cluster),
      config_(config),
      faults_(faults),
      read_ptr_(config.host.completion_base),
      write_word_seen_(initial_word(config)),
      recorded_(config.geometry.semaphore_start),
      completed_(config.geometry.semaphore_start) {}

std::uint32_t CompletionQueue::record_event() {
    const std::uint32_t pages = config_.geometry.completion_region_bytes / kPageBytes;
    if (recorded_ - completed_ >= pages && !faults_.on(Fault::event_without_room))
        wait_event(completed_ + 1);
    return ++recorded_;
}

void CompletionQueue::wait_event(std::uint32_t id) {
    cluster_.waypoint("waits for an event to complete");
    while (!complete(id)) pop_event();
}

bool CompletionQueue::event_complete(std::uint32_t id) {
    std::array<std::byte, 4> word;
    cluster_.hugepage_read(config_.host.channel_base + config_.host.completion_write_ptr, word);
    std::memcpy(&write_word_seen_, word.data(), sizeof write_word_seen_);
    while (!complete(id) && pages_available() != 0) pop_event();
    return complete(id);
}

void CompletionQueue::pop_event() {
    std::array<std::byte, kEventBytes> payload;
    pop(true, payload);
    std::uint32_t found = 0;
    std::memcpy(&found, payload.data(), sizeof found);
    if (found != completed_ + 1)
        lose("event " + std::to_string(completed_ + 1), "event " + std::to_string(found));
    completed_ = found;
}

void CompletionQueue::wait_read(std::span<std::byte> data) {
    wait_event(recorded_);  // what was recorded before comes first
    cluster_.waypoint("waits for the bytes of a buffer read");
    pop(false, data);
}

void CompletionQueue::lose(const std::string& expected, const std::string& found) {
    lost_ = true;
    throw DeviceLost("its completion queue is out of step, expected " + expected + ", found " +
                     found);
}

void CompletionQueue::pop(bool is_event, std::span<std::byte> data) {
    const std::uint32_t length = kCommandBytes + static_cast<std::uint32_t>(data.size());
    std::uint32_t pages_left = align_up(length, kPageBytes) / kPageBytes;
    std::uint32_t header_left = kCommandBytes;
    const std::uint32_t channel = config_.host.channel_base;
    std::size_t copied = 0;
    while (pages_left != 0) {
        const std::uint32_t pages = std::min(wait_pages(), pages_left);
        std::uint32_t from = read_ptr_;
        std::uint32_t bytes = pages * kPageBytes;
        if (header_left != 0) {
            std::array<std::byte, kCommandBytes> echo;
            cluster_.hugepage_read(channel + from, echo);
            WriteLinearHHost command;
            decode(echo.data(), command);
            const auto id = static_cast<DispatchId>(echo[0]);
            if (id != DispatchId::write_linear_h_host || (command.is_event != 0) != is_event ||
                command.length != length)
                lose(std::string(is_event ? "an event" : "a read") + " of " +
                         std::to_string(length) + " bytes",
                     std::string(name_of(id)) + (command.is_event != 0 ? " (event)" : "") + " of " +
                         std::to_string(command.length) + " bytes");
            header_left = 0;
            from += kCommandBytes;
            bytes -= kCommandBytes;
        }
        const std::size_t part = std::min<std::size_t>(bytes, data.size() - copied);
        if (part != 0) cluster_.hugepage_read(channel + from, data.subspan(copied, part));
        copied += part;
        release(pages);
        pages_left -= pages;
    }
}

// Whole pages that can be read without a wrap, as far as the device has told.
std::uint32_t CompletionQueue::pages_available() const {
    const std::uint32_t write_ptr = (write_word_seen_ & ~kToggleBit) << 4;
    const std::uint32_t write_toggle = write_word_seen_ >> 31;
    std::uint32_t bytes = 0;
    if (write_toggle != toggle_)
        bytes = config_.host.end - read_ptr_;
    else if (write_ptr > read_ptr_)
        bytes = write_ptr - read_ptr_;
    return bytes / kPageBytes;
}

// At least one.
std::uint32_t CompletionQueue::wait_pages() {
    for (;;) {
        if (const std::uint32_t pages = pages_available(); pages != 0) return pages;
        write_word_seen_ = cluster_.wait_hugepage_word(
            config_.host.channel_base + config_.host.completion_write_ptr, write_word_seen_);
    }
}

void CompletionQueue::release(std::uint32_t pages) {
    read_ptr_ += pages * kPageBytes;
    if (read_ptr_ == config_.host.end) {
        read_ptr_ = config_.host.completion_base;
        if (!faults_.on(Fault::toggle_not_flipped)) toggle_ ^= 1;
    }
    const std::uint32_t value = (read_ptr_ >> 4) | toggle_ << 31;
    std::array<std::byte, 4> word;
    std::memcpy(word.data(), &value, sizeof value);
    // Two pointers in one fence epoch could land in the wrong order, and the older one would stay.
    cluster_.fence();
    const bool to_h = config_.geometry.split && !faults_.on(Fault::read_pointer_to_wrong_core);
    const Coord core = to_h ? config_.chip.dispatch_h : config_.chip.dispatch;
    const DispatchCoreLayout& map = to_h ? config_.dispatch_h : config_.dispatch;
    cluster_.l1_write(core, map.completion_rd_ptr, word);
}

}  // namespace cqfuzz::rt
