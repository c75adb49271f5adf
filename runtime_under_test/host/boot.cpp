#include "runtime_under_test/host/boot.hpp"

#include <array>
#include <cstring>

#include "runtime_under_test/host/receivers.hpp"

namespace cqfuzz::rt {
namespace {

void write_word(Cluster& cluster, Coord core, std::uint32_t address, std::uint32_t value) {
    std::array<std::byte, 4> word;
    std::memcpy(word.data(), &value, sizeof value);
    cluster.l1_write(core, address, word);
}

// A core of the dispatch pipeline and the rings it has an end of; 0 pages: none.
struct PipelineCore {
    CoreRole role;
    Coord coord;
    const DispatchCoreLayout* map;
    std::uint32_t downstream_pages;
};

struct Pipeline {
    std::array<PipelineCore, 9> cores;
    std::size_t count;

    void add(const PipelineCore& core) { cores[count++] = core; }
};

Pipeline pipeline_of(const DeviceConfig& c) {
    const DispatchGeometry& g = c.geometry;
    Pipeline p{};
    if (!g.split) {
        p.add({CoreRole::prefetch_hd, c.chip.prefetch, &c.prefetch, g.dispatch.pages});
        p.add({CoreRole::dispatch_hd, c.chip.dispatch, &c.dispatch, 0});
    } else {
        p.add({CoreRole::prefetch_h, c.chip.prefetch, &c.prefetch, g.prefetch_d.pages});
        p.add({CoreRole::prefetch_d, c.chip.prefetch_d, &c.prefetch_d, g.dispatch.pages});
        p.add({CoreRole::dispatch_d, c.chip.dispatch, &c.dispatch, g.dispatch_h.pages});
        p.add({CoreRole::dispatch_h, c.chip.dispatch_h, &c.dispatch_h, 0});
    }
    if (c.chip.remote) {
        const TunnelDescription& t = c.chip.tunnel;
        p.add({CoreRole::mux, t.mux, &c.mux, g.tunnel.pages});
        p.add({CoreRole::demux_d, t.demux_d, &c.demux, g.prefetch_d.pages});
        p.add({CoreRole::mux_d, t.mux_d, &c.mux_d, g.tunnel.pages});
        p.add({CoreRole::demux, t.demux, &c.demux, g.dispatch_h.pages});
    }
    if (g.has_dispatch_s()) p.add({CoreRole::dispatch_s, c.chip.dispatch_s, &c.dispatch_s, 0});
    return p;
}

void write_pipeline_words(Device::State& device, const DeviceConfig& config,
                          const PipelineCore& core) {
    Cluster& cluster = device.cluster;
    const DispatchCoreLayout& map = *core.map;
    const std::uint32_t completion = CompletionQueue::initial_word(config);
    const bool halved = core.downstream_pages != 0 && device.faults.on(Fault::half_initial_credits);
    write_word(cluster, core.coord, map.semaphore(Semaphore::downstream_credits),
               !halved ? core.downstream_pages : core.downstream_pages / 2);
    write_word(cluster, core.coord, map.semaphore(Semaphore::upstream_ready),
               config.geometry.semaphore_start);
    write_word(cluster, core.coord, map.semaphore(Semaphore::downstream_sync), 0);
    write_word(cluster, core.coord, map.completion_wr_ptr, completion);
    write_word(cluster, core.coord, map.completion_rd_ptr, completion);
    write_word(cluster, core.coord, map.dispatch_message, 0);
    if (device.faults.on(Fault::event_words_kept_at_open)) return;
    for (std::uint32_t q = 0; q < config.geometry.command_queues; q++)
        write_word(cluster, core.coord, map.last_event(q), config.geometry.semaphore_start);
}

// What dispatch_s and its neighbours count with, beside what every dispatch core has.
void write_dispatch_s_words(Device::State& device, const DeviceConfig& config) {
    const DispatchGeometry& g = config.geometry;
    if (!g.has_dispatch_s()) return;
    const DeviceConfig::Neighbour prefetcher = config.executing_prefetcher();
    write_word(device.cluster, prefetcher.coord,
               prefetcher.map.semaphore(Semaphore::dispatch_s_credits), g.dispatch_s_pages);
    for (std::uint32_t index = 0; index < kMaxGoIndices; index++) {
        write_word(device.cluster, config.chip.dispatch_s, config.dispatch_s.go_notify(index),
                   g.semaphore_start);
        write_word(device.cluster, config.chip.dispatch_s, config.dispatch_s.message(index), 0);
    }
}

// The go-signal table, to whoever sends the signals.
void send_go_data(Device::State& device, CommandQueue& queue) {
    const ChipDescription& chip = device.config.chip;
    const Receiver to = go_receiver(queue.config);
    PackedMulticastSub grid = multicast_receiver(chip, whole_grid(chip));
    if (to == Receiver::dispatch_s && !device.faults.on(Fault::go_rectangle_of_noc_0))
        grid.noc_xy_addr = multicast_xy_noc1(grid.noc_xy_addr);
    std::vector<std::uint32_t> words{grid.noc_xy_addr, grid.num_mcast_dests};
    for (const Coord core : chip.ethernet_cores) words.push_back(core.noc_xy());
    queue.sequence.clear();
    if (to == Receiver::dispatch_s) queue.sequence.add_num_worker_sems(SetNumWorkerSems{1});
    queue.sequence.add_go_noc_data(words, to);
    queue.submit();
}

void write_tunneler_words(Device::State& device, Coord core) {
    const DispatchGeometry& g = device.config.geometry;
    for (const TunnelerLayout::Lane* lane :
         {&device.config.tunneler.outbound, &device.config.tunneler.inbound}) {
        write_word(device.cluster, core, lane->credits, g.tunnel.pages);
        write_word(device.cluster, core, lane->ready, g.semaphore_start);
    }
}

// Launch ring, read index and go word of a worker or ethernet core, all zero: DONE, nothing
// enabled.
void write_mailbox(Cluster& cluster, Coord core, const WorkerCoreLayout& map) {
    constexpr std::uint32_t bytes =
        DispatchGeometry::kLaunchEntries * kLaunchMessageBytes + 2 * DispatchGeometry::kL1Alignment;
    const std::array<std::byte, bytes> zeros{};
    cluster.l1_write(core, map.launch_base,
                     std::span(zeros).first(map.go_message + 4 - map.launch_base));
}

// Posted writes may still be on their way when a core leaves reset, so the last word of the last
// epoch is awaited.
void write_host_side(Device::State& device, const DeviceConfig& config) {
    const std::vector<std::byte> zeros(config.geometry.prefetch_q_entries * 2);
    device.cluster.l1_write(config.chip.prefetch, config.prefetch.prefetch_q_base, zeros);
    const std::uint32_t completion = CompletionQueue::initial_word(config);
    std::array<std::byte, 4> word;
    std::memcpy(word.data(), &completion, sizeof completion);
    const std::uint32_t channel = config.host.channel_base;
    device.cluster.hugepage_write(channel + config.host.completion_write_ptr, word);
    device.cluster.hugepage_write(channel + config.host.completion_read_ptr, word);
    device.cluster.fence();

    const std::uint32_t read_ptr = config.prefetch_q_pointer();
    write_word(device.cluster, config.chip.prefetch, config.prefetch.prefetch_q_pcie_rd_ptr,
               config.host.issue_base);
    device.cluster.fence();
    write_word(device.cluster, config.chip.prefetch, config.prefetch.prefetch_q_rd_ptr, read_ptr);
    device.cluster.l1_read(config.chip.prefetch, config.prefetch.prefetch_q_rd_ptr, word);
    std::uint32_t seen = 0;
    std::memcpy(&seen, word.data(), sizeof seen);
    device.cluster.waypoint("waits for its first writes to land");
    while (seen != read_ptr)
        seen = device.cluster.wait_l1_word(config.chip.prefetch, config.prefetch.prefetch_q_rd_ptr,
                                           seen);
}

Coord worker_coord(const ChipDescription& chip, std::uint32_t x, std::uint32_t y) {
    return Coord{static_cast<std::uint8_t>(chip.worker_origin.x + x),
                 static_cast<std::uint8_t>(chip.worker_origin.y + y), chip.chip};
}

void start_pipeline(Device::State& device, const DeviceConfig& config) {
    const Pipeline pipeline = pipeline_of(config);
    for (std::size_t i = 0; i < pipeline.count; i++)
        device.cluster.start_core(
            CoreLaunch{pipeline.cores[i].role, pipeline.cores[i].coord, &config});
}

void start_workers(Device::State& device) {
    const DeviceConfig& config = device.config;
    const ChipDescription& chip = config.chip;
    for (std::uint32_t y = 0; y < chip.worker_rows; y++)
        for (std::uint32_t x = 0; x < chip.worker_cols; x++)
            device.cluster.start_core(
                CoreLaunch{CoreRole::worker, worker_coord(chip, x, y), &config});
    for (const Coord core : chip.ethernet_cores)
        device.cluster.start_core(CoreLaunch{CoreRole::ethernet, core, &config});
}

}  // namespace

void boot(Device::State& device) {
    const DeviceConfig& config = device.config;
    const ChipDescription& chip = config.chip;
    for (const auto& queue : device.queues) {
        const Pipeline pipeline = pipeline_of(queue->config);
        for (std::size_t i = 0; i < pipeline.count; i++)
            write_pipeline_words(device, queue->config, pipeline.cores[i]);
        write_dispatch_s_words(device, queue->config);
    }
    if (chip.remote) {
        write_tunneler_words(device, chip.tunnel.tunneler);
        write_tunneler_words(device, chip.tunnel.tunneler_d);
    }
    for (std::uint32_t y = 0; y < chip.worker_rows; y++)
        for (std::uint32_t x = 0; x < chip.worker_cols; x++)
            write_mailbox(device.cluster, worker_coord(chip, x, y), config.worker);
    for (const Coord core : chip.ethernet_cores)
        write_mailbox(device.cluster, core, config.ethernet);
    for (std::size_t core = 0; core < chip.linked_cores; core++)
        write_word(device.cluster, chip.ethernet_cores[core], config.ethernet.exchange_count, 0);
    for (const auto& queue : device.queues) write_host_side(device, queue->config);
    if (chip.remote) {
        device.cluster.start_core(CoreLaunch{CoreRole::tunneler, chip.tunnel.tunneler, &config});
        device.cluster.start_core(
            CoreLaunch{CoreRole::tunneler_d, chip.tunnel.tunneler_d, &config});
    }
    for (const auto& queue : device.queues) start_pipeline(device, queue->config);
    start_workers(device);

    if (config.generation != nullptr && !config.generation->has(DispatchId::set_go_signal_noc_data))
        return;
    for (const auto& queue : device.queues) send_go_data(device, *queue);
}

void shut_down(Device::State& device) {
    for (const auto& queue : device.queues) {
        queue->sequence.clear();
        if (queue->config.geometry.has_dispatch_s())
            queue->sequence.add_dispatch_terminate(Receiver::dispatch_s);
        queue->sequence.add_dispatch_terminate();
        // The prefetcher's own TERMINATE is alone in its slot (inv. 54).
        if (!device.faults.on(Fault::terminate_shares_slot)) queue->submit();
        queue->sequence.add_prefetch_terminate();
        queue->submit();
    }
    device.cluster.waypoint("waits for the dispatch cores to exit");
    for (const auto& queue : device.queues) {
        const Pipeline pipeline = pipeline_of(queue->config);
        for (std::size_t i = 0; i < pipeline.count; i++)
            device.cluster.wait_core_exit(pipeline.cores[i].coord);
    }
    if (!device.config.chip.remote) return;
    device.cluster.wait_core_exit(device.config.chip.tunnel.tunneler);
    device.cluster.wait_core_exit(device.config.chip.tunnel.tunneler_d);
}

}  // namespace cqfuzz::rt
