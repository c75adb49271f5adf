#include "harness/silicon/machine.hpp"

#include "harness/base/check.hpp"
#include "harness/silicon/machine_state.hpp"

namespace cqfuzz {
Chip::Chip() : noc(*this), schedule(*this) {
    CHECK(the_active_chip == nullptr, "a second machine in one process: the L1 region exists once");
    the_active_chip = this;
}

Chip::~Chip() { the_active_chip = nullptr; }

void Chip::reset(const MachineConfig& new_config, const SchedulePlan& new_plan, EventSink& new_sink,
                 FirmwareEntry new_entry, void* new_context) {
    CHECK(running == kPcieTile, "a reset from within firmware");
    config = new_config;
    plan = new_plan;
    sink = &new_sink;
    entry = new_entry;
    context = new_context;
    for (const TileIndex tile : started) cores[tile] = Core{};
    started.clear();
    host = HostState{};
    stop = MachineStop::running;
    moves = 0;
    progress_at = 0;
    rested_at = 0;
    rests_in_vain = 0;
    logged_at = 0;
    logged_of_move = 0;
    tiles.lay_out(config);
    memory.reset(tiles, config);
    noc.reset();
    schedule.reset(plan, config.order, tiles.count(), config.moves_without_progress_max);
}

MachineMoveName Chip::name_of(MoveId move) const {
    if (!is_step(move)) return noc.name_of(slot_of(move));
    const std::uint32_t steps = move == kHostMove ? host.steps : cores[move].steps;
    return {static_cast<TileIndex>(move), MachineMove::step, 0, steps + 1};
}

bool Chip::leads_to(MoveId move, TileIndex receiver, std::uint64_t age) const {
    if (is_step(move)) return false;
    const Transaction& transaction = noc.at(slot_of(move));
    return transaction.kind == NocKind::atomic && transaction.stage == Stage::travelling &&
           transaction.target == receiver && transaction.age <= age;
}

bool Chip::departs(MoveId move) const {
    return !is_step(move) && noc.at(slot_of(move)).stage == Stage::undeparted;
}

// --- Machine -------------------------------------------------------------------------------------

Machine::Machine() : state_(std::make_unique<State>()) {}
Machine::~Machine() = default;

void Machine::describe(const MachineConfig& config) { state_->chip.tiles.lay_out(config); }

void Machine::reset(const MachineConfig& config, const SchedulePlan& plan, EventSink& sink,
                    FirmwareEntry entry, void* context) {
    state_->chip.reset(config, plan, sink, entry, context);
}

void Machine::quiesce() {
    Chip& chip = state_->chip;
    try {
        chip.run_dry();
        // Base firmware of workers and ethernet cores waits for ever; every dispatch core must have
        // come to its end.
        for (const TileIndex tile : chip.started) {
            const Core& core = chip.cores[tile];
            if (chip.tiles.views()[tile].kind == TileKind::dispatch && !core.exited) {
                chip.stop = MachineStop::hang;
                return;
            }
        }
        LogEntry end;
        end.kind = LogKind::run_end;
        chip.log(end);
    } catch (const rt::RunEnded&) {
        // `stop` says why.
    }
}

MachineStop Machine::stop() const { return state_->chip.stop; }
std::uint64_t Machine::moves() const { return state_->chip.moves; }
std::uint64_t Machine::transactions() const { return state_->chip.noc.issued(); }
std::uint64_t Machine::arrivals() const { return state_->chip.noc.arrivals(); }
std::uint32_t Machine::in_flight() const { return state_->chip.noc.in_flight(); }
std::vector<ParkedActor> Machine::parked() const { return state_->chip.parked(); }
std::vector<BusyActor> Machine::busy() const { return state_->chip.busy(); }
const std::vector<TileView>& Machine::tiles() const { return state_->chip.tiles.views(); }

TileIndex Machine::tile_at(rt::Coord coord) const {
    return coord.x < kCoordinateMax && coord.y < kCoordinateMax && coord.chip < kChipsMax
               ? state_->chip.tiles.at(coord.chip, coord.x, coord.y)
               : kNoTile;
}

std::vector<MachineMoveName> Machine::recorded_moves() const {
    return state_->chip.schedule.recorded_moves();
}
std::vector<MachineHold> Machine::holds_of_recording() const {
    return state_->chip.schedule.holds_of_recording();
}
bool Machine::recording_complete() const { return state_->chip.schedule.recording_complete(); }

std::uint32_t Machine::written_from(TileIndex tile, std::uint32_t address,
                                    std::uint32_t length) const {
    return state_->chip.memory.written_from(tile, address, length);
}
const std::byte* Machine::bytes(TileIndex tile) const { return state_->chip.memory.bytes(tile); }
std::uint32_t Machine::size_bytes(TileIndex tile) const {
    return state_->chip.memory.size_bytes(tile);
}
std::uint8_t Machine::chip_count() const {
    return static_cast<std::uint8_t>(state_->chip.tiles.chip_count());
}
const rt::ChipDescription& Machine::chip(std::uint8_t number) const {
    CHECK(number < chip_count(), "chip %u of %u", number, chip_count());
    return state_->chip.tiles.chip(number);
}

}  // namespace cqfuzz
