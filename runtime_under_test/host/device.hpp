// Device: an open chip with one command queue (facts §1, §6, §7), on the chip with PCIe or behind
// the tunnel. The public host API of the
// runtime under test.
//
// Every call may block (the harness runs the chip meanwhile) and may throw Misuse (misuse.hpp) or
// DeviceLost (device_lost.hpp). One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "runtime_under_test/faults/faults.hpp"
#include "runtime_under_test/host/buffer.hpp"
#include "runtime_under_test/host/cluster.hpp"
#include "runtime_under_test/host/device_lost.hpp"
#include "runtime_under_test/host/misuse.hpp"
#include "runtime_under_test/host/program.hpp"
#include "runtime_under_test/protocol/geometry.hpp"

namespace cqfuzz::rt {

enum class BufferId : std::uint32_t {};
enum class ProgramId : std::uint32_t {};
enum class TraceId : std::uint32_t {};
enum class Blocking : std::uint8_t { no, yes };

class Device {
public:
    // Boots: writes pointer words and semaphores, starts dispatch, worker and ethernet firmware,
    // sends the go-signal data. Throws Misuse for an illegal geometry.
    Device(Cluster& cluster, const DispatchGeometry& geometry, FaultSet& faults,
           std::uint8_t chip = 0);
    // Closing is explicit, since it talks to the chip; the destructor only frees host memory.
    ~Device();
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    const DeviceConfig& config() const;

    // Pages larger than a command are written and read in parts (facts §7). Throws Misuse when the
    // cores do not exist or the memory has no room.
    BufferId create_buffer(const BufferSpec& spec);
    // Interleaved over DRAM.
    BufferId create_buffer(std::uint32_t page_count, std::uint32_t page_size_bytes) {
        return create_buffer(BufferSpec{page_count, page_size_bytes});
    }
    BufferInfo info(BufferId buffer) const;
    // `bytes` is the whole buffer, page after page without padding. Returns when enqueued.
    void enqueue_write(BufferId buffer, std::span<const std::byte> bytes);
    // Blocking: returns when `bytes` holds the whole buffer.
    void enqueue_read(BufferId buffer, std::span<std::byte> bytes);

    // The program is copied, laid out and checked. Its binaries go to DRAM with its first enqueue
    // outside a trace.
    ProgramId create_program(const Program& program);
    void enqueue_program(ProgramId program);

    // Between begin and end only enqueue_program of programs whose binaries are committed (facts
    // §5.1). A program that is not yet on the device is refused; `load_program` sends binaries
    // without running.
    void load_program(ProgramId program);
    TraceId begin_trace();
    void end_trace();
    void replay_trace(TraceId trace, Blocking blocking);
    void release_trace(TraceId trace);

    // Everything enqueued so far is complete when it returns (facts §6.7).
    void finish();
    // finish, TERMINATE, wait until every core has exited. Afterwards every call but `config`
    // throws Misuse. A capture must have ended before.
    void close();

    struct State;

private:
    std::unique_ptr<State> state_;
};

}  // namespace cqfuzz::rt
