// Goal: every rule of the geometry is refused when a device is opened, by name, and before anything
// reaches the chip: the device that has the chip goes on. G10 (the maps fit L1) follows from the
// others; layout_test.cpp has it.
#include "tests/runtime_under_test/host/misuse_bench.hpp"

namespace cqfuzz::rt {
namespace {

class GeometryMisuseTest : public MisuseTest {
protected:
    // A second device on the chip, with one value changed.
    void refused_at_open(const std::function<void(DispatchGeometry&)>& change,
                         std::initializer_list<const char*> parts) {
        DispatchGeometry wrong = geometry;
        change(wrong);
        refused([&] { Device second(machine, wrong, faults); }, parts);
    }
};

TEST_F(GeometryMisuseTest, G1ADispatchPageThatIsTooSmall) {
    refused_at_open([](auto& g) { g.dispatch.log_page_size = 9; },
                    {"rule G1", "dispatch.log_page_size is 9", "accepted: 10 to 12"});
}

TEST_F(GeometryMisuseTest, G1APrefetchPageThatIsTooLarge) {
    refused_at_open([](auto& g) { g.prefetch_d.log_page_size = 40; },
                    {"rule G1", "prefetch_d.log_page_size is 40", "accepted: 10 to 12"});
}

TEST_F(GeometryMisuseTest, G1DispatchersWithPagesOfTwoSizes) {
    refused_at_open(
        [](auto& g) {
            g.split = true;
            g.dispatch_h.log_page_size = 11;
        },
        {"rule G1", "dispatch_h.log_page_size is 11", "dispatch.log_page_size, 10"});
}

TEST_F(GeometryMisuseTest, G13ADispatchSAndTwoCommandQueues) {
    refused_at_open(
        [](auto& g) {
            g.command_queues = 2;
            g.dispatch_s = DispatchS::own_core;
        },
        {"rule G13", "command_queues is 2", "1 command queue, or no dispatch_s"});
}

TEST_F(GeometryMisuseTest, G13ADispatchSWithoutPages) {
    refused_at_open(
        [](auto& g) {
            g.dispatch_s = DispatchS::own_core;
            g.dispatch_s_pages = 0;
        },
        {"rule G13", "dispatch_s_pages is 0", "1 to 256"});
}

TEST_F(GeometryMisuseTest, G2ThreeBlocks) {
    refused_at_open([](auto& g) { g.dispatch.blocks = 3; },
                    {"rule G2", "dispatch.blocks is 3", "accepted: 4 or 8"});
}

TEST_F(GeometryMisuseTest, G2PagesThatDoNotDivideIntoBlocks) {
    refused_at_open([](auto& g) { g.dispatch_h.pages = 18; },
                    {"rule G2", "dispatch_h.pages is 18", "a multiple of its 4 blocks"});
}

TEST_F(GeometryMisuseTest, G2ARingWithoutPages) {
    refused_at_open([](auto& g) { g.dispatch.pages = 0; },
                    {"rule G2", "dispatch.pages_per_block is 0", "accepted: 1 to 32"});
}

TEST_F(GeometryMisuseTest, G3ScratchThatTheDispatcherCannotTake) {
    refused_at_open([](auto& g) { g.scratch_bytes = 16 * 1024; },
                    {"rule G3", "half the scratch is 8192 bytes", "at most 7168"});
}

TEST_F(GeometryMisuseTest, G3ACommandThatTheDispatcherCannotTake) {
    refused_at_open([](auto& g) { g.max_prefetch_command_bytes = 8224; },
                    {"rule G3", "max_prefetch_command_bytes is 8224", "at most 8192"});
}

TEST_F(GeometryMisuseTest, G4ScratchThatIsNotAligned) {
    refused_at_open([](auto& g) { g.scratch_bytes = 1056; },
                    {"rule G4", "scratch_bytes is 1056", "a multiple of 64"});
}

TEST_F(GeometryMisuseTest, G4NoScratch) {
    refused_at_open([](auto& g) { g.scratch_bytes = 0; },
                    {"rule G4", "half of scratch_bytes is 0", "512 to 65536"});
}

TEST_F(GeometryMisuseTest, G5ACommandThatIsNotAligned) {
    refused_at_open([](auto& g) { g.max_prefetch_command_bytes = 4100; },
                    {"rule G5", "max_prefetch_command_bytes is 4100", "a multiple of 32"});
}

TEST_F(GeometryMisuseTest, G5CommandDataMemoryThatHoldsOneCommand) {
    refused_at_open([](auto& g) { g.cmddat_q_bytes = 4096; },
                    {"rule G5", "cmddat_q_bytes is 4096", "8192 to 262144"});
}

TEST_F(GeometryMisuseTest, G5OnePrefetchQueueEntry) {
    refused_at_open([](auto& g) { g.prefetch_q_entries = 1; },
                    {"rule G5", "prefetch_q_entries is 1", "2 to 1532"});
}

TEST_F(GeometryMisuseTest, G5APrefetchRingThatDoesNotHoldTwoCommands) {
    refused_at_open(
        [](auto& g) {
            g.split = true;
            g.prefetch_d = RingGeometry{10, 8, 4};
        },
        {"rule G5", "the prefetch_d ring has 8192 bytes", "at least 10240"});
}

TEST_F(GeometryMisuseTest, G6NoBanks) {
    refused_at_open([](auto& g) { g.dram_banks = 0; },
                    {"rule G6", "dram_banks is 0", "accepted: 1 to 16"});
}

TEST_F(GeometryMisuseTest, G6TracePagesThatAreTooLarge) {
    refused_at_open([](auto& g) { g.trace_log_page_size = 13; },
                    {"rule G6", "trace_log_page_size is 13", "accepted: 10 to 12"});
}

TEST_F(GeometryMisuseTest, G6ATraceChunkThatCommandDataMemoryDoesNotHold) {
    refused_at_open(
        [](auto& g) {
            g.cmddat_q_bytes = 8192;
            g.trace_log_page_size = 12;
        },
        {"rule G6", "4 banks) is 16384 bytes", "at most 8192"});
}

TEST_F(GeometryMisuseTest, G6BanksWithoutRoom) {
    refused_at_open([](auto& g) { g.dram_bank_bytes = 512; },
                    {"rule G6", "dram_bank_bytes is 512", "accepted: 65536 to"});
}

TEST_F(GeometryMisuseTest, G7ACompletionRegionOfOnePage) {
    refused_at_open([](auto& g) { g.completion_region_bytes = 4096; },
                    {"rule G7", "completion pages is 1", "accepted: 2 to 4096"});
}

TEST_F(GeometryMisuseTest, G7AnIssueRegionThatTheQueueOutgrows) {
    refused_at_open([](auto& g) { g.issue_region_bytes = 4 * 4096; },
                    {"rule G7", "issue_region_bytes is 16384", "accepted: 20480 to"});
}

TEST_F(GeometryMisuseTest, G8AnOddNumberOfSubCommands) {
    refused_at_open([](auto& g) { g.packed_write_max_unicast = 5; },
                    {"rule G8", "packed_write_max_unicast is 5", "a multiple of 2"});
}

TEST_F(GeometryMisuseTest, G9AWorkerConfigRingThatIsTooLarge) {
    refused_at_open([](auto& g) { g.worker_config_bytes = 70688; },
                    {"rule G9", "worker_config_bytes is 70688", "accepted: 8192 to 70656"});
}

TEST_F(GeometryMisuseTest, G9AnotherEthernetConfigRing) {
    refused_at_open([](auto& g) { g.ethernet_config_bytes = 8192; },
                    {"rule G9", "ethernet_config_bytes is 8192", "accepted: 25600"});
}

TEST_F(GeometryMisuseTest, MoreBanksThanTheChipHas) {
    refused_at_open([](auto& g) { g.dram_banks = 5; },
                    {"the geometry names 5 DRAM banks", "the chip has 4", "use at most"});
}

}  // namespace
}  // namespace cqfuzz::rt
