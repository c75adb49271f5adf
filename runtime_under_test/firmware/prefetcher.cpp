#include "runtime_under_test/firmware/prefetcher.hpp"

#include "harness/device_api/dataflow_api.h"
#include "runtime_under_test/firmware/debug_checksum.hpp"
#include "runtime_under_test/firmware/page_link.hpp"

namespace cqfuzz::fw {
namespace {

using rt::CoreRole;
using rt::PrefetchId;

const rt::DispatchCoreLayout& layout_of(const rt::CoreLaunch& launch) {
    return launch.role == CoreRole::prefetch_d ? launch.config->prefetch_d
                                               : launch.config->prefetch;
}

}  // namespace

Prefetcher::Prefetcher(const rt::CoreLaunch& launch, rt::FaultSet& faults)
    : config_(*launch.config),
      role_(launch.role),
      faults_(faults),
      self_(layout_of(launch)),
      batch_ring_(config_.geometry.prefetch_d),
      fetch_queue_(config_, 0, faults),
      stream_(config_, faults),
      downstream_(launch.coord, self_, config_.chip.dispatch, config_.dispatch,
                  config_.geometry.dispatch, faults, "waits for credits of dispatch_cb"),
      dispatch_s_(launch.coord, self_, config_.chip.dispatch_s, config_.dispatch_s,
                  config_.geometry.dispatch_s_ring(), faults, "waits for credits of dispatch_s_cb",
                  rt::Semaphore::dispatch_s_credits),
      sub_commands_("l1_cache", faults.on(rt::Fault::short_subcommand_cache)
                                    ? kShortSubCommandCacheWords
                                    : kSubCommandCacheWords),
      batch_(self_.ring_base),
      pages_taken_(config_.geometry.semaphore_start),
      ringbuffer_write_(self_.scratch_base) {}

void Prefetcher::run() {
    if (role_ == CoreRole::prefetch_d) {
        run_d();
    } else {
        run_hd();
    }
    downstream_.wait_all_home();
    if (config_.geometry.has_dispatch_s())
        dispatch_s_.wait_all_home("waits for all credits of dispatch_s_cb to come home");
    device::waypoint("exits");
    noc_async_full_barrier(kDataNoc);
    noc_async_full_barrier(kUpstreamNoc);
}

void Prefetcher::run_hd() {
    while (!terminated_) {
        fetch_queue_.fetch();
        const std::uint32_t begin = fetch_queue_.command();
        stream_.read_from(begin, fetch_queue_.fence(), fetch_queue_.fence());
        execute_next();
        // After a trace the queue goes on behind the EXEC_BUF, which was the last command of its
        // slot.
        fetch_queue_.advance(stream_.pointer() - begin);
    }
}

void Prefetcher::run_d() {
    const std::uint32_t ring_end = self_.ring_base + batch_ring_.size_bytes();
    const std::uint32_t page = batch_ring_.page_size_bytes();
    const rt::DeviceConfig::Neighbour upstream = config_.before_prefetch_d();
    const std::uint64_t credits = get_noc_addr_helper(
        upstream.coord.noc_xy(), upstream.map.semaphore(rt::Semaphore::downstream_credits));
    while (!terminated_) {
        const std::uint32_t length = take_batch();
        const std::uint32_t pages = (length + page - 1) / page;
        stream_.read_from(batch_, ring_end, self_.ring_base);
        stream_.begin_command();
        stream_.finish_command(rt::kSplitHeaderBytes);
        for (std::uint32_t done = rt::kSplitHeaderBytes; done < length;) {
            const std::uint32_t begin =
                stream_.pointer() == ring_end ? self_.ring_base : stream_.pointer();
            execute_next();
            const std::uint32_t end = stream_.pointer();
            done += end > begin ? end - begin : end + batch_ring_.size_bytes() - begin;
        }
        // The pages go back when nothing takes bytes from them any more, the header's among them
        // (inv. 52).
        device::waypoint("flush before the upstream return");
        if (!faults_.on(rt::Fault::no_flush_before_upstream_return))
            noc_async_writes_flushed(kDataNoc);
        const std::uint32_t returned = faults_.on(rt::Fault::prefetch_d_forgets_header)
                                           ? (length - rt::kSplitHeaderBytes + page - 1) / page
                                           : pages;
        noc_semaphore_inc(credits, returned, kUpstreamNoc);
        batch_ += pages * page;
        const bool at_end = batch_ == ring_end && faults_.on(rt::Fault::batch_pointer_at_ring_end);
        if (batch_ >= ring_end && !at_end) batch_ -= batch_ring_.size_bytes();
    }
    if (config_.chip.remote && !faults_.on(rt::Fault::no_teardown_mark))
        noc_semaphore_inc(credits, kTeardownMark, kUpstreamNoc);
}

// Waits until every page of the next batch is here; returns its length, header included.
std::uint32_t Prefetcher::take_batch() {
    const std::uint32_t ready = self_.semaphore(rt::Semaphore::upstream_ready);
    device::waypoint("waits for pages of prefetch_d.cmddat_q");
    while (device::poll_l1(ready) == pages_taken_) {
    }
    const std::uint32_t length = device::l1_load_u32(batch_);
    FIRMWARE_ASSERT(length > rt::kSplitHeaderBytes && length <= batch_ring_.size_bytes());
    const std::uint32_t pages =
        (length + batch_ring_.page_size_bytes() - 1) / batch_ring_.page_size_bytes();
    while (static_cast<std::int32_t>(device::poll_l1(ready) - (pages_taken_ + pages)) < 0) {
    }
    pages_taken_ += pages;
    return length;
}

void Prefetcher::execute_next() {
    stream_.begin_command();
    std::uint8_t id = 0;
    device::l1_load(stream_.pointer(), &id, 1);
    device::command_begin(id, stream_.pointer());
    execute(static_cast<PrefetchId>(id));
    device::command_end(stream_.pointer());
}

void Prefetcher::execute(PrefetchId id) {
    switch (id) {
        case PrefetchId::relay_inline: return relay_inline();
        case PrefetchId::relay_inline_noflush: return relay_inline_noflush();
        case PrefetchId::relay_linear: return relay_linear();
        case PrefetchId::relay_paged: return relay_paged();
        case PrefetchId::relay_paged_packed: return relay_paged_packed();
        case PrefetchId::exec_buf: return exec_buf();
        case PrefetchId::exec_buf_end:
            FIRMWARE_ASSERT(stream_.in_trace());
            relay_inline();
            trace_ended_ = true;
            return;
        case PrefetchId::stall: return stall();
        case PrefetchId::debug: return debug();
        case PrefetchId::terminate: return terminate();
        case PrefetchId::paged_to_ringbuffer: return paged_to_ringbuffer();
        case PrefetchId::set_ringbuffer_offset: return set_ringbuffer_offset();
        case PrefetchId::relay_ringbuffer: return relay_ringbuffer();
        default: FIRMWARE_ASSERT(!"the prefetcher knows this command");
    }
}

void Prefetcher::load_command(std::byte (&bytes)[rt::kCommandBytes]) const {
    device::l1_load(stream_.pointer(), bytes, rt::kCommandBytes);
}

// dispatch_s takes one command a page (facts §2.7).
CbWriter& Prefetcher::ring_of(std::uint8_t dispatcher_type) {
    FIRMWARE_ASSERT(dispatcher_type == rt::kToDispatcher ||
                    (dispatcher_type == rt::kToDispatchS && config_.geometry.has_dispatch_s()));
    return dispatcher_type == rt::kToDispatchS ? dispatch_s_ : downstream_;
}

// All pages at once, the payload, a flush since its bytes are about to be reused, then the
// hand-over.
void Prefetcher::relay_inline() {
    std::byte bytes[rt::kCommandBytes];
    load_command(bytes);
    rt::RelayInline command;
    rt::decode(bytes, command);
    CbWriter& ring = ring_of(command.dispatcher_type);
    FIRMWARE_ASSERT(command.length != 0);
    const std::uint32_t pages = ring.pages_for(command.length);
    FIRMWARE_ASSERT(command.dispatcher_type != rt::kToDispatchS || pages == 1);
    stream_.take(rt::kCommandBytes);
    ring.acquire(pages);
    for (std::uint32_t left = command.length; left != 0;) {
        const std::uint32_t n = stream_.run(left);
        ring.write(stream_.pointer(), n);
        stream_.take(n);
        left -= n;
    }
    ring.round_up_to_page();
    device::waypoint("RELAY_INLINE: flush");
    if (!faults_.on(rt::Fault::no_flush_in_relay_inline)) noc_async_writes_flushed(kDataNoc);
    ring.hand_over(pages);
    stream_.finish_command(command.stride);
}

// One page, not handed over: the relay that follows fills and hands it over (inv. 43).
void Prefetcher::relay_inline_noflush() {
    std::byte bytes[rt::kCommandBytes];
    load_command(bytes);
    rt::RelayInline command;
    rt::decode(bytes, command);
    FIRMWARE_ASSERT(command.dispatcher_type == rt::kToDispatcher);
    FIRMWARE_ASSERT(command.length != 0 && command.length < downstream_.page_bytes());
    stream_.take(rt::kCommandBytes);
    downstream_.acquire(1);
    for (std::uint32_t left = command.length; left != 0;) {
        const std::uint32_t n = stream_.run(left);
        if (!downstream_.at_end() || !faults_.on(rt::Fault::noflush_past_ring_end))
            downstream_.write(stream_.pointer(), n);
        else
            downstream_.write_past_end(stream_.pointer(), n);
        stream_.take(n);
        left -= n;
    }
    if (faults_.on(rt::Fault::noflush_rounds_pointer)) downstream_.round_up_to_page();
    stream_.finish_command(command.stride);
}

// Runs a trace out of DRAM, chunk by chunk, in the memory of cmddat_q; nothing else may be in it
// (inv. 57, 58).
void Prefetcher::exec_buf() {
    std::byte bytes[rt::kCommandBytes];
    load_command(bytes);
    rt::ExecBuf command;
    rt::decode(bytes, command);
    FIRMWARE_ASSERT(!stream_.in_trace());
    FIRMWARE_ASSERT(command.log_page_size == config_.geometry.trace_log_page_size);
    const bool host_side = role_ == CoreRole::prefetch_hd;
    FIRMWARE_ASSERT(!host_side || (fetch_queue_.stalled() && !fetch_queue_.read_pending()));
    stream_.take(rt::kCommandBytes);
    stream_.finish_command(rt::kBareMinBytes);
    const CommandStream outer = stream_;
    FIRMWARE_ASSERT(!host_side || outer.pointer() == fetch_queue_.fence());

    trace_ended_ = false;
    stream_.read_trace(command.base_addr, command.log_page_size, command.pages,
                       host_side ? self_.cmddat_q_base : self_.ring_base);
    while (!trace_ended_) execute_next();
    stream_ = outer;
    if (host_side) fetch_queue_.resume();
}

// Checks the sum of its payload. A stride shorter than the payload puts the next command inside it.
void Prefetcher::debug() {
    std::byte bytes[rt::kCommandBytes];
    load_command(bytes);
    rt::Debug command;
    rt::decode(bytes, command);
    FIRMWARE_ASSERT(!stream_.in_trace());
    FIRMWARE_ASSERT(command.size % 4 == 0 &&
                    command.size <= config_.geometry.max_prefetch_command_bytes);
    FIRMWARE_ASSERT(command.stride != 0 && command.stride % rt::kBareMinBytes == 0);
    stream_.take(rt::kCommandBytes);
    CommandStream payload = stream_;
    std::uint32_t checksum = 0;
    for (std::uint32_t left = command.size; left != 0;) {
        const std::uint32_t n = payload.run(left);
        checksum += checksum_of_words(payload.pointer(), n);
        payload.take(n);
        left -= n;
    }
    FIRMWARE_ASSERT(checksum == command.checksum);
    stream_.finish_command(command.stride);
}

void Prefetcher::terminate() {
    FIRMWARE_ASSERT(!stream_.in_trace());
    stream_.take(rt::kCommandBytes);
    stream_.finish_command(rt::kBareMinBytes);
    terminated_ = true;
}

// Until the dispatcher has passed the WAIT that belongs to it: exact equality, one notification a
// STALL (inv. 50).
void Prefetcher::stall() {
    stream_.take(rt::kCommandBytes);
    stream_.finish_command(rt::kBareMinBytes);
    ++sync_count_;
    device::waypoint("STALL: waits for the dispatcher");
    while (device::poll_l1(self_.semaphore(rt::Semaphore::downstream_sync)) != sync_count_) {
    }
}

}  // namespace cqfuzz::fw
