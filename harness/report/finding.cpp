#include "harness/report/finding.hpp"

#include <fmt/core.h>

#include <string_view>

namespace cqfuzz {

namespace {

std::string tile_name(std::uint32_t tile, const MachineView* view) {
    if (view != nullptr && tile < view->tiles.size()) {
        const auto index = static_cast<TileIndex>(tile);
        return index == view->pcie ? "host" : view->describe(index);
    }
    return fmt::format("tile {}", tile);
}

std::string_view stage_name(MoveKind kind) {
    switch (kind) {
        case MoveKind::step: return "step";
        case MoveKind::departure: return "departure";
        case MoveKind::arrival: return "arrival";
        case MoveKind::acknowledgement: return "acknowledgement";
        case MoveKind::source_read: return "source read";
    }
    return "move";
}

std::string ordinal_text(std::uint32_t n) {
    const std::uint32_t tens = n % 100;
    const bool teen = tens >= 11 && tens <= 13;
    const std::string_view ending = teen || n % 10 > 3 || n % 10 == 0 ? "th"
                                    : n % 10 == 1                     ? "st"
                                    : n % 10 == 2                     ? "nd"
                                                                      : "rd";
    return fmt::format("{}{}", n, ending);
}

std::string on_noc(const MoveName& move) {
    if (move.kind == MoveKind::step) return "";
    return move.noc == kLinkMoves ? " on its link" : fmt::format(" on NoC {}", move.noc);
}

}  // namespace

std::string name_of(OrderLevel level) { return fmt::format("O{}", static_cast<unsigned>(level)); }

std::string describe_schedule(const Schedule& schedule, const MachineView* view) {
    std::string text;
    switch (schedule.strategy) {
        case Strategy::in_order: text = "in order"; break;
        case Strategy::random_walk:
            text = fmt::format("random walk, seed {}", schedule.seed);
            break;
        case Strategy::pct:
            text = fmt::format("PCT with {} change points, seed {}", schedule.change_points,
                               schedule.seed);
            break;
        case Strategy::producer_at_once:
            text = fmt::format("the producer runs at once after a release, seed {}", schedule.seed);
            break;
        case Strategy::starve:
            text = fmt::format("{} moves only when nothing else can, seed {}",
                               tile_name(schedule.starved_actor, view), schedule.seed);
            break;
    }
    if (schedule.strategy != Strategy::in_order && schedule.split_multicast_one_in != 0) {
        text +=
            fmt::format(", one multicast receiver in {} apart", schedule.split_multicast_one_in);
    }
    return text;
}

std::string describe(const Deviation& deviation, const MachineView* view) {
    const MoveName& hold = deviation.hold;
    const MoveName& until = deviation.until;
    std::string text = fmt::format("hold {}'s {} {}{}", tile_name(hold.actor, view),
                                   ordinal_text(hold.ordinal), stage_name(hold.kind), on_noc(hold));
    const bool same = hold.actor == until.actor && hold.kind == until.kind &&
                      hold.noc == until.noc && hold.ordinal == until.ordinal;
    if (same || until.ordinal == 0) {
        text += " until nothing else can move";  // nobody makes the move it waits for
    } else if (until.kind == MoveKind::step) {
        text += fmt::format(" until {} has made {} step{}", tile_name(until.actor, view),
                            until.ordinal, until.ordinal == 1 ? "" : "s");
    } else {
        text += fmt::format(" until {}'s {} {}{}", tile_name(until.actor, view),
                            ordinal_text(until.ordinal), stage_name(until.kind), on_noc(until));
    }
    return text;
}

}  // namespace cqfuzz
