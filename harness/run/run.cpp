#include "harness/run/run.hpp"

#include <algorithm>

#include "harness/base/fingerprint.hpp"
#include "harness/drive/driver.hpp"
#include "harness/drive/stream_driver.hpp"
#include "harness/oracle/oracles.hpp"
#include "harness/run/translate.hpp"
#include "harness/silicon/machine.hpp"
#include "runtime_under_test/firmware/run_core.hpp"

namespace cqfuzz {

struct Runner::State final : EventSink, DriverHooks {
    Machine machine;
    Oracles oracles;
    std::vector<rt::DispatchGeometry> geometries;  // by chip
    MachineView view;
    Fingerprint fingerprint;
    Reach reach;
    RunStats stats;
    rt::FaultSet faults;
    fw::KernelBehaviour kernels;
    std::vector<fw::KernelExchange> exchanges;
    const RunOptions* options = nullptr;
    std::optional<Violation> violation;
    bool interrupted = false;
    std::vector<LogEntry> ring;  // the last entries, oldest at ring_next once full
    std::vector<LogEntry> tail;
    std::size_t ring_next = 0;

    // The refusal of the first illegal one.
    std::string set_geometries(const Scenario& scenario) {
        geometries.clear();
        for (std::uint32_t chip = 0; chip < scenario.topology.chips; ++chip) {
            geometries.push_back(runtime_geometry_of(scenario, chip));
            if (std::string refusal = rt::refusal_of(geometries.back()); !refusal.empty())
                return refusal;
        }
        return {};
    }

    void set_kernels(const Scenario& scenario) {
        exchanges.clear();
        for (std::uint32_t p = 0; p < scenario.programs.size(); ++p)
            for (const Kernel& kernel : scenario.programs[p].kernels)
                if (kernel.exchange_bytes != 0)
                    exchanges.push_back(
                        {p, kernel.cores.x0, kernel.cores.x1, kernel.exchange_bytes});
        const Behaviour& behaviour = scenario.behaviour;
        kernels = {behaviour.kernel_steps, behaviour.kernel_steps_jitter, exchanges,
                   behaviour.exchanges_wait};
    }

    MachineView described_view() const {
        std::vector<rt::DeviceConfig> configs;
        for (std::uint8_t chip = 0; chip < geometries.size(); ++chip)
            configs.push_back(rt::make_device_config(geometries[chip], machine.chip(chip)));
        MachineView described = machine_view_of(machine.tiles(), configs);
        if (options->hosted != nullptr) options->hosted->describe(described);
        return described;
    }

    // EventSink
    bool observe(const LogEntry& entry) override {
        ++stats.log_entries;
        fingerprint.add(entry);
        if (entry.kind == LogKind::noc_depart ||
            (entry.kind == LogKind::noc_arrive && entry.noc_kind == NocKind::read))
            fingerprint.add_bytes(entry.data, entry.length);
        reach.observe(entry);
        if (options->tail_entries != 0) keep(entry);
        if (options->on_entry) options->on_entry(entry);
        return note(oracles.observe(entry));
    }

    bool note(std::optional<Violation> found) {
        if (found && !violation) violation = std::move(found);
        return !violation;
    }

    void keep(const LogEntry& entry) {
        if (ring.size() < options->tail_entries) {
            ring.push_back(entry);
        } else {
            ring[ring_next] = entry;
            ring_next = (ring_next + 1) % ring.size();
        }
    }

    // DriverHooks
    void host_call(const HostCall& call, bool ended) override {
        note(oracles.observe(call, ended));
        machine.log_host_call(ended ? LogKind::host_call_end : LogKind::host_call_begin,
                              static_cast<std::uint32_t>(call.kind), call.op_index, call.device);
        if (violation) throw rt::RunEnded{};
        if (!ended) return;
        ++stats.host_calls;
        if (options->on_progress && !options->on_progress(call.op_index)) {
            interrupted = true;
            throw rt::RunEnded{};
        }
    }

    void host_pause(std::uint32_t moves) override { machine.host_pause(moves); }

    void preload(rt::Coord place, std::uint32_t address,
                 std::span<const std::byte> bytes) override {
        machine.preload(place, address, bytes);
    }

    void end_run() {
        reach.end_run();
        stats.moves = machine.moves();
        stats.transactions = machine.transactions();
        stats.arrivals = machine.arrivals();
        stats.dispatched_commands = reach.dispatched_commands();
        const auto oldest = ring.begin() + static_cast<std::ptrdiff_t>(ring_next);
        tail.assign(oldest, ring.end());
        tail.insert(tail.end(), ring.begin(), oldest);
    }

    static void enter_core(const rt::CoreLaunch& launch, void* context) {
        State& self = *static_cast<State*>(context);
        if (self.options->hosted != nullptr && self.options->hosted->run(launch)) return;
        fw::run_core(launch, self.faults, self.kernels);
    }

    bool is_foreign() const { return options->hosted != nullptr && options->hosted->is_runtime(); }

    // The host's part of the run. Who plays it lives until the verdict is known.
    std::optional<Refusal> drive(const Scenario& scenario, std::optional<Driver>& driver,
                                 std::optional<StreamDriver>& stream) {
        if (is_foreign()) {
            options->hosted->drive(machine, scenario);
            return std::nullopt;
        }
        if (scenario.commands.empty())
            return driver.emplace(scenario, geometries, machine, faults, *this).drive();
        return stream
            .emplace(scenario, geometries.front(),
                     options->hosted != nullptr ? options->hosted->generation() : nullptr, machine,
                     faults, *this)
            .drive();
    }

