// Base firmware of worker and ethernet cores (facts §6.3): waits for go, runs what the launch
// message enables, tells the dispatcher. A kernel is its bytes: it takes its time and computes
// nothing.
#pragma once

#include "runtime_under_test/firmware/run_core.hpp"
#include "runtime_under_test/protocol/dev_msgs.hpp"

namespace cqfuzz::fw {

class WorkerFirmware {
public:
    WorkerFirmware(const rt::CoreLaunch& launch, rt::FaultSet& faults,
                   const KernelBehaviour& kernels);
    [[noreturn]] void run();

private:
    std::uint32_t wait_for_go() const;
    void run_program(std::uint32_t go_word);
    void run_kernels(const rt::LaunchMessage& message);
    std::uint32_t bytes_to_exchange(const rt::LaunchMessage& message) const;
    void exchange(const rt::LaunchMessage& message, std::uint32_t bytes);
    void signal_done(std::uint32_t go_word) const;
    void notify_dispatcher(std::uint32_t go_word) const;

    rt::FaultSet& faults_;
    const rt::WorkerCoreLayout& self_;
    const rt::DeviceConfig& config_;
    rt::Coord coord_;
    KernelBehaviour kernels_;
    std::int32_t linked_core_ = -1;  // number of an ethernet core that has a link
    std::uint32_t exchanges_ = 0;    // made so far
};

}  // namespace cqfuzz::fw
