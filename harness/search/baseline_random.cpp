// The arm baseline-random: random streams as they are drawn today, and what would be seen of them.
#include <algorithm>
#include <array>
#include <string_view>

#include "harness/search/next_scenario.hpp"

namespace cqfuzz {

namespace {

constexpr std::uint32_t kSide = 2;  // workers
constexpr std::uint32_t kTriesMax = 48;
constexpr std::uint32_t kOffsetMax = 16368;   // the last place where a write may begin
constexpr std::uint32_t kLinearMax = 4096;    // bytes
constexpr std::uint32_t kPackedMax = 1024;    // bytes for each core
constexpr std::uint32_t kPageUnitsMax = 128;  // of 32 bytes

// Where the next write to each core goes: behind the last one.
class Ends {
public:
    std::uint32_t& of(std::uint32_t x, std::uint32_t y) { return ends_[y * kSide + x]; }
    std::uint32_t highest_in(const CoreRange& cores) {
        std::uint32_t highest = 0;
        for (std::uint32_t y = cores.y0; y <= cores.y1; ++y)
            for (std::uint32_t x = cores.x0; x <= cores.x1; ++x)
                highest = std::max(highest, of(x, y));
        return highest;
    }
    void level(const CoreRange& cores, std::uint32_t end) {
        for (std::uint32_t y = cores.y0; y <= cores.y1; ++y)
            for (std::uint32_t x = cores.x0; x <= cores.x1; ++x) of(x, y) = (end + 15) / 16 * 16;
    }

private:
    std::array<std::uint32_t, kSide * kSide> ends_{};
};

Destination to_core(Ends& ends, std::uint32_t length, Rng& rng) {
    Destination to;
    to.cores.x0 = to.cores.x1 = rng.below(kSide);
    to.cores.y0 = to.cores.y1 = rng.below(kSide);
    to.offset = ends.of(to.cores.x0, to.cores.y0);
    ends.level(to.cores, to.offset + length);
    return to;
}

Command draw_paged(Ends& ends, Rng& rng) {
    CommandWriteLinear c;
    c.from.feed = Feed::paged;
    c.from.page_size = 32 * (1 + rng.below(kPageUnitsMax));
    c.from.start = rng.below(16);
    c.length = c.from.page_size * (1 + rng.below(4));
    c.to = to_core(ends, c.length, rng);
    return c;
}

Command draw_inline(Ends& ends, Rng& rng) {
    CommandWriteLinear c;
    c.length = 1 + rng.below(kLinearMax);
    c.content_seed = rng.below(1u << 16);
    c.to = to_core(ends, c.length, rng);
    return c;
}

Command draw_packed(Ends& ends, Rng& rng) {
    CommandWritePacked c;
    CoreRange& cores = c.to.cores;
    cores.x0 = rng.below(kSide);
    cores.y0 = rng.below(kSide);
    cores.x1 = cores.x0 + rng.below(kSide - cores.x0);
    cores.y1 = cores.y0 + rng.below(kSide - cores.y0);
    c.count = (cores.x1 - cores.x0 + 1) * (cores.y1 - cores.y0 + 1);
    c.size = 1 + rng.below(kPackedMax);
    c.shared_payload = rng.one_in(2);
    c.content_seed = rng.below(1u << 16);
    c.to.offset = ends.highest_in(cores);
    ends.level(cores, c.to.offset + c.size);
    return c;
}

std::uint32_t offset_of(const Command& command) {
    if (const auto* linear = std::get_if<CommandWriteLinear>(&command)) return linear->to.offset;
    return std::get<CommandWritePacked>(command).to.offset;
}

}  // namespace

Scenario draw_baseline(Rng& rng) {
    Scenario scenario;
    Ends ends;
    // Until the cores are about full: their areas hold 32 KB.
    for (std::uint32_t tries = 0; tries < kTriesMax; ++tries) {
        const Ends before = ends;
        const std::uint32_t kind = rng.below(4);
        const Command command = kind < 2    ? draw_paged(ends, rng)
                                : kind == 2 ? draw_inline(ends, rng)
                                            : draw_packed(ends, rng);
        if (offset_of(command) > kOffsetMax)
            ends = before;
        else
            scenario.commands.push_back(command);
    }
    legalise(scenario);
    return scenario;
}

bool baseline_sees(const Verdict& verdict) {
    if (verdict.kind != VerdictKind::violation) return verdict.bad();
    constexpr std::array<std::string_view, 4> kSeen{
        "golden-memory/wrong-at-end", "golden-memory/wrong-bytes", "golden-memory/wrong-completion",
        "firmware-asserts/failed"};
    return std::find(kSeen.begin(), kSeen.end(), verdict.violation.property) != kSeen.end();
}

}  // namespace cqfuzz
