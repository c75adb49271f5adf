// HostCall: what the driver told the runtime to do, as values. They reach the oracles by
// themselves, beside the log entries host_call_begin and host_call_end; golden memory predicts from
// them alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/base/tile.hpp"

namespace cqfuzz {

enum class HostCallKind : std::uint8_t {
    open_device,
    create_buffer,
    write_buffer,
    read_buffer,
    load_program,  // its binaries are sent to DRAM; nothing runs
    enqueue_program,
    capture_trace,  // `traced` lists the programs; none of them runs now
    replay_trace,   // … once per replay
    release_trace,
    finish,
    close_device,
    record_event,
    wait_event,  // the queue waits for it
    sync_event,  // the host waits for it
    query_event,
    submit_commands,   // a fetch slot of a command stream
    read_completion,   // … and what comes back: `data`
};

inline constexpr std::uint8_t kProcessorsPerWorker = 5;  // BRISC, NCRISC, TRISC0..2 (facts §11)

// A program's contents on one kind of core. Coordinates are logical: column and row of the grid, or
// ethernet core number in `x` with y 0.
struct KernelImage {
    std::uint8_t processor = 0;
    bool on_ethernet = false;
    NocRectangle cores{};
    std::vector<std::byte> binary;
    // Runtime arguments: the unique ones of core (x, y) are `args_words` words, the k-th being
    // runtime_arg_word(args_seed, x, y, k); then the common ones.
    std::uint32_t args_words = 0;
    std::uint64_t args_seed = 0;
    std::vector<std::uint32_t> common_args;
    std::uint32_t exchange_bytes = 0;  // of the binary, sent over the core's link
};

struct SemaphoreImage {
    bool on_ethernet = false;
    NocRectangle cores{};
    std::uint8_t id = 0;
    std::uint32_t initial = 0;
};

struct CircularBufferImage {
    NocRectangle cores{};
    std::uint8_t index = 0;
    std::uint32_t address = 0;
    std::uint32_t size_bytes = 0;
    std::uint32_t page_count = 0;
    std::uint32_t page_size_bytes = 0;
};

struct ProgramImage {
    std::uint32_t id = 0;
    std::vector<KernelImage> kernels;
    std::vector<SemaphoreImage> semaphores;
    std::vector<CircularBufferImage> circular_buffers;
};

enum class PagePlacement : std::uint8_t {
    dram,  // interleaved over the banks
    l1,    // interleaved over the workers, row by row
    height_sharded,
    width_sharded,
    block_sharded,
};

// Sharded: the pages are rows of `row_pages`, the last may be short; each of `cores` holds a block
// of them.
struct BufferShape {
    std::uint32_t page_count = 0;
    std::uint32_t page_size_bytes = 0;
    PagePlacement placement = PagePlacement::dram;
    NocRectangle cores{};
    std::uint32_t row_pages = 1;
};

std::uint32_t runtime_arg_word(std::uint64_t seed, std::uint32_t x, std::uint32_t y,
                               std::uint32_t index);

struct StreamPlan;

struct HostCall {
    HostCallKind kind = HostCallKind::open_device;
    std::uint32_t op_index = 0;
    std::uint32_t device = 0;   // chip number
    bool succeeded = true;      // known at the end of the call
    std::string refusal;        // what the runtime said when it refused
    std::uint32_t buffer = 0;   // buffer number
    std::uint32_t address = 0;  // outcome of create_buffer: the same in each bank or worker
    BufferShape shape;          // of the buffer
    const std::vector<std::byte>* data = nullptr;  // written, or what a read returned
    const ProgramImage* program = nullptr;
    std::vector<const ProgramImage*> traced;  // capture_trace, replay_trace: in order
    const StreamPlan* stream = nullptr;  // open_device: what a command stream will do
    std::uint32_t trace = 0;
    std::uint32_t queue = 0;
    std::uint32_t event = 0;
    bool complete = false;  // outcome of query_event
};

}  // namespace cqfuzz
