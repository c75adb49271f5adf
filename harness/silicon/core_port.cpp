// The device port of core_port.hpp, for the core whose fiber is running.
#include "harness/device_api/core_port.hpp"

#include <cstring>

#include "harness/base/check.hpp"
#include "harness/silicon/chip.hpp"
#include "harness/silicon/running_core.hpp"

namespace cqfuzz::device {
namespace {

struct Self {
    Chip& chip;
    TileIndex tile;
    Core& core;
};

Self self() {
    Chip& chip = active_chip();
    CHECK(chip.running != kPcieTile, "the device port is used outside firmware");
    return {chip, chip.running, chip.cores[chip.running]};
}

// Whatever a core does besides polling: it may loop over it for ever, so the polls before it no
// longer count.
void other_action(Core& core) { core.watch_count = 0; }

std::uint32_t own_address(const Self& me, std::uint32_t address, std::uint32_t length) {
    const std::uint32_t offset = address & kL1AddressMask;
    if (!me.chip.memory.contains(me.tile, offset, length))
        firmware_assert_failed("an access past the end of L1");
    return offset;
}

LogEntry entry_of(LogKind kind, const Self& me) {
    LogEntry entry;
    entry.kind = kind;
    entry.tile = me.tile;
    return entry;
}

CommandBuffer& buffer_of(const Self& me, std::uint32_t noc, std::uint32_t buffer) {
    CHECK(noc < kNocs && buffer < kCommandBuffers, "command buffer %u of NoC %u", buffer, noc);
    return me.core.buffers[noc][buffer];
}

// Only writes wait for departures; reads and atomics leave at once.
bool waits_for_departures(std::uint32_t buffer) {
    return buffer == kWriteBuffer || buffer == kInlineBuffer;
}

bool is_write_class(const CommandBuffer& buffer) {
    const std::uint32_t control = buffer.get(Register::ctrl);
    return (control & kNocCmdWrite) != 0 && (control & kNocCmdAtomic) == 0;
}

Watch counter_watch(std::uint32_t noc, HardwareCounter which) {
    Watch watch;
    watch.kind = ParkedWatch::Kind::noc_counter;
    watch.noc = static_cast<std::uint8_t>(noc);
    watch.address = static_cast<std::uint32_t>(which);
    return watch;
}

std::uint32_t poll_word(std::uint32_t address, std::uint8_t width) {
    const Self me = self();
    Watch watch;
    watch.width = width;
    watch.address = own_address(me, address, width);
    return me.chip.poll(me.tile, watch);
}

}  // namespace

// --- command buffers -----------------------------------------------------------------------------

void register_write(std::uint32_t noc, std::uint32_t buffer, Register which, std::uint32_t value) {
    const Self me = self();
    other_action(me.core);
    if (waits_for_departures(buffer) && me.chip.noc.full(me.tile, noc)) [[unlikely]]
        me.chip.noc.log_rule(NocRule::busy_register_write, me.tile, noc);
    buffer_of(me, noc, buffer).registers[static_cast<std::uint32_t>(which)] = value;
}

std::uint32_t register_read(std::uint32_t noc, std::uint32_t buffer, Register which) {
    return buffer_of(self(), noc, buffer).get(which);
}

void wait_command_buffer_ready(std::uint32_t noc, std::uint32_t buffer) {
    const Self me = self();
    if (waits_for_departures(buffer)) me.chip.wait_for_room(me.tile, noc, buffer);
}

void note_receivers(std::uint32_t noc, std::uint32_t buffer, std::uint32_t receivers) {
    CommandBuffer& noted = buffer_of(self(), noc, buffer);
    noted.noted = true;
    noted.noted_receivers = receivers;
}

void noc_send(std::uint32_t noc, std::uint32_t buffer) {
    const Self me = self();
    CommandBuffer& sent = buffer_of(me, noc, buffer);
    other_action(me.core);
    if (is_write_class(sent)) me.chip.wait_for_room(me.tile, noc, buffer);
    me.chip.noc.send(me.tile, noc, buffer, sent);
    me.chip.core_gives_way(me.tile, StepEnd::goes_on);
}

// --- counters ------------------------------------------------------------------------------------

std::uint32_t poll_hardware_counter(std::uint32_t noc, HardwareCounter which) {
    const Self me = self();
    me.chip.noc.port(me.tile, noc);
    return me.chip.poll(me.tile, counter_watch(noc, which));
}

std::uint32_t read_hardware_counter(std::uint32_t noc, HardwareCounter which) {
    const Self me = self();
    other_action(me.core);
    return me.chip.noc.port(me.tile, noc).counter(which);
}

std::uint32_t& software_counter(std::uint32_t noc, SoftwareCounter which) {
    CHECK(noc < kNocs, "NoC %u", noc);
    return self().core.software[noc][static_cast<std::uint32_t>(which)];
}

// --- L1 ------------------------------------------------------------------------------------------

std::uint32_t poll_l1(std::uint32_t address) { return poll_word(address, 4); }

std::uint16_t poll_l1_u16(std::uint32_t address) {
    return static_cast<std::uint16_t>(poll_word(address, 2));
}

void l1_load(std::uint32_t address, void* to, std::uint32_t length) {
    const Self me = self();
    other_action(me.core);
    const std::uint32_t offset = own_address(me, address, length);
    if (length == 0) return;
    std::memcpy(to, me.chip.memory.bytes(me.tile) + offset, length);
    LogEntry entry = entry_of(LogKind::l1_load, me);
    entry.source_address = offset;
    entry.length = length;
    me.chip.log(entry);
}

void l1_store(std::uint32_t address, const void* from, std::uint32_t length) {
    const Self me = self();
    other_action(me.core);
    const std::uint32_t offset = own_address(me, address, length);
    if (length == 0) return;
    me.chip.memory.write(me.tile, offset, static_cast<const std::byte*>(from), length);
    LogEntry entry = entry_of(LogKind::l1_store, me);
    entry.target = me.tile;
    entry.target_address = offset;
    entry.length = length;
    entry.data = me.chip.memory.bytes(me.tile) + offset;
    me.chip.log(entry);
}

void l1_will_store(std::uint32_t address, std::uint32_t length) {
    const Self me = self();
    other_action(me.core);
    const std::uint32_t offset = own_address(me, address, length);
    if (length != 0) me.chip.memory.writable(me.tile, offset, length);
}

std::uint32_t my_x() {
    const Self me = self();
    return me.chip.tiles.coord(me.tile).x;
}

std::uint32_t my_y() {
    const Self me = self();
    return me.chip.tiles.coord(me.tile).y;
}

void pause() {
    const Self me = self();
    other_action(me.core);
    me.chip.core_gives_way(me.tile, StepEnd::paused);
}

void rest() {
    const Self me = self();
    other_action(me.core);
    me.core.parked = me.core.resting = true;
    me.chip.core_gives_way(me.tile, StepEnd::parked);
}

// --- what firmware says of itself ----------------------------------------------------------------

void waypoint(const char* what) {
    Core& core = self().core;
    other_action(core);
    core.waypoint = what;
}

void command_begin(std::uint32_t id, std::uint32_t address) {
    const Self me = self();
    LogEntry entry = entry_of(LogKind::command_begin, me);
    entry.value = id;
    entry.source_address = address & kL1AddressMask;
    me.chip.log(entry);
}

void command_seen(std::uint32_t id, std::uint32_t address) {
    const Self me = self();
    LogEntry entry = entry_of(LogKind::command_begin, me);
    entry.flags = kLogSeen;
    entry.value = id;
    entry.source_address = address & kL1AddressMask;
    me.chip.log(entry);
}

void command_end(std::uint32_t next_address) {
    const Self me = self();
    LogEntry entry = entry_of(LogKind::command_end, me);
    entry.source_address = next_address & kL1AddressMask;
    me.chip.log(entry);
}

void kernel_begin(std::uint32_t launch_address, std::uint32_t go_word) {
    const Self me = self();
    LogEntry entry = entry_of(LogKind::kernel_begin, me);
    entry.source_address = launch_address & kL1AddressMask;
    entry.value = go_word;
    me.chip.log(entry);
}

void kernel_end() {
    const Self me = self();
    LogEntry entry = entry_of(LogKind::kernel_end, me);
    me.chip.log(entry);
}

void firmware_assert_failed(const char* text) {
    const Self me = self();
    LogEntry entry = entry_of(LogKind::firmware_assert, me);
    entry.data = reinterpret_cast<const std::byte*>(text);
    entry.length = static_cast<std::uint32_t>(std::strlen(text));
    me.chip.log(entry);
    // Whatever the sink thinks of it: firmware cannot go on.
    me.chip.end_run(MachineStop::sink);
}

void local_overrun(const char* array, std::uint32_t index, std::uint32_t size) {
    const Self me = self();
    LogEntry entry = entry_of(LogKind::local_overrun, me);
    entry.value = index;
    entry.length = size;
    entry.data = reinterpret_cast<const std::byte*>(array);
    me.chip.log(entry);
}

}  // namespace cqfuzz::device

namespace cqfuzz {

RunningCore running_core() {
    const device::Self me = device::self();
    return {{static_cast<const std::byte*>(me.core.fiber.stack_bottom), me.core.fiber.stack_bytes},
            std::as_bytes(std::span(me.core.software))};
}

}  // namespace cqfuzz
