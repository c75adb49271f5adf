#include "tests/harness/oracle/log_builder.hpp"

namespace cqfuzz::test {
namespace {

RingView ring_view(const char* name, TileIndex producer, TileIndex consumer) {
    RingView ring;
    ring.name = name;
    ring.producer = producer;
    ring.consumer = consumer;
    ring.base = kRingBase;
    ring.page_size_bytes = kPage;
    ring.page_count = kPages;
    ring.pages_per_block = 2;
    ring.credit_address = kCredits;
    ring.ready_address = kReady;
    return ring;
}

void add_stagings(MachineView& machine, TileIndex fetcher, TileIndex relayer) {
    machine.stagings.push_back(
        {"cmddat_q", StagingKind::command_data, fetcher, kCommandData, kCommandDataBytes});
    machine.stagings.push_back({"scratch[0]", StagingKind::scratch_half, relayer, kScratch, kHalf});
    machine.stagings.push_back(
        {"scratch[1]", StagingKind::scratch_half, relayer, kScratch + kHalf, kHalf});
    machine.stagings.push_back(
        {"ringbuffer", StagingKind::ringbuffer, relayer, kScratch, kCacheBytes});
}

CompletionRegionView completion_region(TileIndex writer) {
    return {writer,           kHost,
            kCompletionBase,  kCompletionPage,
            kCompletionPages, kHostWritePointer,
            kWritePointer,    kReadPointer};
}

TileView tile(TileKind kind, Role role, NocCoord coord, std::uint8_t bank) {
    TileView view;
    view.kind = kind;
    view.role = role;
    view.coord = coord;
    view.bank = bank;
    return view;
}

MachineView machine_with(Role first, Role second, Role third, Role fourth) {
    MachineView machine;
    machine.tiles = {tile(TileKind::pcie, Role::host, {0, 20}, 0),
                     tile(TileKind::dispatch, first, {1, 13}, 0),
                     tile(TileKind::dispatch, second, {2, 13}, 0),
                     tile(TileKind::dispatch, third, {3, 13}, 0),
                     tile(TileKind::dispatch, fourth, {4, 13}, 0),
                     tile(TileKind::ethernet, Role::ethernet, {1, 12}, 0),
                     tile(TileKind::worker, Role::worker, {1, 1}, 0),
                     tile(TileKind::worker, Role::worker, {2, 1}, 0),
                     tile(TileKind::dram, Role::none, {0, 0}, 0),
                     tile(TileKind::dram, Role::none, {0, 1}, 1)};
    machine.worker_mailbox = {kLaunchBase, 96, 8, kGoWord, kConfigBase, kConfigBytes};
    machine.ethernet_mailbox = machine.worker_mailbox;
    machine.pcie = kHost;
    machine.completion_counters = {kDispatchD};
    machine.completion_counter_address = kCompletions;
    return machine;
}

}  // namespace

MachineView split_machine() {
    MachineView machine =
        machine_with(Role::prefetch_h, Role::prefetch_d, Role::dispatch_d, Role::dispatch_h);
    machine.rings = {ring_view("prefetch_d.cmddat_q", kPrefetchH, kPrefetchD),
                     ring_view("dispatch_cb", kPrefetchD, kDispatchD),
                     ring_view("dispatch_h.cb", kDispatchD, kDispatchH)};
    machine.rings[0].credit_thief_return = kDispatchH;
    machine.rings[0].consumer_refills_in_exec_buf = true;
    add_stagings(machine, kPrefetchH, kPrefetchD);
    machine.issue_regions = {{kPrefetchH, kHost, 0, 0xffffffff}};
    machine.completion_regions = {completion_region(kDispatchH)};
    return machine;
}

MachineView merged_machine() {
    MachineView machine =
        machine_with(Role::none, Role::prefetch_hd, Role::dispatch_hd, Role::none);
    machine.rings = {ring_view("dispatch_cb", kPrefetchD, kDispatchD)};
    add_stagings(machine, kPrefetchD, kPrefetchD);
    machine.issue_regions = {{kPrefetchD, kHost, 0, 0xffffffff}};
    machine.completion_regions = {completion_region(kDispatchD)};
    return machine;
}

LogBuilder::LogBuilder(MachineView machine, std::uint32_t enabled)
    : machine_(std::move(machine)), memory_(machine_.tiles.size()) {
    oracles_.reset(machine_, memory_, enabled);
}

LogBuilder& LogBuilder::entry(LogEntry entry) {
    entry.step = ++step_;
    std::optional<Violation> found = oracles_.observe(entry);
    if (found && !found_) found_ = std::move(found);
    return *this;
}

std::uint32_t LogBuilder::issue(LogEntry issued) {
    issued.kind = LogKind::noc_issue;
    issued.transaction = next_transaction_++;
    in_flight_[issued.transaction] = issued;
    entry(issued);
    return issued.transaction;
}

std::uint32_t LogBuilder::write(TileIndex from, std::uint32_t source, TileIndex to,
                                std::uint32_t target, std::uint32_t length) {
    LogEntry e;
    e.tile = from;
    e.target = to;
    e.source_address = source;
    e.target_address = target;
    e.length = length;
    return issue(e);
}

std::uint32_t LogBuilder::multicast(TileIndex from, std::uint32_t source, NocRectangle to,
                                    std::uint32_t target, std::uint32_t length) {
    LogEntry e;
    e.tile = from;
    e.flags = kLogMulticast;
    e.receivers = to;
    e.source_address = source;
    e.target_address = target;
    e.length = length;
    return issue(e);
}

std::uint32_t LogBuilder::atomic(TileIndex from, TileIndex to, std::uint32_t address,
                                 std::uint32_t increment) {
    LogEntry e;
    e.noc_kind = NocKind::atomic;
    e.tile = from;
    e.target = to;
    e.target_address = address;
    e.length = 4;
    e.value = increment;
    return issue(e);
}

std::uint32_t LogBuilder::read(TileIndex into, std::uint32_t target, TileIndex from,
                               std::uint32_t source, std::uint32_t length) {
    LogEntry e;
    e.noc_kind = NocKind::read;
    e.tile = into;
    e.target = from;
    e.source_address = source;
    e.target_address = target;
    e.length = length;
    return issue(e);
}

LogBuilder& LogBuilder::stage(std::uint32_t transaction, LogKind kind) {
    LogEntry e = in_flight_.at(transaction);
    e.kind = kind;
    return entry(e);
}

LogBuilder& LogBuilder::depart(std::uint32_t transaction) {
    const bool read = in_flight_.at(transaction).noc_kind == NocKind::read;
    return stage(transaction, read ? LogKind::noc_sample : LogKind::noc_depart);
}
LogBuilder& LogBuilder::arrive(std::uint32_t transaction) {
    return stage(transaction, LogKind::noc_arrive);
}
LogBuilder& LogBuilder::ack(std::uint32_t transaction) {
    return stage(transaction, LogKind::noc_ack);
}
LogBuilder& LogBuilder::complete(std::uint32_t transaction) {
    return depart(transaction).arrive(transaction).ack(transaction);
}

LogBuilder& LogBuilder::load(TileIndex tile, std::uint32_t address, std::uint32_t length) {
    LogEntry e;
    e.kind = LogKind::l1_load;
    e.tile = tile;
    e.source_address = address;
    e.length = length;
    return entry(e);
}

LogBuilder& LogBuilder::store(TileIndex tile, std::uint32_t address, std::uint32_t length) {
    LogEntry e;
    e.kind = LogKind::l1_store;
    e.tile = tile;
    e.target_address = address;
    e.length = length;
    return entry(e);
}

LogBuilder& LogBuilder::begin(TileIndex tile, std::uint32_t command, std::uint32_t address) {
    LogEntry e;
    e.kind = LogKind::command_begin;
    e.tile = tile;
    e.value = command;
    e.source_address = address;
    return entry(e);
}

LogBuilder& LogBuilder::end(TileIndex tile, std::uint32_t next_address) {
    LogEntry e;
    e.kind = LogKind::command_end;
    e.tile = tile;
    e.source_address = next_address;
    return entry(e);
}

LogBuilder& LogBuilder::call(const HostCall& call, bool ended) {
    std::optional<Violation> found = oracles_.observe(call, ended);
    if (found && !found_) found_ = std::move(found);
    LogEntry e;
    e.kind = ended ? LogKind::host_call_end : LogKind::host_call_begin;
    e.tile = kHost;
    e.value = static_cast<std::uint32_t>(call.kind);
    e.transaction = call.op_index;
    return entry(e);
}

LogBuilder& LogBuilder::finish() {
    std::optional<Violation> found = oracles_.finish();
    if (found && !found_) found_ = std::move(found);
    return *this;
}

std::uint32_t LogBuilder::issue_fill(std::size_t ring, std::uint64_t page) {
    const RingView& view = machine_.rings[ring];
    return write(view.producer, kScratch, view.consumer, page_address(page), kPage);
}
std::uint32_t LogBuilder::issue_hand_over(std::size_t ring, std::uint32_t count) {
    const RingView& view = machine_.rings[ring];
    return atomic(view.producer, view.consumer, view.ready_address, count);
}
std::uint32_t LogBuilder::issue_release(std::size_t ring, std::uint32_t count) {
    const RingView& view = machine_.rings[ring];
    return atomic(view.consumer, view.producer, view.credit_address, count);
}
std::uint32_t LogBuilder::issue_use(std::size_t ring, std::uint64_t page, std::uint32_t offset,
                                    std::uint32_t length) {
    return write(machine_.rings[ring].consumer, page_address(page) + offset, kWorker0, kConfigBase,
                 length);
}

LogBuilder& LogBuilder::fill(std::size_t ring, std::uint64_t page, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) complete(issue_fill(ring, page + i));
    return *this;
}
LogBuilder& LogBuilder::hand_over(std::size_t ring, std::uint32_t count) {
    return complete(issue_hand_over(ring, count));
}
LogBuilder& LogBuilder::release(std::size_t ring, std::uint32_t count) {
    return complete(issue_release(ring, count));
}
LogBuilder& LogBuilder::use(std::size_t ring, std::uint64_t page) {
    return complete(issue_use(ring, page));
}

std::string LogBuilder::story() const {
    std::string text;
    if (found_)
        for (const std::string& line : found_->story) text += line + "\n";
    return text;
}

}  // namespace cqfuzz::test
