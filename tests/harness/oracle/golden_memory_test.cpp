// Golden memory: a program laid out by hand in fake L1, then one byte wrong at each place in turn;
// buffers likewise.
#include <gtest/gtest.h>

#include <cstring>

#include "runtime_under_test/protocol/dev_msgs.hpp"
#include "tests/harness/oracle/log_builder.hpp"

namespace cqfuzz::test {
namespace {

constexpr std::uint32_t kBase = kConfigBase + 0x400;
constexpr std::uint32_t kArgsAt = 0, kCommonAt = 0x40, kSemaphoresAt = 0x80, kCircularAt = 0x180,
                        kTextAt = 0x400;
constexpr NocRectangle kBothWorkers{{0, 0}, {1, 0}};

std::vector<std::byte> bytes_of(std::size_t length, unsigned start) {
    std::vector<std::byte> out(length);
    for (std::size_t i = 0; i < length; ++i) out[i] = static_cast<std::byte>(start + i * 7);
    return out;
}

ProgramImage program(std::uint32_t id) {
    ProgramImage image;
    image.id = id;
    KernelImage kernel;
    kernel.processor = 1;
    kernel.cores = kBothWorkers;
    kernel.binary = bytes_of(96, id);
    kernel.args_words = 3;
    kernel.args_seed = 77 + id;
    kernel.common_args = {5, 6};
    image.kernels.push_back(kernel);
    image.semaphores.push_back({false, kBothWorkers, 2, 41});
    image.circular_buffers.push_back({{{0, 0}, {0, 0}}, 3, 0x8000, 0x800, 4, 0x200});
    return image;
}

ProgramImage ethernet_program(std::uint32_t id) {
    ProgramImage image;
    image.id = id;
    KernelImage kernel;
    kernel.on_ethernet = true;
    kernel.cores = {{0, 0}, {0, 0}};
    kernel.binary = bytes_of(32, id);
    image.kernels.push_back(kernel);
    return image;
}

// What a sound runtime puts into a core's L1 for `image`; `x` is the logical column, or the
// ethernet core.
void lay_out(FakeMemory& memory, TileIndex tile, const ProgramImage& image, std::uint8_t x,
             std::uint32_t slot) {
    rt::LaunchMessage launch;
    launch.kernel_config_base = kBase;
    launch.sem_offset = kSemaphoresAt;
    launch.local_cb_offset = kCircularAt;
    launch.host_assigned_id = image.id;
    launch.mode = rt::kModeDev;
    for (const KernelImage& kernel : image.kernels) {
        const std::size_t p = kernel.processor;
        launch.enables = static_cast<std::uint8_t>(launch.enables | 1u << p);
        launch.rta_offset[p] = kArgsAt;
        launch.crta_offset[p] = kCommonAt;
        launch.kernel_text_offset[p] = kTextAt;
        launch.kernel_text_bytes[p] = static_cast<std::uint32_t>(kernel.binary.size());
        for (std::uint32_t k = 0; k < kernel.args_words; ++k) {
            const std::uint32_t word = runtime_arg_word(kernel.args_seed, x, 0, k);
            std::memcpy(memory.at(tile, kBase + kArgsAt + 4 * k), &word, 4);
        }
        if (!kernel.common_args.empty())
            std::memcpy(memory.at(tile, kBase + kCommonAt), kernel.common_args.data(),
                        4 * kernel.common_args.size());
        std::memcpy(memory.at(tile, kBase + kTextAt), kernel.binary.data(), kernel.binary.size());
    }
    for (const SemaphoreImage& semaphore : image.semaphores)
        std::memcpy(memory.at(tile, kBase + kSemaphoresAt + 16u * semaphore.id), &semaphore.initial,
                    4);
    for (const CircularBufferImage& cb : image.circular_buffers) {
        if (!cb.cores.contains({x, 0})) continue;
        const std::uint32_t words[4] = {cb.address >> 4, cb.size_bytes >> 4, cb.page_count,
                                        cb.page_size_bytes >> 4};
        std::memcpy(memory.at(tile, kBase + kCircularAt + 16u * cb.index), words, sizeof words);
        launch.local_cb_mask |= 1u << cb.index;
    }
    rt::encode(memory.at(tile, kLaunchBase + slot * rt::kLaunchMessageBytes), launch);
}

struct Rig {
    LogBuilder log{split_machine(), 1u << static_cast<unsigned>(OracleId::golden_memory)};
    ProgramImage image = program(7);

