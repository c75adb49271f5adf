// Relays through the scratch double buffer: RELAY_LINEAR, RELAY_PAGED and RELAY_PAGED_PACKED (facts
// §2.3).
#include <algorithm>

#include "harness/device_api/dataflow_api.h"
#include "runtime_under_test/firmware/prefetcher.hpp"

namespace cqfuzz::fw {
namespace {

constexpr std::uint32_t kSubWords = 3;  // {start_page | log_page_size << 16, base_addr, length}
constexpr std::uint32_t kLengthWord = 2;
constexpr std::uint32_t kLogPageMax = 16;
constexpr std::uint32_t kRoundedTo = 64;  // by the fault relay_sends_rounded
constexpr std::uint32_t kNeverFits = 0xffffffff;

}  // namespace

// Pages that `bytes` more bytes need: a push that is not the last one (round 0) and ends exactly at
// a page's edge takes the next page too, so that the push after it may begin at once. NOFLUSH has
// left the pointer inside a page.
std::uint32_t Prefetcher::push(std::uint32_t source, std::uint32_t bytes, std::uint32_t round) {
    if (faults_.on(rt::Fault::push_round_swapped)) round = 1 - round;
    const std::uint32_t page = downstream_.page_bytes();
    const std::uint32_t pages = !faults_.on(rt::Fault::push_counts_part_pages)
                                    ? (bytes + page - downstream_.room_in_page() - round) / page
                                    : downstream_.pages_for(bytes);
    downstream_.acquire(pages);
    if (round == 1 && faults_.on(rt::Fault::relay_sends_rounded)) {
        // Never beyond the page that this push fills in part.
        const std::uint32_t room = downstream_.room_in_page() + pages * page - bytes;
        bytes += std::min((kRoundedTo - bytes % kRoundedTo) % kRoundedTo, room);
    }
    downstream_.write(source, bytes);
    return pages;
}

// Reads into one half of scratch while the other is on its way downstream. `read_half(address)`
// starts reads of as much as fits a half and returns the bytes, 0 when nothing is left.
template <class ReadHalf>
void Prefetcher::pump(ReadHalf read_half) {
    const std::uint32_t half_bytes = config_.geometry.scratch_bytes / 2;
    std::uint32_t half = self_.scratch_base;
    std::uint32_t other = self_.scratch_base + half_bytes;
    device::waypoint("relay: flush before scratch is refilled");
    // The halves may still be the source of earlier writes (inv. 45).
    if (!faults_.on(rt::Fault::no_flush_before_scratch_refill)) noc_async_writes_flushed(kDataNoc);
    std::uint32_t bytes = read_half(half);
    device::waypoint("relay: waits for reads into scratch");
    noc_async_read_barrier(kDataNoc);
    for (;;) {
        device::waypoint("relay: flush before scratch is refilled");
        if (!faults_.on(rt::Fault::no_flush_before_scratch_refill))
            noc_async_writes_flushed(kDataNoc);
        const std::uint32_t next_bytes = read_half(other);
        if (next_bytes == 0) break;
        downstream_.hand_over(push(half, bytes, 0));
        device::waypoint("relay: waits for reads into scratch");
        noc_async_read_barrier(kDataNoc);
        std::swap(half, other);
        bytes = next_bytes;
    }
    // One more: the page that NOFLUSH took.
    downstream_.hand_over(push(half, bytes, 1) + 1);
    downstream_.round_up_to_page();
}

std::uint32_t Prefetcher::read_linear(std::uint32_t half) {
    const std::uint32_t n = std::min(linear_.bytes_left, config_.geometry.scratch_bytes / 2);
    if (n != 0) noc_async_read(get_noc_addr_helper(linear_.xy, linear_.address), half, n, kDataNoc);
    linear_.address += n;
    linear_.bytes_left -= n;
    return n;
}

void Prefetcher::relay_linear() {
    std::byte bytes[rt::kCommandBytes];
    load_command(bytes);
    rt::RelayLinear command;
    rt::decode(bytes, command);
    FIRMWARE_ASSERT(command.length != 0);
    stream_.take(rt::kCommandBytes);
    linear_ = {command.noc_xy_addr, command.addr, command.length};
    pump([this](std::uint32_t half) { return read_linear(half); });
    stream_.finish_command(rt::kBareMinBytes);
}

// [offset, +length) of one interleaved DRAM page.
void Prefetcher::read_interleaved(std::uint32_t page, std::uint32_t base, std::uint32_t row_bytes,
                                  std::uint32_t offset, std::uint32_t to,
                                  std::uint32_t length) const {
    const std::uint32_t banks = config_.geometry.dram_banks;
    const std::uint32_t xy = config_.chip.dram_banks[page % banks].noc_xy();
    noc_async_read(get_noc_addr_helper(xy, base + page / banks * row_bytes + offset), to, length,
                   kDataNoc);
}

// The same of a page interleaved over the workers' L1, row by row.
void Prefetcher::read_interleaved_l1(std::uint32_t page, std::uint32_t base,
                                     std::uint32_t row_bytes, std::uint32_t offset,
                                     std::uint32_t to, std::uint32_t length) const {
    const std::uint32_t cols = config_.chip.worker_cols;
    const std::uint32_t banks = cols * config_.chip.worker_rows;
    const std::uint32_t bank = page % banks;
    const std::uint32_t xy = NOC_XY_ENCODING(config_.chip.worker_origin.x + bank % cols,
                                             config_.chip.worker_origin.y + bank / cols);
    noc_async_read(get_noc_addr_helper(xy, base + page / banks * row_bytes + offset), to, length,
                   kDataNoc);
}

// Whole pages while they fit; a page larger than a half goes in parts.
std::uint32_t Prefetcher::read_paged(std::uint32_t half) {
    const std::uint32_t half_bytes = config_.geometry.scratch_bytes / 2;
    const std::uint32_t row_bytes =
        rt::align_up(paged_.page_bytes, paged_.is_dram ? rt::DispatchGeometry::kDramAlignment
                                                       : rt::DispatchGeometry::kL1Alignment);
    const bool in_parts = paged_.page_bytes > half_bytes;
    std::uint32_t filled = 0;
    while (paged_.bytes_left != 0) {
        const std::uint32_t rest_of_page =
            std::min(paged_.page_bytes - paged_.offset, paged_.bytes_left);
        const std::uint32_t room = half_bytes - filled;
        if (room == 0 || (!in_parts && rest_of_page > room)) break;
        const std::uint32_t n = std::min(rest_of_page, room);
        if (paged_.is_dram)
            read_interleaved(paged_.page, paged_.base, row_bytes, paged_.offset, half + filled, n);
        else
            read_interleaved_l1(paged_.page, paged_.base, row_bytes, paged_.offset, half + filled,
                                n);
        filled += n;
        paged_.bytes_left -= n;
        paged_.offset += n;
        if (paged_.offset == paged_.page_bytes) {
            paged_.offset = 0;
            ++paged_.page;
        }
    }
    return filled;
}

void Prefetcher::relay_paged() {
    std::byte bytes[rt::kCommandBytes];
    load_command(bytes);
    rt::RelayPaged command;
    rt::decode(bytes, command);
    FIRMWARE_ASSERT(command.pages != 0 && command.length_adjust < command.page_size);
    stream_.take(rt::kCommandBytes);
    if (command.length_adjust != 0 && faults_.on(rt::Fault::length_adjust_ignored))
        command.length_adjust = 0;
    paged_ = {command.start_page,
              0,
              command.pages * command.page_size - command.length_adjust,
              command.base_addr,
              command.page_size,
              command.is_dram};
    pump([this](std::uint32_t half) { return read_paged(half); });
    stream_.finish_command(rt::kBareMinBytes);
}

// Whole sub-commands while they fit. The loop looks at the length of the one after the last: the
// sentinel never fits (inv. 49).
std::uint32_t Prefetcher::read_packed(std::uint32_t half) {
    const std::uint32_t half_bytes = config_.geometry.scratch_bytes / 2;
    std::uint32_t filled = 0;
    while (sub_commands_.load(next_sub_command_ * kSubWords + kLengthWord) <= half_bytes - filled) {
        FIRMWARE_ASSERT(next_sub_command_ < rt::kMaxPackedSubCommands);
        const std::uint32_t where = sub_commands_.load(next_sub_command_ * kSubWords);
        const std::uint32_t base = sub_commands_.load(next_sub_command_ * kSubWords + 1);
        const std::uint32_t length =
            sub_commands_.load(next_sub_command_ * kSubWords + kLengthWord);
        FIRMWARE_ASSERT(where >> 16 <= kLogPageMax);
        const std::uint32_t page_bytes = 1u << (where >> 16);
        std::uint32_t page = where & 0xffff;
        for (std::uint32_t done = 0; done < length; ++page) {
            const std::uint32_t n = std::min(length - done, page_bytes);
            read_interleaved(page, base, page_bytes, 0, half + filled + done, n);
            done += n;
        }
        filled += length;
        ++next_sub_command_;
    }
    return filled;
}

// Copies the sub-commands to local memory, six words a step, in as many parts as the stream has; a
// part begins where the one before ended, so that the last one may store up to five words past the
// array's nominal end (facts §12.2).
void Prefetcher::load_sub_commands(std::uint32_t words_total) {
    constexpr std::uint32_t kStep = 6;
    std::uint32_t position = 0;
    for (std::uint32_t left = words_total; left != 0;) {
        const std::uint32_t words = stream_.run(left * 4) / 4;
        for (std::uint32_t at = 0; at < words; at += kStep) {
            std::uint32_t step[kStep] = {};
            const std::uint32_t n = std::min(kStep, words - at);
            device::l1_load(stream_.pointer() + at * 4, step, n * 4);
            for (std::uint32_t i = 0; i < kStep; ++i)
                sub_commands_.store(position + at + i, step[i]);
        }
        stream_.take(words * 4);
        position += words;
        left -= words;
    }
}

void Prefetcher::relay_paged_packed() {
    std::byte bytes[rt::kCommandBytes];
    load_command(bytes);
    rt::RelayPagedPacked command;
    rt::decode(bytes, command);
    FIRMWARE_ASSERT(command.count != 0 && command.count <= rt::kMaxPackedSubCommands);
    stream_.take(rt::kCommandBytes);
    load_sub_commands(command.count * kSubWords);
    if (!faults_.on(rt::Fault::no_sentinel))
        sub_commands_.store(command.count * kSubWords + kLengthWord, kNeverFits);
    stream_.finish_command(command.stride);
    next_sub_command_ = 0;
    pump([this](std::uint32_t half) { return read_packed(half); });
    FIRMWARE_ASSERT(next_sub_command_ == command.count);
}

}  // namespace cqfuzz::fw
