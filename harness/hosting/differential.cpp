#include "harness/hosting/differential.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>

namespace cqfuzz::hosting {

namespace {

constexpr std::size_t kLinesMax = 16;

struct Place {
    TileIndex tile = kNoTile;
    std::uint32_t address = 0;
    friend auto operator<=>(const Place&, const Place&) = default;
};

struct RingTraffic {
    std::int64_t handed_over = 0;
    std::int64_t given_back = 0;
};

struct Outcome {
    std::map<Place, std::byte> bytes;  // as they were last written
    std::vector<RingTraffic> rings;
};

class Watch {
public:
    Watch(Outcome& outcome, const MachineView& view) : outcome_(outcome), view_(view) {}

    void see(const LogEntry& entry) {
        if (outcome_.rings.size() < view_.rings.size()) outcome_.rings.resize(view_.rings.size());
        if (entry.kind != LogKind::noc_arrive) return;
        if (entry.noc_kind == NocKind::atomic) return count(entry);
        if (entry.noc_kind == NocKind::read || entry.data == nullptr) return;
        if (entry.target != kNoTile) return write(entry, entry.target);
        for (TileIndex tile = 0; tile < view_.tiles.size(); ++tile)
            if (view_.tiles[tile].chip == view_.tiles[entry.tile].chip &&
                entry.receivers.contains(view_.tiles[tile].coord) && tile != entry.tile)
                write(entry, tile);
    }

private:
    // Credits that one end of a ring gives the other; what an end does to its own word is its own
    // way of counting.
    void count(const LogEntry& entry) {
        for (std::size_t r = 0; r < view_.rings.size(); ++r) {
            const RingView& ring = view_.rings[r];
            const auto pages = static_cast<std::int32_t>(entry.value);
            if (entry.tile == ring.producer && entry.target == ring.consumer &&
                entry.target_address == ring.ready_address)
                outcome_.rings[r].handed_over += pages;
            if (entry.tile == ring.consumer && entry.target == ring.producer &&
                entry.target_address == ring.credit_address)
                outcome_.rings[r].given_back += pages;
        }
    }

    bool is_destination(TileIndex tile, std::uint32_t address) const {
        const TileKind kind = view_.tiles[tile].kind;
        if (kind == TileKind::worker || kind == TileKind::ethernet || kind == TileKind::dram)
            return true;
        for (const CompletionRegionView& region : view_.completion_regions)
            if (region.pcie == tile && address >= region.base &&
                address - region.base < region.page_size_bytes * region.page_count)
                return true;
        return false;
    }

    void write(const LogEntry& entry, TileIndex tile) {
        if (!is_destination(tile, entry.target_address)) return;
        for (std::uint32_t i = 0; i < entry.length; ++i)
            outcome_.bytes[{tile, entry.target_address + i}] = entry.data[i];
    }

    Outcome& outcome_;
    const MachineView& view_;
};

// The built-in firmware, spoken to as the hosted one is: without commands that this does not have.
class BuiltIn final : public HostedFirmware {
public:
    explicit BuiltIn(const rt::Generation& hosted) : generation_(hosted) {
        const rt::Generation own = rt::late_2024();
        keep(own.prefetch, generation_.prefetch);
        keep(own.dispatch, generation_.dispatch);
    }
    void begin_run() override {}
    void end_run() override {}
    bool run(const rt::CoreLaunch&) override { return false; }
    const rt::Generation* generation() const override { return &generation_; }
    void describe(MachineView&) const override {}
    bool is_runtime() const override { return false; }
    void drive(rt::Cluster&, const Scenario&) override {}

private:
    template <class Ids>
    static void keep(const Ids& own, Ids& ids) {
        for (std::size_t id = 0; id < ids.size(); ++id)
            if (ids[id] != rt::Generation::kUnknown) ids[id] = own[id];
    }
    rt::Generation generation_;
};

Verdict run_one(Runner& runner, HostedFirmware* hosted, const Scenario& scenario,
                std::uint32_t oracles, Outcome& outcome) {
    RunOptions options;
    options.oracles = oracles;
    options.hosted = hosted;
    options.order_max = OrderLevel::o1;
    Watch watch(outcome, runner.view());
    options.on_entry = [&watch](const LogEntry& entry) { watch.see(entry); };
    return runner.run(scenario, options);
}

// Bytes in a row that differ in the same way are one line.
void compare_bytes(const MachineView& view, const Outcome& built_in, const Outcome& hosted,
                   std::vector<std::string>& lines) {
    Place last{};
    const auto tell = [&](const Place& place, const char* what) {
        const bool goes_on = place.tile == last.tile && place.address == last.address + 1;
        last = place;
        if (!goes_on && lines.size() < kLinesMax)
            lines.push_back(
                fmt::format("{} {:#x}: {}", view.describe(place.tile), place.address, what));
    };
    for (const auto& [place, byte] : built_in.bytes) {
        const auto other = hosted.bytes.find(place);
        if (other == hosted.bytes.end())
            tell(place, "the built-in firmware wrote here, the hosted did not");
        else if (other->second != byte)
            tell(place, "other bytes");
    }
    for (const auto& [place, byte] : hosted.bytes)
        if (built_in.bytes.count(place) == 0)
            tell(place, "the hosted firmware wrote here, the built-in did not");
}

}  // namespace

Difference compare(Runner& runner, HostedKernels& kernels, const Scenario& scenario,
                   std::uint32_t oracles) {
    Scenario plain = scenario;
    plain.schedule = Schedule{};
    Difference difference;
    Outcome built_in;
    Outcome hosted;
    BuiltIn built_in_firmware(*kernels.generation());
    difference.built_in = run_one(runner, &built_in_firmware, plain, oracles, built_in);
    difference.hosted = run_one(runner, &kernels, plain, oracles, hosted);
    if (difference.built_in.bad() || difference.hosted.bad()) return difference;
    const MachineView view = runner.view();
    compare_bytes(view, built_in, hosted, difference.lines);
    for (std::size_t r = 0; r < std::min(built_in.rings.size(), hosted.rings.size()); ++r) {
        const RingTraffic& a = built_in.rings[r];
        const RingTraffic& b = hosted.rings[r];
        if (a.handed_over != b.handed_over || a.given_back != b.given_back)
            difference.lines.push_back(fmt::format(
                "{}: built-in {} pages handed over and {} given back, hosted {} and {}",
                view.rings[r].name, a.handed_over, a.given_back, b.handed_over, b.given_back));
    }
    return difference;
}

}  // namespace cqfuzz::hosting
