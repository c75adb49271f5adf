// Goal: layouts keep their bound, do not overlap, and launch groups say what each core runs.
// Method: random programs.
#include "runtime_under_test/host/program_layout.hpp"

#include <gtest/gtest.h>

#include "runtime_under_test/host/misuse.hpp"
#include "runtime_under_test/host/program_check.hpp"
#include "runtime_under_test/protocol/commands.hpp"
#include "tests/runtime_under_test/host/fake_cluster.hpp"
#include "tests/runtime_under_test/host/sample_programs.hpp"

namespace cqfuzz::rt {
namespace {

// What a scenario may count on: no layout is larger.
std::uint32_t bound_of(const Program& program, CoreKind kind) {
    std::uint32_t sum = 256 + 512 + 64;
    for (const Kernel& k : program.kernels)
        if (k.core_kind == kind)
            sum += align_up(static_cast<std::uint32_t>(k.binary.size()), 32) +
                   align_up(k.args_words * 4, 16) +
                   align_up(static_cast<std::uint32_t>(k.common_args.size() * 4), 16);
    return sum;
}

TEST(ProgramLayoutTest, RandomProgramsKeepTheBoundAndTheOrderOfParts) {
    Rng rng(31);
    const ChipDescription chip = small_chip(6, 5, 4, 12);
    const DeviceConfig config = make_device_config(ethernet_dispatch_geometry(), chip);
    for (std::uint32_t id = 0; id < 300; id++) {
        const Program program = sample_program(rng, id, chip, 4000);
        check_program(program, config);
        const ProgramLayout layout = lay_out(program, config);
        for (const CoreKind kind : kAllCoreKinds) {
            const ConfigLayout& c = layout.config[index_of(kind)];
            ASSERT_LE(c.total_bytes, bound_of(program, kind));
            ASSERT_LE(c.crta_offset[4], c.sem_offset);
            ASSERT_LE(c.sem_offset, c.cb_offset);
            ASSERT_LE(c.cb_offset + c.cb_bytes, c.text_offset[0]);
            for (std::uint32_t p = 0; p < kProcessors; p++) {
                ASSERT_EQ(c.rta_offset[p] % 16, 0u);
                ASSERT_EQ(c.crta_offset[p] % 16, 0u);
                ASSERT_EQ(c.text_offset[p] % 32, 0u);
            }
        }
        std::uint32_t cores = 0;
        for (const LaunchGroup& group : layout.launch_groups) {
            ASSERT_NE(group.message.enables, 0u);
            for (const CoreRange& rectangle : group.rectangles) cores += rectangle.count();
        }
        ASSERT_EQ(cores, cores_with_kernels(program));
    }
}

TEST(ProgramLayoutTest, RefusesWhatTheConfigRingCannotHold) {
    Rng rng(32);
    const ChipDescription chip = small_chip(2, 2, 1, 12);
    const DeviceConfig config = make_device_config(ethernet_dispatch_geometry(), chip);
    Program program;
    for (std::uint8_t p = 0; p < 5; p++)
        program.kernels.push_back(
            sample_kernel(rng, CoreKind::worker, CoreRange{0, 0, 0, 0}, p, 14112, 0, 0));
    EXPECT_NO_THROW(lay_out(program, config));  // 5 x 14,112 of 70,656 bytes
    program.kernels[0].common_args.assign(256, 1);
    EXPECT_THROW(lay_out(program, config), Misuse);
}

}  // namespace
}  // namespace cqfuzz::rt
