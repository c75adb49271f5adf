// Goal: misuse of buffers, of ids, and of a device that is closed says what was wrong and what to
// do, and costs nothing else. Programs, traces and geometries have files of their own beside this
// one.
#include <cstring>
#include <utility>

#include "tests/runtime_under_test/host/misuse_bench.hpp"

namespace cqfuzz::rt {
namespace {

class BufferMisuseTest : public MisuseTest {};
class IdMisuseTest : public MisuseTest {};
class CloseMisuseTest : public MisuseTest {};
class DeviceLostTest : public MisuseTest {};

// --- buffers -------------------------------------------------------------------------------------

TEST_F(BufferMisuseTest, ABufferWithoutPages) {
    refused([&] { device->create_buffer(0, 64); },
            {"create_buffer", "0 pages of 64 bytes", "give at least one page"});
}

TEST_F(BufferMisuseTest, PagesWithoutBytes) {
    refused([&] { device->create_buffer(3, 0); },
            {"create_buffer", "3 pages of 0 bytes", "multiple of 32"});
}

TEST_F(BufferMisuseTest, PagesThatAreNotAligned) {
    refused([&] { device->create_buffer(3, 48); },
            {"create_buffer", "3 pages of 48 bytes", "multiple of 32"});
}

TEST_F(BufferMisuseTest, APageThatIsLargerThanABank) {
    refused([&] { device->create_buffer(1, 0xffffffe0); },
            {"create_buffer", "needs 4294967264 bytes in each of 4 DRAM banks", "at most",
             "for buffers", "make it smaller"});
}

TEST_F(BufferMisuseTest, MorePagesThanTheBanksHold) {
    refused([&] { device->create_buffer(0xffffffff, 0xffffffe0); },
            {"create_buffer", "in each of 4 DRAM banks", "make it smaller"});
}

TEST_F(BufferMisuseTest, ABufferThatIsLargerThanWhatIsLeft) {
    work();
    while (device->info(device->create_buffer(4, 64 * 1024)).address < 900 * 1024) {
    }
    expect_misuse([&] { device->create_buffer(4, 128 * 1024); },
                  {"create_buffer", "needs 131072 bytes in each of 4 DRAM banks", "are free of"});
}

TEST_F(BufferMisuseTest, ABufferThatIsLargerThanAnL1) {
    refused(
        [&] {
            device->create_buffer({400, 16384, BufferPlacement::l1, {}, 1});
        },
        {"create_buffer", "needs 1638400 bytes in the L1 of each worker", "in one piece",
         "place it in DRAM"});
}

TEST_F(BufferMisuseTest, ShardsThatAreLargerThanWhatIsLeftOfL1) {
    work();
    device->create_buffer({64, 16384, BufferPlacement::height_sharded, {0, 0, 0, 0}, 1});
    expect_misuse(
        [&] {
            device->create_buffer({32, 16384, BufferPlacement::width_sharded, {}, 4});
        },
        {"create_buffer", "needs 524288 bytes", "are free of", "shard it over more cores"});
}

TEST_F(BufferMisuseTest, ShardsOnCoresThatDoNotExist) {
    refused(
        [&] {
            device->create_buffer({4, 64, BufferPlacement::block_sharded, {0, 0, 2, 0}, 1});
        },
        {"create_buffer", "cores (0,0) to (2,0)", "2 x 2 workers", "a range inside"});
}

TEST_F(BufferMisuseTest, ShardsOnARangeThatIsUpsideDown) {
    refused(
        [&] {
            device->create_buffer({4, 64, BufferPlacement::height_sharded, {1, 0, 0, 0}, 1});
        },
        {"create_buffer", "cores (1,0) to (0,0)", "first corner first"});
}

TEST_F(BufferMisuseTest, ShardsInRowsLongerThanTheBuffer) {
    refused(
        [&] {
            device->create_buffer({4, 64, BufferPlacement::width_sharded, {}, 5});
        },
        {"create_buffer", "rows of 5 pages", "the buffer has 4", "1 to 4"});
}

TEST_F(BufferMisuseTest, ShardsInRowsOfNothing) {
    refused(
        [&] {
            device->create_buffer({4, 64, BufferPlacement::width_sharded, {}, 0});
        },
        {"create_buffer", "rows of 0 pages", "1 to 4"});
}

TEST_F(BufferMisuseTest, AWriteThatIsTooShort) {
    const std::vector<std::byte> bytes(10399);
    refused([&] { device->enqueue_write(written, bytes); },
            {"enqueue_write", "10399 bytes were given", "5 pages of 2080", "give exactly 10400"});
}

TEST_F(BufferMisuseTest, AWriteThatIsTooLong) {
    const std::vector<std::byte> bytes(10401);
    refused([&] { device->enqueue_write(written, bytes); },
            {"enqueue_write", "10401 bytes were given", "give exactly 10400"});
}

TEST_F(BufferMisuseTest, AWriteOfNothing) {
    refused([&] { device->enqueue_write(written, {}); },
            {"enqueue_write", "0 bytes were given", "give exactly 10400"});
}

TEST_F(BufferMisuseTest, AReadThatIsTooShortTouchesNothing) {
    std::vector<std::byte> bytes(10368, std::byte{0x5a});
    refused([&] { device->enqueue_read(written, bytes); },
            {"enqueue_read", "10368 bytes were given", "give exactly 10400"});
    EXPECT_EQ(bytes, std::vector<std::byte>(10368, std::byte{0x5a}));
}

TEST_F(BufferMisuseTest, AReadThatIsTooLongTouchesNothing) {
    std::vector<std::byte> bytes(12480, std::byte{0x5a});
    refused([&] { device->enqueue_read(written, bytes); },
            {"enqueue_read", "12480 bytes were given", "give exactly 10400"});
    EXPECT_EQ(bytes, std::vector<std::byte>(12480, std::byte{0x5a}));
}

// --- ids -----------------------------------------------------------------------------------------

TEST_F(IdMisuseTest, AWriteToABufferThatIsNotThere) {
    const std::vector<std::byte> bytes(32);
    refused([&] { device->enqueue_write(BufferId{7}, bytes); },
            {"enqueue_write", "there is no buffer 7", "the last is 0", "use an id that"});
}

TEST_F(IdMisuseTest, AReadOfABufferThatIsNotThere) {
    std::vector<std::byte> bytes(32);
    refused([&] { device->enqueue_read(BufferId{0xffffffff}, bytes); },
            {"enqueue_read", "there is no buffer 4294967295", "the last is 0", "use an id that"});
}

TEST_F(IdMisuseTest, WhatABufferIsThatIsNotThere) {
    refused([&] { device->info(BufferId{1}); }, {"info", "there is no buffer 1", "use an id that"});
}

TEST_F(IdMisuseTest, ABufferBeforeAnyWasMade) {
    expect_misuse([&] { device->info(BufferId{0}); },
                  {"info", "there is no buffer 0", "none was made"});
}

TEST_F(IdMisuseTest, AProgramThatIsNotThere) {
    refused([&] { device->enqueue_program(ProgramId{3}); },
            {"enqueue_program", "there is no program 3", "the last is 0", "use an id that"});
}

TEST_F(IdMisuseTest, LoadingAProgramThatIsNotThere) {
    refused([&] { device->load_program(ProgramId{3}); },
            {"load_program", "there is no program 3", "the last is 0", "use an id that"});
}

TEST_F(IdMisuseTest, ReplayOfATraceThatIsNotThere) {
    refused([&] { device->replay_trace(TraceId{0}, Blocking::yes); },
            {"replay_trace", "there is no trace 0", "none was made", "use an id that"});
}

TEST_F(IdMisuseTest, ReleaseOfATraceThatIsNotThere) {
    refused([&] { device->release_trace(TraceId{2}); },
            {"release_trace", "there is no trace 2", "none was made", "use an id that"});
}

// --- after close ---------------------------------------------------------------------------------
// The work before it is complete; TearDown asks for its effect.

TEST_F(CloseMisuseTest, ClosingTwice) {
    work();
    device->close();
    expect_misuse([&] { device->close(); }, {"close", "the device is closed", "open a new Device"});
    device.reset();
}

TEST_F(CloseMisuseTest, EveryCallAfterClose) {
    work();
    device->close();
    std::vector<std::byte> bytes(10400);
    const std::vector<std::pair<const char*, std::function<void()>>> calls{
        {"create_buffer", [&] { device->create_buffer(1, 32); }},
        {"info", [&] { device->info(written); }},
        {"enqueue_write", [&] { device->enqueue_write(written, bytes); }},
        {"enqueue_read", [&] { device->enqueue_read(written, bytes); }},
        {"create_program", [&] { device->create_program(sound_program()); }},
        {"load_program", [&] { device->load_program(loaded); }},
        {"enqueue_program", [&] { device->enqueue_program(loaded); }},
        {"begin_trace", [&] { device->begin_trace(); }},
        {"end_trace", [&] { device->end_trace(); }},
        {"replay_trace", [&] { device->replay_trace(TraceId{0}, Blocking::no); }},
        {"release_trace", [&] { device->release_trace(TraceId{0}); }},
        {"finish", [&] { device->finish(); }},
    };
    for (const auto& [name, call] : calls)
        expect_misuse(call, {name, "the device is closed", "open a new Device"});
    device.reset();
}

// --- not misuse ----------------------------------------------------------------------------------

// The device says that a completion has come, and there is none.
TEST_F(DeviceLostTest, ACompletionQueueOutOfStepIsNobodysMisuse) {
    const HostLayout& host = device->config().host;
    const std::uint32_t word = (host.completion_base + 4096) >> 4;
    std::vector<std::byte> bytes(4);
    std::memcpy(bytes.data(), &word, sizeof word);
    machine.hugepage_write(host.completion_write_ptr, bytes);
    machine.fence();
    device_lost = true;
    const auto lost = [](const std::function<void()>& call, const char* why) {
        try {
            call();
            ADD_FAILURE() << "the device is not lost";
        } catch (const DeviceLost& loss) {
            const std::string text = loss.what();
            for (const char* part : {"the device is lost", why, "open a new Device"})
                EXPECT_NE(text.find(part), std::string::npos) << text;
        }
    };
    lost([&] { device->finish(); }, "expected an event of 32 bytes, found");
    lost([&] { device->finish(); }, "finish after its completion queue went out of step");
    lost([&] { device->create_buffer(1, 32); }, "create_buffer after");
    lost([&] { device->close(); }, "close after");
}

}  // namespace
}  // namespace cqfuzz::rt
