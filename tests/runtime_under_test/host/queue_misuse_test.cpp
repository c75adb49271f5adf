// Goal: two command queues and their events do what the API promises, and what nobody could end or
// keep is refused. Method: the real machine, with work of its own round each misuse.
#include "tests/runtime_under_test/host/misuse_bench.hpp"

namespace cqfuzz::rt {
namespace {

class OneQueueMisuseTest : public MisuseTest {};

class QueueMisuseTest : public MisuseTest {
protected:
    QueueMisuseTest() { geometry.command_queues = 2; }
};

TEST_F(OneQueueMisuseTest, AQueueThatWasNotOpened) {
    refused([&] { device->enqueue_program(loaded, QueueId::second); },
            {"enqueue_program", "no command queue 1", "opened with 1", "command_queues"});
    expect_misuse([&] { device->record_event(QueueId::second); },
                  {"record_event", "no command queue 1"});
    expect_misuse([&] { device->finish(QueueId::second); }, {"finish", "no command queue 1"});
}

TEST_F(QueueMisuseTest, AWaitForAnEventThatWasNeverRecorded) {
    const Event event = device->record_event(QueueId::first);
    refused(
        [&] {
            device->wait_for_event(QueueId::second, {QueueId::first, event.id + 1});
        },
        {"wait_for_event", "of command queue 0", "never recorded", "can never come"});
    expect_misuse(
        [&] {
            device->wait_for_event(QueueId::first, {QueueId::second, 1});
        },
        {"of command queue 1", "never recorded"});
    expect_misuse([&] { device->synchronize({QueueId::first, 0}); }, {"synchronize"});
    expect_misuse([&] { device->complete({QueueId::first, event.id + 7}); }, {"complete"});
}

TEST_F(QueueMisuseTest, ATraceOnAnotherQueue) {
    work();
    device->load_program(loaded, QueueId::second);
    const TraceId trace = device->begin_trace(QueueId::second);
    expect_misuse([&] { device->enqueue_program(loaded, QueueId::first); },
                  {"enqueue_program", "captured on command queue 1", "enqueue on it"});
    expect_misuse([&] { device->record_event(QueueId::second); },
                  {"record_event", "a trace is being captured"});
    device->enqueue_program(loaded, QueueId::second);
    device->end_trace();
    expect_misuse([&] { device->replay_trace(trace, Blocking::no); },
                  {"replay_trace", "captured on command queue 1", "replay it there"});
}

TEST_F(QueueMisuseTest, ACaptureOfAProgramThatTheQueueCannotRead) {
    work();
    device->begin_trace(QueueId::second);
    expect_misuse([&] { device->enqueue_program(loaded, QueueId::second); },
                  {"enqueue_program", "load_program", "on this queue"});
    device->end_trace();
}

// The second queue reads what the first wrote, once it has waited; the host asks and waits too.
TEST_F(QueueMisuseTest, AnEventOrdersTwoQueues) {
    work();
    const BufferId buffer = device->create_buffer(3, 4096);
    const std::vector<std::byte> bytes = sample_bytes(rng, 3 * 4096);
    device->enqueue_write(buffer, bytes, QueueId::first);
    const Event written_there = device->record_event(QueueId::first);
    device->wait_for_event(QueueId::second, written_there);
    std::vector<std::byte> back(bytes.size());
    device->enqueue_read(buffer, back, QueueId::second);
    EXPECT_EQ(back, bytes);
    device->synchronize(written_there);
    EXPECT_TRUE(device->complete(written_there));
}

// Nobody reads the completions until the end: the host makes room for itself.
TEST_F(QueueMisuseTest, ManyEventsThatNobodyWaitsFor) {
    work();
    Event last;
    for (int i = 0; i < 50; i++) last = device->record_event(QueueId::second);
    device->wait_for_event(QueueId::first, last);
    EXPECT_TRUE((device->synchronize(last), device->complete(last)));
}

}  // namespace
}  // namespace cqfuzz::rt
