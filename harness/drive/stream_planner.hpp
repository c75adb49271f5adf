// StreamPlanner: commands as values → what they will have done (base/stream_plan.hpp), and which
// source bytes they need. Knows no wire format.
#pragma once

#include <vector>

#include "harness/base/stream_plan.hpp"
#include "harness/drive/stream_layout.hpp"
#include "harness/scenario/command_rules.hpp"
#include "harness/scenario/scenario.hpp"

namespace cqfuzz {

struct SourceRange {
    SourceSpot spot;
    std::uint32_t length = 0;
};

class StreamPlanner {
public:
    // REQUIRES: the scenario is legal and has commands.
    StreamPlanner(const Scenario& scenario, const rt::DeviceConfig& config);

    StreamPlan take() { return std::move(plan_); }
    const std::vector<SourceRange>& sources() const { return sources_; }

    void operator()(const CommandWriteLinear& c);
    void operator()(const CommandWritePaged& c);
    void operator()(const CommandWritePacked& c);
    void operator()(const CommandWriteLarge& c);
    void operator()(const CommandWriteHost& c);
    void operator()(const CommandWait& c);
    void operator()(const CommandGo& c);
    void operator()(const CommandCacheLoad& c);
    void operator()(const CommandCacheOffset& c);
    void operator()(const CommandExecBuf& c);
    void operator()(const CommandCorrupt&) { plan_.predicted = false; }
    template <class T>
    void operator()(const T&) {}

private:
    // The bytes of a write, as the dispatcher gets them.
    StreamBytes feed(const Source& from, std::uint32_t length, std::uint32_t seed);
    void take_source(SourceSpot spot, std::uint32_t length);
    void take_pages(std::uint32_t base, std::uint32_t page, std::uint32_t page_size,
                    bool on_workers, std::uint32_t length);
    void add_write(NocRectangle receivers, bool multicast, std::uint32_t address,
                   StreamBytes bytes);
    NocRectangle rectangle(const CoreRange& cores) const;
    static NocRectangle one(rt::Coord coord) { return {{coord.x, coord.y}, {coord.x, coord.y}}; }

    const Scenario& scenario_;
    StreamLayout layout_;
    StreamPlan plan_;
    std::vector<SourceRange> sources_;
    std::vector<std::byte> cache_;  // of the prefetcher, as loads fill it
    rules::CacheState cache_state_;
    std::uint32_t op_ = 0;
    std::uint32_t barriers_ = 0;
    std::uint32_t writes_sure_ = 0;
};

}  // namespace cqfuzz
