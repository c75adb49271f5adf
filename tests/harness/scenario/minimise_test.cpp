// minimise by rows: scenario, predicate, expected text. All texts are TOML, so that a row reads as
// a bug report does.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "harness/scenario/case.hpp"
#include "harness/scenario/minimise.hpp"
#include "harness/scenario/verbs.hpp"

namespace cqfuzz {
namespace {

using Predicate = std::function<bool(const Scenario&)>;
constexpr std::uint32_t kRunsMax = 5'000;

// A scenario with something of everything.
constexpr const char* kRich = R"(
order = "o2"
[topology]
worker_cols = 3
split = true
[geometry]
block_accounting = "write_counts"
max_prefetch_command = 4096
scratch = 2048
dispatch_log_page = 10
dispatch_pages_per_block = 2
dram_banks = 2
[counters]
reads = 4294967295
[behaviour]
kernel_steps = 8
[schedule]
deviations = [
    { hold = { actor = 3, kind = "departure", ordinal = 12 }, until = { actor = 2, ordinal = 8 } },
    { hold = { actor = 1, ordinal = 5 }, until = { actor = 2, ordinal = 9 } },
    { hold = { actor = 2, ordinal = 7 }, until = { actor = 4, ordinal = 3 } },
]
[[buffer]]
pages = 4
[[program]]
kernels = [
    { cores = { x1 = 2 }, binary_bytes = 2048, args_words = 12 },
    { cores = { x1 = 2 }, processor = 1, binary_bytes = 1024, common_args_words = 4 },
    { on_ethernet = true, binary_bytes = 512 },
]
semaphores = [ { cores = { x1 = 2 }, id = 3, initial = 17 }, { id = 4 } ]
circular_buffers = [ { index = 31, pages = 2 } ]
[[program]]
kernels = [ { binary_bytes = 4096, content_seed = 9 } ]
[[trace]]
steps = [ { program = 1, times = 4 }, { program = 0 }, { program = 1 } ]
[[op]]
kind = "write_buffer"
[[op]]
kind = "enqueue"
program = 0
times = 3
[[op]]
kind = "capture"
[[op]]
kind = "enqueue"
program = 1
[[op]]
kind = "replay"
times = 5
blocking = true
[[op]]
kind = "read_buffer"
[[op]]
kind = "finish"
)";

template <class T>
bool has_op(const Scenario& s) {
    return std::any_of(s.ops.begin(), s.ops.end(),
                       [](const Op& op) { return std::holds_alternative<T>(op); });
}

std::uint32_t replayed_steps(const Scenario& s) {
    std::uint32_t steps = 0;
    for (const Op& op : s.ops) {
        if (const auto* replay = std::get_if<OpReplay>(&op)) {
            for (const TraceStep& step : s.traces[replay->trace].steps) {
                steps += replay->times * step.times;
            }
        }
    }
    return steps;
}

std::uint32_t largest_binary(const Scenario& s) {
    std::uint32_t bytes = 0;
    for (const Program& program : s.programs) {
        for (const Kernel& kernel : program.kernels) {
            bytes = std::max(bytes, kernel.binary_bytes);
        }
    }
    return bytes;
}

struct Row {
    const char* name;
    Predicate still_fails;
    const char* expected;
};

const std::vector<Row> kRows = {
    {"anything at all", [](const Scenario&) { return true; }, "order = \"o0\"\n"},
    {"an op of one kind", has_op<OpFinish>, R"(order = "o0"

[[op]]
kind = "finish"
)"},
    {"an op, what it needs, and the order level",
     [](const Scenario& s) { return has_op<OpReplay>(s) && s.order >= OrderLevel::o1; },
     R"([[trace]]

[[op]]
kind = "capture"
trace = 0

[[op]]
kind = "replay"
trace = 0
)"},
    {"a size above a bound",
     [](const Scenario& s) { return has_op<OpEnqueue>(s) && largest_binary(s) > 1000; },
     R"(order = "o0"

[[program]]
kernels = [
    { binary_bytes = 1008 },
]

[[op]]
kind = "enqueue"
program = 0
)"},
    {"repeats of a replayed trace", [](const Scenario& s) { return replayed_steps(s) >= 7; },
     R"(order = "o0"

[[program]]
kernels = [
    {},
]

[[trace]]
steps = [
    { program = 0, times = 2 },
]

[[op]]
kind = "capture"
trace = 0

[[op]]
kind = "replay"
trace = 0
times = 4
)"},
    {"geometry that matters and geometry that does not",
     [](const Scenario& s) { return s.geometry.scratch < 4096 && s.topology.split; },
     R"(order = "o0"

[topology]
split = true

[geometry]
scratch = 1024
)"},
    {"one deviation of three",
     [](const Scenario& s) {
         const auto& list = s.schedule.deviations;
         return std::any_of(list.begin(), list.end(), [](const Deviation& d) {
             return d.hold.ordinal > 6 && d.hold.actor == 2;
         });
     },
     R"(order = "o0"

[schedule]
deviations = [
    { hold = { actor = 2, ordinal = 7 }, until = {} },
]
)"},
    {"a semaphore of a program",
     [](const Scenario& s) {
         return std::any_of(s.programs.begin(), s.programs.end(), [](const Program& p) {
             return std::any_of(
                 p.semaphores.begin(), p.semaphores.end(),
                 [](const SemaphoreInit& i) { return i.initial == 17 && i.cores.x1 == 2; });
         });
     },
     R"(order = "o0"

[topology]
worker_cols = 3

[[program]]
kernels = [
    {},
]
semaphores = [
    { cores = { x1 = 2 }, initial = 17 },
]
)"},
};

Scenario rich() {
    const Result<Scenario> read = scenario_from_toml(kRich, "rich.toml");
    EXPECT_TRUE(read.ok()) << read.message();
    EXPECT_EQ(illegality_of(read.value()), "");
    return read.value();
}

// An inline table of defaults alone is left out; the rows may show it as "{}".
std::string without_empty(std::string text) {
    const std::string empty = ", until = {}";
    for (std::size_t at = text.find(empty); at != std::string::npos; at = text.find(empty)) {
        text.erase(at, empty.size());
    }
    return text;
}

TEST(MinimiseTest, LeavesOnlyWhatThePredicateNeeds) {
    for (const Row& row : kRows) {
        MinimiseStats stats;
        const Scenario scenario = rich();
        ASSERT_TRUE(row.still_fails(scenario)) << row.name;
        const Scenario small = minimise(scenario, row.still_fails, kRunsMax, &stats);
        EXPECT_EQ(scenario_to_toml(small), without_empty(row.expected)) << row.name;
        EXPECT_EQ(illegality_of(small), "") << row.name;
        EXPECT_TRUE(stats.complete) << row.name;
        EXPECT_LE(stats.runs, 400u) << row.name;
    }
}

TEST(MinimiseTest, AsksOnlyAboutLegalScenariosAndNeverTwice) {
    std::vector<std::vector<std::byte>> asked;
    minimise(
        rich(),
        [&](const Scenario& s) {
            EXPECT_EQ(illegality_of(s), "");
            asked.push_back(encode(s));
            return replayed_steps(s) >= 7;
        },
        kRunsMax, nullptr);
    std::sort(asked.begin(), asked.end());
    EXPECT_EQ(std::adjacent_find(asked.begin(), asked.end()), asked.end());
}

TEST(MinimiseTest, IsDeterministicAndAFixedPoint) {
    const Predicate fails = [](const Scenario& s) {
        return largest_binary(s) > 1000 && replayed_steps(s) > 3;
    };
    MinimiseStats first;
    MinimiseStats second;
    const Scenario a = minimise(rich(), fails, kRunsMax, &first);
    const Scenario b = minimise(rich(), fails, kRunsMax, &second);
    EXPECT_TRUE(equal(a, b));
    EXPECT_EQ(first.runs, second.runs);
    const Scenario again = minimise(a, fails, kRunsMax, &second);
    EXPECT_TRUE(equal(a, again));
    EXPECT_TRUE(second.complete);
}

TEST(MinimiseTest, StopsAtItsBudgetWithTheBestSoFar) {
    for (const std::uint32_t budget : {0u, 1u, 5u, 20u}) {
        MinimiseStats stats;
        std::uint32_t calls = 0;
        const Scenario small = minimise(
            rich(),
            [&](const Scenario& s) {
                ++calls;
                return replayed_steps(s) >= 7;
            },
            budget, &stats);
        EXPECT_LE(stats.runs, budget);
        EXPECT_EQ(stats.runs, calls);
        EXPECT_FALSE(stats.complete);
        EXPECT_GE(replayed_steps(small), 7u);
    }
}

TEST(MinimiseTest, EndsOnGeneratedScenarios) {
    Rng rng(41);
    for (std::uint32_t i = 0; i < 200; ++i) {
        const Scenario scenario = generate(Domain::trace_replay, rng, 64);
        const std::uint64_t steps = replayed_steps(scenario) / 2;
        const std::uint32_t bytes = largest_binary(scenario) / 2;
        const auto fails = [=](const Scenario& s) {
            return replayed_steps(s) >= steps && largest_binary(s) >= bytes;
        };
        MinimiseStats stats;
        const Scenario small = minimise(scenario, fails, 20'000, &stats);
        ASSERT_TRUE(stats.complete) << i;
        ASSERT_TRUE(fails(small)) << i;
        ASSERT_EQ(illegality_of(small), "") << i;
    }
}

}  // namespace
}  // namespace cqfuzz
