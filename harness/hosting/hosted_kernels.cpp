#include "harness/hosting/hosted_kernels.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "harness/device_api/core_port.hpp"
#include "harness/hosting/dialect.hpp"
#include "harness/scenario/verbs.hpp"

namespace cqfuzz::hosting {

namespace {

constexpr std::uint32_t kL1Bytes = 2u << 20;

void kernel_fault(void* self, const char* text, std::uintptr_t pc) {
    leave_kernel(*static_cast<GuardedKernel*>(self), {text, pc});
}

// Ends the run on the kernel's fiber. The text lives until the next one: the verdict copies it.
[[noreturn]] void fail(const KernelObject& object, const KernelFault& fault) {
    static char message[512];
    {
        // Nothing that needs a destructor may be left on a fiber that is abandoned.
        std::string place = object.place_of(fault.pc);
        if (place.empty()) place = object.place();  // in a hook, which has no lines
        if (std::strstr(fault.text, ", at ") != nullptr) place.clear();  // it says so itself
        std::snprintf(message, sizeof message, "%s%s%s", fault.text, place.empty() ? "" : ", at ",
                      place.c_str());
    }
    device::firmware_assert_failed(message);
}

bool is_prefetch(rt::CoreRole role) {
    return role == rt::CoreRole::prefetch_hd || role == rt::CoreRole::prefetch_h ||
           role == rt::CoreRole::prefetch_d;
}

Abi abi_of(std::uint32_t l1, std::uint32_t edge_budget, std::uint8_t* edges) {
    Abi abi;
    abi.l1_base = l1;
    abi.l1_bytes = kL1Bytes;
    abi.edge_budget = edge_budget;
    abi.edges = edges;
    abi.register_write = &device::register_write;
    abi.register_read = &device::register_read;
    abi.wait_command_buffer_ready = &device::wait_command_buffer_ready;
    abi.noc_send = &device::noc_send;
    abi.note_receivers = &device::note_receivers;
    abi.poll_hardware_counter = &device::poll_hardware_counter;
    abi.read_hardware_counter = &device::read_hardware_counter;
    abi.software_counter = &device::software_counter;
    abi.poll_l1 = &device::poll_l1;
    abi.poll_l1_u16 = &device::poll_l1_u16;
    abi.l1_load = &device::l1_load;
    abi.l1_store = &device::l1_store;
    abi.l1_will_store = &device::l1_will_store;
    abi.my_x = &device::my_x;
    abi.my_y = &device::my_y;
    abi.pause = &device::pause;
    abi.rest = &device::rest;
    abi.waypoint = &device::waypoint;
    abi.command_begin = &device::command_begin;
    abi.command_end = &device::command_end;
    abi.kernel_fault = &kernel_fault;
    abi.byte_loaded = [](void*, const void*) {};
    return abi;
}

}  // namespace

Result<std::unique_ptr<HostedKernels>> HostedKernels::make(const Manifest& manifest,
                                                           const HostedGeometry& geometry,
                                                           const BuildPlace& place) {
    auto kernels = std::make_unique<HostedKernels>();
    kernels->geometry_ = geometry;
    // The built-in firmware of the other side speaks late 2024.
    const auto hosts = [&manifest](bool prefetch) {
        return std::any_of(
            manifest.roles.begin(), manifest.roles.end(),
            [prefetch](const HostedRole& role) { return is_prefetch(role.role) == prefetch; });
    };
    kernels->generation_ = rt::late_2024();
    if (hosts(true)) kernels->generation_.prefetch = manifest.encoding.prefetch;
    if (hosts(false)) kernels->generation_.dispatch = manifest.encoding.dispatch;
    if (manifest.own_runtime) {
        Result<OwnRuntime> runtime = OwnRuntime::make(manifest, geometry);
        if (!runtime) return Error{runtime.message()};
        kernels->runtime_ = runtime.take();
    }
    const std::uint32_t queues = manifest.own_runtime ? 1 : geometry.part.geometry.command_queues;
    for (const HostedRole& role : manifest.roles)
        for (std::uint32_t queue = 0; queue < queues; ++queue)
            if (std::string mistake = kernels->add(manifest, role, queue, place); !mistake.empty())
                return Error{std::move(mistake)};
    return kernels;
}

std::string HostedKernels::add(const Manifest& manifest, const HostedRole& role,
                               std::uint32_t queue, const BuildPlace& place) {
    const Result<std::string> built = build_role(manifest, role, geometry_, queue, place);
    if (!built) return built.message();
    Result<std::unique_ptr<KernelObject>> object = KernelObject::load(built.value());
    if (!object) return object.message();
    const Names names = names_for(manifest, role, geometry_, queue);
    Kernel kernel;
    kernel.role = role;
    kernel.name = queue == 0 ? role.name : "cq" + std::to_string(queue) + " " + role.name;
    kernel.noc_xy = names.at("own.noc_xy");
    kernel.object = object.take();
    kernel.edges.resize(kEdgesMax);
    kernel.abi = abi_of(names.at("l1"), role.edge_budget, kernel.edges.data());
    watch_commands(kernel, names);
    guarded_.push_back(&kernel.object->guarded());
    kernels_.push_back(std::move(kernel));
    return "";
}

// Commands begin where pages of a dispatcher's ring do, and at each unit of a prefetcher's bytes.
void HostedKernels::watch_commands(Kernel& kernel, const Names& names) const {
    if (runtime_) return;
    const rt::CoreRole role = kernel.role.role;
    const bool prefetch = is_prefetch(role);
    const bool fetches = prefetch && role != rt::CoreRole::prefetch_d;
    const std::string ring = role == rt::CoreRole::prefetch_d   ? "prefetch_d"
                             : role == rt::CoreRole::dispatch_h ? "dispatch_h"
                                                                : "dispatch";
    const auto of = [&names](const std::string& name) { return names.at(name); };
    kernel.commands = std::make_unique<CommandWatch>();
    CommandWatch& watch = *kernel.commands;
    watch.begin = of("l1") + of(fetches ? "own.cmddat_q_base" : "own.ring_base");
    watch.bytes = of(fetches ? "prefetch.cmddat_q_bytes" : ring + ".ring_bytes");
    watch.unit = prefetch ? rt::kBareMinBytes : of(ring + ".page_size");
    kernel.abi.commands = &watch;
    kernel.abi.byte_loaded = &look_for_command;
    const auto note = [&watch](const auto& ids) {
        for (std::size_t id = 1; id < ids.size(); ++id)
            if (ids[id] != rt::Generation::kUnknown)
                watch.ids[ids[id]] = static_cast<std::uint8_t>(id);
    };
    if (prefetch)
        note(generation_.prefetch);
    else
        note(generation_.dispatch);
}

void HostedKernels::look_for_command(void* watch, const void* at) {
    const auto address = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(at));
    auto& commands = *static_cast<CommandWatch*>(watch);
    const std::uint32_t offset = address - commands.begin;
    if (offset >= commands.bytes || (offset & (commands.unit - 1)) != 0) return;
    const std::uint8_t id = commands.ids[*reinterpret_cast<const volatile std::uint8_t*>(
        static_cast<std::uintptr_t>(address))];
    // A second look at the same id is the same command's.
    if (id != 0 && address != commands.seen_at) device::command_seen(id, address);
    commands.seen_at = address;
}

