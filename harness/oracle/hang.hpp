// Hang: nothing can move though the host waits. The proof is silicon's (no core can step, nothing
// is in flight); this file tells who waits for whom.
//
// Checks:
//  - nothing by itself: `explain` is called once, when silicon has proved a hang, or
//    `explain_livelock`, when the run loop's budget of moves without progress is spent.
//
// Does not check:
//  - whether a livelock would have ended after more moves than the budget.
//
// Every watched word has a meaning that the fixed MachineView gives: credits and ready words of
// rings, STALL's word, the completion counter, go words, hardware counters. Each meaning names who
// could end the wait. Following that from the host gives a chain; if it comes back to somebody in
// it, it is a cycle.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/base/machine_view.hpp"
#include "harness/base/violation.hpp"
#include "harness/oracle/page_ownership.hpp"

namespace cqfuzz {

class HangExplainer {
public:
    // `ownership` may be null when that oracle is off: the story then has no page counts.
    HangExplainer(const MachineView& machine, const Provenance& provenance,
                  const PageOwnership* ownership)
        : machine_(machine), provenance_(provenance), ownership_(ownership) {}

    Violation explain(std::span<const ParkedActor> parked) const;
    // Of a livelock: who goes on in vain, and who waits meanwhile.
    Violation explain_livelock(std::span<const BusyActor> busy,
                               std::span<const ParkedActor> parked) const;

private:
    static constexpr std::size_t kNoRing = ~std::size_t{0};
    struct Wait {
        TileIndex who = kNoTile;
        TileIndex on = kNoTile;  // kNoTile: nobody in particular
        std::size_t ring = kNoRing;
        bool credits = false;  // of `ring`; else pages
        std::string reason;    // with counts, for people
        std::string key;       // without, for the signature
        std::string waypoint;  // the actor's own words
    };

    Wait wait_of(const ParkedActor& actor, std::span<const ParkedActor> parked) const;
    Wait l1_wait(const ParkedActor& actor, const ParkedWatch& watch,
                 std::span<const ParkedActor> parked) const;
    bool ring_wait(TileIndex who, const ParkedWatch& watch, Wait& wait) const;
    Wait host_wait(const ParkedActor& actor, std::span<const ParkedActor> parked) const;
    std::string counts_of(std::size_t ring) const;
    // What a hang is called by, without the way that leads there.
    struct Cause {
        std::string key;
        TileIndex who = kNoTile;
    };
    Cause innermost(std::span<const Wait> chain) const;
    std::optional<std::uint32_t> kept_page(const Wait& wait) const;
    std::string tell_kept_page(std::size_t ring, std::uint32_t page) const;
    std::string role_name(TileIndex tile) const;
    std::optional<Wait> left_behind(std::span<const ParkedActor> parked) const;
    std::string sentence(const Wait& wait) const;
    TileIndex busy_worker(std::span<const ParkedActor> parked, std::uint32_t chip) const;
    const GoSenderView* go_sender(TileIndex tile) const;
    TileIndex completion_counter(std::uint32_t chip) const;  // of its first command queue
    bool serves(TileIndex tile, std::uint32_t device) const;
    TileIndex host_side(std::uint32_t device, Role merged, Role split) const;

    const MachineView& machine_;
    const Provenance& provenance_;
    const PageOwnership* ownership_;
};

}  // namespace cqfuzz
