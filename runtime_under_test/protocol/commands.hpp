// Command layouts of the late-2024 generation (facts §2): packed, little endian, byte 0 is the id.
//
// Structs are plain values; `encode` and `decode` move them to and from bytes by memcpy at the
// offsets of the facts, so nothing depends on the compiler's layout. A decoder reads exactly
// kCommandBytes bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cqfuzz::rt {

inline constexpr std::uint32_t kCommandBytes = 16;  // both kinds of command
inline constexpr std::uint32_t kBareMinBytes =
    32;  // prefetch commands start at multiples of it (PCIe alignment)
inline constexpr std::uint32_t kMaxPackedSubCommands =
    35;  // relay paged packed, write packed large
inline constexpr std::uint32_t kMaxRingbufferSubCommands = 52;  // relay ringbuffer
inline constexpr std::uint32_t kMaxWorkerSemaphores =
    8;  // SET_NUM_WORKER_SEMS: DISPATCH_MESSAGE_ENTRIES
inline constexpr std::uint32_t kMaxGoIndices =
    kMaxWorkerSemaphores;                             // NOTIFY_SUBORDINATE: an index per sub-device
inline constexpr std::uint32_t kMaxWriteOffsets = 3;  // late 2024: SET_WRITE_OFFSET has three
inline constexpr std::uint32_t kMaxGoNocData = 64;  // words of SET_GO_SIGNAL_NOC_DATA (facts §3.2)

enum class PrefetchId : std::uint8_t {
    illegal = 0,
    relay_linear = 1,
    relay_paged = 2,
    relay_paged_packed = 3,
    relay_inline = 4,
    relay_inline_noflush = 5,
    exec_buf = 6,
    exec_buf_end = 7,
    stall = 8,
    debug = 9,
    terminate = 10,
    paged_to_ringbuffer = 11,
    set_ringbuffer_offset = 12,
    relay_ringbuffer = 13,
    kCount,
};

enum class DispatchId : std::uint8_t {
    illegal = 0,
    write_linear = 1,
    write_linear_h = 2,
    write_linear_h_host = 3,
    write_paged = 4,
    write_packed = 5,
    write_packed_large = 6,
    wait = 7,
    go = 8,
    sink = 9,
    debug = 10,
    delay = 11,
    exec_buf_end = 12,
    set_write_offset = 13,
    terminate = 14,
    send_go_signal = 15,
    notify_subordinate_go_signal = 16,
    set_num_worker_sems = 17,
    set_go_signal_noc_data = 18,
    kCount,
};

std::string_view name_of(PrefetchId id);  // "RELAY_INLINE"
std::string_view name_of(DispatchId id);  // "WRITE_PACKED"

// --- prefetch commands (facts §2.2, column "≤ 2024")
// -----------------------------------------------------------------

struct RelayLinear {  // id 1
    std::uint32_t noc_xy_addr = 0;
    std::uint32_t addr = 0;
    std::uint32_t length = 0;
};

struct RelayPaged {               // id 2
    std::uint8_t start_page = 0;  // bits 0..3 of packed_page_flags
    bool is_dram = true;          // bit 4
    std::uint16_t length_adjust = 0;
    std::uint32_t base_addr = 0;
    std::uint32_t page_size = 0;
    std::uint32_t pages = 0;
};

struct RelayPagedPacked {  // id 3; `count` sub-commands follow the 16 bytes
    std::uint16_t count = 0;
    std::uint32_t total_length = 0;
    std::uint32_t stride = 0;
};

struct RelayPagedPackedSub {  // 12 bytes
    std::uint16_t start_page = 0;
    std::uint16_t log_page_size = 0;
    std::uint32_t base_addr = 0;
    std::uint32_t length = 0;
};

inline constexpr std::uint8_t kToDispatcher = 0;  // RelayInline::dispatcher_type
inline constexpr std::uint8_t kToDispatchS = 1;

struct RelayInline {  // ids 4, 5, 7 (EXEC_BUF_END): `length` bytes of payload follow the 16 bytes
    std::uint8_t dispatcher_type = kToDispatcher;
    std::uint32_t length = 0;
    std::uint32_t stride = 0;
};

struct ExecBuf {  // id 6
    std::uint32_t base_addr = 0;
    std::uint32_t log_page_size = 0;
    std::uint32_t pages = 0;
};

struct Debug {  // prefetch id 9, dispatch id 10: `size` bytes of payload follow the 16 bytes
    std::uint16_t key = 0;
    std::uint32_t checksum = 0;  // sum of the payload's words
    std::uint32_t size = 0;
    std::uint32_t stride = 0;  // to the next command, which may lie in the payload
};

