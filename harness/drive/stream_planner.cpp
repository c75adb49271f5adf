#include "harness/drive/stream_planner.hpp"

#include <algorithm>

#include "harness/drive/contents.hpp"
#include "harness/scenario/limits.hpp"

namespace cqfuzz {
namespace {

constexpr std::uint32_t kUnit = 32;  // `start` of linear and cache feeds

}  // namespace

StreamPlanner::StreamPlanner(const Scenario& scenario, const rt::DeviceConfig& config)
    : scenario_(scenario), layout_(config) {
    plan_.split = config.geometry.split;
    for (; op_ < scenario.commands.size(); ++op_) std::visit(*this, scenario.commands[op_]);
}

void StreamPlanner::take_source(SourceSpot spot, std::uint32_t length) {
    const std::size_t first = plan_.pool.size();
    plan_.pool.resize(first + length);
    fill_source(spot, std::span(plan_.pool).subspan(first));
    sources_.push_back({spot, length});
}

void StreamPlanner::take_pages(std::uint32_t base, std::uint32_t page, std::uint32_t page_size,
                               bool on_workers, std::uint32_t length) {
    for (; length != 0; ++page) {
        const std::uint32_t n = std::min(length, page_size);
        take_source(layout_.spot(base, page, page_size, on_workers), n);
        length -= n;
    }
}

StreamBytes StreamPlanner::feed(const Source& from, std::uint32_t length, std::uint32_t seed) {
    const StreamBytes bytes{static_cast<std::uint32_t>(plan_.pool.size()), length};
    const std::uint32_t base = layout_.sources(false);
    switch (from.feed) {
        case Feed::in_line: {
            std::vector<std::byte> drawn;
            fill_bytes(seed, length, drawn);
            plan_.pool.insert(plan_.pool.end(), drawn.begin(), drawn.end());
            return bytes;
        }
        case Feed::linear:
            take_source({layout_.bank(from.start, false), base + from.start * kUnit}, length);
            break;
        case Feed::paged:
            take_pages(layout_.sources(from.on_workers), from.start, from.page_size,
                       from.on_workers, length);
            break;
        case Feed::packed: {
            for (std::uint32_t i = 0; i < from.parts; ++i)
                take_pages(base, from.start + i, 1u << from.log_page, false,
                           rules::part_bytes(length, from.parts, i));
            break;
        }
        case Feed::cache: {
            const auto begin =
                cache_.begin() + cache_state_.offset + std::ptrdiff_t{from.start} * kUnit;
            plan_.pool.insert(plan_.pool.end(), begin, begin + length);
            return bytes;  // scratch is not used
        }
    }
    cache_state_.take_scratch();
    return bytes;
}

void StreamPlanner::add_write(NocRectangle receivers, bool multicast, std::uint32_t address,
                              StreamBytes bytes) {
    plan_.writes.push_back({op_, receivers, multicast, false, address, barriers_, bytes});
}

NocRectangle StreamPlanner::rectangle(const CoreRange& cores) const {
    const rt::Coord first = layout_.worker(cores.x0, cores.y0);
    const rt::Coord last = layout_.worker(cores.x1, cores.y1);
    return {{first.x, first.y}, {last.x, last.y}};
}

void StreamPlanner::operator()(const CommandWriteLinear& c) {
    const StreamBytes bytes = feed(c.from, c.length, c.content_seed);
    add_write(c.multicast ? rectangle(c.to.cores) : one(layout_.receiver(c.to)), c.multicast,
              layout_.destinations(c.to.memory) + c.to.offset, bytes);
    plan_.writes.back().by_host_side = c.from_host_side && plan_.split;
}

void StreamPlanner::operator()(const CommandWritePaged& c) {
    const StreamBytes bytes = feed(c.from, c.pages * c.page_size, c.content_seed);
    const std::uint32_t base =
        layout_.destinations(c.on_workers ? MemoryKind::worker : MemoryKind::dram) + c.offset;
    for (std::uint32_t i = 0; i < c.pages; ++i) {
        const SourceSpot spot = layout_.spot(base, c.start_page + i, c.page_size, c.on_workers);
        add_write(one(spot.coord), false, spot.address,
                  {bytes.first + i * c.page_size, c.page_size});
    }
}

// Payloads follow each other, 16-aligned.
void StreamPlanner::operator()(const CommandWritePacked& c) {
    const std::uint32_t stride = limits::align_up(c.size, 16);
    const std::uint32_t payloads = c.shared_payload ? 1 : c.count;
    const StreamBytes bytes = feed(Source{}, payloads * stride, c.content_seed);
    const CoreRange& r = c.to.cores;
    const std::uint32_t cols = r.x1 - r.x0 + 1;
    const std::uint32_t rows = r.y1 - r.y0 + 1;
    const std::uint32_t address = layout_.destinations(c.to.memory) + c.to.offset;
    for (std::uint32_t i = 0; i < c.count; ++i) {
        NocRectangle to;
        if (c.multicast) {
            const std::uint32_t row = r.y0 + i % rows;
            to = rectangle(c.by_rows ? CoreRange{r.x0, row, r.x1, row} : r);
        } else {
            const std::uint32_t core = i % (cols * rows);
            Destination single = c.to;
            single.cores.x0 = r.x0 + core % cols;
            single.cores.y0 = r.y0 + core / cols;
            to = one(layout_.receiver(single));
        }
        add_write(to, c.multicast, address,
                  {bytes.first + (c.shared_payload ? 0 : i * stride), c.size});
    }
}

void StreamPlanner::operator()(const CommandWriteLarge& c) {
    const StreamBytes bytes = feed(c.from, rules::payload_bytes(c), c.content_seed);
    std::uint32_t at = bytes.first;
    for (const LargePart& part : c.parts) {
        const NocRectangle to = part.multicast
                                    ? rectangle(part.cores)
                                    : one(layout_.worker(part.cores.x0, part.cores.y0));
        add_write(to, part.multicast, layout_.destinations(MemoryKind::worker) + part.offset,
                  {at, part.length});
        at += limits::align_up(part.length, c.alignment);
    }
}

void StreamPlanner::operator()(const CommandWriteHost& c) {
    const StreamBytes bytes = feed(c.from, c.length, c.content_seed);
    plan_.completions.push_back({op_, bytes});
}

void StreamPlanner::operator()(const CommandWait& c) {
    if (!c.barrier) return;
    ++barriers_;
    writes_sure_ = static_cast<std::uint32_t>(plan_.writes.size());
}

void StreamPlanner::operator()(const CommandGo& c) {
    plan_.gos.push_back({op_, c.workers, c.ethernet, writes_sure_});
}

void StreamPlanner::operator()(const CommandCacheLoad& c) {
    if (cache_.empty()) cache_.resize(rules::kCacheBytes);
    const std::uint32_t to = c.reset ? 0 : cache_state_.write;
    const StreamBytes loaded{static_cast<std::uint32_t>(plan_.pool.size()), c.length};
    take_pages(layout_.sources(false), c.start, 1u << c.log_page, false, c.length);
    const auto bytes = plan_.bytes_of(loaded);
    std::copy(bytes.begin(), bytes.end(), cache_.begin() + to);
    cache_state_.load(c);
}

void StreamPlanner::operator()(const CommandCacheOffset& c) {
    cache_state_.offset = c.offset;
    cache_state_.offset_known = true;
}

void StreamPlanner::operator()(const CommandExecBuf& c) {
    cache_state_ = rules::CacheState::unknown();
    for (const Command& command : scenario_.bodies[c.body].commands) std::visit(*this, command);
    cache_state_ = rules::CacheState::unknown();
}

}  // namespace cqfuzz
