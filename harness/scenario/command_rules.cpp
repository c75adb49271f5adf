#include "harness/scenario/command_rules.hpp"

#include <algorithm>

#include "harness/scenario/domains.hpp"
#include "harness/scenario/edit.hpp"
#include "harness/scenario/limits.hpp"
#include "harness/scenario/verbs.hpp"

namespace cqfuzz::rules {
namespace {

using limits::align_up;

constexpr std::uint32_t kHead = 16;          // a command of either kind
constexpr std::uint32_t kUnit = 32;          // relayed bytes come in units
constexpr std::uint32_t kPackedPartsMax = 35;
constexpr std::uint32_t kLargeBytesMax = 32768;

// One stream, command by command; `keep` is false for a command that has no legal form.
class Settler {
public:
    Settler(const Topology& topology, const Geometry& g, bool in_body)
        : topology_(topology),
          g_(g),
          in_body_(in_body),
          cache_(in_body ? CacheState::unknown() : CacheState{}) {}

    bool operator()(CommandWriteLinear& c) {
        if (c.from.feed == Feed::in_line)
            c.length = std::min(c.length, inline_room(kHead));
        else
            c.length = std::max(c.length / kUnit * kUnit, kUnit);
        c.multicast = c.multicast && c.to.memory == MemoryKind::worker;
        if (!settle(c.to)) return false;
        if (!settle(c.from, c.length)) c.length = std::min(c.length, inline_room(kHead));
        return true;
    }

    bool operator()(CommandWritePaged& c) {
        c.pages = std::max(1u, std::min(c.pages, domains::kStreamBytes.max / c.page_size));
        std::uint32_t length = c.pages * c.page_size;
        const std::uint32_t whole = length;
        if (c.from.feed != Feed::in_line &&
            (length % kUnit != 0 || !settle(c.from, length) || length != whole))
            c.from = Source{};
        if (c.from.feed != Feed::in_line) return true;
        const std::uint32_t room = inline_room(kHead);
        c.page_size = std::min(c.page_size, room / 16 * 16);
        c.pages = std::min(c.pages, room / c.page_size);
        return true;
    }

    bool operator()(CommandWritePacked& c) {
        if (c.to.memory == MemoryKind::dram) c.to.memory = MemoryKind::worker;
        c.multicast = c.multicast && c.to.memory == MemoryKind::worker;
        if (!settle(c.to)) return false;
        const std::uint32_t most = g_.packed_write_max_unicast;
        c.count = std::min(c.count, c.multicast ? most / 2 : most);
        c.size = std::min(c.size, limits::dispatch_page_bytes(g_));
        const auto head = [&c] { return align_up(kHead + c.count * (c.multicast ? 8 : 4), 16); };
        const std::uint32_t room = g_.max_prefetch_command - kHead;
        if (c.shared_payload) {
            const std::uint32_t page = std::min(limits::dispatch_page_bytes(g_), room);
            c.size = std::min(c.size, page - head());
            return true;
        }
        while (c.count > 1 && head() + c.count * align_up(c.size, 16) > room) --c.count;
        c.size = std::min(c.size, (room - head()) / 16 * 16);
        return true;
    }

    bool operator()(CommandWriteLarge& c) {
        if (c.from.feed == Feed::paged || c.from.feed == Feed::cache) c.from = Source{};
        for (LargePart& part : c.parts) settle(part.cores, false);
        if (c.from.feed != Feed::in_line) {
            bound_parts(c, kLargeBytesMax);
            if (std::uint32_t length = payload_bytes(c);
                length % kUnit != 0 || length == 0 || !settle(c.from, length))
                c.from = Source{};
        }
        if (c.from.feed == Feed::in_line) bound_inline_parts(c);
        for (std::size_t i = 0; i < c.parts.size(); ++i) {
            LargePart& part = c.parts[i];
            const LargePart* next = i + 1 < c.parts.size() ? &c.parts[i + 1] : nullptr;
            part.linked = part.linked && part.multicast && next != nullptr && next->multicast &&
                          same(part.cores, next->cores);
        }
        return !c.parts.empty();
    }

