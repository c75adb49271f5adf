// Transfers: buffer writes and reads, events and finish (facts §6.7, §7), each over one command
// queue.
#pragma once

#include <cstdint>
#include <span>

#include "runtime_under_test/host/device_state.hpp"

namespace cqfuzz::rt {

// Whether programs in flight may use what is overwritten (inv. 89).
enum class AfterPrograms : std::uint8_t { no, yes };

// `bytes` is `info.page_count` pages without padding (buffer_write.cpp, buffer_read.cpp).
void write_buffer(Device::State& device, CommandQueue& queue, const BufferInfo& info,
                  std::span<const std::byte> bytes, AfterPrograms order);
void read_buffer(Device::State& device, CommandQueue& queue, const BufferInfo& info,
                 std::span<std::byte> bytes);

// An event behind everything enqueued on the queue; its id. The dispatchers of the other queues
// learn of it, and the host.
std::uint32_t record_event(Device::State& device, CommandQueue& queue);
// What is enqueued on the queue from here on waits for another queue's event.
void wait_for_event(CommandQueue& queue, std::uint32_t of_queue, std::uint32_t id);
// Records an event behind everything enqueued and waits for it.
void finish(Device::State& device, CommandQueue& queue);
// What is enqueued on `after` from here on, and what its prefetcher reads for it, comes after all
// that was enqueued on `before`.
void order_after(Device::State& device, CommandQueue& before, CommandQueue& after);
// The queue owns the workers: programs of another queue are complete before its next command.
void claim_workers(Device::State& device, CommandQueue& queue);

// The WAIT for every program enqueued so far on the queue.
void add_wait_for_programs(Device::State& device, CommandQueue& queue);
// Appends waits for `count` completions that clear the count: where dispatch_s keeps it, there
// first, then the dispatcher's copy. `wait`: 0 is the mistake of clearing at once.
void add_clear(Device::State& device, CommandQueue& queue, std::uint32_t count,
               std::uint8_t wait = 1);
// The WAIT that lets the prefetcher read what the dispatcher wrote, and its STALL (inv. 51).
// `wait_count` is ignored unless `wait` is set.
void add_stall_pair(Device::State& device, CommandQueue& queue, bool wait,
                    std::uint32_t wait_count);

}  // namespace cqfuzz::rt
