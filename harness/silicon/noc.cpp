// Moves: departures, arrivals, samples, landings, acknowledgements, and what they change.
#include "harness/silicon/noc.hpp"

#include <cstring>

#include "harness/base/check.hpp"
#include "harness/silicon/chip.hpp"
#include "harness/silicon/noc_receivers.hpp"

namespace cqfuzz {

using device::HardwareCounter;

void Noc::reset() {
    for (const std::uint32_t index : open_ports_) ports_[index] = NocPort{};
    open_ports_.clear();
    transactions_.reset();
    payloads_.reset();
    lanes_.reset();
    number_ = 0;
    issued_ = 0;
    arrivals_ = 0;
    in_flight_ = 0;
    host_writes_ = 0;
    epoch_ = 0;
    open_epoch_ = 0;
    open_epoch_pending_ = 0;
    waiting_.clear();
    waiting_head_ = 0;
}

void Noc::open_port(TileIndex tile, std::uint32_t noc) {
    const std::uint32_t index = tile * kPortsOfTile + noc;
    open_ports_.push_back(index);
    NocPort& opened = ports_[index];
    opened.open = true;
    opened.lanes.fill(kNoLane);
    const CounterStart& start = chip_.config.counters;
    opened.counter(HardwareCounter::rd_resp_received) = start.reads;
    opened.counter(HardwareCounter::nonposted_wr_req_sent) = start.nonposted_writes_sent;
    opened.counter(HardwareCounter::wr_ack_received) = start.writes_acked;
    opened.counter(HardwareCounter::atomic_resp_received) = start.atomics;
    opened.counters_at_end = opened.counters;
}

bool Noc::full(TileIndex tile, std::uint32_t noc) const {
    if (noc == kEthernetLink) return peek(tile, noc).outstanding >= kLinkPacketsMax;
    const std::uint32_t most = chip_.config.noc_undeparted_max;
    return most != 0 && peek(tile, noc).undeparted >= most;
}

bool Noc::lane_ordered(const Transaction& transaction) const {
    return transaction.kind != NocKind::read || chip_.config.order == MachineOrder::o1;
}

// The chip's tiles; of a link the one at its other end.
TileIndex Noc::first_receiver(const Transaction& transaction) const {
    return transaction.noc == kEthernetLink
               ? transaction.target
               : chip_.tiles.first_of(chip_.tiles.chip_of(transaction.source));
}

bool Noc::relaxes(std::uint8_t what) const {
    return chip_.config.order == MachineOrder::o3 && (chip_.config.relaxed & what) != 0;
}

NocPort::Departures& Noc::departures_of(NocPort& port, const Transaction& transaction) const {
    return port.departures[relaxes(kRelaxBuffers) ? transaction.buffer : 0];
}

LaneId Noc::travel_lane(const Transaction& transaction) {
    std::uint32_t index = transaction.channel;
    if (relaxes(kRelaxKinds)) {
        if (transaction.kind == NocKind::inline_write) index += 16;
        if (transaction.kind == NocKind::atomic) index += 32;
    }
    LaneId& lane = port(transaction.source, transaction.noc).lanes[index];
    if (lane == kNoLane) lane = lanes_.open(first_receiver(transaction));
    return lane;
}

void Noc::enable(Slot slot) {
    const Transaction& transaction = transactions_[slot];
    chip_.schedule.enable(move_of(slot), transaction.age << 8 | transaction.part,
                          traffic_of(transaction.source, transaction.noc));
}

void Noc::free_slot(Slot slot) {
    const PayloadId payload = transactions_[slot].payload;
    if (payload != kNoPayload) payloads_.release(payload);
    transactions_.release(slot);
}

MachineMoveName Noc::name_of(Slot slot) const {
    const Transaction& transaction = transactions_[slot];
    MachineMove kind = MachineMove::arrival;
    if (transaction.stage == Stage::undeparted)
        kind = transaction.sent ? MachineMove::source_read : MachineMove::departure;
    if (transaction.stage == Stage::returning) kind = MachineMove::acknowledgement;
    return {transaction.source, kind, noc_and_part(transaction.noc, transaction.part),
            transaction.ordinal};
}

LogEntry Noc::entry_of(LogKind kind, const Transaction& transaction) {
    LogEntry entry;
    entry.kind = kind;
    entry.noc_kind = transaction.kind;
    entry.noc = transaction.noc;
    entry.flags = transaction.flags;
    entry.tile = transaction.source;
    entry.target = transaction.target;
    entry.transaction = transaction.number;
    entry.source_address = transaction.source_address;
    entry.target_address = transaction.target_address;
    entry.length = transaction.length;
    entry.value = transaction.value;
    entry.receivers = transaction.receivers;
    if (transaction.payload != kNoPayload) entry.data = payloads_.bytes(transaction.payload);
    return entry;
}

void Noc::make(Slot slot) {
    switch (transactions_[slot].stage) {
        case Stage::undeparted: depart(slot); break;
        case Stage::travelling:
            if (transactions_[slot].from_host)
                arrive_from_host(slot);
            else
                arrive(slot);
            break;
        case Stage::returning: acknowledge(slot); break;
        case Stage::free: CHECK(false, "a move of a free slot");
    }
}

// --- departure -----------------------------------------------------------------------------------

void Noc::count_sent(const Transaction& transaction) {
    ++port(transaction.source, transaction.noc)
          .counter(transaction.posted() ? HardwareCounter::posted_wr_req_sent
                                        : HardwareCounter::nonposted_wr_req_sent);
}

// The source bytes are read now, not at issue.
void Noc::leave_source(Transaction& transaction) {
    transaction.payload = payloads_.acquire(transaction.length);
    std::byte* bytes = payloads_.bytes(transaction.payload);
    const std::byte* from = chip_.memory.bytes(transaction.source) + transaction.source_address;
    if (transaction.kind == NocKind::inline_write)
        from = reinterpret_cast<const std::byte*>(&transaction.value);
    if (transaction.length != 0) std::memcpy(bytes, from, transaction.length);
    if (!transaction.sent) count_sent(transaction);
    LogEntry entry = entry_of(LogKind::noc_depart, transaction);
    chip_.log(entry);
}

void Noc::depart(Slot slot) {
    Transaction& transaction = transactions_[slot];
    if (transaction.kind == NocKind::write && !transaction.sent && relaxes(kRelaxSent)) {
        count_sent(transaction);
        transaction.sent = true;
        enable(slot);
        chip_.wake_if_changed(transaction.source);
        return;
    }
    NocPort& from = port(transaction.source, transaction.noc);
    NocPort::Departures& departures = departures_of(from, transaction);
    departures.first = transaction.next_departure;
    if (departures.first == kNoSlot) departures.last = kNoSlot;
    --from.undeparted;
    leave_source(transaction);
    if (departures.first != kNoSlot) enable(departures.first);

    if (transaction.first_part == kNoSlot) {
        transaction.stage = Stage::travelling;
        if (--transaction.blockers == 0) enable(slot);
    } else {
        for (Slot part = transaction.first_part; part != kNoSlot;
             part = transactions_[part].next_part) {
            payloads_.share(transaction.payload);
            transactions_[part].payload = transaction.payload;
            if (--transactions_[part].blockers == 0) enable(part);
        }
        free_slot(slot);
    }
    chip_.wake_if_changed(transaction.source);
}

// --- arrival -------------------------------------------------------------------------------------

void Noc::sample(Transaction& transaction) {
    transaction.payload = payloads_.acquire(transaction.length);
    if (transaction.length != 0)
        std::memcpy(payloads_.bytes(transaction.payload),
                    chip_.memory.bytes(transaction.target) + transaction.source_address,
                    transaction.length);
}

void Noc::deliver(const Transaction& transaction, TileIndex receiver) {
    if (transaction.kind == NocKind::atomic) {
        const std::uint32_t sum =
            chip_.memory.word(receiver, transaction.target_address) + transaction.value;
        chip_.memory.write(receiver, transaction.target_address,
                           reinterpret_cast<const std::byte*>(&sum), sizeof sum);
    } else {
        chip_.memory.write(receiver, transaction.target_address,
                           payloads_.bytes(transaction.payload), transaction.length);
    }
    chip_.wake_if_changed(receiver);
}

void Noc::take_effect(Transaction& transaction) {
    arrivals_ += transaction.receiver_count;
    if (transaction.kind == NocKind::read)
        sample(transaction);
    else if (transaction.multicast())
        for_each_receiver(transaction, [&](TileIndex receiver) { deliver(transaction, receiver); });
    else
        deliver(transaction, transaction.target);
    LogEntry entry = entry_of(
        transaction.kind == NocKind::read ? LogKind::noc_sample : LogKind::noc_arrive, transaction);
    chip_.log(entry);
}

void Noc::arrive(Slot slot) {
    Transaction& transaction = transactions_[slot];
    take_effect(transaction);
    NocPort& from = port(transaction.source, transaction.noc);
    if (lane_ordered(transaction))
        lanes_.leave(travel_lane(transaction), slot, [this](Slot freed) { enable(freed); });
    if (transaction.posted()) {
        --from.outstanding;
        --in_flight_;
        free_slot(slot);
        return;
    }
    transaction.stage = Stage::returning;
    if (chip_.config.order == MachineOrder::o1) {
        if (from.return_lane == kNoLane)
            from.return_lane = lanes_.open(first_receiver(transaction));
        lanes_.enter(from.return_lane, slot);
    }
    if (transaction.blockers == 0) enable(slot);
}

// --- acknowledgement, response, landing ----------------------------------------------------------

void Noc::count_acknowledged(Transaction& transaction) {
    NocPort& from = port(transaction.source, transaction.noc);
    switch (transaction.kind) {
        case NocKind::read: {
            chip_.memory.write(transaction.source, transaction.target_address,
                               payloads_.bytes(transaction.payload), transaction.length);
            LogEntry landing = entry_of(LogKind::noc_arrive, transaction);
            chip_.log(landing);
            ++from.counter(HardwareCounter::rd_resp_received);
            break;
        }
        case NocKind::atomic: ++from.counter(HardwareCounter::atomic_resp_received); break;
        case NocKind::write:
        case NocKind::inline_write:
            from.counter(HardwareCounter::wr_ack_received) += transaction.receiver_count;
            break;
    }
    LogEntry entry = entry_of(LogKind::noc_ack, transaction);
    chip_.log(entry);
}

void Noc::acknowledge(Slot slot) {
    Transaction& transaction = transactions_[slot];
    const TileIndex source = transaction.source;
    NocPort& from = port(source, transaction.noc);
    count_acknowledged(transaction);
    if (chip_.config.order == MachineOrder::o1)
        lanes_.leave(from.return_lane, slot, [this](Slot freed) { enable(freed); });
    --from.outstanding;
    --in_flight_;
    free_slot(slot);
    chip_.wake_if_changed(source);
}

// --- rules that look back over a core's work -----------------------------------------------------

void Noc::log_rule(NocRule rule, TileIndex tile, std::uint32_t noc) {
    LogEntry entry;
    entry.kind = LogKind::noc_rule;
    entry.noc = static_cast<std::uint8_t>(noc);
    entry.tile = tile;
    entry.value = static_cast<std::uint32_t>(rule);
    chip_.log(entry);
}

void Noc::log_mismatch(TileIndex tile, std::uint32_t noc, std::uint32_t counter) {
    LogEntry entry;
    entry.kind = LogKind::noc_rule;
    entry.noc = static_cast<std::uint8_t>(noc);
    entry.tile = tile;
    entry.value = static_cast<std::uint32_t>(NocRule::counter_mismatch);
    entry.length = counter;
    entry.source_address = chip_.cores[tile].software[noc][counter];
    entry.target_address = peek(tile, noc).counters_at_end[counter];
    chip_.log(entry);
}

void Noc::check_exit(TileIndex tile) {
    const Core& core = chip_.cores[tile];
    const std::uint32_t nocs = chip_.has_link(tile) ? kNocs : kEthernetLink;
    for (std::uint32_t noc = 0; noc < nocs; ++noc) {
        const NocPort& used = port(tile, noc);
        if (used.outstanding != 0) log_rule(NocRule::in_flight_at_exit, tile, noc);
        if (used.chain_open) log_rule(NocRule::linked_chain_broken, tile, noc);
        for (std::uint32_t counter = 0; counter < kHardwareCounters; ++counter)
            if (core.software[noc][counter] != used.counters_at_end[counter])
                log_mismatch(tile, noc, counter);
    }
}

// --- host writes ---------------------------------------------------------------------------------

void Noc::host_write(TileIndex target, std::uint32_t address, std::span<const std::byte> bytes) {
    const Slot slot = transactions_.acquire();
    Transaction& transaction = transactions_[slot];
    transaction.from_host = true;
    transaction.source = kPcieTile;
    transaction.target = target;
    transaction.target_address = address;
    transaction.length = static_cast<std::uint32_t>(bytes.size());
    transaction.flags = kLogPosted;
    transaction.number = ++number_;
    transaction.age = number_;
    transaction.ordinal = ++host_writes_;
    transaction.epoch = epoch_;
    transaction.stage = Stage::travelling;
    transaction.payload = payloads_.acquire(transaction.length);
    if (!bytes.empty())
        std::memcpy(payloads_.bytes(transaction.payload), bytes.data(), bytes.size());
    LogEntry entry = entry_of(LogKind::host_write_issue, transaction);
    chip_.log(entry);
    if (chip_.config.order == MachineOrder::o0) {
        land_from_host(slot);
        return;
    }
    if (open_epoch_pending_ == 0) open_epoch_ = epoch_;
    if (epoch_ == open_epoch_) {
        ++open_epoch_pending_;
        enable(slot);
    } else {
        waiting_.push_back(slot);
    }
}

void Noc::land_from_host(Slot slot) {
    const Transaction& transaction = transactions_[slot];
    chip_.memory.write(transaction.target, transaction.target_address,
                       payloads_.bytes(transaction.payload), transaction.length);
    chip_.wake_if_changed(transaction.target);
    LogEntry entry = entry_of(LogKind::host_write_arrive, transaction);
    chip_.log(entry);
    free_slot(slot);
}

void Noc::arrive_from_host(Slot slot) {
    land_from_host(slot);
    if (--open_epoch_pending_ != 0 || waiting_head_ == waiting_.size()) return;
    open_epoch_ = transactions_[waiting_[waiting_head_]].epoch;
    while (waiting_head_ < waiting_.size() &&
           transactions_[waiting_[waiting_head_]].epoch == open_epoch_) {
        ++open_epoch_pending_;
        enable(waiting_[waiting_head_++]);
    }
    if (waiting_head_ == waiting_.size()) {
        waiting_.clear();
        waiting_head_ = 0;
    }
}

}  // namespace cqfuzz