void HostedKernels::begin_run() {
    for (Kernel& kernel : kernels_) {
        kernel.object->restore();
        std::fill(kernel.edges.begin(), kernel.edges.end(), std::uint8_t{0});
        kernel.ran = false;
    }
    CrashGuard::begin(guarded_);
}

void HostedKernels::end_run() { CrashGuard::end(); }

bool HostedKernels::run(const rt::CoreLaunch& launch) {
    for (Kernel& kernel : kernels_) {
        if (kernel.role.role != launch.role || kernel.noc_xy != launch.coord.noc_xy()) continue;
        // The same core again: it was reset, and its statics with it.
        if (kernel.ran) kernel.object->restore();
        kernel.ran = true;
        if (kernel.commands) kernel.commands->seen_at = 0;
        const KernelFault fault = kernel.object->run(kernel.abi);
        if (fault.text != nullptr) fail(*kernel.object, fault);
        return true;
    }
    return false;
}

void HostedKernels::describe(MachineView& view) const {
    if (runtime_) return runtime_->describe(view);
    for (const Kernel& kernel : kernels_)
        for (TileView& tile : view.tiles)
            if (tile.role == tile_role_of(kernel.role.role))
                tile.over_read_bytes = 4 * kernel.role.over_read_words;
    for (const Kernel& kernel : kernels_)
        for (RingView& ring : view.rings)
            if (view.tiles[ring.consumer].role == tile_role_of(kernel.role.role))
                ring.over_read_bytes = 4 * kernel.role.over_read_words;
}

void HostedKernels::drive(rt::Cluster& machine, const Scenario& scenario) {
    runtime_->drive(machine, scenario);
}

std::vector<std::uint32_t> HostedKernels::edges() const {
    std::vector<std::uint32_t> taken;
    for (std::size_t k = 0; k < kernels_.size(); ++k)
        for (std::uint32_t edge = 0; edge < kEdgesMax; ++edge)
            if (kernels_[k].edges[edge] != 0)
                taken.push_back(static_cast<std::uint32_t>(k) * kEdgesMax + edge);
    return taken;
}

std::vector<std::string> HostedKernels::places() const {
    std::vector<std::string> places;
    bool lines_known = true;
    for (const Kernel& kernel : kernels_) {
        if (!kernel.ran) continue;
        places.push_back(kernel.name + " was at " + kernel.object->place());
        lines_known = lines_known && kernel.object->lines_known();
    }
    if (!lines_known)
        places.push_back(
            "the lines of kernels are missing: neither addr2line (package binutils) nor "
            "llvm-symbolizer can be started");
    return places;
}

void HostedKernels::adapt(Scenario& scenario) const {
    scenario.topology = geometry_.part.topology;
    scenario.geometry = geometry_.part.geometry;
    scenario.counters = CounterStarts{};  // kernels count pages from 0
    if (runtime_) OwnRuntime::adapt(scenario);
    legalise(scenario);
    keep_to(generation_, scenario);
    legalise(scenario);
}

}  // namespace cqfuzz::hosting