inline constexpr std::uint8_t kRingbufferResetToStart = 1;  // PagedToRingbuffer::flags

struct PagedToRingbuffer {  // id 11
    std::uint8_t flags = 0;
    std::uint8_t log2_page_size = 0;
    std::uint8_t start_page = 0;
    std::uint32_t wp_offset_update = 0;  // how far the write pointer moves on
    std::uint32_t base_addr = 0;
    std::uint32_t length = 0;
};

struct SetRingbufferOffset {  // id 12
    std::uint32_t offset = 0;
    std::uint8_t update_wp = 0;  // the write pointer instead of the read offset
};

struct RelayRingbuffer {  // id 13; `count` sub-commands follow the 16 bytes
    std::uint16_t count = 0;
    std::uint32_t stride = 0;
};

struct RelayRingbufferSub {   // 8 bytes
    std::uint32_t start = 0;  // behind the read offset
    std::uint32_t length = 0;
};

// Header in front of every batch from prefetch_h to prefetch_d (facts §1.6): kBareMinBytes, u32
// length including itself.
inline constexpr std::uint32_t kSplitHeaderBytes = kBareMinBytes;

// --- dispatch commands (facts §2.5)
// ----------------------------------------------------------------------------------

struct WriteLinear {                   // ids 1, 2; data at +16
    std::uint8_t num_mcast_dests = 0;  // 0 = unicast
    std::uint8_t write_offset_index = 0;
    std::uint32_t noc_xy_addr = 0;
    std::uint32_t addr = 0;
    std::uint32_t length = 0;
};

struct WriteLinearHHost {  // id 3; `length` includes these 16 bytes
    std::uint8_t is_event = 0;
    std::uint16_t pad1 = 0;
    std::uint32_t pad2 = 0;
    std::uint32_t pad3 = 0;
    std::uint32_t length = 0;
};

struct WritePaged {  // id 4; data at +16
    std::uint8_t is_dram = 1;
    std::uint16_t start_page = 0;
    std::uint32_t base_addr = 0;
    std::uint32_t page_size = 0;
    std::uint32_t pages = 0;
};

inline constexpr std::uint8_t kPackedMulticast = 1;  // WritePacked::flags
inline constexpr std::uint8_t kPackedNoStride = 2;

struct WritePacked {  // id 5; sub-commands, pad to 16, payloads
    std::uint8_t flags = 0;
    std::uint16_t count = 0;
    std::uint16_t write_offset_index = 0;
    std::uint16_t size = 0;
    std::uint32_t addr = 0;
};

struct PackedMulticastSub {  // 8 bytes; unicast: the first word alone
    std::uint32_t noc_xy_addr = 0;
    std::uint32_t num_mcast_dests = 0;
};

struct WritePackedLarge {  // id 6; sub-commands, pad to 16, payloads each padded to `alignment`
    std::uint16_t count = 0;
    std::uint16_t alignment = 0;
    std::uint16_t write_offset_index = 0;
};

inline constexpr std::uint8_t kPackedLargeUnlink = 1;  // WritePackedLargeSub::flags

struct WritePackedLargeSub {  // 12 bytes
    std::uint32_t noc_xy_addr = 0;
    std::uint32_t addr = 0;
    std::uint16_t length = 0;
    std::uint8_t num_mcast_dests = 0;
    std::uint8_t flags = 0;
};

struct Wait {  // id 7
    std::uint8_t barrier = 0;
    std::uint8_t notify_prefetch = 0;
    std::uint8_t clear_count = 0;
    std::uint8_t wait = 0;
    std::uint32_t addr = 0;
    std::uint32_t count = 0;
};

struct Delay {  // id 11
    std::uint32_t iterations = 0;
};

struct SetWriteOffset {  // id 13
    std::uint32_t offset[kMaxWriteOffsets] = {};
};

struct SendGoSignal {  // id 15
    std::uint32_t go_signal = 0;
    std::uint8_t num_mcast_txns = 0;
    std::uint8_t num_unicast_txns = 0;
    std::uint8_t noc_data_start_index = 0;
    std::uint32_t wait_count = 0;
    std::uint32_t wait_addr = 0;
};

struct NotifySubordinateGoSignal {  // id 16
    std::uint8_t wait = 0;
    std::uint16_t index_bitmask = 0;
};