    bool operator()(CommandWriteHost& c) {
        if (c.length == 0) c.from = Source{};
        if (c.from.feed != Feed::in_line) c.length = std::max(c.length / kUnit * kUnit, kUnit);
        settle(c.from, c.length);
        if (c.from.feed == Feed::in_line) c.length = std::min(c.length, inline_room(kHead));
        return true;
    }

    bool operator()(CommandWait& c) {
        c.wait = c.wait || c.clear;
        if (!c.wait || c.clear) c.behind = 0;
        return true;
    }

    bool operator()(CommandGo& c) {
        c.ethernet = std::min(c.ethernet, topology_.ethernet_cores);
        return true;
    }

    bool operator()(CommandCacheLoad& c) {
        c.start %= g_.dram_banks;
        if (!cache_.write_known || cache_.write + c.length > kCacheBytes) c.reset = true;
        cache_.load(c);
        return true;
    }

    bool operator()(CommandCacheOffset& c) {
        cache_.offset = c.offset;
        cache_.offset_known = true;
        return true;
    }

    bool operator()(CommandExecBuf&) {
        cache_ = CacheState::unknown();
        return !in_body_;
    }
    bool operator()(CommandPrefetchDebug&) { return !in_body_; }
    bool operator()(CommandSubmit&) { return !in_body_; }
    bool operator()(CommandReadCompletions&) { return !in_body_; }
    bool operator()(CommandCorrupt&) { return !in_body_; }

    template <class T>
    bool operator()(T&) {
        return true;
    }

private:
    // C3: what an inline command may carry behind its head.
    std::uint32_t inline_room(std::uint32_t head) const {
        return g_.max_prefetch_command - kHead - head;
    }

    static bool same(const CoreRange& a, const CoreRange& b) {
        return a.x0 == b.x0 && a.x1 == b.x1 && a.y0 == b.y0 && a.y1 == b.y1;
    }

    void settle(CoreRange& range, bool on_ethernet) const {
        const std::uint32_t cols = on_ethernet ? topology_.ethernet_cores : topology_.worker_cols;
        const std::uint32_t rows = on_ethernet ? 1 : topology_.worker_rows;
        if (range.x0 > range.x1) std::swap(range.x0, range.x1);
        if (range.y0 > range.y1) std::swap(range.y0, range.y1);
        range.x0 = std::min(range.x0, cols - 1);
        range.x1 = std::min(range.x1, cols - 1);
        range.y0 = std::min(range.y0, rows - 1);
        range.y1 = std::min(range.y1, rows - 1);
    }

    // C2
    bool settle(Destination& to) const {
        if (to.memory == MemoryKind::ethernet && topology_.ethernet_cores == 0) return false;
        if (to.memory == MemoryKind::dram) {
            const std::uint32_t bank = to.cores.x0 % g_.dram_banks;
            to.cores = {bank, 0, bank, 0};
        } else {
            settle(to.cores, to.memory == MemoryKind::ethernet);
        }
        return true;
    }

    // C4, C7: false when the bytes come in line now. May shorten `length` to whole units.
    bool settle(Source& from, std::uint32_t& length) {
        const std::uint32_t half = g_.scratch / 2;
        switch (from.feed) {
            case Feed::in_line: return false;
            case Feed::linear:
            case Feed::paged: break;
            case Feed::packed: {
                const std::uint32_t least = (length + half - 1) / half;
                const std::uint32_t most = std::min(kPackedPartsMax, length / kUnit);
                if (least > most) {
                    from = Source{};
                    return false;
                }
                from.parts = std::clamp(from.parts, least, most);
                break;
            }
            case Feed::cache: return settle_cache_feed(from, length);
        }
        cache_.take_scratch();
        return true;
    }

    bool settle_cache_feed(Source& from, std::uint32_t& length) const {
        const auto begin = [&] { return cache_.offset + from.start * kUnit; };
        if (cache_.offset_known && (begin() < cache_.begin || begin() >= cache_.end)) from.start = 0;
        if (!cache_.offset_known || begin() < cache_.begin || begin() + kUnit > cache_.end) {
            from = Source{};
            return false;
        }
        length = std::min(length, cache_.end - begin());
        from.parts = std::min(from.parts, length / kUnit);
        return true;
    }

