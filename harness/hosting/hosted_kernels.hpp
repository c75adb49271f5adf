// HostedKernels: the kernels of a manifest for one geometry, as a run takes them in place of the
// built-in firmware.
//
// Invariants:
//  1. Every run begins with fresh statics; nothing of a kernel outlives a run but its edge counts.
//  2. Wild pointers, loops, what the processor stops and a kernel's own assertions end the run with
//  a verdict that names the kernel's file and line.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/hosting/kernel_build.hpp"
#include "harness/hosting/kernel_object.hpp"
#include "harness/hosting/manifest.hpp"
#include "harness/hosting/own_runtime.hpp"
#include "harness/run/run.hpp"

namespace cqfuzz::hosting {

class HostedKernels final : public HostedFirmware {
public:
    // Builds (or finds built) and loads every role for the geometry.
    static Result<std::unique_ptr<HostedKernels>> make(const Manifest& manifest,
                                                       const HostedGeometry& geometry,
                                                       const BuildPlace& place);

    void begin_run() override;
    void end_run() override;
    bool run(const rt::CoreLaunch& launch) override;
    const rt::Generation* generation() const override { return &generation_; }
    // The scenario with topology and geometry of these kernels, its commands among those that they
    // know, and legal.
    void adapt(Scenario& scenario) const override;
    void describe(MachineView& view) const override;
    bool is_runtime() const override { return runtime_.has_value(); }
    void drive(rt::Cluster& machine, const Scenario& scenario) override;

    // Edges that the last run took, each once: kernel number × kEdgesMax + edge.
    std::vector<std::uint32_t> edges() const;
    // Where each kernel was at its latest access or call: "dispatch_hd was at file:line in …".
    std::vector<std::string> places() const;

private:
    // Where a role's commands begin: at each unit of a part of L1. What loads one byte there looks
    // at an id; `ids` gives late 2024's for it, 0 for none.
    struct CommandWatch {
        std::uint32_t begin = 0;
        std::uint32_t bytes = 0;
        std::uint32_t unit = 1;  // a power of two
        std::array<std::uint8_t, 256> ids{};
        std::uint32_t seen_at = 0;
    };
    // One for each core.
    struct Kernel {
        HostedRole role;
        std::string name;  // with its command queue, when it is not the first
        std::uint32_t noc_xy = 0;
        std::unique_ptr<KernelObject> object;
        Abi abi;
        std::vector<std::uint8_t> edges;
        bool ran = false;
        std::unique_ptr<CommandWatch> commands;  // where the Abi finds it
    };

    // Builds and loads the role's kernel for a command queue; the mistake, or empty.
    std::string add(const Manifest& manifest, const HostedRole& role, std::uint32_t queue,
                    const BuildPlace& place);
    void watch_commands(Kernel& kernel, const Names& names) const;
    static void look_for_command(void* watch, const void* at);

    HostedGeometry geometry_;
    rt::Generation generation_;
    std::optional<OwnRuntime> runtime_;
    std::vector<Kernel> kernels_;
    std::vector<GuardedKernel*> guarded_;  // of `kernels_`
};

}  // namespace cqfuzz::hosting
