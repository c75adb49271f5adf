// Device: an open chip with its command queues (facts §1, §6, §7), the chip with PCIe or one behind
// the tunnel. The public host API of the runtime under test.
//
// What is enqueued on one queue is done in that order. Two queues run beside each other, ordered by
// events; programs alone are ordered over both, since they share the workers.
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
enum class QueueId : std::uint32_t { first = 0, second = 1 };
enum class Blocking : std::uint8_t { no, yes };

// Everything that was enqueued on a queue before; given by record_event.
struct Event {
    QueueId queue = QueueId::first;
    std::uint32_t id = 0;
};

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
    void enqueue_write(BufferId buffer, std::span<const std::byte> bytes,
                       QueueId queue = QueueId::first);
    // Blocking: returns when `bytes` holds the whole buffer.
    void enqueue_read(BufferId buffer, std::span<std::byte> bytes, QueueId queue = QueueId::first);

    // The program is copied, laid out and checked. Its binaries go to DRAM with its first enqueue
    // outside a trace.
    ProgramId create_program(const Program& program);
    void enqueue_program(ProgramId program, QueueId queue = QueueId::first);

    // Between begin and end only enqueue_program of programs whose binaries are committed (facts
    // §5.1), on the queue of the capture. A program whose binaries that queue cannot read yet is
    // refused; `load_program` sends them without running. A trace is replayed on its own queue.
    void load_program(ProgramId program, QueueId queue = QueueId::first);
    TraceId begin_trace(QueueId queue = QueueId::first);
    void end_trace();
    void replay_trace(TraceId trace, Blocking blocking, QueueId queue = QueueId::first);
    void release_trace(TraceId trace);

    // Events (facts §6.7). A wait on the device holds back what is enqueued on `queue` from then
    // on; an event that was never recorded is refused, since nothing would end the wait.
    Event record_event(QueueId queue = QueueId::first);
    void wait_for_event(QueueId queue, const Event& event);
    void synchronize(const Event& event);  // blocks until it is complete
    bool complete(const Event& event);     // asks; never blocks

    // Everything enqueued so far on the queue is complete when it returns (facts §6.7).
    void finish(QueueId queue = QueueId::first);
    // finish of every queue, TERMINATE, wait until every core has exited. Afterwards every call but
    // `config` throws Misuse. A capture must have ended before.
    void close();

    struct State;

private:
    std::unique_ptr<State> state_;
};

}  // namespace cqfuzz::rt
