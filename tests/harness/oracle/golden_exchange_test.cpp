// Goal: what two chips send each other is judged by what their programs say. Method: two ethernet
// cores on two chips, one of which runs a program that sends 32 bytes of its binary.
#include <gtest/gtest.h>

#include "harness/oracle/golden_memory.hpp"
#include "tests/harness/oracle/log_builder.hpp"

namespace cqfuzz {
namespace {

constexpr TileIndex kSender = 0;
constexpr TileIndex kReceiver = 1;
constexpr std::uint32_t kCount = 0x5000;
constexpr std::uint32_t kLanding = 0x5020;
constexpr std::uint32_t kSent = 32;

class GoldenExchangeTest : public testing::Test {
protected:
    GoldenExchangeTest() : memory(2) {
        for (std::uint8_t chip = 0; chip < 2; ++chip) {
            TileView tile;
            tile.kind = TileKind::ethernet;
            tile.role = Role::ethernet;
            tile.coord = {1, 12};
            tile.chip = chip;
            machine.tiles.push_back(tile);
        }
        machine.ethernet_mailbox = {
            test::kLaunchBase, 96,    8, test::kGoWord, test::kConfigBase, 0x2000, kCount,
            kLanding,          0x4000};
        sender.reset(machine, memory, 0);
        receiver.reset(machine, memory, 1);
        KernelImage kernel;
        kernel.on_ethernet = true;
        kernel.binary.resize(64);
        for (std::size_t i = 0; i < kernel.binary.size(); ++i)
            kernel.binary[i] = static_cast<std::byte>(i);
        kernel.exchange_bytes = kSent;
        image.kernels.push_back(kernel);
    }

    void run_program() {
        HostCall call;
        call.kind = HostCallKind::enqueue_program;
        call.program = &image;
        sender.observe(call, false, 0);
        LogEntry begin;
        begin.kind = LogKind::kernel_begin;
        begin.tile = kSender;
        begin.source_address = test::kLaunchBase;
        sender.observe(begin);  // of the contents of its config ring there is no question here
    }

    std::optional<Violation> arrive(NocKind kind, std::uint32_t address, const std::byte* data,
                                    std::uint32_t length) {
        LogEntry entry;
        entry.kind = LogKind::noc_arrive;
        entry.noc = kLogLink;
        entry.noc_kind = kind;
        entry.tile = kSender;
        entry.target = kReceiver;
        entry.target_address = address;
        entry.length = length;
        entry.data = data;
        return receiver.observe_exchange(entry, sender);
    }

    MachineView machine;
    test::FakeMemory memory;
    GoldenMemory sender;
    GoldenMemory receiver;
    ProgramImage image;
};

TEST_F(GoldenExchangeTest, BytesOfTheRunningBinaryAndACountAreSilent) {
    run_program();
    const std::byte* binary = image.kernels[0].binary.data();
    EXPECT_FALSE(arrive(NocKind::write, kLanding, binary, 16));
    EXPECT_FALSE(arrive(NocKind::write, kLanding + 16, binary + 16, 16));
    EXPECT_FALSE(arrive(NocKind::atomic, kCount, nullptr, 4));
}

TEST_F(GoldenExchangeTest, OtherBytesAreWrong) {
    run_program();
    const std::byte* binary = image.kernels[0].binary.data();
    const std::optional<Violation> found = arrive(NocKind::write, kLanding, binary + 16, 16);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->property, "golden-memory/wrong-exchange");
    EXPECT_NE(found->summary.find("chip 1 ethernet(1,12)"), std::string::npos) << found->summary;
}

TEST_F(GoldenExchangeTest, MoreThanTheProgramSendsIsWrong) {
    run_program();
    const std::byte* binary = image.kernels[0].binary.data();
    EXPECT_TRUE(arrive(NocKind::write, kLanding + kSent, binary + kSent, 16));
    EXPECT_TRUE(arrive(NocKind::write, test::kConfigBase, binary, 16));
    EXPECT_TRUE(arrive(NocKind::atomic, kCount + 16, nullptr, 4));
}

TEST_F(GoldenExchangeTest, NothingComesFromACoreThatRunsNothing) {
    const std::byte* binary = image.kernels[0].binary.data();
    EXPECT_TRUE(arrive(NocKind::write, kLanding, binary, 16));
}

}  // namespace
}  // namespace cqfuzz
