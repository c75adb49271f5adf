// Goal: what a trace cannot hold is refused while it is captured, and the capture goes on: what was
// in it before and after is replayed. Traces that are not ready are not replayed.
#include "tests/runtime_under_test/host/misuse_bench.hpp"

namespace cqfuzz::rt {
namespace {

class TraceMisuseTest : public MisuseTest {
protected:
    TraceId capture(ProgramId program, std::uint32_t times) {
        const TraceId trace = device->begin_trace();
        for (std::uint32_t i = 0; i < times; i++) device->enqueue_program(program);
        device->end_trace();
        return trace;
    }

    std::vector<std::byte> bytes = std::vector<std::byte>(10400, std::byte{0x5a});
};

// --- inside a capture ----------------------------------------------------------------------------

TEST_F(TraceMisuseTest, ACaptureWithinACapture) {
    refused_in_capture([&] { device->begin_trace(); },
                       {"begin_trace", "a trace is being captured", "call end_trace first"});
}

TEST_F(TraceMisuseTest, AWriteInsideACapture) {
    refused_in_capture([&] { device->enqueue_write(written, bytes); },
                       {"enqueue_write", "a trace is being captured", "only enqueue_program",
                        "call end_trace first"});
}

TEST_F(TraceMisuseTest, AReadInsideACaptureTouchesNothing) {
    refused_in_capture([&] { device->enqueue_read(written, bytes); },
                       {"enqueue_read", "a trace is being captured", "call end_trace first"});
    EXPECT_EQ(bytes, std::vector<std::byte>(10400, std::byte{0x5a}));
}

TEST_F(TraceMisuseTest, ANewBufferInsideACapture) {
    refused_in_capture([&] { device->create_buffer(1, 32); },
                       {"create_buffer", "a trace is being captured", "call end_trace first"});
}

TEST_F(TraceMisuseTest, ANewProgramInsideACapture) {
    const Program program = sound_program();
    refused_in_capture([&] { device->create_program(program); },
                       {"create_program", "a trace is being captured", "call end_trace first"});
}

TEST_F(TraceMisuseTest, LoadingAProgramInsideACapture) {
    refused_in_capture([&] { device->load_program(loaded); },
                       {"load_program", "a trace is being captured", "call end_trace first"});
}

TEST_F(TraceMisuseTest, AProgramThatIsNotOnTheDeviceInsideACapture) {
    const ProgramId late = create(sound_program());
    refused_in_capture([&] { device->enqueue_program(late); },
                       {"enqueue_program: program 1 is not on the device yet",
                        "a trace cannot hold its upload", "call load_program or enqueue it"});
    enqueue(late, 1);
}

TEST_F(TraceMisuseTest, AnUnknownProgramInsideACapture) {
    refused_in_capture([&] { device->enqueue_program(ProgramId{9}); },
                       {"enqueue_program", "there is no program 9", "the last is 0"});
}

TEST_F(TraceMisuseTest, FinishInsideACapture) {
    refused_in_capture([&] { device->finish(); },
                       {"finish", "a trace is being captured", "call end_trace first"});
}

TEST_F(TraceMisuseTest, CloseInsideACapture) {
    refused_in_capture([&] { device->close(); },
                       {"close", "a trace is being captured", "call end_trace first"});
}

TEST_F(TraceMisuseTest, ReplayInsideACapture) {
    work();
    const ProgramId traced = loaded;
    const TraceId ready = capture(traced, 3);
    refused_in_capture([&] { device->replay_trace(ready, Blocking::no); },
                       {"replay_trace", "a trace is being captured", "call end_trace first"});
    replay(ready, traced, 3);
}

TEST_F(TraceMisuseTest, ReleaseInsideACapture) {
    work();
    const ProgramId traced = loaded;
    const TraceId ready = capture(traced, 3);
    refused_in_capture([&] { device->release_trace(ready); },
                       {"release_trace", "a trace is being captured", "call end_trace first"});
    replay(ready, traced, 3);
    device->release_trace(ready);
}

TEST_F(TraceMisuseTest, ReplayOfATraceThatIsBeingCaptured) {
    refused_in_capture([&] { device->replay_trace(TraceId{0}, Blocking::yes); },
                       {"replay_trace", "trace 0 has no end", "call end_trace first"});
}

TEST_F(TraceMisuseTest, ReleaseOfATraceThatIsBeingCaptured) {
    refused_in_capture([&] { device->release_trace(TraceId{0}); },
                       {"release_trace", "trace 0 has no end", "call end_trace first"});
}

// --- outside -------------------------------------------------------------------------------------

TEST_F(TraceMisuseTest, AnEndWithoutABeginning) {
    refused([&] { device->end_trace(); },
            {"end_trace", "no trace is being captured", "call begin_trace first"});
}

TEST_F(TraceMisuseTest, ASecondEnd) {
    work();
    const TraceId trace = capture(loaded, 1);
    expect_misuse([&] { device->end_trace(); },
                  {"end_trace", "no trace is being captured", "call begin_trace first"});
    replay(trace, loaded, 1);
}

TEST_F(TraceMisuseTest, ReplayOfAReleasedTrace) {
    work();
    const TraceId trace = capture(loaded, 2);
    replay(trace, loaded, 2);
    device->release_trace(trace);
    refused([&] { device->replay_trace(trace, Blocking::yes); },
            {"replay_trace", "trace 0 was released", "capture it again"});
}

TEST_F(TraceMisuseTest, ReleasingATraceTwice) {
    work();
    const TraceId trace = capture(loaded, 2);
    device->release_trace(trace);
    refused([&] { device->release_trace(trace); },
            {"release_trace", "trace 0 was released", "capture it again"});
    const TraceId again = capture(loaded, 2);
    replay(again, loaded, 2);
}

TEST_F(TraceMisuseTest, ATraceThatIsLargerThanTheTraceRegion) {
    work();
    const ProgramId traced = loaded;
    refused(
        [&] { capture(traced, 150); },
        {"end_trace: the trace has", "in each of 4 banks", "the trace region has 16384 per bank",
         "at most 16384 in one piece are free", "release a trace, or open the device with"});
    expect_misuse([&] { device->replay_trace(TraceId{0}, Blocking::no); },
                  {"replay_trace", "trace 0 was released", "capture it again"});
    const TraceId small = capture(traced, 2);
    replay(small, traced, 2);
}

TEST_F(TraceMisuseTest, OneTraceTooMany) {
    work();
    const ProgramId traced = loaded;
    const TraceId first = capture(traced, 20);
    const auto fill = [&] {
        for (int i = 0; i < 20; i++) capture(traced, 20);
    };
    refused(fill, {"end_trace: the trace has", "in one piece are free", "release a trace"});
    replay(first, traced, 20);
    device->release_trace(first);
    const TraceId next = capture(traced, 20);
    replay(next, traced, 20);
}

class SplitTraceMisuseTest : public TraceMisuseTest {
protected:
    SplitTraceMisuseTest() { geometry.split = true; }
};

TEST_F(SplitTraceMisuseTest, ReplayInsideACapture) {
    work();
    const ProgramId traced = loaded;
    const TraceId ready = capture(traced, 3);
    refused_in_capture([&] { device->replay_trace(ready, Blocking::no); },
                       {"replay_trace", "a trace is being captured", "call end_trace first"});
    replay(ready, traced, 3);
}

TEST_F(SplitTraceMisuseTest, ATraceThatIsLargerThanTheTraceRegion) {
    work();
    const ProgramId traced = loaded;
    refused([&] { capture(traced, 150); }, {"end_trace: the trace has", "release a trace"});
    const TraceId small = capture(traced, 2);
    replay(small, traced, 2);
}

class NoTraceRegionMisuseTest : public TraceMisuseTest {
protected:
    NoTraceRegionMisuseTest() { geometry.trace_region_bytes = 0; }
};

TEST_F(NoTraceRegionMisuseTest, ATraceWithoutATraceRegion) {
    refused([&] { capture(loaded, 1); },
            {"end_trace: the trace has", "the trace region has 0 per bank",
             "open the device with larger trace_region_bytes"});
}

}  // namespace
}  // namespace cqfuzz::rt
