// The port between firmware and the simulated core it runs on. Silicon implements these functions
// for the core whose fiber is running; the public dataflow API (dataflow_api.h) is built on them.
//
// A core gives way to the scheduler at every `noc_send`, `poll_…` and `pause`. A poll of unchanged
// words parks the core: the set of words polled since its last other action is remembered, and when
// one of them is polled again unchanged the core sleeps until any of them changes. So `while
// (poll_l1(a) == 0) {}` costs nothing while idle, and a hang is proved. Between the end of one wait
// and the first poll of the next there has to be another action of the core.
//
// L1 addresses: offsets in the core's L1, or absolute addresses inside its low-mapped slot; both
// mean the same.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cqfuzz::device {

// Registers of one command buffer (facts §8): sticky until rewritten.
// Where a NoC is named: the link of an ethernet core, whose packets and register increments go to
// the core at its other end, whatever the coordinate. Writes and atomics only, in order (facts
// §1.5: streams of a receiver's credit registers add what is written to them).
inline constexpr std::uint32_t kEthernetLink = 2;

enum class Register : std::uint8_t {
    targ_addr_lo,          // reads: remote address; writes: local source address
    targ_addr_coordinate,  // reads: remote coordinate
    ret_addr_lo,           // writes, atomics: remote address; reads: local destination address
    ret_addr_coordinate,   // writes, atomics: remote coordinate (multicast: both corners)
    ctrl,                  // kNocCmd… flags
    at_len_be,             // length in bytes; inline writes: byte enables
    at_data,               // inline data or atomic increment
    kCount,
};

inline constexpr std::uint32_t kNocCmdRead = 1u << 0;
inline constexpr std::uint32_t kNocCmdWrite = 1u << 1;
inline constexpr std::uint32_t kNocCmdInline = 1u << 2;  // with write: data comes from at_data
inline constexpr std::uint32_t kNocCmdAtomic = 1u << 3;
inline constexpr std::uint32_t kNocCmdRespMarked = 1u << 4;     // non-posted
inline constexpr std::uint32_t kNocCmdLinked = 1u << 5;         // NOC_CMD_VC_LINKED
inline constexpr std::uint32_t kNocCmdMulticast = 1u << 6;      // NOC_CMD_BRCST_PACKET
inline constexpr std::uint32_t kNocCmdSourceInclude = 1u << 7;  // NOC_CMD_BRCST_SRC_INCLUDE
inline constexpr std::uint32_t kNocCmdPathReserve = 1u << 8;
inline constexpr std::uint32_t kNocCmdVcShift = 12;  // static virtual channel in bits 12..15

inline constexpr std::uint32_t kWriteBuffer = 0;  // command buffers by use (facts §8.2)
inline constexpr std::uint32_t kReadBuffer = 1;
inline constexpr std::uint32_t kInlineBuffer = 2;
inline constexpr std::uint32_t kAtomicBuffer = 3;

// Hardware counters of the tile, per NoC (facts §8.3).
enum class HardwareCounter : std::uint8_t {
    rd_resp_received,
    nonposted_wr_req_sent,
    wr_ack_received,
    atomic_resp_received,
    posted_wr_req_sent,
    kCount,
};

// Software counters of the processor, per NoC; same order.
enum class SoftwareCounter : std::uint8_t {
    reads_num_issued,
    nonposted_writes_num_issued,
    nonposted_writes_acked,
    nonposted_atomics_acked,
    posted_writes_num_issued,
    kCount,
};

void register_write(std::uint32_t noc, std::uint32_t buffer, Register which, std::uint32_t value);
std::uint32_t register_read(std::uint32_t noc, std::uint32_t buffer, Register which);
// Waits (parks) until the buffer accepts a command; returns at once unless noc_undeparted_max is
// reached.
void wait_command_buffer_ready(std::uint32_t noc, std::uint32_t buffer);
// Issues what the registers say: one packet. Raises no software counter. Gives way.
void noc_send(std::uint32_t noc, std::uint32_t buffer);
// Before a multicast's noc_send: how many acknowledgements software will count (inv. 91).
void note_receivers(std::uint32_t noc, std::uint32_t buffer, std::uint32_t receivers);

std::uint32_t poll_hardware_counter(std::uint32_t noc, HardwareCounter which);
std::uint32_t read_hardware_counter(std::uint32_t noc,
                                    HardwareCounter which);  // no poll: does not park
std::uint32_t& software_counter(std::uint32_t noc, SoftwareCounter which);

std::uint32_t poll_l1(std::uint32_t address);
std::uint16_t poll_l1_u16(std::uint32_t address);
// Plain loads and stores of the core's own L1. [address, +length) must lie inside it.
void l1_load(std::uint32_t address, void* to, std::uint32_t length);
void l1_store(std::uint32_t address, const void* from, std::uint32_t length);
// Before machine instructions of a hosted kernel store there; an l1_store of the same bytes
// follows.
void l1_will_store(std::uint32_t address, std::uint32_t length);

std::uint32_t my_x();
std::uint32_t my_y();

// Gives way once without an effect (a busy-loop iteration, a kernel's work).
void pause();
// Gives way until something comes to this core, or until nobody else can move: a turn of a wait
// whose words cannot be told, as it stores between its looks.
void rest();

// --- what firmware says of itself
// -------------------------------------------------------------------------------------

// A literal; the hang report shows the last one. An action: the polls before it are forgotten.
void waypoint(const char* what);
void command_begin(std::uint32_t id, std::uint32_t address);
void command_end(std::uint32_t next_address);
// A hosted kernel that says nothing of itself has loaded a command's id from there.
void command_seen(std::uint32_t id, std::uint32_t address);
void kernel_begin(std::uint32_t launch_address, std::uint32_t go_word);
void kernel_end();
// An assertion of firmware failed: ends the run with a verdict; never returns.
[[noreturn]] void firmware_assert_failed(const char* text);
// A store past a LocalArray. Returns: the guard words took it.
void local_overrun(const char* array, std::uint32_t index, std::uint32_t size);

inline std::uint32_t l1_load_u32(std::uint32_t address) {
    std::uint32_t value;
    l1_load(address, &value, sizeof value);
    return value;
}
inline void l1_store_u32(std::uint32_t address, std::uint32_t value) {
    l1_store(address, &value, sizeof value);
}

}  // namespace cqfuzz::device

// Firmware's own assertion: a verdict, not an abort.
#define FIRMWARE_ASSERT(condition)                                \
    do {                                                          \
        if (!(condition)) [[unlikely]]                            \
            ::cqfuzz::device::firmware_assert_failed(#condition); \
    } while (false)