struct SetNumWorkerSems {  // id 17
    std::uint32_t num_worker_sems = 0;
};

struct SetGoSignalNocData {  // id 18; `num_words` words follow at +16
    std::uint32_t num_words = 0;
};

// The id byte is written too. `out`/`in` are kCommandBytes (sub-commands: their own size) long.
void encode(std::byte* out, const RelayLinear& command);
void encode(std::byte* out, const RelayPaged& command);
void encode(std::byte* out, const RelayPagedPacked& command);
void encode(std::byte* out, const RelayPagedPackedSub& command);
void encode(std::byte* out, PrefetchId inline_kind,
            const RelayInline& command);  // relay_inline, _noflush, exec_buf_end
void encode(std::byte* out, const ExecBuf& command);
void encode(std::byte* out, PrefetchId debug, const Debug& command);
void encode(std::byte* out, DispatchId debug, const Debug& command);
void encode(std::byte* out, const PagedToRingbuffer& command);
void encode(std::byte* out, const SetRingbufferOffset& command);
void encode(std::byte* out, const RelayRingbuffer& command);
void encode(std::byte* out, const RelayRingbufferSub& command);
void encode(std::byte* out, PrefetchId bare);  // stall, terminate
void encode(std::byte* out, DispatchId linear_kind,
            const WriteLinear& command);  // write_linear, write_linear_h
void encode(std::byte* out, const WriteLinearHHost& command);
void encode(std::byte* out, const WritePaged& command);
void encode(std::byte* out, const WritePacked& command);
void encode(std::byte* out, const PackedMulticastSub& command);
void encode(std::byte* out, const WritePackedLarge& command);
void encode(std::byte* out, const WritePackedLargeSub& command);
void encode(std::byte* out, const Wait& command);
void encode(std::byte* out, const Delay& command);
void encode(std::byte* out, const SetWriteOffset& command);
void encode(std::byte* out, const SendGoSignal& command);
void encode(std::byte* out, const NotifySubordinateGoSignal& command);
void encode(std::byte* out, const SetNumWorkerSems& command);
void encode(std::byte* out, const SetGoSignalNocData& command);
void encode(std::byte* out, DispatchId bare);  // exec_buf_end, terminate, sink

void decode(const std::byte* in, RelayLinear& command);
void decode(const std::byte* in, RelayPaged& command);
void decode(const std::byte* in, RelayPagedPacked& command);
void decode(const std::byte* in, RelayPagedPackedSub& command);
void decode(const std::byte* in, RelayInline& command);
void decode(const std::byte* in, ExecBuf& command);
void decode(const std::byte* in, Debug& command);
void decode(const std::byte* in, PagedToRingbuffer& command);
void decode(const std::byte* in, SetRingbufferOffset& command);
void decode(const std::byte* in, RelayRingbuffer& command);
void decode(const std::byte* in, RelayRingbufferSub& command);
void decode(const std::byte* in, WriteLinear& command);
void decode(const std::byte* in, WriteLinearHHost& command);
void decode(const std::byte* in, WritePaged& command);
void decode(const std::byte* in, WritePacked& command);
void decode(const std::byte* in, PackedMulticastSub& command);
void decode(const std::byte* in, WritePackedLarge& command);
void decode(const std::byte* in, WritePackedLargeSub& command);
void decode(const std::byte* in, Wait& command);
void decode(const std::byte* in, Delay& command);
void decode(const std::byte* in, SetWriteOffset& command);
void decode(const std::byte* in, SendGoSignal& command);
void decode(const std::byte* in, NotifySubordinateGoSignal& command);
void decode(const std::byte* in, SetNumWorkerSems& command);
void decode(const std::byte* in, SetGoSignalNocData& command);

// Multicast coordinates: NOC_MULTICAST_ENCODING, four 6-bit fields in one word (facts §8.1); the
// start corner is the upper left on NoC 0: x_end | y_end << 6 | x_start << 12 | y_start << 18.
std::uint32_t multicast_xy(std::uint8_t x_start, std::uint8_t y_start, std::uint8_t x_end,
                           std::uint8_t y_end);
// The same rectangle on NoC 1, whose route goes the other way: it starts at the lower right.
inline std::uint32_t multicast_xy_noc1(std::uint32_t xy) {
    return (xy >> 12 & 0xfff) | (xy & 0xfff) << 12;
}

inline std::uint32_t align_up(std::uint32_t value, std::uint32_t alignment) {
    return (value + alignment - 1) / alignment * alignment;
}

}  // namespace cqfuzz::rt