    static void bound_parts(CommandWriteLarge& c, std::uint32_t bytes) {
        while (payload_bytes(c) > bytes) c.parts.pop_back();
    }

    // C6
    void bound_inline_parts(CommandWriteLarge& c) const {
        const auto head = [&c] {
            return align_up(kHead + static_cast<std::uint32_t>(c.parts.size()) * 12, 16);
        };
        while (c.parts.size() > 1 && payload_bytes(c) > inline_room(head())) c.parts.pop_back();
        if (c.parts.empty() || payload_bytes(c) <= inline_room(head())) return;
        const std::uint32_t room = inline_room(head()) / c.alignment * c.alignment;
        c.parts[0].length = std::min(c.parts[0].length, room);
    }

    const Topology& topology_;
    const Geometry& g_;
    bool in_body_;
    CacheState cache_;
};

void settle_list(std::vector<Command>& commands, Settler settler) {
    keep_if(commands, [&settler](Command& command) { return std::visit(settler, command); });
}

std::string_view name_of_rule(const Command& command) {
    if (std::holds_alternative<CommandWriteLarge>(command)) return "C2, C3, C4, C6";
    if (std::holds_alternative<CommandWritePacked>(command)) return "C2, C3, C5";
    if (std::holds_alternative<CommandWait>(command) || std::holds_alternative<CommandGo>(command))
        return "C8";
    if (std::holds_alternative<CommandCacheLoad>(command)) return "C7";
    return "C2, C3, C4, C7, C9";
}

std::optional<BrokenCommand> broken_in(const std::vector<Command>& commands, Settler settler) {
    for (std::size_t i = 0; i < commands.size(); ++i) {
        BrokenCommand broken;
        broken.nearest = commands[i];
        broken.stands = std::visit(settler, broken.nearest);
        if (broken.stands && equal(broken.nearest, commands[i])) continue;
        broken.list = "command";
        broken.index = static_cast<std::uint32_t>(i);
        broken.rule = name_of_rule(commands[i]);
        return broken;
    }
    return std::nullopt;
}

}  // namespace

void CacheState::load(const CommandCacheLoad& command) {
    if (command.reset) {
        write = 0;
        write_known = true;
    }
    if (write == end && begin < end) {
        end += command.length;
    } else {
        begin = write;
        end = write + command.length;
    }
    if (!command.keep) write += command.length;
}

std::uint32_t payload_bytes(const CommandWriteLarge& command) {
    std::uint32_t bytes = 0;
    for (const LargePart& part : command.parts) bytes += align_up(part.length, command.alignment);
    return bytes;
}

std::uint32_t part_bytes(std::uint32_t length, std::uint32_t parts, std::uint32_t i) {
    const std::uint32_t units = length / kUnit;
    return (units / parts + (i < units % parts ? 1 : 0)) * kUnit;
}

void settle_commands(Scenario& scenario) {
    if (scenario.commands.empty()) {
        scenario.bodies.clear();
        return;
    }
    // C1
    scenario.ops.clear();
    scenario.programs.clear();
    scenario.buffers.clear();
    scenario.traces.clear();
    for (CommandBody& body : scenario.bodies)
        settle_list(body.commands, Settler(scenario.topology, scenario.geometry, true));
    settle_list(scenario.commands, Settler(scenario.topology, scenario.geometry, false));
    if (scenario.commands.empty()) scenario.bodies.clear();
}

std::optional<BrokenCommand> broken_command(const Scenario& scenario) {
    for (std::size_t i = 0; i < scenario.bodies.size(); ++i) {
        std::optional<BrokenCommand> broken =
            broken_in(scenario.bodies[i].commands,
                      Settler(scenario.topology, scenario.geometry, true));
        if (!broken) continue;
        broken->list = "body";
        broken->body = static_cast<std::uint32_t>(i);
        return broken;
    }
    return broken_in(scenario.commands, Settler(scenario.topology, scenario.geometry, false));
}

}  // namespace cqfuzz::rules
