// Issue: what a command buffer's registers say, which rules it breaks, and how the transaction
// starts its way.
#include <bit>

#include "harness/base/check.hpp"
#include "harness/silicon/chip.hpp"
#include "harness/silicon/noc_receivers.hpp"

namespace cqfuzz {
namespace {

constexpr std::uint32_t kBurstBytesMax = 8192;  // facts §8.1
constexpr std::uint32_t kL1Alignment = 16;
constexpr std::uint32_t kReadAlignment = 32;  // from DRAM and PCIe
constexpr std::uint32_t kWordAlignment = 4;

NocCoord coordinate_at(std::uint32_t encoded) {
    return {static_cast<std::uint8_t>(encoded & 0x3f),
            static_cast<std::uint8_t>(encoded >> 6 & 0x3f)};
}

}  // namespace

struct Noc::Request {
    Transaction draft;
    bool is_multicast = false;
    bool includes_source = false;
    bool linked = false;
    std::uint32_t coordinate = 0;
};

Noc::Request Noc::decode(TileIndex source, std::uint32_t noc, const CommandBuffer& buffer) const {
    using device::Register;
    Request request;
    Transaction& draft = request.draft;
    const std::uint32_t control = buffer.get(Register::ctrl);
    request.is_multicast = (control & device::kNocCmdMulticast) != 0;
    request.includes_source = (control & device::kNocCmdSourceInclude) != 0;
    request.linked = (control & device::kNocCmdLinked) != 0;
    request.coordinate = buffer.get(Register::ret_addr_coordinate);
    draft.source = source;
    draft.noc = static_cast<std::uint8_t>(noc);
    draft.channel = static_cast<std::uint8_t>(control >> device::kNocCmdVcShift & 0xf);
    draft.source_address = buffer.get(Register::targ_addr_lo) & kL1AddressMask;
    draft.target_address = buffer.get(Register::ret_addr_lo);
    draft.length = buffer.get(Register::at_len_be);
    const bool marked = (control & device::kNocCmdRespMarked) != 0;
    draft.flags = static_cast<std::uint8_t>(
        (request.is_multicast ? kLogMulticast : 0) | (marked ? 0 : kLogPosted) |
        (request.linked ? kLogLinked : 0) | (request.includes_source ? kLogLoopback : 0));
    if ((control & device::kNocCmdAtomic) != 0) {
        draft.kind = NocKind::atomic;
        draft.source_address = 0;
        draft.value = buffer.get(Register::at_data);
        draft.length = 4;
    } else if ((control & device::kNocCmdWrite) == 0) {
        CHECK((control & device::kNocCmdRead) != 0,
              "command buffer of tile %u is sent with ctrl 0x%x: no command", source, control);
        draft.kind = NocKind::read;
        request.coordinate = buffer.get(Register::targ_addr_coordinate);
        draft.source_address = buffer.get(Register::targ_addr_lo);
        draft.target_address = buffer.get(Register::ret_addr_lo) & kL1AddressMask;
        draft.flags = 0;
    } else if ((control & device::kNocCmdInline) != 0) {
        draft.kind = NocKind::inline_write;
        draft.source_address = 0;
        // Byte enables: the enabled bytes are taken to be adjacent, as all callers have them.
        const std::uint32_t enables = draft.length & 0xf;
        const auto first = static_cast<std::uint32_t>(std::countr_zero(enables | 0x10));
        draft.length = static_cast<std::uint32_t>(std::popcount(enables));
        draft.value = enables == 0 ? 0 : buffer.get(Register::at_data) >> (8 * first);
        draft.target_address += enables == 0 ? 0 : first;
    }
    return request;
}

// Fills in who receives; receiver_count 0 when nobody can.
void Noc::resolve_target(Request& request) const {
    Transaction& draft = request.draft;
    std::uint32_t& remote =
        draft.kind == NocKind::read ? draft.source_address : draft.target_address;
    if (request.is_multicast) {
        NocRectangle& receivers = draft.receivers;
        receivers = {coordinate_at(request.coordinate >> 12), coordinate_at(request.coordinate)};
        // The other NoC's route starts at the lower right (facts §8.1).
        if (draft.noc == 1) std::swap(receivers.first, receivers.last);
        draft.target = kNoTile;
        remote &= kL1AddressMask;
        std::uint16_t count = 0;
        for_each_receiver(draft, [&count](TileIndex) { ++count; });
        draft.receiver_count = count;
        if (remote + draft.length > kL1SlotBytes) draft.receiver_count = 0;
        return;
    }
    const NocCoord coord = coordinate_at(request.coordinate);
    draft.receivers = {coord, coord};
    draft.target = chip_.tiles.at(chip_.tiles.chip_of(draft.source), coord.x, coord.y);
    draft.receiver_count = 0;
    if (draft.noc == kEthernetLink) {
        draft.target = draft.kind == NocKind::read ? kNoTile : chip_.tiles.peer_of(draft.source);
        if (draft.target != kNoTile)
            draft.receivers = {chip_.tiles.coord(draft.target), chip_.tiles.coord(draft.target)};
    }
    if (draft.target == kNoTile) return;
    if (chip_.tiles.has_l1(draft.target))
        remote &= kL1AddressMask;
    else if (draft.kind == NocKind::atomic)
        return;
    if (chip_.memory.contains(draft.target, remote, draft.length)) draft.receiver_count = 1;
}

bool Noc::check_alignment(const Request& request) const {
    const Transaction& draft = request.draft;
    switch (draft.kind) {
        case NocKind::atomic: return draft.target_address % kWordAlignment == 0;
        case NocKind::inline_write:
            return draft.length < 4 || draft.target_address % kWordAlignment == 0;
        case NocKind::write:
            return draft.source_address % kL1Alignment == draft.target_address % kL1Alignment;
        case NocKind::read: {
            const bool from_l1 = draft.target == kNoTile || chip_.tiles.has_l1(draft.target);
            const std::uint32_t alignment = from_l1 ? kL1Alignment : kReadAlignment;
            return draft.source_address % alignment == draft.target_address % alignment;
        }
    }
    return true;
}

// inv. 92: while a chain is open, nothing but its own rectangle's writes may be issued on this NoC
// by this tile.
void Noc::check_chain(const Request& request) {
    const Transaction& draft = request.draft;
    NocPort& from = port(draft.source, draft.noc);
    const bool same = draft.write_class() && draft.receivers == from.chain;
    if (from.chain_open && !same) log_rule(NocRule::linked_chain_broken, request);
    if (!from.chain_open || same) {
        from.chain_open = draft.write_class() && request.linked;
        from.chain = draft.receivers;
    }
}

// False when the transaction cannot be carried out.
bool Noc::check_rules(Request& request, CommandBuffer& buffer) {
    Transaction& draft = request.draft;
    const bool counted = buffer.noted;
    buffer.noted = false;
    const bool moves_bytes = draft.kind == NocKind::write || draft.kind == NocKind::read;
    if (draft.length == 0) log_rule(NocRule::zero_length, request);
    if (moves_bytes && draft.length > kBurstBytesMax) {
        log_rule(NocRule::burst_exceeded, request);
        return false;
    }
    const std::uint32_t local =
        draft.kind == NocKind::read ? draft.target_address : draft.source_address;
    if (draft.receiver_count == 0 ||
        (moves_bytes && !chip_.memory.contains(draft.source, local, draft.length))) {
        log_rule(NocRule::unknown_target, request);
        return false;
    }
    if (!check_alignment(request)) log_rule(NocRule::misaligned, request);
    if (request.is_multicast && counted && buffer.noted_receivers != draft.receiver_count)
        log_rule(NocRule::wrong_receiver_count, request);
    check_chain(request);
    return true;
}

void Noc::log_rule(NocRule rule, const Request& request) {
    const Transaction& draft = request.draft;
    LogEntry entry;
    entry.kind = LogKind::noc_rule;
    entry.noc_kind = draft.kind;
    entry.noc = draft.noc;
    entry.flags = draft.flags;
    entry.tile = draft.source;
    entry.target = draft.target;
    entry.source_address = draft.source_address;
    entry.target_address = draft.target_address;
    entry.length = draft.length;
    entry.receivers = draft.receivers;
    entry.value = static_cast<std::uint32_t>(rule);
    chip_.log(entry);
}

void Noc::count_expected(NocPort& from, const Transaction& transaction) {
    using device::HardwareCounter;
    switch (transaction.kind) {
        case NocKind::read: ++from.counter_at_end(HardwareCounter::rd_resp_received); break;
        case NocKind::atomic:
            if (!transaction.posted()) ++from.counter_at_end(HardwareCounter::atomic_resp_received);
            break;
        case NocKind::write:
        case NocKind::inline_write:
            if (transaction.posted()) {
                ++from.counter_at_end(HardwareCounter::posted_wr_req_sent);
            } else {
                ++from.counter_at_end(HardwareCounter::nonposted_wr_req_sent);
                from.counter_at_end(HardwareCounter::wr_ack_received) += transaction.receiver_count;
            }
            break;
    }
}

void Noc::send(TileIndex source, std::uint32_t noc, std::uint32_t number, CommandBuffer& buffer) {
    Request request = decode(source, noc, buffer);
    resolve_target(request);
    if (!check_rules(request, buffer)) return;

    NocPort& from = port(source, noc);
    const Slot slot = transactions_.acquire();
    Transaction& transaction = transactions_[slot];
    transaction = request.draft;
    transaction.number = ++number_;
    transaction.age = number_;
    transaction.ordinal = ++from.issued;
    transaction.buffer = static_cast<std::uint8_t>(number);
    ++issued_;
    count_expected(from, transaction);
    log_issue(transaction);
    if (chip_.config.order == MachineOrder::o0) {
        run_at_once(slot);
        return;
    }
    const bool splits = transaction.multicast() && transaction.receiver_count > 1 &&
                        transaction.receiver_count <= kPartsMax &&
                        chip_.schedule.splits(source, noc, transaction.ordinal);
    if (transaction.kind == NocKind::atomic) notice_credit(transaction);
    if (splits)
        launch_parts(from, slot);
    else
        launch(from, slot);
}

void Noc::log_issue(const Transaction& transaction) {
    LogEntry entry = entry_of(LogKind::noc_issue, transaction);
    chip_.log(entry);
}

void Noc::notice_credit(const Transaction& transaction) {
    if (static_cast<std::int32_t>(transaction.value) <= 0) return;
    for (const auto& [tile, address] : chip_.plan.credit_words)
        if (tile == transaction.target && (address & kL1AddressMask) == transaction.target_address)
            chip_.schedule.credit_issued(transaction.source, transaction.noc, transaction.target,
                                         transaction.age);
}

// Rule A counts it where it travels; rule D lets only the oldest undeparted write of the port
// depart.
void Noc::launch(NocPort& from, Slot slot) {
    Transaction& transaction = transactions_[slot];
    ++from.outstanding;
    ++in_flight_;
    if (!transaction.write_class()) {
        transaction.stage = Stage::travelling;
        if (lane_ordered(transaction)) lanes_.enter(travel_lane(transaction), slot);
        if (transaction.blockers == 0) enable(slot);
        return;
    }
    transaction.stage = Stage::undeparted;
    transaction.blockers = 1;  // its own departure
    lanes_.enter(travel_lane(transaction), slot);
    queue_departure(from, slot);
}

void Noc::queue_departure(NocPort& from, Slot slot) {
    ++from.undeparted;
    NocPort::Departures& departures = departures_of(from, transactions_[slot]);
    if (departures.last != kNoSlot)
        transactions_[departures.last].next_departure = slot;
    else
        departures.first = slot;
    departures.last = slot;
    if (departures.first == slot) enable(slot);
}

void Noc::launch_parts(NocPort& from, Slot head) {
    std::uint8_t number = 0;
    const Transaction whole = transactions_[head];
    Slot last = kNoSlot;
    for_each_receiver(whole, [&](TileIndex receiver) {
        const Slot slot = transactions_.acquire();
        Transaction& part = transactions_[slot];
        part = whole;
        part.part = ++number;
        part.target = receiver;
        const NocCoord coord = chip_.tiles.coord(receiver);
        part.receivers = {coord, coord};
        part.receiver_count = 1;
        part.stage = Stage::travelling;
        part.blockers = 1;  // the departure of the head
        lanes_.enter(travel_lane(part), slot);
        if (last == kNoSlot)
            transactions_[head].first_part = slot;
        else
            transactions_[last].next_part = slot;
        last = slot;
        ++from.outstanding;
        ++in_flight_;
    });
    transactions_[head].stage = Stage::undeparted;
    queue_departure(from, head);
}

// O0: everything completes at issue.
void Noc::run_at_once(Slot slot) {
    Transaction& transaction = transactions_[slot];
    if (transaction.write_class()) leave_source(transaction);
    take_effect(transaction);
    if (!transaction.posted()) count_acknowledged(transaction);
    free_slot(slot);
}

}  // namespace cqfuzz
