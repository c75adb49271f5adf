// What a reset costs: proportional to the pages that the last run touched.
#include <benchmark/benchmark.h>

#include <array>

#include "harness/silicon/machine.hpp"

namespace cqfuzz {
namespace {

class SilentSink final : public EventSink {
public:
    bool observe(const LogEntry&) override { return true; }
};

void reset_after_pages(benchmark::State& state) {
    constexpr std::uint32_t kHostPage = 4096;
    Machine machine;
    SilentSink sink;
    const MachineConfig config;
    const SchedulePlan plan;
    const std::array<std::byte, 64> bytes{};
    for (auto _ : state) {
        machine.reset(config, plan, sink, nullptr, nullptr);
        for (std::int64_t page = 0; page < state.range(0); ++page) {
            machine.hugepage_write(static_cast<std::uint32_t>(page) * kHostPage, bytes);
        }
    }
}
BENCHMARK(reset_after_pages)->Arg(1)->Arg(32)->Arg(1024);

}  // namespace
}  // namespace cqfuzz
