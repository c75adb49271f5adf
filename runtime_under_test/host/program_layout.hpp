// ProgramLayout: where a program's parts lie in the kernel-config ring of each kind of core and in
// its binaries' DRAM buffer, and what each core is told in its launch message (facts §6.1–6.4).
//
//   config ring, offsets from the program's range:
//   | unique args, per processor | common args, per processor | semaphores | CB configs | binaries,
//   per processor |
//
// Offsets are the same on all cores of a kind, so that one multicast serves every core of a range:
// a processor's part is as large as the largest of the kernels that run on it.
//
// Invariants: parts do not overlap; offsets are multiples of 16, binaries of 32.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "runtime_under_test/host/program.hpp"
#include "runtime_under_test/host/worker_state.hpp"
#include "runtime_under_test/protocol/dev_msgs.hpp"

namespace cqfuzz::rt {

inline constexpr std::uint32_t kProgramPageBytes =
    2048;  // of the binaries' interleaved buffer (facts §6.1)
inline constexpr std::uint32_t kProgramLogPage = 11;
inline constexpr std::uint32_t kBinaryAlignmentBytes = DispatchGeometry::kDramAlignment;

struct ConfigLayout {
    std::array<std::uint32_t, kProcessors> rta_offset{};
    std::array<std::uint32_t, kProcessors> crta_offset{};
    std::array<std::uint32_t, kProcessors> text_offset{};
    std::uint32_t sem_offset = 0;
    std::uint32_t cb_offset = 0;
    std::uint32_t cb_bytes = 0;  // up to the highest index used
    std::uint32_t total_bytes = 0;
};

// Cores that get the same launch message.
struct LaunchGroup {
    CoreKind kind = CoreKind::worker;
    std::vector<CoreRange> rectangles;
    LaunchMessage message;  // kernel_config_base is filled in at each enqueue
};

struct ProgramLayout {
    std::array<ConfigLayout, kCoreKinds> config{};
    std::array<KindNeeds, kCoreKinds> needs{};
    std::vector<LaunchGroup> launch_groups;
    std::vector<std::uint32_t> first_page;  // by kernel: its binary's first page in the DRAM buffer
    std::uint32_t binary_pages = 0;
};

// REQUIRES: check_program passed. Throws Misuse when a config ring is too small.
ProgramLayout lay_out(const Program& program, const DeviceConfig& config);

}  // namespace cqfuzz::rt
