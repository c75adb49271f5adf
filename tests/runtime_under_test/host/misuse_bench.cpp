#include "tests/runtime_under_test/host/misuse_bench.hpp"

#include <algorithm>
#include <cstring>

#include "harness/run/translate.hpp"
#include "runtime_under_test/protocol/commands.hpp"

namespace cqfuzz::rt {
namespace {

// Golden memory judges host calls as the driver announces them, and there is no driver.
constexpr std::uint32_t kOracleBits = ~(1u << static_cast<unsigned>(OracleId::golden_memory));
constexpr std::uint32_t kBufferPages = 5;
constexpr std::uint32_t kBufferPageBytes = 2080;

MachineConfig machine_for(const DispatchGeometry& geometry, std::uint8_t ethernet_cores) {
    MachineConfig config;
    config.ethernet_cores = ethernet_cores;
    config.split = geometry.split;
    config.command_queues = static_cast<std::uint8_t>(geometry.command_queues);
    config.dram_banks = static_cast<std::uint8_t>(geometry.dram_banks);
    config.dram_bank_bytes = geometry.dram_bank_bytes;
    config.hugepage_bytes =
        geometry.command_queues *
        align_up(geometry.issue_region_bytes + geometry.completion_region_bytes + 65536, 4096);
    return config;
}

}  // namespace

MisuseTest::MisuseTest() : geometry(tiny_geometry(kBanks)) {
    geometry.dram_bank_bytes = 1u << 20;
    geometry.trace_region_bytes = kBanks * 16 * 1024;
}

void MisuseTest::SetUp() {
    const MachineConfig config = machine_for(geometry, ethernet_cores);
    machine.describe(config);
    const DeviceConfig device_config = make_device_config(geometry, machine.chip());
    view_ = machine_view_of(machine.tiles(), {&device_config, 1});
    oracles_.reset(view_, machine, kOracleBits);
    SchedulePlan plan;
    plan.strategy = MachineStrategy::random_walk;
    plan.seed = 7;
    machine.reset(config, plan, *this, &MisuseTest::enter_core, this);
    device.emplace(machine, geometry, faults);
}

void MisuseTest::TearDown() {
    if (device_lost) return;
    try {
        if (device) {
            work();
            close();
        }
    } catch (const RunEnded&) {
        ADD_FAILURE() << "the run ended before the device was closed";
    }
    machine.quiesce();
    if (!violation_) violation_ = oracles_.finish();
    EXPECT_FALSE(violation_) << violation_->signature() << ": " << violation_->summary;
    EXPECT_EQ(machine.stop(), MachineStop::running);
    EXPECT_EQ(machine.in_flight(), 0u);
    check_runs();
}

void MisuseTest::close() {
    device->finish();
    check_buffers();
    device->close();
    device.reset();
}

// --- what the machine does -----------------------------------------------------------------------

void MisuseTest::enter_core(const CoreLaunch& launch, void* context) {
    auto& self = *static_cast<MisuseTest*>(context);
    fw::run_core(launch, self.faults, self.kernels_);
}

bool MisuseTest::observe(const LogEntry& entry) {
    if (entry.kind == LogKind::kernel_begin) {
        LaunchMessage message;
        decode(machine.bytes(entry.tile) + entry.source_address, message);
        if (message.enables != 0) check_launch(entry.tile, message);
    }
    std::optional<Violation> found = oracles_.observe(entry);
    if (found && !violation_) violation_ = std::move(found);
    return !violation_;
}

// A core that runs holds the binary and arguments that the program has for it.
void MisuseTest::check_launch(TileIndex tile, const LaunchMessage& message) {
    const auto found = programs_.find(message.host_assigned_id);
    ASSERT_NE(found, programs_.end()) << "a core runs program " << message.host_assigned_id;
    runs_[found->first]++;
    const TileView& at = view_.tiles[tile];
    const Coord origin = machine.chip().worker_origin;
    const std::byte* config = machine.bytes(tile) + message.kernel_config_base;
    for (const Kernel& kernel : found->second.kernels) {
        if (at.kind != TileKind::worker || kernel.core_kind != CoreKind::worker) continue;
        const std::uint32_t x = at.coord.x - origin.x - kernel.cores.x0;
        const std::uint32_t y = at.coord.y - origin.y - kernel.cores.y0;
        const std::uint32_t width = kernel.cores.x1 - kernel.cores.x0 + 1u;
        ASSERT_TRUE(x < width && y * width + x < kernel.cores.count());
        EXPECT_EQ(std::memcmp(config + message.kernel_text_offset[kernel.processor],
                              kernel.binary.data(), kernel.binary.size()),
                  0);
        EXPECT_EQ(std::memcmp(config + message.rta_offset[kernel.processor],
                              kernel.args.data() + std::size_t{y * width + x} * kernel.args_words,
                              kernel.args_words * sizeof(std::uint32_t)),
                  0);
    }
}

void MisuseTest::check_buffers() {
    for (const Buffer& buffer : buffers_) {
        std::vector<std::byte> bytes(buffer.bytes.size());
        device->enqueue_read(buffer.id, bytes);
        EXPECT_TRUE(bytes == buffer.bytes)
            << "buffer " << static_cast<std::uint32_t>(buffer.id) << " is not as it was written";
    }
}

void MisuseTest::check_runs() const { EXPECT_EQ(runs_, expected_runs_); }

// --- sound work ----------------------------------------------------------------------------------

Program MisuseTest::sound_program() {
    Program program;
    program.id = next_program_++;
    program.kernels.push_back(
        sample_kernel(rng, CoreKind::worker, CoreRange{0, 0, 0, 1}, 0, 1520, 3, 2));
    program.semaphores.push_back(SemaphoreInit{CoreKind::worker, {0, 0, 1, 1}, 2, 11});
    program.circular_buffers.push_back(
        CircularBufferConfig{{0, 0, 1, 1}, 1, 0x80000, 4096, 4, 1024});
    return program;
}

ProgramId MisuseTest::create(const Program& program) {
    const ProgramId id = device->create_program(program);
    programs_[program.id] = program;
    ids_[id] = program.id;
    return id;
}

void MisuseTest::enqueue(ProgramId program, std::uint32_t times) {
    const std::uint32_t id = ids_.at(program);
    for (std::uint32_t i = 0; i < times; i++) {
        device->enqueue_program(program);
        expected_runs_[id] += cores_with_kernels(programs_.at(id));
    }
}

void MisuseTest::replay(TraceId trace, ProgramId traced, std::uint32_t runs_each) {
    device->replay_trace(trace, Blocking::no);
    const std::uint32_t id = ids_.at(traced);
    expected_runs_[id] += runs_each * cores_with_kernels(programs_.at(id));
}

BufferId MisuseTest::write_new_buffer() {
    const BufferId id = device->create_buffer(kBufferPages, kBufferPageBytes);
    buffers_.push_back(Buffer{id, sample_bytes(rng, kBufferPages * kBufferPageBytes)});
    device->enqueue_write(id, buffers_.back().bytes);
    return id;
}

void MisuseTest::work() {
    loaded = create(sound_program());
    enqueue(loaded, 2);
    written = write_new_buffer();
    enqueue(loaded, 2);
}

// --- misuse --------------------------------------------------------------------------------------

void MisuseTest::expect_misuse(const std::function<void()>& misuse,
                               std::initializer_list<const char*> parts) {
    try {
        misuse();
        ADD_FAILURE() << "accepted, though it should have been refused with: " << *parts.begin();
    } catch (const Misuse& refusal) {
        const std::string text = refusal.what();
        for (const char* part : parts)
            EXPECT_NE(text.find(part), std::string::npos)
                << "'" << part << "' is missing in: " << text;
    } catch (const std::exception& other) {
        ADD_FAILURE() << "not refused as misuse, but with: " << other.what();
    }
}

void MisuseTest::refused(const std::function<void()>& misuse,
                         std::initializer_list<const char*> parts) {
    work();
    EXPECT_NE(runs_, expected_runs_) << "the work before the misuse is complete already";
    expect_misuse(misuse, parts);
}

void MisuseTest::refused_in_capture(const std::function<void()>& misuse,
                                    std::initializer_list<const char*> parts) {
    work();
    const ProgramId traced = loaded;
    const TraceId trace = device->begin_trace();
    device->enqueue_program(traced);
    expect_misuse(misuse, parts);
    device->enqueue_program(traced);
    device->end_trace();
    replay(trace, traced, 2);
}

}  // namespace cqfuzz::rt