    Rig() {
        lay_out(log.memory(), kWorker0, image, 0, 0), lay_out(log.memory(), kWorker1, image, 1, 0);
    }

    void enqueue(const ProgramImage& what, std::uint32_t op = 3, bool succeeded = true) {
        HostCall call;
        call.kind = HostCallKind::enqueue_program;
        call.op_index = op;
        call.program = &what;
        log.call(call, false);
        call.succeeded = succeeded;
        log.call(call, true);
    }
    void kernel(LogKind kind, TileIndex tile, std::uint32_t slot = 0) {
        LogEntry e;
        e.kind = kind;
        e.tile = tile;
        e.source_address = kLaunchBase + slot * rt::kLaunchMessageBytes;
        log.entry(e);
    }
    void run_both(std::uint32_t slot = 0) {
        for (const TileIndex tile : {kWorker0, kWorker1}) {
            kernel(LogKind::kernel_begin, tile, slot);
            kernel(LogKind::kernel_end, tile, slot);
        }
    }
    void spoil(TileIndex tile, std::uint32_t address) {
        *log.memory().at(tile, address) ^= std::byte{0x10};
        log.store(tile, address, 1);
    }
    void send_go() { log.complete(log.multicast(kDispatchD, 0, {{1, 1}, {2, 1}}, kGoWord, 4)); }
    // The whole binary, by multicast to both workers, in packets that end at `cut`.
    void send_binary(std::uint32_t cut) {
        const NocRectangle both{{1, 1}, {2, 1}};
        log.complete(log.multicast(kDispatchD, 0, both, kBase + kTextAt, cut));
        log.complete(log.multicast(kDispatchD, cut, both, kBase + kTextAt + cut, 96 - cut));
    }
};

TEST(GoldenMemoryTest, IsSilentWhenEveryCoreHoldsItsProgram) {
    Rig rig;
    for (int i = 0; i < 3; ++i) {
        rig.enqueue(rig.image);
        rig.run_both();
    }
    rig.log.finish();
    EXPECT_EQ(rig.log.property(), "nothing") << rig.log.story();
}

TEST(GoldenMemoryTest, NamesThePlaceOfAWrongByteAtGo) {
    struct Row {
        std::uint32_t address;
        const char* place;
    };
    const Row rows[] = {{kBase + kTextAt + 50, "kernel binary"},
                        {kBase + kArgsAt + 4, "runtime args"},
                        {kBase + kCommonAt + 4, "runtime args"},
                        {kBase + kSemaphoresAt + 32, "semaphore"},
                        {kBase + kCircularAt + 48, "circular-buffer config"},
                        {kLaunchBase + rt::kLaunchEnablesOffset, "launch message"}};
    for (const Row& row : rows) {
        Rig rig;
        rig.enqueue(rig.image);
        rig.spoil(kWorker0, row.address);
        rig.kernel(LogKind::kernel_begin, kWorker0);
        ASSERT_EQ(rig.log.property(), "golden-memory/wrong-at-go") << row.place;
        EXPECT_EQ(rig.log.found()->place, row.place);
        EXPECT_EQ(rig.log.found()->op_index, 3u);
        EXPECT_FALSE(rig.log.found()->expected.empty());
        EXPECT_NE(rig.log.found()->expected, rig.log.found()->actual);
    }
}

TEST(GoldenMemoryTest, TellsTheOffsetOfTheFirstWrongByte) {
    Rig rig;
    rig.enqueue(rig.image);
    rig.spoil(kWorker1, kBase + kTextAt + 50);
    rig.kernel(LogKind::kernel_begin, kWorker1);
    ASSERT_TRUE(rig.log.found());
    EXPECT_NE(rig.log.found()->summary.find("from byte 50 on"), std::string::npos)
        << rig.log.found()->summary;
}

TEST(GoldenMemoryTest, CatchesAConfigBaseOutsideTheRing) {
    Rig rig;
    rig.enqueue(rig.image);
    rt::LaunchMessage launch;
    rt::decode(rig.log.memory().at(kWorker0, kLaunchBase), launch);
    launch.kernel_config_base = kConfigBase + kConfigBytes - 8;
    rt::encode(rig.log.memory().at(kWorker0, kLaunchBase), launch);
    rig.kernel(LogKind::kernel_begin, kWorker0);
    EXPECT_EQ(rig.log.property(), "golden-memory/wrong-at-go");
    EXPECT_NE(rig.log.found()->expected.find("inside the kernel-config ring"), std::string::npos);
}

TEST(GoldenMemoryTest, CatchesAChangeWhileTheKernelRuns) {
    Rig rig;
    rig.enqueue(rig.image);
    rig.kernel(LogKind::kernel_begin, kWorker0);
    rig.spoil(kWorker0, kBase + kTextAt + 8);
    rig.log.complete(rig.log.multicast(kDispatchD, 0, {{1, 1}, {2, 1}}, kBase + kTextAt, 16));
    EXPECT_EQ(rig.log.property(), "nothing");
    rig.kernel(LogKind::kernel_end, kWorker0);
    EXPECT_EQ(rig.log.property(), "golden-memory/changed-while-running");
    EXPECT_EQ(rig.log.found()->place, "kernel binary");
}

// The two workers get the same packets, so that one comparison stands for both; then one core gets
// something else.
TEST(GoldenMemoryTest, LooksAgainWhereACoreGotOtherBytes) {
    for (const int way : {0, 1, 2, 3}) {
        const bool by_noc = (way & 1) != 0, before_go = (way & 2) != 0;
        Rig rig;
        for (std::uint32_t round = 0; round < 4; ++round) {
            rig.enqueue(rig.image);
            rig.send_binary(32 + 16 * round);
            rig.send_go();
            rig.run_both();
        }
        rig.enqueue(rig.image);
        rig.send_binary(48);
        if (!before_go) rig.send_go();
        if (by_noc) {
            *rig.log.memory().at(kWorker1, kBase + kTextAt + 40) ^= std::byte{1};
            rig.log.complete(rig.log.write(kDispatchD, 0, kWorker1, kBase + kTextAt + 32, 16));
        } else {
            rig.spoil(kWorker1, kBase + kTextAt + 40);
        }
        if (before_go) rig.send_go();
        rig.kernel(LogKind::kernel_begin, kWorker0);
        ASSERT_EQ(rig.log.property(), "nothing") << rig.log.story();
        rig.kernel(LogKind::kernel_begin, kWorker1);
        EXPECT_EQ(rig.log.property(), "golden-memory/wrong-at-go") << way;
    }
}

TEST(GoldenMemoryTest, ExpectsNothingOfACoreWithoutKernels) {
    Rig rig;
    rig.image.kernels[0].cores = {{0, 0}, {0, 0}};
    std::memset(rig.log.memory().at(kWorker1, kLaunchBase), 0, rt::kLaunchMessageBytes);
    rig.enqueue(rig.image);
    rig.run_both();
    rig.log.finish();
    EXPECT_EQ(rig.log.property(), "nothing") << rig.log.story();
}

TEST(GoldenMemoryTest, CatchesAKernelOnACoreThatShouldBeIdle) {
    Rig rig;
    rig.image.kernels[0].cores = {{0, 0}, {0, 0}};
    rig.enqueue(rig.image);
    rig.kernel(LogKind::kernel_begin, kWorker1);
    EXPECT_EQ(rig.log.property(), "golden-memory/wrong-at-go");
    EXPECT_EQ(rig.log.found()->place, "launch message");
}

TEST(GoldenMemoryTest, CatchesAGoTooMany) {
    Rig rig;
    rig.enqueue(rig.image);
    rig.run_both();
    rig.kernel(LogKind::kernel_begin, kWorker0);
    EXPECT_EQ(rig.log.property(), "golden-memory/extra-go");
}

TEST(GoldenMemoryTest, CatchesAMissingGo) {
    Rig rig;
    rig.enqueue(rig.image);
    rig.kernel(LogKind::kernel_begin, kWorker0);
    rig.kernel(LogKind::kernel_end, kWorker0);
    rig.log.finish();
    EXPECT_EQ(rig.log.property(), "golden-memory/missing-go");
}

TEST(GoldenMemoryTest, ForgetsAProgramThatWasRefused) {
    Rig rig;
    rig.enqueue(rig.image, 3, false);
    rig.log.finish();
    rig.run_both();  // it may have been sent in part: the refusal is the verdict
    EXPECT_EQ(rig.log.property(), "nothing") << rig.log.story();
}

TEST(GoldenMemoryTest, ExpectsTracedProgramsOncePerReplay) {
    Rig rig;
    HostCall call;
    call.kind = HostCallKind::capture_trace;
    call.traced = {&rig.image, &rig.image};
    rig.log.call(call, false).call(call, true);
    call.kind = HostCallKind::replay_trace;
    rig.log.call(call, false).call(call, true);
    rig.run_both();
    EXPECT_EQ(rig.log.property(), "nothing") << rig.log.story();
    rig.log.finish();
    EXPECT_EQ(rig.log.property(), "golden-memory/missing-go");
}

TEST(GoldenMemoryTest, CountsWorkersAndEthernetCoresApart) {
    Rig rig;
    const ProgramImage ethernet = ethernet_program(9);
    lay_out(rig.log.memory(), kEthernet, ethernet, 0, 0);
    rig.enqueue(ethernet);
    rig.enqueue(rig.image);
    rig.run_both();
    rig.kernel(LogKind::kernel_begin, kEthernet);
    rig.kernel(LogKind::kernel_end, kEthernet);
    rig.log.finish();
    EXPECT_EQ(rig.log.property(), "nothing") << rig.log.story();
    rig.enqueue(ethernet);
    rig.spoil(kEthernet, kBase + kTextAt + 31);
    rig.kernel(LogKind::kernel_begin, kEthernet);
    EXPECT_EQ(rig.log.property(), "golden-memory/wrong-at-go");
    EXPECT_EQ(rig.log.found()->actor, "ethernet");
}

TEST(GoldenMemoryTest, KeepsItsPlaceOverThousandsOfPrograms) {
    Rig rig;
    for (int i = 0; i < 10000; ++i) {
        rig.enqueue(rig.image);
        rig.run_both();
    }
    rig.log.finish();
    EXPECT_EQ(rig.log.property(), "nothing") << rig.log.story();
}

TEST(GoldenMemoryTest, CatchesAStrayWrite) {
    struct Row {
        std::uint32_t address, length;
        bool stray;
    };
    const Row rows[] = {{kConfigBase, 64, false},
                        {kConfigBase + kConfigBytes - 16, 16, false},
                        {kConfigBase + kConfigBytes - 16, 32, true},
                        {kLaunchBase, 96, false},
                        {kLaunchBase + 8 * 96, 16, true},
                        {kGoWord, 4, false},
                        {kGoWord, 8, true},
                        {0, 16, true}};
    for (const Row& row : rows) {
        LogBuilder log;
        log.complete(log.write(kDispatchD, 0, kEthernet, row.address, row.length));
        EXPECT_EQ(log.property(), row.stray ? "golden-memory/stray-write" : "nothing")
            << row.address << " " << row.length;
        LogBuilder multicast;
        multicast.complete(
            multicast.multicast(kDispatchD, 0, {{1, 1}, {2, 1}}, row.address, row.length));
        EXPECT_EQ(multicast.property(), row.stray ? "golden-memory/stray-write" : "nothing")
            << row.address;
    }
}

// --- buffers --------------------------------------------------------------------------

// 3 pages of 48 bytes over 2 banks, so that pages 0 and 2 share a bank, 64 bytes apart.
struct BufferRig {
    LogBuilder log;
    std::vector<std::byte> data = bytes_of(3 * 48, 1);
    HostCall call;

