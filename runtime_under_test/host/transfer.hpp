// Transfers: buffer writes and reads, events and finish (facts §6.7, §7).
#pragma once

#include <cstdint>
#include <span>

#include "runtime_under_test/host/device_state.hpp"

namespace cqfuzz::rt {

// Whether programs in flight may use what is overwritten (inv. 89).
enum class AfterPrograms : std::uint8_t { no, yes };

// `bytes` is `info.page_count` pages without padding (buffer_write.cpp, buffer_read.cpp).
void write_buffer(Device::State& device, const BufferInfo& info, std::span<const std::byte> bytes,
                  AfterPrograms order);
void read_buffer(Device::State& device, const BufferInfo& info, std::span<std::byte> bytes);
// Records an event behind everything enqueued and waits for it.
void finish(Device::State& device);

// The WAIT for every program enqueued so far.
void add_wait_for_programs(Device::State& device);
// The WAIT that lets the prefetcher read what the dispatcher wrote, and its STALL (inv. 51).
// `wait_count` is ignored unless `wait` is set.
void add_stall_pair(Device::State& device, CommandSequence& out, bool wait,
                    std::uint32_t wait_count);

}  // namespace cqfuzz::rt
