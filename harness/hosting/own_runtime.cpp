#include "harness/hosting/own_runtime.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <span>

#include "harness/scenario/verbs.hpp"
#include "harness/silicon/machine.hpp"

namespace cqfuzz::hosting {

namespace {

constexpr std::uint32_t kPageBytesMin = 16;
constexpr std::uint32_t kRingPagesMax = 1u << 16;

const HostedRole& role_named(const Manifest& manifest, const std::string& name) {
    for (const HostedRole& role : manifest.roles)
        if (role.name == name) return role;
    return manifest.roles.front();  // the manifest's reader has refused it
}

// Expressions of one thing; the first mistake is kept.
class Values {
public:
    Values(std::string what, const Names& names) : what_(std::move(what)), names_(names) {}
    std::uint32_t of(const char* key, const std::string& text) {
        const Result<std::uint32_t> value = evaluate(text, names_);
        if (!value) {
            refuse(key, value.message());
            return 0;
        }
        return value.value();
    }
    // An aligned place of L1.
    std::uint32_t place(const char* key, const std::string& text, std::uint64_t bytes) {
        const std::uint32_t value = of(key, text);
        if (value % 4 != 0 || value + bytes > kL1SlotBytes)
            refuse(key, fmt::format("{:#x} is no aligned place of L1 with room for {} bytes", value,
                                    bytes));
        return value;
    }
    void refuse(const char* key, const std::string& why) {
        if (mistake_.empty()) mistake_ = fmt::format("{}: {}: {}", what_, key, why);
    }
    const std::string& mistake() const { return mistake_; }

private:
    std::string what_;
    const Names& names_;
    std::string mistake_;
};

void write_word(rt::Cluster& machine, rt::Coord core, std::uint32_t address, std::uint32_t value) {
    machine.l1_write(core, address, std::as_bytes(std::span(&value, 1)));
}

}  // namespace

Role tile_role_of(rt::CoreRole role) {
    switch (role) {
        case rt::CoreRole::prefetch_hd: return Role::prefetch_hd;
        case rt::CoreRole::prefetch_h: return Role::prefetch_h;
        case rt::CoreRole::prefetch_d: return Role::prefetch_d;
        case rt::CoreRole::dispatch_hd: return Role::dispatch_hd;
        case rt::CoreRole::dispatch_h: return Role::dispatch_h;
        case rt::CoreRole::dispatch_d: return Role::dispatch_d;
        default: return Role::none;
    }
}

Result<OwnRuntime> OwnRuntime::make(const Manifest& manifest, const HostedGeometry& geometry) {
    OwnRuntime runtime;
    const Names names = names_for(manifest, manifest.roles.front(), geometry);
    for (const HostedRole& role : manifest.roles) runtime.cores_.push_back({role.name, role.role});
    for (const HostedRing& ring : manifest.rings) {
        Values values("ring " + ring.name, names);
        Ring out;
        out.view.name = ring.name;
        out.view.page_size_bytes = values.of("page_size", ring.page_size);
        out.view.page_count = values.of("pages", ring.pages);
        const std::uint32_t page = out.view.page_size_bytes;
        if (page < kPageBytesMin || (page & (page - 1)) != 0 || page > kL1SlotBytes)
            values.refuse("page_size", fmt::format("{} is no power of two from 16", page));
        if (out.view.page_count == 0 || out.view.page_count > kRingPagesMax)
            values.refuse(
                "pages", fmt::format("{} is not from 1 to {}", out.view.page_count, kRingPagesMax));
        out.view.base = values.place("base", ring.base, std::uint64_t{page} * out.view.page_count);
        out.view.ready_address = values.place("ready", ring.ready, 4);
        out.view.credit_address = values.place("credits", ring.credits, 4);
        if (!values.mistake().empty()) return Error{values.mistake()};
        out.view.pages_per_block = 1;
        out.view.totals_are_written = ring.totals;
        const HostedRole& consumer = role_named(manifest, ring.consumer);
        out.view.over_read_bytes = 4 * consumer.over_read_words;
        out.producer = role_named(manifest, ring.producer).role;
        out.consumer = consumer.role;
        runtime.rings_.push_back(out);
    }
    if (manifest.input) {
        Values values("input", names);
        const Input input{role_named(manifest, manifest.input->role).role,
                          values.place("base", manifest.input->base, 4 * (1 + kInputWordsMax))};
        if (!values.mistake().empty()) return Error{values.mistake()};
        runtime.input_ = input;
    }
    return runtime;
}

void OwnRuntime::describe(MachineView& view) const {
    view.rings.clear();
    view.stagings.clear();
    view.issue_regions.clear();
    view.completion_regions.clear();
    view.completion_counter_address = ~0u;
    for (const Ring& ring : rings_) {
        view.rings.push_back(ring.view);
        view.rings.back().producer = view.tile_of(tile_role_of(ring.producer));
        view.rings.back().consumer = view.tile_of(tile_role_of(ring.consumer));
    }
    for (const Core& core : cores_) {
        TileView& tile = view.tiles[view.tile_of(tile_role_of(core.role))];
        tile.role = Role::none;
        tile.name = core.name;
    }
}

void OwnRuntime::drive(rt::Cluster& machine, const Scenario& scenario) const {
    const rt::ChipDescription& chip = machine.chip(0);
    for (const Ring& ring : rings_)
        if (!ring.view.totals_are_written)
            write_word(machine, coord_of(ring.producer, chip), ring.view.credit_address,
                       ring.view.page_count);
    if (input_) {
        std::vector<std::uint32_t> words{0};
        for (const Op& op : scenario.ops)
            if (const auto* word = std::get_if<OpWriteBuffer>(&op))
                words.push_back(word->content_seed);
        words.resize(std::min<std::size_t>(words.size(), 1 + kInputWordsMax));
        words.front() = static_cast<std::uint32_t>(words.size() - 1);
        machine.l1_write(coord_of(input_->role, chip), input_->base,
                         std::as_bytes(std::span(words)));
    }
    machine.fence();
    for (const Core& core : cores_)
        machine.start_core({core.role, coord_of(core.role, chip), nullptr});
    machine.waypoint("waits for the exit of the cores");
    for (const Core& core : cores_) machine.wait_core_exit(coord_of(core.role, chip));
}

void OwnRuntime::adapt(Scenario& scenario) {
    scenario.programs.clear();
    scenario.traces.clear();
    scenario.bodies.clear();
    scenario.commands.clear();
    scenario.behaviour = Behaviour{};
    scenario.buffers.assign(1, Buffer{});
    // What the op was is as good a number as any, and a word stays what it is.
    std::vector<Op> words;
    for (const Op& op : scenario.ops) {
        const auto* word = std::get_if<OpWriteBuffer>(&op);
        const auto seed = static_cast<std::uint32_t>(op.index() * 7 + words.size());
        words.emplace_back(OpWriteBuffer{0, word != nullptr ? word->content_seed : seed, 0, 0});
    }
    if (words.size() > kInputWordsMax) words.resize(kInputWordsMax);
    scenario.ops = std::move(words);
}

}  // namespace cqfuzz::hosting