    BufferRig() {
        call.buffer = 0;
        call.shape.page_count = 3;
        call.shape.page_size_bytes = 48;
        call.address = 0x500;
        announce(HostCallKind::create_buffer, nullptr);
        const TileIndex banks[3] = {kDram0, kDram1, kDram0};
        const std::uint32_t rows[3] = {0x500, 0x500, 0x540};
        for (std::size_t p = 0; p < 3; ++p)
            std::memcpy(log.memory().at(banks[p], rows[p]), data.data() + 48 * p, 48);
    }
    void announce(HostCallKind kind, const std::vector<std::byte>* bytes) {
        call.kind = kind;
        call.data = kind == HostCallKind::read_buffer ? nullptr : bytes;
        log.call(call, false);
        call.data = bytes;
        log.call(call, true);
    }
};

TEST(GoldenMemoryTest, IsSilentOnBuffersThatHoldWhatWasWritten) {
    BufferRig rig;
    const std::vector<std::byte> junk(3 * 48);
    rig.announce(HostCallKind::read_buffer, &junk);  // never written: anything goes
    rig.announce(HostCallKind::write_buffer, &rig.data);
    rig.announce(HostCallKind::read_buffer, &rig.data);
    rig.log.finish();
    EXPECT_EQ(rig.log.property(), "nothing") << rig.log.story();
}

TEST(GoldenMemoryTest, BlamesTheCompletionQueueWhenDramIsRight) {
    BufferRig rig;
    rig.announce(HostCallKind::write_buffer, &rig.data);
    std::vector<std::byte> read = rig.data;
    read[100] ^= std::byte{1};
    rig.announce(HostCallKind::read_buffer, &read);
    EXPECT_EQ(rig.log.property(), "golden-memory/wrong-read-back");
    EXPECT_EQ(rig.log.found()->place, "completion queue");
}

TEST(GoldenMemoryTest, BlamesDramWhenDramIsWrong) {
    BufferRig rig;
    rig.announce(HostCallKind::write_buffer, &rig.data);
    std::vector<std::byte> read = rig.data;
    read[100] ^= std::byte{1};
    *rig.log.memory().at(kDram0, 0x544) ^= std::byte{1};
    rig.announce(HostCallKind::read_buffer, &read);
    EXPECT_EQ(rig.log.property(), "golden-memory/wrong-read-back");
    EXPECT_EQ(rig.log.found()->place, "dram buffer");
}

TEST(GoldenMemoryTest, ComparesDramAtTheEnd) {
    BufferRig rig;
    rig.announce(HostCallKind::write_buffer, &rig.data);
    *rig.log.memory().at(kDram1, 0x500 + 47) ^= std::byte{1};
    rig.log.finish();
    EXPECT_EQ(rig.log.property(), "golden-memory/wrong-buffer");
    EXPECT_NE(rig.log.found()->summary.find("page 1"), std::string::npos)
        << rig.log.found()->summary;
}

// Nothing orders the two queues: either's bytes will do, and no third ones.
TEST(GoldenMemoryTest, WritesOnTwoQueuesLeaveWhatEitherWrote) {
    BufferRig rig;
    const std::vector<std::byte> other = bytes_of(3 * 48, 2);
    rig.announce(HostCallKind::write_buffer, &other);
    rig.call.queue = 1;
    rig.announce(HostCallKind::write_buffer, &rig.data);
    rig.call.queue = 0;
    std::vector<std::byte> mixed = rig.data;
    std::copy(other.begin(), other.begin() + 48, mixed.begin());
    rig.announce(HostCallKind::read_buffer, &mixed);
    EXPECT_EQ(rig.log.property(), "nothing") << rig.log.story();
    mixed[0] = static_cast<std::byte>(~std::to_integer<unsigned>(rig.data[0] | other[0]));
    mixed[1] = rig.data[1] ^ other[1] ^ std::byte{0xff};
    rig.announce(HostCallKind::read_buffer, &mixed);
    EXPECT_EQ(rig.log.property(), "golden-memory/wrong-read-back");
}

}  // namespace
}  // namespace cqfuzz::test
