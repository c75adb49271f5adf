// The host's side of the machine: rt::Cluster. Each call is one move of the host, made when the
// schedule picks it.
#include <cstring>

#include "harness/base/check.hpp"
#include "harness/silicon/machine_state.hpp"

namespace cqfuzz {
namespace {

// The tile of a core, or a harness fault: coordinates come from the chip description.
TileIndex core_at(const Chip& chip, rt::Coord coord) {
    const bool inside = coord.x < kCoordinateMax && coord.y < kCoordinateMax;
    const TileIndex tile = inside ? chip.tiles.at(coord.x, coord.y) : kNoTile;
    CHECK(tile != kNoTile && chip.tiles.has_l1(tile), "no core at (%u, %u)", coord.x, coord.y);
    return tile;
}

std::uint32_t local_address(const Chip& chip, TileIndex tile, std::uint32_t address) {
    return chip.tiles.has_l1(tile) ? address & kL1AddressMask : address;
}

// An access outside a memory is the runtime's mistake, not ours.
bool inside(Chip& chip, TileIndex tile, std::uint32_t address, std::size_t length) {
    if (length <= 0xffffffffu &&
        chip.memory.contains(tile, address, static_cast<std::uint32_t>(length)))
        return true;
    chip.noc.log_rule(NocRule::unknown_target, kPcieTile, 0);
    return false;
}

void write(Chip& chip, TileIndex tile, std::uint32_t address, std::span<const std::byte> bytes) {
    chip.host_gives_way();
    address = local_address(chip, tile, address);
    if (inside(chip, tile, address, bytes.size())) chip.noc.host_write(tile, address, bytes);
}

void log_read(Chip& chip, TileIndex tile, std::uint32_t address, std::uint32_t length,
              std::uint32_t value) {
    LogEntry entry;
    entry.kind = LogKind::host_read;
    entry.tile = kPcieTile;
    entry.target = tile;
    entry.source_address = address;
    entry.length = length;
    entry.value = value;
    entry.data = chip.memory.bytes(tile) + address;
    chip.log(entry);
}

void read(Chip& chip, TileIndex tile, std::uint32_t address, std::span<std::byte> bytes) {
    chip.host_gives_way();
    address = local_address(chip, tile, address);
    if (bytes.empty()) return;
    if (!inside(chip, tile, address, bytes.size())) {
        std::memset(bytes.data(), 0, bytes.size());
        return;
    }
    std::memcpy(bytes.data(), chip.memory.bytes(tile) + address, bytes.size());
    log_read(chip, tile, address, static_cast<std::uint32_t>(bytes.size()), 0);
}

std::uint32_t wait_word(Chip& chip, TileIndex tile, std::uint32_t address, std::uint32_t seen) {
    chip.throw_if_over();
    address = local_address(chip, tile, address);
    if (!inside(chip, tile, address, sizeof seen)) return ~seen;
    for (;;) {
        chip.host.wait = HostState::Wait::word;
        chip.host.tile = tile;
        chip.host.address = address;
        chip.host.seen = seen;
        chip.host_gives_way();
        const std::uint32_t value = chip.memory.word(tile, address);
        if (value == seen) continue;  // it changed and changed back
        chip.host.wait = HostState::Wait::nothing;
        log_read(chip, tile, address, sizeof value, value);
        return value;
    }
}

}  // namespace

void Machine::hugepage_write(std::uint32_t offset, std::span<const std::byte> bytes) {
    write(state_->chip, kPcieTile, offset, bytes);
}

void Machine::hugepage_read(std::uint32_t offset, std::span<std::byte> bytes) {
    read(state_->chip, kPcieTile, offset, bytes);
}

std::uint32_t Machine::wait_hugepage_word(std::uint32_t offset, std::uint32_t seen) {
    return wait_word(state_->chip, kPcieTile, offset, seen);
}

void Machine::fence() {
    state_->chip.throw_if_over();
    state_->chip.noc.fence();
}

void Machine::l1_write(rt::Coord core, std::uint32_t address, std::span<const std::byte> bytes) {
    write(state_->chip, core_at(state_->chip, core), address, bytes);
}

void Machine::l1_read(rt::Coord core, std::uint32_t address, std::span<std::byte> bytes) {
    read(state_->chip, core_at(state_->chip, core), address, bytes);
}

std::uint32_t Machine::wait_l1_word(rt::Coord core, std::uint32_t address, std::uint32_t seen) {
    return wait_word(state_->chip, core_at(state_->chip, core), address, seen);
}

void Machine::start_core(const rt::CoreLaunch& launch) {
    state_->chip.host_gives_way();
    state_->chip.start_core(launch);
}

void Machine::wait_core_exit(rt::Coord core) {
    Chip& chip = state_->chip;
    chip.throw_if_over();
    chip.host.wait = HostState::Wait::core_exit;
    chip.host.tile = core_at(chip, core);
    chip.host_gives_way();
    chip.host.wait = HostState::Wait::nothing;
}

void Machine::waypoint(const char* what) { state_->chip.host.waypoint = what; }

void Machine::host_pause(std::uint32_t moves) {
    Chip& chip = state_->chip;
    chip.throw_if_over();
    if (moves == 0) return;
    chip.host.wait = HostState::Wait::pause;
    chip.host.until = chip.moves + moves;
    chip.host_gives_way();
    chip.host.wait = HostState::Wait::nothing;
}

void Machine::log_host_call(LogKind kind, std::uint32_t call_kind, std::uint32_t op_index) {
    Chip& chip = state_->chip;
    chip.throw_if_over();
    LogEntry entry;
    entry.kind = kind;
    entry.tile = kPcieTile;
    entry.value = call_kind;
    entry.transaction = op_index;
    chip.log(entry);
}

}  // namespace cqfuzz
