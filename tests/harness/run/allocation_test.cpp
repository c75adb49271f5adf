// Goal: oracles allocate nothing per event. Method: an allocator that counts; a load replayed few
// times and many times, with oracles and without. What the longer run allocates more, it allocates
// without oracles too.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "harness/loads/llama.hpp"
#include "harness/run/run.hpp"
#include "harness/scenario/verbs.hpp"

namespace {

std::uint64_t allocations = 0;

}  // namespace

void* operator new(std::size_t size) {
    ++allocations;
    if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
    throw std::bad_alloc();
}
// The standard library's sorts take their scratch this way; a sanitizer wants both ends replaced.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    ++allocations;
    return std::malloc(size == 0 ? 1 : size);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace cqfuzz {
namespace {

struct Cost {
    std::uint64_t allocations = 0;
    std::uint64_t events = 0;
};

// The second run of a scenario: what is kept from run to run has its size by then.
Cost cost_of(Runner& runner, const Scenario& scenario, std::uint32_t oracles) {
    RunOptions options;
    options.oracles = oracles;
    Cost cost;
    for (int run = 0; run < 2; ++run) {
        const std::uint64_t before = allocations;
        EXPECT_EQ(runner.run(scenario, options).kind, VerdictKind::pass);
        cost = {allocations - before, runner.stats().log_entries};
    }
    return cost;
}

// Host calls are announced to oracles as values with vectors; so a few for each call, none for an
// event.
constexpr std::uint64_t kAllocationsOfCall = 8;

TEST(AllocationTest, OraclesAllocateNothingPerEvent) {
    Runner runner;
    const Scenario few = llama_decode(1, 2, 1);
    const Scenario many = llama_decode(1, 10, 1);
    const Cost off_few = cost_of(runner, few, 0);
    const Cost off_many = cost_of(runner, many, 0);
    const Cost on_few = cost_of(runner, few, kAllOracles);
    const Cost on_many = cost_of(runner, many, kAllOracles);
    ASSERT_EQ(on_few.events, off_few.events);
    ASSERT_EQ(on_many.events, off_many.events);
    ASSERT_GT(on_many.events, on_few.events + 50'000);
    const std::uint64_t off_growth = off_many.allocations - off_few.allocations;
    const std::uint64_t on_growth = on_many.allocations - on_few.allocations;
    EXPECT_LE(on_growth, off_growth + 8 * kAllocationsOfCall)
        << on_many.events - on_few.events << " events more";
}

// Drawn scenarios, once all have been run: the difference that oracles make is bounded by calls.
TEST(AllocationTest, DrawnScenariosTakeWhatTheyHave) {
    Runner runner;
    for (const Domain domain : {Domain::trace_replay, Domain::program_sequence}) {
        Rng rng(5);
        std::uint64_t extra = 0, calls = 0, events = 0;
        for (int i = 0; i < 20; ++i) {
            const Scenario scenario = generate(domain, rng, 64);
            const Cost on = cost_of(runner, scenario, kAllOracles);
            calls += runner.stats().host_calls;
            const Cost off = cost_of(runner, scenario, 0);
            extra += on.allocations - off.allocations;
            events += on.events;
        }
        EXPECT_LE(extra, calls * kAllocationsOfCall + 20 * 32) << events << " events";
        std::printf("%llu allocations by oracles in %llu events of %llu calls\n",
                    static_cast<unsigned long long>(extra), static_cast<unsigned long long>(events),
                    static_cast<unsigned long long>(calls));
    }
}

}  // namespace
}  // namespace cqfuzz
