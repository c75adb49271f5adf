// The host's side of the machine: rt::Cluster. Each call is one move of the host, made when the
// schedule picks it.
#include <cstring>

#include "harness/base/check.hpp"
#include "harness/silicon/machine_state.hpp"

namespace cqfuzz {
namespace {

// The tile of a core, or a harness fault: coordinates come from the chip description.
TileIndex core_at(const Chip& chip, rt::Coord coord) {
    const bool inside =
        coord.x < kCoordinateMax && coord.y < kCoordinateMax && coord.chip < kChipsMax;
    const TileIndex tile = inside ? chip.tiles.at(coord.chip, coord.x, coord.y) : kNoTile;
    CHECK(tile != kNoTile && chip.tiles.has_l1(tile), "no core at (%u, %u)", coord.x, coord.y);
    return tile;
}

std::uint32_t local_address(const Chip& chip, TileIndex tile, std::uint32_t address) {
    return chip.tiles.has_l1(tile) ? address & kL1AddressMask : address;
}

// A place in the host's memory: the hugepage of a chip with PCIe and the offset in it.
struct Place {
    TileIndex tile = kNoTile;
    std::uint32_t offset = 0;
};

Place place_of(const Chip& chip, std::uint32_t offset) {
    const TileIndex tile = chip.tiles.pcie_of_channel(offset / rt::kHugepageChannelBytes);
    CHECK(tile != kNoTile, "no chip has the hugepage channel %u",
          offset / rt::kHugepageChannelBytes);
    return {tile, offset % rt::kHugepageChannelBytes};
}

// The L1 of a chip without PCIe is reached over ethernet the slow way, and only to boot: once its
// cores run, everything goes through its dispatcher (facts §1.2).
bool reachable(const Chip& chip, TileIndex tile) {
    return !chip.tiles.chip(chip.tiles.chip_of(tile)).remote || !chip.cores[tile].started;
}

// An access outside a memory is the runtime's mistake, not ours.
bool inside(Chip& chip, TileIndex tile, std::uint32_t address, std::size_t length) {
    if (length <= 0xffffffffu && reachable(chip, tile) &&
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
    const Place place = place_of(state_->chip, offset);
    write(state_->chip, place.tile, place.offset, bytes);
}

void Machine::hugepage_read(std::uint32_t offset, std::span<std::byte> bytes) {
    const Place place = place_of(state_->chip, offset);
    read(state_->chip, place.tile, place.offset, bytes);
}

std::uint32_t Machine::wait_hugepage_word(std::uint32_t offset, std::uint32_t seen) {
    const Place place = place_of(state_->chip, offset);
    return wait_word(state_->chip, place.tile, place.offset, seen);
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

void Machine::preload(rt::Coord place, std::uint32_t address, std::span<const std::byte> bytes) {
    Chip& chip = state_->chip;
    const TileIndex tile = chip.tiles.at(place.chip, place.x, place.y);
    const auto length = static_cast<std::uint32_t>(bytes.size());
    CHECK(tile != kNoTile && chip.memory.contains(tile, address, length),
          "preload of %u bytes at %u of (%u, %u)", length, address, place.x, place.y);
    chip.memory.write(tile, address, bytes.data(), length);
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

void Machine::log_host_call(LogKind kind, std::uint32_t call_kind, std::uint32_t op_index,
                            std::uint32_t device) {
    Chip& chip = state_->chip;
    chip.throw_if_over();
    LogEntry entry;
    entry.kind = kind;
    entry.tile = kPcieTile;
    entry.value = call_kind;
    entry.transaction = op_index;
    entry.length = device;
    chip.log(entry);
}

}  // namespace cqfuzz
