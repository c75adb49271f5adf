// Goal: a program that no device can run as asked is refused when it is created; the message names
// the entry. Programs that are on the device, and those made after, are not touched by it.
#include "tests/runtime_under_test/host/misuse_bench.hpp"

namespace cqfuzz::rt {
namespace {

class ProgramMisuseTest : public MisuseTest {
protected:
    // A sound program with one change; its id is 77.
    void refused_program(const std::function<void(Program&)>& change,
                         std::initializer_list<const char*> parts) {
        Program wrong = sound_program();
        wrong.id = 77;
        change(wrong);
        refused([&] { device->create_program(wrong); }, parts);
    }
};

// --- kernels -------------------------------------------------------------------------------------

TEST_F(ProgramMisuseTest, NoKernels) {
    refused_program([](Program& p) { p.kernels.clear(); },
                    {"program 77 has no kernel", "runs at least one"});
}

TEST_F(ProgramMisuseTest, TooManyKernels) {
    refused_program([](Program& p) { p.kernels.assign(65, p.kernels[0]); },
                    {"program 77 has 65 kernels", "at most 64", "split the program"});
}

TEST_F(ProgramMisuseTest, AKernelOutsideTheGrid) {
    refused_program([](Program& p) { p.kernels[0].cores.x1 = 2; },
                    {"program 77, kernel 0", "(0,0)-(2,1)", "worker grid of 2 x 2", "use corners"});
}

TEST_F(ProgramMisuseTest, AKernelBelowTheGrid) {
    refused_program([](Program& p) { p.kernels[0].cores.y1 = 255; },
                    {"program 77, kernel 0", "(0,0)-(0,255)", "grid of 2 x 2", "use corners"});
}

TEST_F(ProgramMisuseTest, ARangeWhoseFirstCornerIsAfterItsLast) {
    refused_program(
        [](Program& p) {
            p.kernels[0].cores = CoreRange{1, 0, 0, 1};
        },
        {"program 77, kernel 0", "(1,0)-(0,1)", "first corner not after the last"});
}

TEST_F(ProgramMisuseTest, AProcessorThatWorkersDoNotHave) {
    refused_program([](Program& p) { p.kernels[0].processor = 5; },
                    {"program 77, kernel 0", "processor 5 does not exist", "worker core has 5",
                     "numbered from 0"});
}

TEST_F(ProgramMisuseTest, AProcessorThatEthernetCoresDoNotHave) {
    refused_program(
        [this](Program& p) {
            p.kernels.push_back(sample_kernel(rng, CoreKind::ethernet, {}, 1, 32, 0, 0));
        },
        {"program 77, kernel 1", "processor 1 does not exist", "ethernet core has 1"});
}

TEST_F(ProgramMisuseTest, TwoKernelsOnOneProcessorOfACore) {
    refused_program(
        [this](Program& p) {
            p.kernels.push_back(sample_kernel(rng, CoreKind::worker, {0, 1, 1, 1}, 0, 32, 0, 0));
        },
        {"program 77, kernel 1", "processor 0 of cores (0,1)-(1,1)", "already runs kernel 0",
         "one kernel of a program"});
}

TEST_F(ProgramMisuseTest, AKernelOnAnEthernetCoreThatIsNotThere) {
    refused_program(
        [this](Program& p) {
            p.kernels.push_back(sample_kernel(rng, CoreKind::ethernet, {1, 0, 1, 0}, 0, 32, 0, 0));
        },
        {"program 77, kernel 1", "(1,0)-(1,0)", "ethernet grid of 1 x 1", "use corners"});
}

TEST_F(ProgramMisuseTest, AKindOfCoreThatDoesNotExist) {
    refused_program([](Program& p) { p.kernels[0].core_kind = static_cast<CoreKind>(9); },
                    {"program 77, kernel 0", "core kind 9 does not exist", "worker or ethernet"});
}

TEST_F(ProgramMisuseTest, AnEmptyBinary) {
    refused_program([](Program& p) { p.kernels[0].binary.clear(); },
                    {"program 77, kernel 0", "binary has 0 bytes", "multiple of 16, at least 16"});
}

TEST_F(ProgramMisuseTest, ABinaryThatIsNotAligned) {
    refused_program([](Program& p) { p.kernels[0].binary.resize(40); },
                    {"program 77, kernel 0", "binary has 40 bytes", "give a multiple of 16"});
}

class NoEthernetMisuseTest : public ProgramMisuseTest {
protected:
    NoEthernetMisuseTest() { ethernet_cores = 0; }
};

TEST_F(NoEthernetMisuseTest, AnEthernetKernelOnAChipWithoutEthernetCores) {
    refused_program(
        [this](Program& p) {
            p.kernels.push_back(sample_kernel(rng, CoreKind::ethernet, {}, 0, 32, 0, 0));
        },
        {"program 77, kernel 1", "(0,0)-(0,0)", "the chip has none", "use workers"});
}

// --- arguments -----------------------------------------------------------------------------------

TEST_F(ProgramMisuseTest, OneArgumentTooFew) {
    refused_program([](Program& p) { p.kernels[0].args.pop_back(); },
                    {"program 77, kernel 0", "it has 5 argument words",
                     "3 for each of 2 cores are 6", "give exactly so many"});
}

TEST_F(ProgramMisuseTest, ArgumentsThatNobodyAskedFor) {
    refused_program([](Program& p) { p.kernels[0].args_words = 0; },
                    {"program 77, kernel 0", "it has 6 argument words", "are 0"});
}

TEST_F(ProgramMisuseTest, MoreArgumentsThanAConfigRingHolds) {
    refused_program(
        [](Program& p) {
            p.kernels[0].args_words = 5000;
            p.kernels[0].args.resize(10000);
        },
        {"program 77, kernel 0", "binary and arguments are 21528 bytes", "worker core has 16384",
         "use fewer or shorter ones"});
}

TEST_F(ProgramMisuseTest, MoreCommonArgumentsThanAConfigRingHolds) {
    refused_program([](Program& p) { p.kernels[0].common_args.resize(1u << 20); },
                    {"program 77, kernel 0", "binary and arguments are 4195836 bytes",
                     "worker core has 16384", "use fewer or shorter ones"});
}

TEST_F(ProgramMisuseTest, AProgramThatIsTooLargeForTheConfigRing) {
    refused_program(
        [this](Program& p) {
            for (std::uint8_t processor = 1; processor < 3; processor++)
                p.kernels.push_back(sample_kernel(rng, CoreKind::worker, CoreRange{0, 0, 1, 1},
                                                  processor, 8000, 0, 0));
        },
        {"program 77 needs", "bytes of the worker config ring, which has 16384",
         "use smaller binaries"});
}

TEST_F(ProgramMisuseTest, AProgramThatIsTooLargeForTheEthernetConfigRing) {
    refused_program(
        [this](Program& p) {
            p.kernels.push_back(sample_kernel(rng, CoreKind::ethernet, {}, 0, 25584, 0, 0));
            p.semaphores.push_back(SemaphoreInit{CoreKind::ethernet, {}, 0, 1});
        },
        {"program 77 needs 25856", "bytes of the ethernet config ring, which has 25600",
         "use smaller binaries"});
}

TEST_F(ProgramMisuseTest, BinariesThatAreTooLargeForWhatIsLeftOfDram) {
    work();
    while (device->info(device->create_buffer(4, 32 * 1024)).address < 940 * 1024) {
    }
    Program wrong = sound_program();
    wrong.id = 77;
    const auto create_many = [&] {
        for (int i = 0; i < 1000; i++) device->create_program(wrong);
    };
    expect_misuse(create_many, {"create_program: program 77, for its binaries, needs 2048 bytes",
                                "at most", "make it smaller"});
    enqueue(loaded, 2);
    close();  // no room is left for the work that TearDown would add
}

class LargestRingMisuseTest : public ProgramMisuseTest {
protected:
    LargestRingMisuseTest() { geometry.worker_config_bytes = 70656; }
};

TEST_F(LargestRingMisuseTest, ArgumentsBeyondSixteenBitOffsets) {
    refused_program(
        [](Program& p) {
            p.kernels[0].args_words = 16384;
            p.kernels[0].args.resize(32768);
        },
        {"program 77 has 65840 bytes of arguments, semaphores and circular buffers on worker cores",
         "16-bit offsets", "at most 65535", "use fewer arguments"});
}

// --- semaphores ----------------------------------------------------------------------------------

TEST_F(ProgramMisuseTest, ASemaphoreIdThatDoesNotExist) {
    refused_program(
        [](Program& p) { p.semaphores[0].id = 16; },
        {"program 77, semaphore 0", "id 16 does not exist", "a core has 16", "numbered from 0"});
}

TEST_F(ProgramMisuseTest, ASemaphoreTwiceOnACore) {
    refused_program(
        [](Program& p) {
            p.semaphores.push_back(SemaphoreInit{CoreKind::worker, {1, 1, 1, 1}, 2, 0});
        },
        {"program 77, semaphore 1", "id 2 on cores (1,1)-(1,1)", "already given by semaphore 0",
         "use another id"});
}

TEST_F(ProgramMisuseTest, ASemaphoreOnCoresWithoutAKernelOfTheirKind) {
    refused_program(
        [](Program& p) {
            p.semaphores.push_back(SemaphoreInit{CoreKind::ethernet, {}, 0, 0});
        },
        {"program 77, semaphore 1", "no ethernet kernel that could use it", "add one or leave"});
}

TEST_F(ProgramMisuseTest, ASemaphoreOutsideTheGrid) {
    refused_program([](Program& p) { p.semaphores[0].cores.y1 = 2; },
                    {"program 77, semaphore 0", "(0,0)-(1,2)", "grid of 2 x 2", "use corners"});
}

TEST_F(ProgramMisuseTest, ASemaphoreOnAKindOfCoreThatDoesNotExist) {
    refused_program([](Program& p) { p.semaphores[0].core_kind = static_cast<CoreKind>(2); },
                    {"program 77, semaphore 0", "core kind 2 does not exist", "use worker"});
}

// --- circular buffers ----------------------------------------------------------------------------

TEST_F(ProgramMisuseTest, ACircularBufferIndexThatDoesNotExist) {
    refused_program([](Program& p) { p.circular_buffers[0].index = 32; },
                    {"program 77, circular buffer 0", "index 32 does not exist", "a core has 32",
                     "numbered from 0"});
}

TEST_F(ProgramMisuseTest, ACircularBufferTwiceOnACore) {
    refused_program([](Program& p) { p.circular_buffers.push_back(p.circular_buffers[0]); },
                    {"program 77, circular buffer 1", "index 1 on cores (0,0)-(1,1)",
                     "already given by circular buffer 0", "use another index"});
}

TEST_F(ProgramMisuseTest, ACircularBufferOutsideTheGrid) {
    refused_program([](Program& p) { p.circular_buffers[0].cores.x0 = 7; },
                    {"program 77, circular buffer 0", "(7,0)-(1,1)", "grid of 2 x 2"});
}

TEST_F(ProgramMisuseTest, CircularBufferPagesThatAreNotAligned) {
    refused_program(
        [](Program& p) {
            p.circular_buffers[0].page_size_bytes = 1000;
            p.circular_buffers[0].size_bytes = 4000;
        },
        {"program 77, circular buffer 0", "page size is 1000", "give a multiple of 16"});
}

TEST_F(ProgramMisuseTest, ACircularBufferAddressThatIsNotAligned) {
    refused_program([](Program& p) { p.circular_buffers[0].address = 0x80008; },
                    {"program 77, circular buffer 0", "address is 524296", "a multiple of 16"});
}

TEST_F(ProgramMisuseTest, ACircularBufferWithoutPages) {
    refused_program([](Program& p) { p.circular_buffers[0].pages = 0; },
                    {"program 77, circular buffer 0", "0 pages of 1024 bytes", "at least one"});
}

TEST_F(ProgramMisuseTest, ACircularBufferThatItsPagesDoNotFill) {
    refused_program([](Program& p) { p.circular_buffers[0].size_bytes = 4112; },
                    {"program 77, circular buffer 0", "its size is 4112",
                     "4 pages of 1024 bytes are 4096", "give exactly that"});
}

}  // namespace
}  // namespace cqfuzz::rt
