// Noc: the transactions of all tiles on both NoCs, and the host's posted writes over PCIe.
//
// Modelled: the stages of design §4 with rules D and A of its orders O0 to O3 (base/order.hpp);
// fused and split multicasts; hardware counters per (tile, NoC); linked chains, alignment, burst
// and receiver count as rules whose breach is logged. Left out: routes, path reservation, distance,
// transaction ids, the mirrored coordinates of NoC 1.
//
// A transaction that the NoC cannot carry out (no target, too long, outside a memory) is logged and
// dropped; every other breach is logged and the transaction goes on.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "harness/silicon/core.hpp"
#include "harness/silicon/lanes.hpp"
#include "harness/silicon/moves.hpp"
#include "harness/silicon/payloads.hpp"
#include "harness/silicon/transaction.hpp"

namespace cqfuzz {

struct Chip;

inline constexpr std::uint32_t kLaneKinds = 3;

// Packets on a link that have not been acknowledged: its credits.
inline constexpr std::uint32_t kLinkPacketsMax = 4;

// One network interface: a tile's end of one NoC, or of its link.
struct NocPort {
    bool open = false;         // used in this run
    std::uint32_t issued = 0;  // ordinal of the last transaction
    std::uint32_t undeparted = 0;
    std::uint32_t outstanding = 0;  // issued, and not yet acknowledged (posted: arrived)
    // FIFO of rule D: one; at O3 one for each command buffer.
    struct Departures {
        Slot first = kNoSlot;
        Slot last = kNoSlot;
    };
    std::array<Departures, kCommandBuffers> departures{};
    std::array<std::uint32_t, kHardwareCounters> counters{};
    std::array<std::uint32_t, kHardwareCounters>
        counters_at_end{};  // when all that is in flight has landed
    bool chain_open = false;
    NocRectangle chain{};
    // By virtual channel; at O3 by kind, too.
    std::array<LaneId, 16 * kLaneKinds> lanes{};
    LaneId return_lane = kNoLane;

    std::uint32_t& counter(device::HardwareCounter which) {
        return counters[static_cast<std::uint32_t>(which)];
    }
    std::uint32_t& counter_at_end(device::HardwareCounter which) {
        return counters_at_end[static_cast<std::uint32_t>(which)];
    }
};

class Noc {
public:
    explicit Noc(Chip& chip) : chip_(chip), lanes_(transactions_) {}

    void reset();
    // The port of a tile that is about to use it.
    NocPort& port(TileIndex tile, std::uint32_t noc) {
        NocPort& found = ports_[tile * kPortsOfTile + noc];
        if (!found.open) open_port(tile, noc);
        return found;
    }
    const NocPort& peek(TileIndex tile, std::uint32_t noc) const {
        return ports_[tile * kPortsOfTile + noc];
    }
    // Would a write wait for the departure of others? (noc_undeparted_max)
    bool full(TileIndex tile, std::uint32_t noc) const;

    // What the registers of a command buffer say. Raises no software counter.
    void send(TileIndex source, std::uint32_t noc, std::uint32_t number, CommandBuffer& buffer);
    // A core goes away: rules that look back over all it did.
    void check_exit(TileIndex tile);
    // Makes the next move of a transaction.
    void make(Slot slot);

    // Posted host writes.
    void host_write(TileIndex target, std::uint32_t address, std::span<const std::byte> bytes);
    void fence() { ++epoch_; }

    void log_rule(NocRule rule, TileIndex tile, std::uint32_t noc);
    // counter_mismatch: `length` = HardwareCounter, `source_address` = what software counted,
    // `target_address` = the hardware's last value.
    void log_mismatch(TileIndex tile, std::uint32_t noc, std::uint32_t counter);

    MachineMoveName name_of(Slot slot) const;
    const Transaction& at(Slot slot) const { return transactions_[slot]; }
    std::uint64_t issued() const { return issued_; }
    std::uint64_t arrivals() const { return arrivals_; }
    std::uint32_t in_flight() const { return in_flight_; }

private:
    struct Request;  // registers decoded (noc_issue.cpp)

    void open_port(TileIndex tile, std::uint32_t noc);

    // Issue.
    Request decode(TileIndex source, std::uint32_t noc, const CommandBuffer& buffer) const;
    void resolve_target(Request& request) const;
    bool check_rules(Request& request, CommandBuffer& buffer);
    bool check_alignment(const Request& request) const;
    void check_chain(const Request& request);
    void log_rule(NocRule rule, const Request& request);
    void log_issue(const Transaction& transaction);
    LogEntry entry_of(LogKind kind, const Transaction& transaction);
    void count_expected(NocPort& port, const Transaction& transaction);
    void launch(NocPort& port, Slot slot);
    void launch_parts(NocPort& port, Slot head);
    void queue_departure(NocPort& port, Slot slot);
    void run_at_once(Slot slot);
    void notice_credit(const Transaction& transaction);

    // Moves.
    void depart(Slot slot);
    void count_sent(const Transaction& transaction);
    void leave_source(Transaction& transaction);
    void take_effect(Transaction& transaction);
    void deliver(const Transaction& transaction, TileIndex receiver);
    void sample(Transaction& transaction);
    void arrive(Slot slot);
    void acknowledge(Slot slot);
    void count_acknowledged(Transaction& transaction);
    void arrive_from_host(Slot slot);
    void land_from_host(Slot slot);
    void free_slot(Slot slot);
    void enable(Slot slot);
    TileIndex first_receiver(const Transaction& transaction) const;
    bool relaxes(std::uint8_t what) const;
    NocPort::Departures& departures_of(NocPort& port, const Transaction& transaction) const;
    LaneId travel_lane(const Transaction& transaction);
    bool lane_ordered(const Transaction& transaction) const;
    template <class Visit>
    void for_each_receiver(const Transaction& transaction, Visit visit) const;  // noc_receivers.hpp

    Chip& chip_;
    Transactions transactions_;
    Payloads payloads_;
    Lanes lanes_;
    static constexpr std::uint32_t kPortsOfTile = 4;  // a power of two
    static_assert(kNocs <= kPortsOfTile);
    std::array<NocPort, kTilesMax * kPortsOfTile> ports_{};
    std::vector<std::uint32_t> open_ports_;

    std::uint32_t number_ = 0;  // of the last transaction or host write
    std::uint64_t issued_ = 0;
    std::uint64_t arrivals_ = 0;
    std::uint32_t in_flight_ = 0;

    // Host writes: those of the oldest epoch in flight may arrive, in any order.
    std::uint32_t host_writes_ = 0;
    std::uint32_t epoch_ = 0;
    std::uint32_t open_epoch_ = 0;
    std::uint32_t open_epoch_pending_ = 0;
    std::vector<Slot> waiting_;  // of later epochs, in order from waiting_head_
    std::size_t waiting_head_ = 0;
};

}  // namespace cqfuzz
