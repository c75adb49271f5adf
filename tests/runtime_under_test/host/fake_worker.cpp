// Workers and ethernet cores of the fake chip: a launched core compares all it was given with the
// program.
#include <cstring>

#include "tests/runtime_under_test/host/fake_cluster.hpp"

namespace cqfuzz::rt {
namespace {

void require(bool holds, const std::string& rule) {
    if (!holds) throw BrokenRule(rule);
}

template <class T>
std::span<const std::byte> bytes_of(const T* first, std::size_t count) {
    return std::as_bytes(std::span(first, count));
}

// The logical place of a core.
struct Place {
    CoreKind kind;
    std::uint32_t x;
    std::uint32_t y;
};

Place place_of(const ChipDescription& chip, std::uint32_t noc_xy) {
    for (std::uint32_t e = 0; e < chip.ethernet_cores.size(); e++)
        if (chip.ethernet_cores[e].noc_xy() == noc_xy) return {CoreKind::ethernet, e, 0};
    return {CoreKind::worker, (noc_xy & 63) - chip.worker_origin.x,
            (noc_xy >> 6) - chip.worker_origin.y};
}

bool covers(const CoreRange& range, const Place& place) {
    return place.x >= range.x0 && place.x <= range.x1 && place.y >= range.y0 && place.y <= range.y1;
}

}  // namespace

void FakeCluster::start_program(std::uint32_t noc_xy) {
    Core& c = core(noc_xy);
    require(!c.running, "inv. 78: a go finds its core idle");
    const bool worker = place_of(chip_, noc_xy).kind == CoreKind::worker;
    const WorkerCoreLayout& map = worker ? config_->worker : config_->ethernet;
    LaunchMessage message;
    const std::uint32_t at = map.launch_base + c.launch_index * kLaunchMessageBytes;
    decode(c.l1.data() + at, message);
    c.running = true;
    c.used.clear();
    if (message.enables != 0) check_launch(noc_xy, message);
    if (message.enables != 0) {
        launches[message.host_assigned_id]++;
        const std::span<const std::byte> launch(c.l1.data() + at, kLaunchMessageBytes);
        c.used.emplace_back(at, std::vector<std::byte>(launch.begin(), launch.end()));
    }
}

void FakeCluster::complete(std::uint32_t noc_xy) {
    Core& c = core(noc_xy);
    if (!c.running) return;  // a reset of the read pointer
    const bool worker = place_of(chip_, noc_xy).kind == CoreKind::worker;
    const WorkerCoreLayout& map = worker ? config_->worker : config_->ethernet;
    for (const auto& [address, bytes] : c.used)
        require(std::memcmp(c.l1.data() + address, bytes.data(), bytes.size()) == 0,
                "inv. 71, 72: what a running program uses was overwritten");
    const std::uint32_t at = map.launch_base + c.launch_index * kLaunchMessageBytes;
    c.l1[at + kLaunchEnablesOffset] = std::byte{0};
    c.l1[at + kLaunchPreloadOffset] = std::byte{0};
    c.launch_index = (c.launch_index + 1) % DispatchGeometry::kLaunchEntries;
    c.running = false;
}

void FakeCluster::use(std::uint32_t noc_xy, std::uint32_t address,
                      std::span<const std::byte> expected, const char* what) {
    if (expected.empty()) return;
    Core& c = core(noc_xy);
    require(std::memcmp(c.l1.data() + address, expected.data(), expected.size()) == 0,
            std::string("inv. 70: at go a core has the program's ") + what);
    c.used.emplace_back(address, std::vector<std::byte>(expected.begin(), expected.end()));
}

void FakeCluster::check_kernel(std::uint32_t noc_xy, const Kernel& kernel, std::uint32_t core_index,
                               const LaunchMessage& m) {
    const std::uint32_t p = kernel.processor;
    const std::uint32_t base = m.kernel_config_base;
    require((m.enables >> p & 1) != 0, "a kernel's processor is enabled");
    require(m.kernel_text_bytes[p] == kernel.binary.size(), "the launch message has its size");
    require((base + m.kernel_text_offset[p]) % 32 == 0 && m.rta_offset[p] % 16 == 0,
            "config offsets are aligned");
    use(noc_xy, base + m.rta_offset[p],
        bytes_of(kernel.args.data() + std::size_t{core_index} * kernel.args_words,
                 kernel.args_words),
        "unique arguments");
    use(noc_xy, base + m.crta_offset[p],
        bytes_of(kernel.common_args.data(), kernel.common_args.size()), "common arguments");
    use(noc_xy, base + m.kernel_text_offset[p], kernel.binary, "binary");
}

void FakeCluster::check_settings(std::uint32_t noc_xy, const Program& program,
                                 const LaunchMessage& m) {
    const Place place = place_of(chip_, noc_xy);
    for (const SemaphoreInit& s : program.semaphores)
        if (s.core_kind == place.kind && covers(s.cores, place))
            use(noc_xy, m.kernel_config_base + m.sem_offset + 16u * s.id, bytes_of(&s.initial, 1),
                "semaphore");
    std::uint32_t mask = 0;
    if (place.kind == CoreKind::worker) {
        for (const CircularBufferConfig& cb : program.circular_buffers) {
            if (!covers(cb.cores, place)) continue;
            mask |= 1u << cb.index;
            const std::uint32_t words[4]{cb.address >> 4, cb.size_bytes >> 4, cb.pages,
                                         cb.page_size_bytes >> 4};
            use(noc_xy, m.kernel_config_base + m.local_cb_offset + 16u * cb.index,
                bytes_of(words, 4), "circular buffer");
        }
    }
    require(mask == m.local_cb_mask, "the launch message has the core's circular buffers");
}

void FakeCluster::check_launch(std::uint32_t noc_xy, const LaunchMessage& m) {
    const auto found = programs.find(m.host_assigned_id);
    require(found != programs.end(), "a launch message names a known program");
    const Program& program = *found->second;
    const Place place = place_of(chip_, noc_xy);
    const WorkerCoreLayout& map =
        place.kind == CoreKind::worker ? config_->worker : config_->ethernet;
    require(m.kernel_config_base >= map.config_base, "config lies in its ring");
    require(m.mode == kModeDev && m.preload == 0, "launch mode");
    std::uint32_t enables = 0;
    for (const Kernel& kernel : program.kernels) {
        if (kernel.core_kind != place.kind || !covers(kernel.cores, place)) continue;
        const std::uint32_t width = kernel.cores.x1 - kernel.cores.x0 + 1u;
        const std::uint32_t index =
            (place.y - kernel.cores.y0) * width + (place.x - kernel.cores.x0);
        check_kernel(noc_xy, kernel, index, m);
        enables |= 1u << kernel.processor;
        require(
            m.kernel_config_base + m.kernel_text_offset[kernel.processor] + kernel.binary.size() <=
                map.config_base + map.config_bytes,
            "config ends inside its ring");
    }
    require(enables == m.enables, "exactly the program's processors are enabled");
    check_settings(noc_xy, program, m);
}

}  // namespace cqfuzz::rt