    Verdict verdict_of_stop() {
        Verdict verdict;
        switch (machine.stop()) {
            case MachineStop::hang: {
                std::optional<Violation> story = oracles.explain_hang(machine.parked());
                verdict.kind = VerdictKind::hang;
                if (story) verdict.violation = std::move(*story);
                if (verdict.violation.property.empty()) verdict.violation.property = "hang";
                break;
            }
            case MachineStop::livelock: {
                std::optional<Violation> story =
                    oracles.explain_livelock(machine.busy(), machine.parked());
                verdict.kind = VerdictKind::livelock;
                if (story) verdict.violation = std::move(*story);
                if (verdict.violation.property.empty()) verdict.violation.property = "livelock";
                break;
            }
            case MachineStop::budget: stats.truncated = true; break;
            case MachineStop::running:
            case MachineStop::sink: break;
        }
        verdict.violation.step = machine.moves();
        return verdict;
    }
};

Runner::Runner() : state_(std::make_unique<State>()) {}
Runner::~Runner() = default;

namespace {

// Between begin_run and end_run, whatever happens.
class HostedRun {
public:
    explicit HostedRun(HostedFirmware* hosted) : hosted_(hosted) {
        if (hosted_ != nullptr) hosted_->begin_run();
    }
    ~HostedRun() {
        if (hosted_ != nullptr) hosted_->end_run();
    }
    HostedRun(const HostedRun&) = delete;
    HostedRun& operator=(const HostedRun&) = delete;

private:
    HostedFirmware* hosted_;
};

// The others know our runtime's promises.
constexpr std::uint32_t bit(OracleId id) { return 1u << static_cast<std::uint32_t>(id); }
constexpr std::uint32_t kOraclesOfAnyRuntime = bit(OracleId::page_ownership) | bit(OracleId::hang) |
                                               bit(OracleId::noc_rules) |
                                               bit(OracleId::firmware_asserts);

Verdict refused_with(const std::string& message, std::uint32_t op_index) {
    Verdict verdict;
    verdict.kind = VerdictKind::refused;
    verdict.violation.property = "refused";
    verdict.violation.summary = "the runtime refused an operation that had to succeed: " + message;
    verdict.violation.op_index = op_index;
    return verdict;
}

}  // namespace

Verdict Runner::run(const Scenario& scenario, const RunOptions& options) {
    State& s = *state_;
    s.options = &options;
    s.stats = RunStats{};
    s.faults = options.faults;
    s.set_kernels(scenario);
    s.fingerprint = Fingerprint{};
    s.violation.reset();
    s.interrupted = false;
    s.ring.clear();
    s.tail.clear();
    s.ring_next = 0;

    if (const std::string refusal = s.set_geometries(scenario); !refusal.empty())
        return refused_with(refusal, 0);

    MachineConfig config = machine_config_of(scenario, s.geometries.front(), options.order_max);
    config.moves_max = options.moves_max;
    config.relaxed = options.relaxed;
    config.absolute_pointers = options.hosted != nullptr;
    const HostedRun hosted(options.hosted);
    // The tiles are known only after a reset; the plan needs them for the credit words, so the plan
    // comes second.
    s.machine.describe(config);
    s.view = s.described_view();
    SchedulePlan plan = schedule_plan_of(scenario, s.view);
    plan.record = options.record;
    s.oracles.reset(s.view, s.machine,
                    options.oracles & (s.is_foreign() ? kOraclesOfAnyRuntime : kAllOracles));
    s.reach.begin_run(s.view);
    s.machine.reset(config, plan, s, &State::enter_core, &s);

    Verdict verdict;
    {
        std::optional<Driver> driver;
        std::optional<StreamDriver> stream;
        std::optional<Refusal> refusal;
        bool ended_early = false;
        try {
            refusal = s.drive(scenario, driver, stream);
        } catch (const rt::RunEnded&) {
            ended_early = true;
        }
        if (!ended_early) {
            s.machine.quiesce();
            if (!s.violation && s.machine.stop() == MachineStop::running && !refusal)
                s.note(s.oracles.finish());
        }
        if (s.violation) {
            verdict.kind = VerdictKind::violation;
            verdict.violation = std::move(*s.violation);
        } else {
            verdict = s.verdict_of_stop();
            // Cores that nobody could stop are not the finding when the device was lost.
            if (refusal && (verdict.kind == VerdictKind::pass || refusal->device_lost))
                verdict = refused_with(refusal->message, refusal->op_index);
        }
        if (s.interrupted) s.stats.truncated = true;
    }
    s.end_run();
    return verdict;
}

std::uint64_t Runner::fingerprint() const { return state_->fingerprint.value(); }
const RunStats& Runner::stats() const { return state_->stats; }
const rt::FaultSet& Runner::faults() const { return state_->faults; }
const Reach& Runner::reach() const { return state_->reach; }
const MachineView& Runner::view() const { return state_->view; }
std::span<const LogEntry> Runner::tail() const { return state_->tail; }

std::vector<Deviation> Runner::deviations(bool* complete) const {
    *complete = state_->machine.recording_complete();
    std::vector<Deviation> list;
    if (!*complete) return list;
    for (const MachineHold& hold : state_->machine.holds_of_recording())
        list.push_back(deviation_of(hold));
    return list;
}

Scenario with_recorded_schedule(const Scenario& scenario, const Runner& recorded, bool* complete) {
    Scenario out = scenario;
    out.schedule.deviations = recorded.deviations(complete);
    if (*complete) out.schedule.strategy = Strategy::in_order;
    return out;
}

}  // namespace cqfuzz
