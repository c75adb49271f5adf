// Commands that move no payload: WAIT, write offsets, go signals, DELAY, DEBUG, EXEC_BUF_END (facts
// §2.6).
#include "harness/device_api/dataflow_api.h"
#include "runtime_under_test/firmware/debug_checksum.hpp"
#include "runtime_under_test/firmware/dispatcher.hpp"

namespace cqfuzz::fw {
namespace {

void wait_at_least(std::uint32_t address, std::uint32_t count) {
    while (static_cast<std::int32_t>(device::poll_l1(address) - count) < 0) {
    }
}

}  // namespace

// The order is fixed: barrier, wait, clear, notify.
void Dispatcher::wait() {
    std::byte bytes[rt::kCommandBytes];
    load_command(bytes);
    rt::Wait command;
    rt::decode(bytes, command);
    data_ += rt::kCommandBytes;
    if (command.barrier != 0 && !faults_.on(rt::Fault::no_barrier_before_go)) {
        device::waypoint("WAIT: barrier");
        noc_async_write_barrier(kDataNoc);
    }
    if (command.wait != 0) {
        device::waypoint("WAIT: waits for completions");
        wait_at_least(command.addr, command.count);
    }
    if (command.clear_count != 0) {
        device::waypoint("WAIT: clears the count");
        const std::uint32_t value = device::l1_load_u32(command.addr);
        noc_semaphore_inc(
            get_noc_addr_helper(NOC_XY_ENCODING(device::my_x(), device::my_y()), command.addr),
            0u - value, kDataNoc);
        noc_async_atomic_barrier(kDataNoc);
    }
    if (command.notify_prefetch != 0)
        noc_semaphore_inc(get_noc_addr_helper(prefetch_sync_xy_, prefetch_sync_address_), 1,
                          kUpstreamNoc);
}

void Dispatcher::set_write_offset() {
    std::byte bytes[rt::kCommandBytes];
    load_command(bytes);
    rt::SetWriteOffset command;
    rt::decode(bytes, command);
    for (std::uint32_t i = 0; i < rt::kMaxWriteOffsets; ++i) {
        if (i + 1 == rt::kMaxWriteOffsets && faults_.on(rt::Fault::write_offset_kept)) break;
        write_offset_[i] = command.offset[i];
    }
    data_ += rt::kCommandBytes;
}

void Dispatcher::set_go_signal_noc_data() {
    std::byte bytes[rt::kCommandBytes];
    load_command(bytes);
    rt::SetGoSignalNocData command;
    rt::decode(bytes, command);
    FIRMWARE_ASSERT(command.num_words <= rt::kMaxGoNocData);
    FIRMWARE_ASSERT(rt::kCommandBytes + command.num_words * 4 <= room_in_first_page());
    data_ += rt::kCommandBytes;
    for (std::uint32_t i = 0; i < command.num_words; ++i)
        go_noc_data_.store(i, device::l1_load_u32(data_ + i * 4));
    data_ += command.num_words * 4;
}

// Every field is read before the go word is built in the command's own first bytes, the only
// 16-aligned source at hand (inv. 35).
void Dispatcher::send_go_signal() {
    std::byte bytes[rt::kCommandBytes];
    load_command(bytes);
    rt::SendGoSignal command;
    rt::decode(bytes, command);
    FIRMWARE_ASSERT(!config_.geometry.has_dispatch_s());
    FIRMWARE_ASSERT(command.noc_data_start_index + 2u * command.num_mcast_txns +
                        command.num_unicast_txns <=
                    rt::kMaxGoNocData);
    device::waypoint("SEND_GO_SIGNAL: waits for completions");
    if (!faults_.on(rt::Fault::go_without_wait))
        wait_at_least(command.wait_addr, command.wait_count);

    device::l1_store_u32(command_, command.go_signal);
    std::uint32_t index = command.noc_data_start_index;
    data_ = command_;
    for (std::uint32_t i = 0; i < command.num_mcast_txns; ++i, index += 2)
        send(get_noc_addr_helper(go_noc_data_.load(index), config_.worker.go_message), 4,
             go_noc_data_.load(index + 1));
    if (command.num_unicast_txns != 0 && faults_.on(rt::Fault::go_word_over_its_fields)) {
        load_command(bytes);
        rt::decode(bytes, command);
        device::l1_store_u32(command_, command.go_signal);
    }
    for (std::uint32_t i = 0; i < command.num_unicast_txns; ++i, ++index)
        send(get_noc_addr_helper(go_noc_data_.load(index), config_.ethernet.go_message), 4, 0);
    data_ = command_ + rt::kCommandBytes;
}

void Dispatcher::delay() {
    std::byte bytes[rt::kCommandBytes];
    load_command(bytes);
    rt::Delay command;
    rt::decode(bytes, command);
    for (std::uint32_t i = command.iterations; i != 0; --i) device::pause();
    data_ += rt::kCommandBytes;
}

// Checks the sum of its payload; the next command follows a stride behind, in the same page.
void Dispatcher::debug() {
    std::byte bytes[rt::kCommandBytes];
    load_command(bytes);
    rt::Debug command;
    rt::decode(bytes, command);
    const std::uint32_t room = room_in_first_page() - rt::kCommandBytes;
    FIRMWARE_ASSERT(command.size % 4 == 0 && command.size <= room);
    FIRMWARE_ASSERT(command.stride != 0 &&
                    command.stride % rt::DispatchGeometry::kL1Alignment == 0);
    FIRMWARE_ASSERT(command.stride <= room);
    FIRMWARE_ASSERT(checksum_of_words(command_ + rt::kCommandBytes, command.size) ==
                    command.checksum);
    data_ = command_ + command.stride;
    next_in_page_ = true;
}

// Only a dispatch_s needs the number: here each WAIT and go signal names the address of its own
// word.
void Dispatcher::set_num_worker_sems() {
    std::byte bytes[rt::kCommandBytes];
    load_command(bytes);
    rt::SetNumWorkerSems command;
    rt::decode(bytes, command);
    FIRMWARE_ASSERT(command.num_worker_sems <= rt::kMaxWorkerSemaphores);
    data_ += rt::kCommandBytes;
}

// What was written so far has landed; dispatch_s may send the next go of each index named (inv. 70,
// 77). Its go takes another NoC, so nothing else keeps it behind the data.
void Dispatcher::notify_subordinate() {
    std::byte bytes[rt::kCommandBytes];
    load_command(bytes);
    rt::NotifySubordinateGoSignal command;
    rt::decode(bytes, command);
    FIRMWARE_ASSERT(config_.geometry.has_dispatch_s() &&
                    "NOTIFY_SUBORDINATE_GO_SIGNAL reaches a dispatcher that has a dispatch_s");
    FIRMWARE_ASSERT(command.index_bitmask >> rt::kMaxGoIndices == 0);
    data_ += rt::kCommandBytes;
    if (command.wait != 0 && !faults_.on(rt::Fault::notify_without_barrier)) {
        device::waypoint("NOTIFY_SUBORDINATE_GO_SIGNAL: barrier");
        noc_async_write_barrier(kDataNoc);
    }
    for (std::uint32_t index = 0; index < rt::kMaxGoIndices; ++index)
        if ((command.index_bitmask >> index & 1) != 0)
            noc_semaphore_inc(get_noc_addr_helper(config_.chip.dispatch_s.noc_xy(),
                                                  config_.dispatch_s.go_notify(index)),
                              1, kDataNoc);
}

// The trace is over: prefetch_h gets the credits back that it took from itself (facts §5.4). A
// merged pair has none.
void Dispatcher::exec_buf_end() {
    data_ += rt::kCommandBytes;
    if (role_ != rt::CoreRole::dispatch_h) return;
    noc_semaphore_inc(
        get_noc_addr_helper(config_.chip.prefetch.noc_xy(),
                            config_.prefetch.semaphore(rt::Semaphore::downstream_credits)),
        config_.geometry.prefetch_d.pages *
            (!faults_.on(rt::Fault::credits_returned_twice) ? 1 : 2),
        kUpstreamNoc);
}

}  // namespace cqfuzz::fw
