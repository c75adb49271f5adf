#include "runtime_under_test/firmware/dispatch_s.hpp"

#include "harness/device_api/dataflow_api.h"

namespace cqfuzz::fw {
namespace {

using rt::DispatchId;

constexpr std::uint32_t kNoc = 1;

bool before(std::uint32_t a, std::uint32_t b) { return static_cast<std::int32_t>(a - b) < 0; }

}  // namespace

DispatcherS::DispatcherS(const rt::CoreLaunch& launch, rt::FaultSet& faults)
    : config_(*launch.config),
      faults_(faults),
      self_(config_.dispatch_s),
      self_xy_(launch.coord.noc_xy()),
      command_(self_.ring_base),
      pages_taken_(config_.geometry.semaphore_start) {
    sent_.fill(config_.geometry.semaphore_start);
}

void DispatcherS::run() {
    const rt::RingGeometry ring = config_.geometry.dispatch_s_ring();
    while (!terminated_) {
        wait_command();
        std::uint8_t id = 0;
        device::l1_load(command_, &id, 1);
        device::command_begin(id, command_);
        execute(static_cast<DispatchId>(id));
        release_page();
        command_ += ring.page_size_bytes();
        device::command_end(command_);
        if (command_ == self_.ring_base + ring.size_bytes()) command_ = self_.ring_base;
    }
    device::waypoint("exits");
    noc_async_full_barrier(kNoc);
}

// The prefetcher's word only grows; how much of it was taken is counted here.
void DispatcherS::wait_command() {
    const std::uint32_t ready = self_.semaphore(rt::Semaphore::upstream_ready);
    device::waypoint("waits for pages of dispatch_s_cb");
    const bool forwards = !faults_.on(rt::Fault::counts_kept_while_idle);
    while (device::poll_l1(ready) == pages_taken_)
        if (forwards) forward_counts();
    ++pages_taken_;
}

void DispatcherS::execute(DispatchId id) {
    switch (id) {
        case DispatchId::send_go_signal: return send_go_signal();
        case DispatchId::set_num_worker_sems: return set_num_worker_sems();
        case DispatchId::set_go_signal_noc_data: return set_go_signal_noc_data();
        case DispatchId::wait: return wait();
        case DispatchId::terminate: terminated_ = true; return;
        default: FIRMWARE_ASSERT(!"dispatch_s handles this command");
    }
}

// The go word's source is the page.
void DispatcherS::release_page() {
    device::waypoint("flush before the page goes back");
    if (!faults_.on(rt::Fault::go_page_back_unflushed)) noc_async_writes_flushed(kNoc);
    const rt::DeviceConfig::Neighbour prefetcher = config_.executing_prefetcher();
    noc_semaphore_inc(
        get_noc_addr_helper(prefetcher.coord.noc_xy(),
                            prefetcher.map.semaphore(rt::Semaphore::dispatch_s_credits)),
        1, kNoc);
}

template <class Command>
Command DispatcherS::load_command() const {
    std::byte bytes[rt::kCommandBytes];
    device::l1_load(command_, bytes, rt::kCommandBytes);
    Command command;
    rt::decode(bytes, command);
    return command;
}

// Inline writes from one core to one word arrive in the order they left, so the dispatcher's copy
// never goes back.
void DispatcherS::forward_counts() {
    for (std::uint32_t index = 0; index < counts_; ++index) {
        const std::uint32_t count = device::poll_l1(self_.message(index));
        if (count == forwarded_[index]) continue;
        forwarded_[index] = count;
        noc_inline_dw_write(
            get_noc_addr_helper(config_.chip.dispatch.noc_xy(), config_.dispatch.message(index)),
            count, kNoc);
    }
}

void DispatcherS::wait_notified(std::uint32_t index) {
    device::waypoint("SEND_GO_SIGNAL: waits for the dispatcher's notification");
    while (!before(sent_[index], device::poll_l1(self_.go_notify(index)))) forward_counts();
}

void DispatcherS::wait_completions(std::uint32_t index, std::uint32_t count) {
    while (before(device::poll_l1(self_.message(index)), count)) forward_counts();
}

std::uint32_t DispatcherS::index_of_word(std::uint32_t address) const {
    const std::uint32_t index = (address - self_.dispatch_message) / 16;
    FIRMWARE_ASSERT(index < counts_ && self_.message(index) == address);
    return index;
}

// Every field is read before the go word is built in the command's own first bytes (inv. 35).
void DispatcherS::send_go_signal() {
    const auto command = load_command<rt::SendGoSignal>();
    FIRMWARE_ASSERT(command.noc_data_start_index + 2u * command.num_mcast_txns +
                        command.num_unicast_txns <=
                    kGoNocDataWords);
    const std::uint32_t index = index_of_word(command.wait_addr);
    if (!faults_.on(rt::Fault::go_without_notify)) wait_notified(index);
    ++sent_[index];
    device::waypoint("SEND_GO_SIGNAL: waits for completions");
    const std::uint32_t spared =
        command.wait_count != 0 && faults_.on(rt::Fault::go_one_completion_early) ? 1 : 0;
    wait_completions(index, command.wait_count - spared);

    device::l1_store_u32(command_, command.go_signal);
    std::uint32_t word = command.noc_data_start_index;
    for (std::uint32_t i = 0; i < command.num_mcast_txns; ++i, word += 2)
        noc_async_write_multicast_one_packet(
            command_, get_noc_addr_helper(go_noc_data_.load(word), config_.worker.go_message), 4,
            go_noc_data_.load(word + 1), kNoc, NOC_DISPATCH_MULTICAST_WRITE_VC);
    for (std::uint32_t i = 0; i < command.num_unicast_txns; ++i, ++word)
        noc_async_write_one_packet(
            command_, get_noc_addr_helper(go_noc_data_.load(word), config_.ethernet.go_message), 4,
            kNoc);
}

void DispatcherS::set_num_worker_sems() {
    const auto command = load_command<rt::SetNumWorkerSems>();
    FIRMWARE_ASSERT(command.num_worker_sems <= rt::kMaxWorkerSemaphores);
    counts_ = command.num_worker_sems;
}

void DispatcherS::set_go_signal_noc_data() {
    const auto command = load_command<rt::SetGoSignalNocData>();
    FIRMWARE_ASSERT(command.num_words <= kGoNocDataWords);
    for (std::uint32_t i = 0; i < command.num_words; ++i)
        go_noc_data_.store(i, device::l1_load_u32(command_ + rt::kCommandBytes + i * 4));
}

// The dispatcher's WAIT for the same count stands behind this one in the stream and clears its copy
// when it has seen it, so the last value is passed on first.
void DispatcherS::wait() {
    const auto command = load_command<rt::Wait>();
    FIRMWARE_ASSERT(command.barrier == 0 && command.notify_prefetch == 0);
    const std::uint32_t index = index_of_word(command.addr);
    if (command.wait != 0) {
        device::waypoint("WAIT: waits for completions");
        wait_completions(index, command.count);
    }
    if (command.clear_count == 0) return;
    device::waypoint("WAIT: clears the count");
    forward_counts();
    noc_async_writes_flushed(kNoc);
    const std::uint32_t value = device::l1_load_u32(command.addr);
    noc_semaphore_inc(get_noc_addr_helper(self_xy_, command.addr), 0u - value, kNoc);
    noc_async_atomic_barrier(kNoc);
    if (!faults_.on(rt::Fault::cleared_count_passed_on)) forwarded_[index] = 0;
}

}  // namespace cqfuzz::fw
