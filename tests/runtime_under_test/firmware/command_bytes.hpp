// Commands as bytes: what a host would put into a slot, made by hand. Dispatcher commands are the
// payloads of prefetcher commands.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/base/rng.hpp"
#include "runtime_under_test/protocol/commands.hpp"

namespace cqfuzz::fw {

using Bytes = std::vector<std::byte>;

Bytes noise(Rng& rng, std::size_t length);
// [from, +length) of `bytes`.
Bytes slice(const Bytes& bytes, std::size_t from, std::size_t length);
void append(Bytes& to, const Bytes& bytes);
void pad_to(Bytes& bytes, std::uint32_t alignment);

// --- dispatcher commands -------------------------------------------------------------------------

Bytes write_linear(std::uint32_t xy, std::uint32_t address, const Bytes& data,
                   std::uint8_t num_mcast_dests = 0, std::uint8_t write_offset_index = 0);
// By dispatch_h or _hd.
Bytes write_linear_h(std::uint32_t xy, std::uint32_t address, const Bytes& data,
                     std::uint8_t num_mcast_dests = 0);
// `data` is page after page.
Bytes write_paged(std::uint16_t start_page, std::uint32_t base, std::uint32_t page_size,
                  const Bytes& data, std::uint8_t is_dram = 1);

struct PackedTarget {
    std::uint32_t xy = 0;
    std::uint32_t num_mcast_dests = 0;  // multicast only
    Bytes data;
};
// Payloads of equal size; with no_stride the first one goes to all.
Bytes write_packed(std::uint8_t flags, std::uint32_t address,
                   const std::vector<PackedTarget>& targets, std::uint16_t write_offset_index = 0);

struct LargeTarget {
    std::uint32_t xy = 0;
    std::uint32_t address = 0;
    std::uint8_t num_mcast_dests = 0;  // 0 = unicast
    Bytes data;
    std::uint8_t flags = rt::kPackedLargeUnlink;
};
Bytes write_packed_large(std::uint16_t alignment, const std::vector<LargeTarget>& targets,
                         std::uint16_t write_offset_index = 0);

// The first 16 bytes of what the host gets; `payload` follows them.
Bytes write_to_host(std::uint32_t payload_bytes, std::uint8_t is_event = 0);
Bytes bytes_of(const rt::Wait& command);
Bytes bytes_of(const rt::SendGoSignal& command);
Bytes set_write_offset(std::uint32_t first, std::uint32_t second, std::uint32_t third);
Bytes set_go_noc_data(const std::vector<std::uint32_t>& words);
Bytes delay(std::uint32_t iterations);
Bytes set_num_worker_sems(std::uint32_t count);
Bytes notify(std::uint8_t wait, std::uint16_t index_bitmask);
// The next command lies `stride` bytes behind this one's first: behind the payload, or inside it.
Bytes debug(const Bytes& payload, std::uint32_t stride);
Bytes bare(rt::DispatchId id);

// --- prefetcher commands -------------------------------------------------------------------------

// A sequence of prefetcher commands: one slot, or a trace.
class Stream {
public:
    const Bytes& bytes() const { return bytes_; }
    std::uint32_t size() const { return static_cast<std::uint32_t>(bytes_.size()); }
    bool empty() const { return bytes_.empty(); }

    Stream& relay_inline(const Bytes& payload) {
        return add_inline(rt::PrefetchId::relay_inline, payload);
    }
    Stream& to_dispatch_s(const Bytes& payload);
    Stream& noflush(const Bytes& payload) {
        return add_inline(rt::PrefetchId::relay_inline_noflush, payload);
    }
    Stream& exec_buf_end() {
        return add_inline(rt::PrefetchId::exec_buf_end, bare(rt::DispatchId::exec_buf_end));
    }
    Stream& relay_paged(const rt::RelayPaged& command);
    Stream& relay_paged_packed(const std::vector<rt::RelayPagedPackedSub>& subs);
    Stream& relay_linear(const rt::RelayLinear& command);
    Stream& paged_to_ringbuffer(const rt::PagedToRingbuffer& command);
    Stream& set_ringbuffer_offset(const rt::SetRingbufferOffset& command);
    Stream& relay_ringbuffer(const std::vector<rt::RelayRingbufferSub>& subs);
    Stream& debug(const Bytes& payload, std::uint32_t stride);
    // What no encoder makes.
    Stream& raw(const Bytes& command) { return add(command); }
    Stream& exec_buf(const rt::ExecBuf& command);
    Stream& stall() { return add_bare(rt::PrefetchId::stall); }
    Stream& terminate() { return add_bare(rt::PrefetchId::terminate); }
    // WAIT{barrier, notify} and STALL: the prefetcher reads no DRAM before the dispatcher's writes
    // have landed.
    Stream& barrier();

private:
    Stream& add_inline(rt::PrefetchId kind, const Bytes& payload);
    Stream& add_bare(rt::PrefetchId id);
    Stream& add(const Bytes& command);

    Bytes bytes_;
};

}  // namespace cqfuzz::fw
