#include "harness/oracle/hang.hpp"

#include <algorithm>
#include <array>

#include "runtime_under_test/protocol/layout.hpp"

namespace cqfuzz {
namespace {

// Facts §8.3, in the order of the watch's counter number.
constexpr std::array<const char*, 5> kCounterWaits = {
    "its reads to land", "its writes to depart", "its writes to be acknowledged",
    "its atomics to be answered", "its posted writes to depart"};

// STALL's word lies where every dispatch core has it, as far from the credit word as the semaphore
// numbers say.
constexpr std::uint32_t kSyncFromCredits =
    (static_cast<std::uint32_t>(rt::Semaphore::downstream_sync) -
     static_cast<std::uint32_t>(rt::Semaphore::downstream_credits)) *
    16;

bool says(const ParkedActor& actor, const char* word) {
    return actor.waypoint.find(word) != std::string::npos;
}

}  // namespace

std::string HangExplainer::counts_of(std::size_t ring) const {
    if (ownership_ == nullptr) return {};
    const RingLedger& ledger = ownership_->ledger(ring);
    return "; of its " + std::to_string(ledger.pages()) + " pages " +
           std::to_string(ledger.handed_issued()) + " handed over so far, " +
           std::to_string(ledger.released_issued()) + " released";
}

bool HangExplainer::ring_wait(TileIndex who, const ParkedWatch& watch, Wait& wait) const {
    const std::uint32_t address = watch.address & kL1OffsetMask;
    for (std::size_t r = 0; r < machine_.rings.size(); ++r) {
        const RingView& ring = machine_.rings[r];
        if (who == ring.consumer && address == ring.ready_address) {
            wait.on = ring.producer;
            wait.ring = r;
            wait.key = "pages of " + ring.name;
            wait.reason = "pages of " + ring.name + " (ready word " + std::to_string(watch.seen) +
                          counts_of(r) + "), which " + machine_.describe(ring.producer) +
                          " hands over";
            return true;
        }
        if (who != ring.producer) continue;
        if (address == ring.credit_address) {
            wait.on = ring.consumer;
            wait.ring = r;
            wait.credits = true;
            wait.key = "credits of " + ring.name;
            wait.reason = "credits of " + ring.name + " (credit word " +
                          std::to_string(static_cast<std::int32_t>(watch.seen)) + counts_of(r) +
                          "), which " + machine_.describe(ring.consumer) + " returns";
            return true;
        }
        if (address == ring.credit_address + kSyncFromCredits && provenance_.is_prefetcher(who) &&
            go_sender(ring.consumer) == nullptr) {
            wait.on = ring.consumer;
            wait.key = "STALL";
            wait.reason = "the notification that ends its STALL (word " +
                          std::to_string(watch.seen) + "), which a WAIT of " +
                          machine_.describe(ring.consumer) + " sends";
            return true;
        }
    }
    return false;
}

// A core that got its go and is not back at its go word.
TileIndex HangExplainer::busy_worker(std::span<const ParkedActor> parked,
                                     std::uint32_t chip) const {
    for (const ParkedActor& actor : parked) {
        if (machine_.tiles[actor.tile].chip != chip) continue;
        const TileKind kind = machine_.tiles[actor.tile].kind;
        if (kind != TileKind::worker && kind != TileKind::ethernet) continue;
        const MailboxView& box =
            kind == TileKind::worker ? machine_.worker_mailbox : machine_.ethernet_mailbox;
        const bool idle = std::any_of(actor.watches.begin(), actor.watches.end(),
                                      [&box](const ParkedWatch& watch) {
                                          return watch.kind == ParkedWatch::Kind::l1_word &&
                                                 (watch.address & kL1OffsetMask) == box.go_address;
                                      });
        if (!idle) return actor.tile;
    }
    return kNoTile;
}

HangExplainer::Wait HangExplainer::l1_wait(const ParkedActor& actor, const ParkedWatch& watch,
                                           std::span<const ParkedActor> parked) const {
    Wait wait;
    wait.who = actor.tile;
    const std::uint32_t address = watch.address & kL1OffsetMask;
    const TileView& tile = machine_.tiles[actor.tile];
    if (ring_wait(actor.tile, watch, wait)) return wait;
    const GoSenderView* sender = go_sender(actor.tile);
    if (sender != nullptr && address == sender->notify_address) {
        wait.on = sender->dispatcher;
        wait.key = "notification";
        wait.reason = "the notification of its next go (word " + std::to_string(watch.seen) +
                      "), which " + machine_.describe(wait.on) + " sends";
        return wait;
    }
    const bool counts =
        std::find(machine_.completion_counters.begin(), machine_.completion_counters.end(),
                  actor.tile) != machine_.completion_counters.end();
    const auto fed_by =
        std::find_if(machine_.go_senders.begin(), machine_.go_senders.end(),
                     [&actor](const GoSenderView& view) { return view.dispatcher == actor.tile; });
    if (counts && fed_by != machine_.go_senders.end() &&
        address == machine_.completion_counter_address) {
        wait.on = fed_by->tile;
        wait.key = "forwarded completions";
        wait.reason = "completions of worker and ethernet cores (counter " +
                      std::to_string(watch.seen) + "), which " + machine_.describe(wait.on) +
                      " passes on";
        return wait;
    }
    if ((counts || sender != nullptr) && address == machine_.completion_counter_address) {
        wait.on = busy_worker(parked, tile.chip);
        wait.key = "completions";
        wait.reason = "completions of worker and ethernet cores (counter " +
                      std::to_string(watch.seen) + "), which " +
                      (wait.on == kNoTile ? "they have all sent: every core is back at its go word"
                                          : machine_.describe(wait.on) + " still owes");
        return wait;
    }
    const MailboxView& box =
        tile.kind == TileKind::ethernet ? machine_.ethernet_mailbox : machine_.worker_mailbox;
    if ((tile.kind == TileKind::worker || tile.kind == TileKind::ethernet) &&
        address == box.go_address) {
        wait.on = completion_counter(tile.chip);
        for (const GoSenderView& view : machine_.go_senders)
            if (machine_.tiles[view.tile].chip == tile.chip) wait.on = view.tile;
        wait.key = "go";
        wait.reason = "its next go";
        return wait;
    }
    if (says(actor, "WAIT")) {
        // Another command queue's dispatcher writes its events here (facts §6.7).
        for (const TileIndex counter : machine_.completion_counters)
            if (counter != actor.tile && machine_.tiles[counter].chip == tile.chip)
                wait.on = counter;
        wait.key = "event";
        wait.reason = "an event of another command queue (word " + std::to_string(watch.seen) + ")";
    } else if (tile.role == Role::prefetch_hd || tile.role == Role::prefetch_h) {
        wait.on = machine_.pcie;
        wait.key = "prefetch_q";
        wait.reason = "the host's next entry in prefetch_q";
    } else if (tile.role == Role::dispatch_hd || tile.role == Role::dispatch_h) {
        wait.on = machine_.pcie;
        wait.key = "completion queue room";
        wait.reason = "room in the completion queue, which the host makes";
    } else {
        wait.key = "word";
        wait.reason = "the word at " + std::to_string(address) + " (" + std::to_string(watch.seen) +
                      ") to change";
    }
    return wait;
}

const GoSenderView* HangExplainer::go_sender(TileIndex tile) const {
    for (const GoSenderView& view : machine_.go_senders)
        if (view.tile == tile) return &view;
    return nullptr;
}

TileIndex HangExplainer::completion_counter(std::uint32_t chip) const {
    for (const TileIndex tile : machine_.completion_counters)
        if (machine_.tiles[tile].chip == chip) return tile;
    return kNoTile;
}

TileIndex HangExplainer::host_side(std::uint32_t device, Role merged, Role split) const {
    if (machine_.chip_count() == 1) {
        for (std::size_t t = 0; t < machine_.tiles.size(); ++t) {
            const TileView& tile = machine_.tiles[t];
            if (tile.queue == provenance_.host_queue() &&
                (tile.role == merged || tile.role == split))
                return static_cast<TileIndex>(t);
        }
        return kNoTile;
    }
    const bool remote = machine_.chip_count() > 1 && device % 2 != 0;
    const TileIndex found = remote ? kNoTile : machine_.tile_of(merged, device);
    return found != kNoTile ? found : machine_.tile_of(split, remote ? device - 1 : device);
}

// Of a pair, the merged pipeline is the local chip's; all other dispatch cores are the remote
// one's.
bool HangExplainer::serves(TileIndex tile, std::uint32_t device) const {
    if (machine_.chip_count() == 1) return true;
    const TileView& view = machine_.tiles[tile];
    if (view.role == Role::dispatch_s) return view.chip == device;
    const bool merged = view.role == Role::prefetch_hd || view.role == Role::dispatch_hd;
    return view.chip / 2 == device / 2 && merged == (device % 2 == 0);
}

HangExplainer::Wait HangExplainer::host_wait(const ParkedActor& actor,
                                             std::span<const ParkedActor> parked) const {
    Wait wait;
    wait.who = actor.tile;
    wait.reason = actor.waypoint.empty() ? "the device" : "the device (" + actor.waypoint + ")";
    // The host's end of the device that it talks to.
    const TileIndex prefetch =
        host_side(provenance_.host_device(), Role::prefetch_hd, Role::prefetch_h);
    const TileIndex dispatch =
        host_side(provenance_.host_device(), Role::dispatch_hd, Role::dispatch_h);
    if (says(actor, "prefetch_q")) {
        wait.on = prefetch;
        wait.key = "prefetch_q";
        // Of two queues the full one is that whose prefetcher does not wait for an entry.
        for (const ParkedActor& other : parked) {
            const TileView& tile = machine_.tiles[other.tile];
            if (tile.role == (wait.on == kNoTile ? Role::none : machine_.tiles[wait.on].role) &&
                tile.chip == machine_.tiles[wait.on].chip && other.tile != wait.on &&
                !says(other, "prefetch_q"))
                wait.on = other.tile;
        }
    } else if (says(actor, "exit")) {
        // Whoever is left and is not a worker; the prefetcher ends first, so what is left behind it
        // is the cause.
        wait.key = "exit";
        for (const bool tunnel : {false, true})
            for (const ParkedActor& other : parked)
                if (machine_.tiles[other.tile].kind == TileKind::dispatch && wait.on == kNoTile &&
                    is_tunnel_role(machine_.tiles[other.tile].role) == tunnel &&
                    serves(other.tile, provenance_.host_device()))
                    wait.on = other.tile;
    } else if (says(actor, "event") || says(actor, "read") || says(actor, "completion")) {
        wait.on = dispatch;
        wait.key = "completion queue";
    } else {
        wait.key = actor.waypoint.empty() ? "the device" : actor.waypoint;
    }
    return wait;
}

HangExplainer::Wait HangExplainer::wait_of(const ParkedActor& actor,
                                           std::span<const ParkedActor> parked) const {
    if (actor.tile == machine_.pcie) return host_wait(actor, parked);
    Wait chosen;
    for (const ParkedWatch& watch : actor.watches) {
        Wait wait;
        if (watch.kind == ParkedWatch::Kind::l1_word) {
            // A dispatch_s looks at its count wherever it waits, to pass it on.
            if (go_sender(actor.tile) != nullptr && !says(actor, "completions") &&
                (watch.address & kL1OffsetMask) == machine_.completion_counter_address)
                continue;
            wait = l1_wait(actor, watch, parked);
        } else if (watch.kind == ParkedWatch::Kind::noc_counter) {
            wait.who = actor.tile;
            const std::string what = watch.address < kCounterWaits.size()
                                         ? kCounterWaits[watch.address]
                                         : "a NoC counter";
            wait.key = what;
            wait.reason = what + " on NoC " + std::to_string(watch.noc) + " (counter " +
                          std::to_string(watch.seen) +
                          "), though nothing is in flight: its own count can never be met";
        } else {
            wait.who = actor.tile;
            wait.key = "command buffer";
            wait.reason =
                "a command buffer of NoC " + std::to_string(watch.noc) + " to accept a command";
        }
        // Of several, what somebody else can end tells more than a counter, and an actor of the
        // device more than the host.
        const auto weight = [this](const Wait& w) {
            return w.on == kNoTile ? 0 : (w.on == machine_.pcie ? 1 : 2);
        };
        if (chosen.key.empty() || weight(wait) > weight(chosen)) chosen = std::move(wait);
    }
    if (chosen.key.empty()) {
        chosen.key = "unknown";
        chosen.reason = "something that it did not tell";
    }
    chosen.who = actor.tile;
    chosen.waypoint = actor.waypoint;
    return chosen;
}

// A page that the producer has filled and keeps: what the consumer waits for is there. One that
// waits for credits may keep a page until it has the next.
std::optional<std::uint32_t> HangExplainer::kept_page(const Wait& wait) const {
    if (ownership_ == nullptr || wait.ring == kNoRing || wait.credits) return std::nullopt;
    const RingLedger& ledger = ownership_->ledger(wait.ring);
    for (std::uint32_t page = 0; page < ledger.pages(); ++page) {
        const PageRecord& record = ledger.record(page);
        if (record.filled.done() && ledger.state_of(page) == PageState::producers &&
            (!record.handed_over.done() || record.handed_over.step < record.filled.step))
            return page;
    }
    return std::nullopt;
}

std::string HangExplainer::tell_kept_page(std::size_t ring, std::uint32_t page) const {
    const RingView& view = machine_.rings[ring];
    const PageRecord& record = ownership_->ledger(ring).record(page);
    return "page " + std::to_string(page) + " of " + view.name + " was filled by " +
           machine_.describe(view.producer) + " at step " + std::to_string(record.filled.step) +
           ", for " + phrase(record.filled.doing) + ", and not handed over";
}

std::string HangExplainer::role_name(TileIndex tile) const {
    return tile == machine_.pcie ? "host" : machine_.actor(tile);
}

// Where the chain begins, and which way it goes round a cycle, is the scenario's; the cause is not.
// Of two that wait for each other at a ring, the ring; else what a producer keeps back; else the
// last wait.
HangExplainer::Cause HangExplainer::innermost(std::span<const Wait> chain) const {
    for (const Wait& wait : chain) {
        if (wait.ring == kNoRing) continue;
        const RingView& ring = machine_.rings[wait.ring];
        const bool both = std::any_of(chain.begin(), chain.end(), [&wait](const Wait& other) {
            return other.ring == wait.ring && other.credits != wait.credits;
        });
        if (both) return {"pages and credits of " + ring.name, ring.consumer};
    }
    for (const Wait& wait : chain)
        if (kept_page(wait))
            return {"pages kept back from " + machine_.rings[wait.ring].name, wait.on};
    return {chain.back().key, chain.back().who};
}

// A core that still runs though the one that drains its ring has ended: the mark that should have
// told it travels against the stream, so everything in front of it is left too.
std::optional<HangExplainer::Wait> HangExplainer::left_behind(
    std::span<const ParkedActor> parked) const {
    const auto runs = [&](TileIndex tile) {
        return std::any_of(parked.begin(), parked.end(),
                           [tile](const ParkedActor& actor) { return actor.tile == tile; });
    };
    for (const RingView& ring : machine_.rings) {
        if (!is_tunnel_role(machine_.tiles[ring.producer].role) || !runs(ring.producer) ||
            runs(ring.consumer) || !serves(ring.producer, provenance_.host_device()))
            continue;
        Wait wait;
        wait.who = ring.producer;
        wait.key = "end of " + ring.name;
        wait.reason = "a mark of " + machine_.describe(ring.consumer) + ", which drained " +
                      ring.name + " and has ended without one";
        return wait;
    }
    return std::nullopt;
}

std::string HangExplainer::sentence(const Wait& wait) const {
    std::string text = machine_.describe(wait.who);
    if (machine_.tiles[wait.who].kind == TileKind::dispatch) {
        const Doing& doing = provenance_.doing(wait.who);
        if (doing.command != 0 || doing.op != kNoOp) text += ", in " + phrase(doing) + ",";
    }
    text += " waits for " + wait.reason;
    if (!wait.waypoint.empty()) text += " [" + wait.waypoint + "]";
    return text;
}

Violation HangExplainer::explain_livelock(std::span<const BusyActor> busy,
                                          std::span<const ParkedActor> parked) const {
    Violation violation;
    violation.property = "livelock";
    violation.summary = "many moves were made and nothing came of them";
    violation.expected = "the host's call returns";
    violation.actual = violation.summary;
    // Dispatch cores before others: a worker that runs its kernel is rarely the cause.
    const BusyActor* first = nullptr;
    for (const BusyActor& actor : busy) {
        std::string text = machine_.describe(actor.tile);
        if (machine_.tiles[actor.tile].kind == TileKind::dispatch) {
            text += ", in " + phrase(provenance_.doing(actor.tile)) + ",";
            if (first == nullptr) first = &actor;
        }
        text += " goes on, " + std::to_string(actor.steps) + " steps so far";
        if (!actor.waypoint.empty()) text += " [" + actor.waypoint + "]";
        violation.story.push_back(text);
    }
    if (first == nullptr && !busy.empty()) first = &busy.front();
    if (first != nullptr) {
        const Doing& doing = provenance_.doing(first->tile);
        violation.actor = role_name(first->tile);
        violation.command = command_name(doing);
        violation.op_index = doing.op;
        violation.summary = "nothing comes of what " + machine_.describe(first->tile) + " does";
        if (!first->waypoint.empty()) violation.summary += " [" + first->waypoint + "]";
    }
    for (const ParkedActor& actor : parked) {
        if (machine_.tiles[actor.tile].kind != TileKind::dispatch && actor.tile != machine_.pcie)
            continue;
        const Wait wait = wait_of(actor, parked);
        violation.waits.push_back({wait.who, wait.on, wait.reason});
        violation.story.push_back(sentence(wait));
    }
    return violation;
}

Violation HangExplainer::explain(std::span<const ParkedActor> parked) const {
    Violation violation;
    violation.property = "hang";
    std::vector<Wait> chain;
    std::string cycle;
    TileIndex next = machine_.pcie;
    if (std::none_of(parked.begin(), parked.end(),
                     [&](const ParkedActor& a) { return a.tile == next; }) &&
        !parked.empty())
        next = parked.front().tile;
    while (next != kNoTile) {
        const auto seen = std::find_if(chain.begin(), chain.end(),
                                       [next](const Wait& wait) { return wait.who == next; });
        if (seen != chain.end()) {
            for (auto wait = seen; wait != chain.end(); ++wait)
                cycle += machine_.describe(wait->who) + " waits for ";
            cycle += machine_.describe(next);
            break;
        }
        const auto actor = std::find_if(parked.begin(), parked.end(),
                                        [next](const ParkedActor& a) { return a.tile == next; });
        if (actor == parked.end()) break;
        chain.push_back(wait_of(*actor, parked));
        next = chain.back().on;
        if (chain.back().key != "exit" || next == kNoTile ||
            !is_tunnel_role(machine_.tiles[next].role))
            continue;
        if (const std::optional<Wait> left = left_behind(parked)) {
            chain.push_back(*left);
            next = kNoTile;
        }
    }
    for (const Wait& wait : chain) {
        violation.waits.push_back({wait.who, wait.on, wait.reason});
        violation.story.push_back(sentence(wait));
        if (const std::optional<std::uint32_t> page = kept_page(wait))
            violation.story.push_back(tell_kept_page(wait.ring, *page));
    }
    if (next != kNoTile && cycle.empty())
        violation.story.push_back(machine_.describe(next) + " has ended or does not wait");
    if (!cycle.empty()) violation.story.push_back("a cycle: " + cycle);
    for (const ParkedActor& actor : parked) {  // whoever is not in the chain, workers at rest aside
        if (machine_.tiles[actor.tile].kind != TileKind::dispatch) continue;
        if (std::any_of(chain.begin(), chain.end(),
                        [&](const Wait& wait) { return wait.who == actor.tile; }))
            continue;
        const Wait besides = wait_of(actor, parked);
        violation.waits.push_back({besides.who, besides.on, besides.reason});
        violation.story.push_back("besides, " + sentence(besides));
    }
    if (!chain.empty()) {
        const Cause cause = innermost(chain);
        violation.place = cause.key;
        violation.actor = role_name(cause.who);
        violation.command = command_name(provenance_.doing(cause.who));
        const Doing& doing = provenance_.doing(chain.back().who);
        violation.op_index = provenance_.host_op() != kNoOp ? provenance_.host_op() : doing.op;
    }
    violation.summary = "nothing can move: " +
                        (chain.empty() ? std::string("no actor is left") : sentence(chain.back()));
    violation.expected = "the host's call returns";
    violation.actual = cycle.empty() ? violation.summary : "a cycle: " + cycle;
    return violation;
}

}  // namespace cqfuzz
