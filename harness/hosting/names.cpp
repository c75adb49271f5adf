// The values that a manifest's expressions may name.
#include <string>

#include "harness/hosting/manifest.hpp"
#include "harness/run/translate.hpp"
#include "harness/silicon/tiles.hpp"

namespace cqfuzz::hosting {

namespace {

constexpr std::uint32_t kPrefetchQEntryBytes = 2;  // facts §3.2

void add_core(Names& names, const std::string& core, const rt::DispatchCoreLayout& layout,
              const rt::Coord& coord) {
    names[core + ".noc_xy"] = coord.noc_xy();
    names[core + ".noc_x"] = coord.x;
    names[core + ".noc_y"] = coord.y;
    names[core + ".semaphore_base"] = layout.semaphore_base;
    names[core + ".credits"] = layout.semaphore(rt::Semaphore::downstream_credits);
    names[core + ".ready"] = layout.semaphore(rt::Semaphore::upstream_ready);
    names[core + ".sync"] = layout.semaphore(rt::Semaphore::downstream_sync);
    names[core + ".credits_id"] = static_cast<std::uint32_t>(rt::Semaphore::downstream_credits);
    names[core + ".ready_id"] = static_cast<std::uint32_t>(rt::Semaphore::upstream_ready);
    names[core + ".sync_id"] = static_cast<std::uint32_t>(rt::Semaphore::downstream_sync);
    names[core + ".prefetch_q_rd_ptr"] = layout.prefetch_q_rd_ptr;
    names[core + ".prefetch_q_pcie_rd_ptr"] = layout.prefetch_q_pcie_rd_ptr;
    names[core + ".prefetch_q_base"] = layout.prefetch_q_base;
    names[core + ".completion_wr_ptr"] = layout.completion_wr_ptr;
    names[core + ".completion_rd_ptr"] = layout.completion_rd_ptr;
    names[core + ".message"] = layout.dispatch_message;
    for (std::uint32_t queue = 0; queue < rt::DispatchGeometry::kCommandQueuesMax; ++queue)
        names[core + ".last_event" + std::to_string(queue)] = layout.last_event(queue);
    names[core + ".cmddat_q_base"] = layout.cmddat_q_base;
    names[core + ".scratch_base"] = layout.scratch_base;
    names[core + ".ring_base"] = layout.ring_base;
}

void add_ring(Names& names, const std::string& core, const rt::RingGeometry& ring) {
    names[core + ".log_page_size"] = ring.log_page_size;
    names[core + ".page_size"] = ring.page_size_bytes();
    names[core + ".ring_bytes"] = ring.size_bytes();
    names[core + ".pages"] = ring.pages;
    names[core + ".blocks"] = ring.blocks;
    names[core + ".pages_per_block"] = ring.pages_per_block();
}

const rt::DispatchCoreLayout& layout_of(rt::CoreRole role, const rt::DeviceConfig& config) {
    switch (role) {
        case rt::CoreRole::prefetch_d: return config.prefetch_d;
        case rt::CoreRole::dispatch_hd:
        case rt::CoreRole::dispatch_d: return config.dispatch;
        case rt::CoreRole::dispatch_h: return config.dispatch_h;
        default: return config.prefetch;
    }
}

void add_pipeline(Names& names, const rt::DispatchGeometry& g, const rt::DeviceConfig& device) {
    const rt::ChipDescription& chip = device.chip;
    add_core(names, "prefetch", device.prefetch, chip.prefetch);
    add_core(names, "prefetch_d", device.prefetch_d, chip.prefetch_d);
    add_core(names, "dispatch", device.dispatch, chip.dispatch);
    add_core(names, "dispatch_h", device.dispatch_h, chip.dispatch_h);
    add_ring(names, "prefetch_d", g.prefetch_d);
    add_ring(names, "dispatch", g.dispatch);
    add_ring(names, "dispatch_h", g.dispatch_h);
    names["dispatch.packed_write_max_unicast"] = g.packed_write_max_unicast;
    names["prefetch.prefetch_q_entries"] = g.prefetch_q_entries;
    names["prefetch.prefetch_q_bytes"] = g.prefetch_q_entries * kPrefetchQEntryBytes;
    names["prefetch.max_command"] = g.max_prefetch_command_bytes;
    names["prefetch.cmddat_q_bytes"] = g.cmddat_q_bytes;
    names["prefetch.scratch_bytes"] = g.scratch_bytes;
    names["prefetch.ringbuffer_bytes"] = g.ringbuffer_bytes;
    names["host.queue_base"] = device.host.issue_read_ptr;
    names["host.issue_base"] = device.host.issue_base;
    names["host.issue_bytes"] = g.issue_region_bytes;
    names["host.completion_base"] = device.host.completion_base;
    names["host.completion_bytes"] = g.completion_region_bytes;
    names["host.completion_write_ptr"] = device.host.completion_write_ptr;
}

void add_own_runtime(Names& names, const Manifest& manifest, const rt::ChipDescription& chip) {
    const auto add = [&names](const std::string& name, const std::string& text) {
        const Result<std::uint32_t> value = evaluate(text, names);
        if (value) names[name] = value.value();
    };
    for (const HostedRole& role : manifest.roles)
        names[role.name + ".noc_xy"] = coord_of(role.role, chip).noc_xy();
    for (const HostedRing& ring : manifest.rings) {
        add(ring.name + ".base", ring.base);
        add(ring.name + ".page_size", ring.page_size);
        add(ring.name + ".pages", ring.pages);
        add(ring.name + ".ready", ring.ready);
        add(ring.name + ".credits", ring.credits);
    }
    if (manifest.input) add("input.base", manifest.input->base);
}

}  // namespace

rt::Coord coord_of(rt::CoreRole role, const rt::ChipDescription& chip) {
    switch (role) {
        case rt::CoreRole::prefetch_d: return chip.prefetch_d;
        case rt::CoreRole::dispatch_hd:
        case rt::CoreRole::dispatch_d: return chip.dispatch;
        case rt::CoreRole::dispatch_h: return chip.dispatch_h;
        default: return chip.prefetch;
    }
}

Names names_for(const Manifest& manifest, const HostedRole& role, const HostedGeometry& geometry,
                std::uint32_t queue) {
    const rt::DispatchGeometry g = runtime_geometry_of(geometry.part);
    MachineConfig config = machine_config_of(geometry.part, g, OrderLevel::o2);
    config.absolute_pointers = true;
    TileTable tiles;
    tiles.lay_out(config);
    const rt::DeviceConfig device = rt::make_device_config(g, tiles.chip(0), queue);
    const rt::ChipDescription& chip = device.chip;  // of that queue

    Names names;
    const rt::Coord own = coord_of(role.role, chip);
    names["l1"] = tiles.l1_address_of(tiles.at(0, own.x, own.y));
    add_core(names, "own", layout_of(role.role, device), own);
    // The paged cmddat_q of prefetch_d; a prefetcher that fetches from the host has none.
    const bool paged = role.role == rt::CoreRole::prefetch_d;
    names["own.cmddat_q_pages"] = paged ? g.prefetch_d.pages : 0;
    names["own.cmddat_q_log_page_size"] = paged ? g.prefetch_d.log_page_size : 0;
    names["own.cmddat_q_blocks"] = paged ? g.prefetch_d.blocks : 0;
    for (const auto& [name, value] : geometry.values) names[name] = value;
    if (manifest.own_runtime)
        add_own_runtime(names, manifest, chip);
    else
        add_pipeline(names, g, device);
    names["pcie.noc_xy"] = chip.pcie.noc_xy();
    names["pcie.noc_x"] = chip.pcie.x;
    names["pcie.noc_y"] = chip.pcie.y;
    names["dram.banks"] = g.dram_banks;
    names["dram.noc_xy"] = chip.dram_banks.front().noc_xy();
    names["worker.go_message"] = device.worker.go_message;
    names["ethernet.go_message"] = device.ethernet.go_message;
    names["worker.cols"] = chip.worker_cols;
    names["worker.rows"] = chip.worker_rows;
    names["worker.origin_x"] = chip.worker_origin.x;
    names["worker.origin_y"] = chip.worker_origin.y;
    return names;
}

}  // namespace cqfuzz::hosting
